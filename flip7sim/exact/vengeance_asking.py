"""Showing a policy a state of the solved Vengeance round: the line, the deck, the discard pile."""

from __future__ import annotations

from typing import Any

from flip7sim._jit import helper
from flip7sim.cards import UNLUCKY7
from flip7sim.exact.vengeance_lattice import COUNT, MASK, SUM, UNLUCKY_POINTS


@helper
def show_line(
    table: Any, line: Any, combo: int, blank: int, fixed_count: int, lost: int, lost_combo: int,
    shown: Any,
) -> None:  # fmt: skip
    """Write a state into seat 0 of a table, and what is out of the deck.

    Which of the blanks were drawn the state does not say. They are taken from the first kinds: a
    legal case, in which the chances of a bust and of what numbers and modifiers bring are right.

    Parameters
    ----------
    table : record
    line : ndarray of int64, shape (N_COLUMNS,)
        A row of `sets`.
    combo, lost_combo : int
        Sets of all modifiers: in the line; discarded by `unlucky7`.
    blank : int
        Blanks drawn.
    fixed_count : int
        Of the seven, in the line at the lattice's start.
    lost : int
        Set of items discarded by `unlucky7`, -1 before it.
    shown : tuple of ndarray
        Kind of each item, rank of each item, kind, minus points and halvings of each modifier, kind
        of each blank.
    """
    item_kind, item_rank, modifiers, points, halving, blank_kinds = shown
    for kind in range(table.full.shape[0]):
        table.line[0, kind] = 0
        table.left[kind] = table.full[kind]
        table.discarded[kind] = 0
    held, cards, gone = 0, 0, blank
    mask = line[MASK]
    for item in range(item_kind.shape[0]):
        kind = item_kind[item]
        if mask >> item & 1:
            table.line[0, kind] += 1
            table.left[kind] -= 1
            held |= 1 << item_rank[item]
            cards += 1
        if lost >= 0 and lost >> item & 1:
            table.left[kind] -= 1
            table.discarded[kind] += 1
            gone += 1
    total = line[SUM]
    if lost >= 0:
        table.line[0, UNLUCKY7] = 1
        table.left[UNLUCKY7] = 0
        held |= 1 << UNLUCKY_POINTS
        cards += 1
        total += UNLUCKY_POINTS
    minus, halvings = 0, 0
    for bit in range(modifiers.shape[0]):
        kind = modifiers[bit]
        if combo >> bit & 1:
            table.line[0, kind] += 1
            table.left[kind] -= 1
            minus += points[bit]
            halvings += halving[bit]
            cards += 1
        if lost_combo >> bit & 1:
            table.left[kind] -= 1
            table.discarded[kind] += 1
            gone += 1
    for at in range(blank):
        table.left[blank_kinds[at]] -= 1
        table.discarded[blank_kinds[at]] += 1
    for kind in range(table.full.shape[0]):
        table.used[0, kind] = table.discarded[kind]
    table.held[0] = held
    table.n_numbers[0] = fixed_count + line[COUNT]
    table.number_sum[0] = total
    table.modifier_sum[0] = minus
    table.n_doublers[0] = halvings
    table.n_line[0] = cards
    table.n_cards_left = table.n_cards - cards - gone
    table.n_discarded = gone
    table.flips = cards + gone
