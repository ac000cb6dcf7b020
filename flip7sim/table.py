"""The table: everything there is to know about a round being played, as one numpy record.

The engine changes it, policies read it. It is one flat record so that compiled code reaches every
field through one pointer and a plain Python policy sees the same memory as a read-only view.

Examples
--------
>>> from flip7sim.rules import Rules
>>> table = new_table(Rules(), 4)
>>> int(table.n_seats), int(table.n_cards_left), float(table.total[0])
(4, 94, 0.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from flip7sim.cards import KIND, N_KINDS
from flip7sim.rules import MAX_FLIPS, MAX_SEATS, Rules, checked_seats

_BEYOND_INTEGERS: Final = 2.0**63

BASE: Final = 0
VENGEANCE: Final = 1
"""Values of `table.game`."""

ACTIVE: Final = 0
STAYED: Final = 1
BUSTED: Final = 2
"""Values of `table.status`."""

NO_CARD: Final = 255
NO_SEAT: Final = 255

ASK_NAMES: Final[tuple[str, ...]] = (
    "hit_or_stay",
    "freeze", "flip_three", "second_chance",
    "just_one_more", "flip_four", "steal", "swap", "discard", "modifier", "flip7_bonus",
)  # fmt: skip
"""What can be asked of a player; the index is the value of `table.ask`."""
N_ASKS: Final = len(ASK_NAMES)
ASK: Final[dict[str, int]] = {name: ask for ask, name in enumerate(ASK_NAMES)}
ASK_HIT_OR_STAY: Final = 0
ASK_FREEZE: Final = 1
ASK_FLIP_THREE: Final = 2
ASK_SECOND_CHANCE: Final = 3
ASK_JUST_ONE_MORE: Final = 4
ASK_FLIP_FOUR: Final = 5
ASK_STEAL: Final = 6
ASK_SWAP: Final = 7
ASK_DISCARD: Final = 8
ASK_MODIFIER: Final = 9
ASK_FLIP7_BONUS: Final = 10

GAME_ASKS: Final[dict[str, tuple[str, ...]]] = {
    "base": ASK_NAMES[1:4],
    "vengeance": ASK_NAMES[4:],
}
"""The targeting choices of each game."""

N_TERMS: Final = 8
"""The most stay policies that one player can combine with `and` and `or`."""
N_PARAMETERS: Final = 8
"""The most parameters of one policy."""
ROW_SHIFT: Final = 8
"""A policy's code is handed its seat in the lowest bits of a number and its row above them."""
SEAT_MASK: Final = (1 << ROW_SHIFT) - 1
N_POLICIES: Final = N_TERMS + N_ASKS
"""The most policies of a player: the stay terms, then one an ask."""
N_ROWS: Final = 1 << (N_POLICIES - 1).bit_length()
"""Rows for a player's policies: a power of two, which is multiplied by fastest."""
MAX_OPTIONS: Final = 32_768
"""Room for the options of one choice: pairs of cards of 18 lines of a 255-card deck."""
DECK_ROOM: Final = 256
"""Room for the cards of a deck."""
MAX_RUNS: Final = MAX_FLIPS + 1
"""Room for forced runs within forced runs: every run stems from a flip of its own, and the card
that forced one may come back by a reshuffle while what it set off is still being settled."""

EVENT_FLIP: Final = 1
EVENT_DECISION: Final = 2
EVENT_ROUND: Final = 3
"""Values of `table.event` when an observer is called: a card was flipped (`card`, `drawer`),
a choice was made (`ask`, `chooser`, `answer`), a round was scored."""

ERROR_ANSWER: Final = 1
ERROR_RAISED: Final = 2
ERROR_ABORTED: Final = 3
"""Values of `table.error`: an illegal answer, a policy that raised, a script that stopped."""
RAISED: Final = -(2**63) + 1
"""What the wrapper of a policy returns when the policy raised."""

OPTION: Final = np.dtype([("seat", "u1"), ("card", "u1"), ("with_seat", "u1"), ("with_card", "u1")])
"""One legal answer: a seat; for `steal` and `discard` a card in that seat's line too; for `swap`
both cards and both seats. Unused fields are 255."""

_RUN: Final = np.dtype(
    [
        ("action", "u1"),  # what forces the flips
        ("card", "u1"),  # the same while it is in hand, NO_CARD once discarded
        ("target", "u1"),
        ("flips_left", "u1"),
        ("flipping", "u1"),
        ("n_aside", "u1"),
        ("next_aside", "u1"),
        ("aside", "u1", (4,)),
        ("assigned", "u1", (4,)),
    ]
)

