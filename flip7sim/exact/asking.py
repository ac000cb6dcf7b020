"""Asking policies about a state of a solved round: filling the table and combining the terms."""

from __future__ import annotations

from typing import Any

from flip7sim._jit import call_address, helper
from flip7sim.cards import FLIP_THREE, FREEZE, N_RANKS, SECOND_CHANCE
from flip7sim.engine.choices import packed
from flip7sim.exact.tails import (
    CHANCES_LEFT,
    FLIP_THREES_LEFT,
    FREEZES_LEFT,
    HELD,
    INERT_LEFT,
    N_CARDS,
    USED,
)


@helper
def stay_chance(table: Any, coins: Any) -> float:
    """Ask seat 0 as the engine does: terms joined by `and` and `or` (table.py).

    `coins[k]` is the chance of a random term, which is true when one uniform number common to all
    terms lies below it; it is negative for a policy. Returns the chance of staying, or -1 for an
    illegal answer, which then stands in ``table.answer``.
    """
    # Stay when the uniform number is below a bound: OR takes the larger bound, AND the smaller.
    best, group = 0.0, 0.0
    for term in range(table.n_terms[0]):
        if coins[term] >= 0.0:
            bound = coins[term]
        else:
            table.row = term
            answer = call_address(table, table.address[term], packed(0, term))
            if answer != 0 and answer != 1:
                table.answer = answer
                return -1.0
            bound = float(answer)
        if table.and_terms[0] >> term & 1:
            group = min(group, bound)
        else:
            best = max(best, group)
            group = bound
    return max(best, group)


@helper
def set_line(
    table: Any,
    mask: int,
    combo: int,
    ranks: Any,
    modifiers: Any,
    modifier_in: Any,
    doublers: int,
    plus: int,
    line: Any,
    deck: Any,
) -> None:
    """Write a cell's cards into seat 0's line and take them out of the deck.

    `line` and `deck` are the counts per kind at the start of the solved round.
    """
    held, numbers, total, cards = 0, 0, 0, 0
    for kind in range(line.shape[0]):
        table.line[0, kind] = line[kind]
        table.left[kind] = deck[kind]
        table.discarded[kind] = 0
        cards += line[kind]
        if line[kind] > 0 and kind < N_RANKS:
            held |= 1 << kind
            numbers += 1
            total += kind
    for rank in range(ranks.shape[0]):
        if mask >> rank & 1:
            kind = ranks[rank]
            table.line[0, kind] = 1
            table.left[kind] -= 1
            held |= 1 << kind
            numbers += 1
            total += kind
            cards += 1
    for at in range(modifiers.shape[0]):
        count = modifier_in[combo, at]
        kind = modifiers[at]
        table.line[0, kind] += count
        table.left[kind] -= count
        cards += count
    table.held[0] = held
    table.n_numbers[0] = numbers
    table.number_sum[0] = total
    table.modifier_sum[0] = plus
    table.n_doublers[0] = doublers
    table.n_second_chances[0] = line[SECOND_CHANCE]
    table.n_line[0] = cards


@helper
def set_tail(table: Any, tail: Any, level: int, line: Any, deck: Any, inert: Any) -> None:
    """Write a tail's cards into a table on which `set_line` stood; `undo_tail` goes back.

    Which duplicates a Second Chance took out, and which of the inert cards were drawn, the tail
    does not say. They are taken from the highest number held and the first inert kind that have
    cards left: the counts are legal, and their sums, by which chances go, are right.
    """
    held = tail[HELD]
    table.n_line[0] += held - table.n_second_chances[0]
    table.line[0, SECOND_CHANCE] = held
    table.n_second_chances[0] = held
    if inert[SECOND_CHANCE] == 0:
        table.left[SECOND_CHANCE] = tail[CHANCES_LEFT]
        gone = deck[SECOND_CHANCE] - tail[CHANCES_LEFT]
        table.discarded[SECOND_CHANCE] = gone + line[SECOND_CHANCE] - held
    if inert[FLIP_THREE] == 0:
        table.left[FLIP_THREE] = tail[FLIP_THREES_LEFT]
        table.discarded[FLIP_THREE] = deck[FLIP_THREE] - tail[FLIP_THREES_LEFT]
    if inert[FREEZE] == 0:
        table.left[FREEZE] = tail[FREEZES_LEFT]
    out = -tail[INERT_LEFT]
    for kind in range(inert.shape[0]):
        if inert[kind] == 1:
            out += deck[kind]
    for kind in range(inert.shape[0]):
        if inert[kind] == 1:
            gone = min(out, deck[kind])
            table.left[kind] = deck[kind] - gone
            table.discarded[kind] = gone
            out -= gone
    taken = tail[USED]
    for back in range(N_RANKS):
        kind = N_RANKS - 1 - back
        if taken > 0 and table.held[0] >> kind & 1:
            gone = min(taken, table.left[kind])
            table.left[kind] -= gone
            table.discarded[kind] += gone
            taken -= gone
    left, discarded = 0, 0
    for kind in range(inert.shape[0]):
        table.used[0, kind] = table.discarded[kind]
        left += table.left[kind]
        discarded += table.discarded[kind]
    table.n_cards_left = left
    table.n_discarded = discarded
    table.flips = level + tail[N_CARDS]


@helper
def undo_tail(table: Any) -> None:
    """Put back the duplicates that `set_tail` took out."""
    for kind in range(N_RANKS):
        table.left[kind] += table.discarded[kind]
        table.discarded[kind] = 0
