"""The deck and the discard pile (rules.md section 3, item 5).

The shuffle happens as cards are flipped: each flip takes one of the cards left at random. Every
round or game starts from the same arrangement, so up to the first reshuffle the i-th card depends
on the seed and the index alone, whatever the players do: common random numbers.
"""

from __future__ import annotations

from typing import Any

from flip7sim._jit import call_address, helper
from flip7sim.cards import N_KINDS
from flip7sim.engine.rng import below
from flip7sim.rules import MAX_FLIPS
from flip7sim.table import ERROR_ABORTED, EVENT_FLIP, NO_CARD


@helper
def fill_deck(table: Any) -> None:
    """Put all cards into the deck."""
    for i in range(table.n_cards):
        table.deck[i] = table.full_deck[i]
    for kind in range(N_KINDS):
        table.left[kind] = table.full[kind]
        table.discarded[kind] = 0
    table.n_cards_left = table.n_cards
    table.n_discarded = 0


@helper
def discard(table: Any, kind: int) -> None:
    """Put a card on the discard pile."""
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
    """Make the discard pile the new deck."""
    n = 0
    for kind in range(N_KINDS):
        for _ in range(table.discarded[kind]):
            table.deck[n] = kind
            n += 1
        table.left[kind] = table.discarded[kind]
        table.discarded[kind] = 0
    table.n_cards_left = n
    table.n_discarded = 0


@helper
def scripted_position(table: Any, drawer: int) -> int:
    """Return where in the deck the card is that a script names, or abort the round."""
    kind = call_address(table, table.script, drawer)
    for i in range(table.n_cards_left):
        if table.deck[i] == kind:
            return i
    table.error = ERROR_ABORTED
    table.over = 1
    return 0


@helper
def flip(table: Any, drawer: int) -> int:
    """Return the kind of the next card, flipped for `drawer`, or NO_CARD if there is none."""
    if table.n_cards_left == 0 or table.flips >= MAX_FLIPS:
        if table.flips >= MAX_FLIPS or table.n_discarded == 0:
            return NO_CARD
        reshuffle(table)
    last = table.n_cards_left - 1
    if table.script == 0:
        i = below(table, last + 1)
    else:
        i = scripted_position(table, drawer)
        if table.over != 0:
            return NO_CARD
    kind = int(table.deck[i])
    table.deck[i] = table.deck[last]
    table.deck[last] = kind
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