PLAYER: Final = np.dtype(
    [
        ("n_terms", "i8"),
        ("and_terms", "i8"),
        ("address", "u8", (N_ROWS,)),
        ("constants", "u8", (N_ROWS,)),
        ("parameter", "f8", (N_ROWS, N_PARAMETERS)),
        ("whole_parameter", "i8", (N_ROWS, N_PARAMETERS)),
    ],
    align=True,
)
"""A player apart from any seat: policies by address with their parameters, a row a policy."""

SEATS_AT_ONCE: Final = 4
"""Seats that are cleared together."""
_SEAT_ROOM: Final = -(-MAX_SEATS // SEATS_AT_ONCE) * SEATS_AT_ONCE
_SEAT: Final = (_SEAT_ROOM,)
TABLE: Final = np.dtype(
    [
        # The rules of this table.
        ("game", "i8"),
        ("n_seats", "i8"),
        ("brutal", "i8"),
        ("specials", "i8"),
        ("lucky13_pair_counts", "i8"),
        ("open_after_stay", "i8"),
        ("flip7_bonus", "i8"),
        ("target_score", "i8"),
        ("tie_shares", "i8"),
        ("reshuffle_each_round", "i8"),
        ("inert", "u1", (N_KINDS,)),
        ("full", "i4", (N_KINDS,)),  # cards of the whole deck, by kind
        ("n_cards", "i8"),
        # Where we are.
        ("seed", "u8", (2,)),
        ("stream", "i8"),  # index of the round (simulate) or of the game (games)
        ("round_number", "i8"),  # within a game, from 0
        ("dealer", "i8"),
        ("on_turn", "i8"),  # whose turn it is, for policies: the engine does not read it
        ("dealing", "i8"),
        ("flips", "i8"),  # in this round
        ("flips_before", "i8"),  # in the game's earlier rounds
        ("n_active", "i8"),
        ("active", "i8"),  # bit s is set while seat s is active
        ("over", "i8"),
        ("flip7_seat", "i8"),  # who ended the round, -1 for nobody
        ("winners", "i8"),  # of the game, bit s for seat s; 0 while nobody has won
        # The cards.
        ("rng", "u8", (4,)),
        ("n_cards_left", "i8"),  # in the deck
        ("n_unshuffled", "i8"),  # of these, not yet in their random order
        ("n_discarded", "i8"),
        ("deck", "u1", (DECK_ROOM,)),  # cards left in [0, n_cards_left), the last is next
        ("full_deck", "u1", (DECK_ROOM,)),
        ("left", "i4", (N_KINDS,)),  # cards in the deck, by kind
        ("discarded", "i4", (N_KINDS,)),  # cards in the discard pile, by kind
        # The seats.
        ("total", "i8", _SEAT),
        ("score", "i8", _SEAT),  # of the round, once it is over
        ("status", "i8", _SEAT),
        ("held", "i8", _SEAT),  # bit r is set when a number of rank r is in the line
        ("n_numbers", "i8", _SEAT),  # number cards toward Flip 7
        ("number_sum", "i8", _SEAT),
        ("modifier_sum", "i8", _SEAT),  # points of plus cards (base), of minus cards (Vengeance)
        ("n_doublers", "i8", _SEAT),  # x2 (base), div2 (Vengeance)
        ("n_second_chances", "i8", _SEAT),
        ("n_line", "i8", _SEAT),  # cards in the line
        ("penalty", "i8", _SEAT),  # Brutal: minus cards received after the bust
        ("frozen", "u1", _SEAT),  # a Freeze lies in front of the player
        ("line", "u1", (_SEAT_ROOM, N_KINDS)),  # cards in front of the player, by kind
        # The choice being made.
        ("ask", "i8"),
        ("card", "i8"),  # the card being settled, or flipped
        ("drawer", "i8"),
        ("chooser", "i8"),
        ("answer", "i8"),
        ("n_options", "i8"),
        ("event", "i8"),
        ("error", "i8"),
        ("row", "i8"),  # the policy row being asked
        ("run", "i8"),  # the forced run whose card is settled, -1 for none
        ("settle_address", "u8"),  # Vengeance's cards, compiled apart
        ("bonus_address", "u8"),
        # Who chooses.
        ("n_terms", "i8", _SEAT),
        ("and_terms", "i8", _SEAT),  # bit k: term k is joined to term k - 1 by `and`
        ("address", "u8", (MAX_SEATS * N_ROWS,)),
        ("constants", "u8", (MAX_SEATS * N_ROWS,)),  # address of a policy's constant table
        ("parameter", "f8", (MAX_SEATS * N_ROWS, N_PARAMETERS)),
        ("whole_parameter", "i8", (MAX_SEATS * N_ROWS, N_PARAMETERS)),  # the same, for integers
        ("observer", "u8"),  # called after each event, 0 for nobody
        ("observer_data", "u8"),
        ("script", "u8"),  # gives the cards of a scripted round, 0 for the shuffled deck
        # Large or rarely touched.
        ("used", "u1", (_SEAT_ROOM, N_KINDS)),  # cards the player used up in this round, by kind
        ("settling", "i8"),  # card in hand, NO_CARD for none
        ("n_runs", "i8"),
        ("runs", _RUN, (MAX_RUNS,)),
        ("options", OPTION, (MAX_OPTIONS,)),
    ],
    align=True,
)
"""The record. Rules, place, cards, seats, the choice being made, policies; see the comments beside
the fields. Per-seat fields have 20 entries, of which the first `n_seats` count.

`used` says who used up each card that went to the discard pile in this round and is still there:
the seat in whose line it lay or for whom it took effect, else the seat for which it was flipped. So
a Second Chance and the duplicate that it took out are their holder's, a Flip Three is its target's,
a line that `unlucky7` took is its holder's, a card without effect its drawer's. Cards given away,
stolen or swapped are used by nobody. A reshuffle brings all of them back."""


def new_table(rules: Rules, n_seats: int) -> Any:
    """Return a table for `n_seats` players under `rules`, before any card is flipped.

    Parameters
    ----------
    rules : Rules
    n_seats : int
        1 to 18.

    Returns
    -------
    numpy.record
        Writable, of dtype `TABLE`; policies are not set.

    Raises
    ------
    InputError
        If the number of seats is not from 1 to 18.
    """
    n_seats = checked_seats(n_seats)
    table = np.zeros(1, TABLE).view(np.recarray)[0]
    table.game = BASE if rules.game == "base" else VENGEANCE
    table.n_seats = n_seats
    table.brutal = rules.brutal
    table.specials = rules.specials
    table.lucky13_pair_counts = rules.lucky13_pair_counts if rules.specials else 2
    table.open_after_stay = rules.open_after_stay
    table.flip7_bonus = rules.flip7_bonus
    table.target_score = rules.target_score
    table.tie_shares = rules.tie == "share"
    table.reshuffle_each_round = rules.reshuffle_each_round
    for name in rules.inert:
        table.inert[KIND[name]] = 1
    table.full[:] = rules.counts
    table.n_cards = rules.n_cards
    table.full_deck[: rules.n_cards] = np.repeat(np.arange(N_KINDS), rules.counts)
    table.left[:] = rules.counts
    table.n_cards_left = table.n_unshuffled = rules.n_cards
    table.deck[:] = table.full_deck
    table.flip7_seat = -1
    table.settling = NO_CARD
    return table


def write_policy(
    record: Any, row: int, address: int, constants: int, values: Sequence[float]
) -> None:
    """Write a policy into its row: its code, its constant array, its parameters.

    Compiled code reads those that are declared as integers from integers: converted on the way,
    they would be late for every decision.

    Parameters
    ----------
    record : record
        A `TABLE` or a `PLAYER`.
    row : int
    address : int
        Of the policy's code.
    constants : int
        Address of its constant array, 0 for none.
    values : sequence of float
        Its parameters, at most 8; NaN for one that is not given.

    Examples
    --------
    >>> record = np.zeros(1, PLAYER).view(np.recarray)[0]
    >>> write_policy(record, 0, 4096, 0, [0.5, 25.0])
    >>> int(record.address[0]), record.parameter[0, :2].tolist()
    (4096, [0.5, 25.0])
    """
    record.address[row] = address
    record.constants[row] = constants
    record.parameter[row] = 0
    record.whole_parameter[row] = 0
    for k, value in enumerate(values):
        record.parameter[row, k] = value
        if abs(value) < _BEYOND_INTEGERS:
            record.whole_parameter[row, k] = int(value)
