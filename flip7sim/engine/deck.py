"""The deck and the discard pile (rules.md section 3, item 5).

The deck is shuffled from its end, a few cards ahead of the flips. Every round or game starts from
the same arrangement, so up to the first reshuffle the i-th card depends on the seed and the index
alone, whatever the players do: common random numbers.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from flip7sim._jit import call_address, helper, inlined, int64, unsigned
from flip7sim.cards import N_KINDS
from flip7sim.engine.rng import below, next_state, output
from flip7sim.rules import MAX_FLIPS
from flip7sim.table import DECK_ROOM, ERROR_ABORTED, EVENT_FLIP, NO_CARD

_HALF: Final = np.uint64(32)
_LOWER: Final = np.uint64(0xFFFFFFFF)

_CHUNK: Final = DECK_ROOM // 2

AHEAD: Final = 16
"""Cards shuffled at a time, an even number: enough for most rounds. Random words are used up with
them, so another number would change games whose deck is shuffled anew every round."""


@helper
def fill_deck(table: Any) -> None:
    """Put all cards into the deck."""
    for first in range(0, table.n_cards, _CHUNK):  # a fixed number is copied at once
        for i in range(_CHUNK):
            table.deck[unsigned(first + i)] = table.full_deck[unsigned(first + i)]
    for kind in range(N_KINDS):
        table.left[kind] = table.full[kind]
    if table.n_discarded != 0:
        for kind in range(N_KINDS):
            table.discarded[kind] = 0
    table.n_cards_left = table.n_cards
    table.n_unshuffled = table.n_cards
    table.n_discarded = 0


@helper
def discard(table: Any, seat: int, kind: int) -> None:
    """Put a card that a seat has used up (`table.used`) on the discard pile."""
    table.used[seat, kind] += 1
    table.discarded[kind] += 1
    table.n_discarded += 1


@helper
def discard_round(table: Any) -> None:
    """Put on the discard pile all that is not in the deck: a round is over."""
    table.n_discarded = table.n_cards - table.n_cards_left
    for kind in range(N_KINDS):
        table.discarded[kind] = table.full[kind] - table.left[kind]


@helper
def reshuffle(table: Any) -> None:
    """Make the discard pile the new deck; nothing counts as used up any more."""
    n = 0
    for seat in range(table.n_seats):
        for kind in range(N_KINDS):
            table.used[seat, kind] = 0
    for kind in range(N_KINDS):
        for _ in range(table.discarded[kind]):
            table.deck[n] = kind
            n += 1
        table.left[kind] = table.discarded[kind]
        table.discarded[kind] = 0
    table.n_cards_left = n
    table.n_unshuffled = n
    table.n_discarded = 0


@inlined
def place_next(table: Any, half: Any, n: int) -> None:
    """Exchange a random one of `n` cards in no order yet with the last of them."""
    i, last = below(half, n), unsigned(n - 1)
    kind = table.deck[i]
    table.deck[i] = table.deck[last]
    table.deck[last] = kind


@helper
def shuffle_ahead(table: Any) -> None:
    """Put the next cards in random order (Fisher and Yates 1938, from the end of the deck).

    Each random word orders two cards, by its upper and its lower half. No more are put in order
    than may be flipped, so the limit of flips is looked at no more often than this.
    """
    s0, s1, s2, s3 = table.rng[0], table.rng[1], table.rng[2], table.rng[3]
    n = table.n_unshuffled
    ahead = min(n, AHEAD, MAX_FLIPS - table.flips)
    for _ in range(ahead >> 1):
        word = output(s0, s3)
        s0, s1, s2, s3 = next_state(s0, s1, s2, s3)
        place_next(table, word >> _HALF, n)
        place_next(table, word & _LOWER, n - 1)
        n -= 2
    if ahead & 1 == 1:
        place_next(table, output(s0, s3) >> _HALF, n)
        s0, s1, s2, s3 = next_state(s0, s1, s2, s3)
        n -= 1
    table.n_unshuffled = n
    table.rng[0], table.rng[1], table.rng[2], table.rng[3] = s0, s1, s2, s3


@helper
def find_scripted(table: Any, drawer: int) -> None:
    """Put the card that a script names next, or abort the round."""
    kind = call_address(table, table.script, drawer)
    last = table.n_unshuffled - 1
    for i in range(last + 1):
        if table.deck[i] == kind:
            table.deck[i] = table.deck[last]
            table.deck[last] = kind
            table.n_unshuffled = last
            return
    table.error = ERROR_ABORTED
    table.over = 1


@helper
def order_next(table: Any, drawer: int) -> bool:
    """Put the next cards in their order; return whether there is a card to flip."""
    if table.flips >= MAX_FLIPS:
        return False
    if table.n_cards_left == 0:
        if table.n_discarded == 0:
            return False
        reshuffle(table)
    if table.script == 0:
        shuffle_ahead(table)
        return True
    find_scripted(table, drawer)
    return table.error == 0


@inlined
def can_flip(table: Any, drawer: int) -> bool:
    """Return whether there is a card to flip, its place in the deck settled."""
    return table.n_cards_left != table.n_unshuffled or order_next(table, drawer)


@inlined
def flip(table: Any, drawer: int) -> int:
    """Return the kind of the next card, flipped for `drawer`; there must be one (`can_flip`)."""
    last = table.n_cards_left - 1
    kind = int64(table.deck[unsigned(last)])
    table.n_cards_left = last
    table.left[kind] -= 1
    table.flips += 1
    if table.observer != 0:
        table.card = kind
        table.settling = kind
        table.drawer = drawer
        table.event = EVENT_FLIP
        call_address(table, table.observer, drawer)
        table.settling = NO_CARD
    return kind
