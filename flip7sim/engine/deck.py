"""The deck and the discard pile (rules.md section 3, item 5).

The deck is shuffled from its end, a few cards ahead of the flips. Every round or game starts from
the same arrangement, so up to the first reshuffle the i-th card depends on the seed and the index
alone, whatever the players do: common random numbers.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from flip7sim._jit import call_address, helper, inlined, int64
from flip7sim.cards import N_KINDS
from flip7sim.engine.rng import below, next_state, output
from flip7sim.rules import MAX_FLIPS
from flip7sim.table import DECK_ROOM, ERROR_ABORTED, EVENT_FLIP, NO_CARD

_HALF: Final = np.uint64(32)
_LOWER: Final = np.uint64(0xFFFFFFFF)

AHEAD: Final = 16
"""Cards shuffled at a time: enough that their order is known before it is needed."""


@helper
def fill_deck(table: Any) -> None:
    """Put all cards into the deck."""
    for i in range(DECK_ROOM):  # a fixed number is copied faster than those that count
        table.deck[i] = table.full_deck[i]
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
def place_next(table: Any, i: int, n: int) -> None:
    """Exchange card `i` with the last of `n` cards in no order yet."""
    kind = table.deck[i]
    table.deck[i] = table.deck[n - 1]
    table.deck[n - 1] = kind


@helper
def shuffle_ahead(table: Any) -> None:
    """Put the next cards in random order (Fisher and Yates 1938, from the end of the deck).

    Each random word orders two cards, by its upper and its lower half.
    """
    s0, s1, s2, s3 = table.rng[0], table.rng[1], table.rng[2], table.rng[3]
    n = table.n_unshuffled
    for _ in range((min(n, AHEAD) + 1) >> 1):
        word = output(s0, s3)
        s0, s1, s2, s3 = next_state(s0, s1, s2, s3)
        place_next(table, below(word >> _HALF, n), n)
        n -= 1
        if n > 0:
            place_next(table, below(word & _LOWER, n), n)
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
def flip(table: Any, drawer: int) -> int:
    """Return the kind of the next card, flipped for `drawer`, or NO_CARD if there is none."""
    if table.flips >= MAX_FLIPS:
        return NO_CARD
    if table.n_cards_left == table.n_unshuffled and not order_next(table, drawer):
        return NO_CARD
    last = table.n_cards_left - 1
    kind = int64(table.deck[last])
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
