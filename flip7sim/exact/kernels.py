"""Compiled sweeps over the base-game solitaire round: backward for values, forward for chances.

Both work on a chunk of the cells of one level and know the neighbouring level, so chunks can run in
any order and on any thread with the same bits. Within a chunk the tails of `TILE` cells are worked
out side by side, as vectors. Columns of `tails` are those of `Tails.arrays`; a level hands on only
the tails in `slots`, from which a line becomes longer.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from flip7sim._jit import helper, njit
from flip7sim.exact.tails import (
    CHANCES_LEFT,
    DECISION,
    FLIP_THREES_LEFT,
    FREEZES_LEFT,
    HELD,
    INERT_LEFT,
    N_CARDS,
    ON_CHANCE,
    ON_DUPLICATE,
    ON_FLIP_THREE,
    ON_FREEZE,
    ON_INERT,
    SLOT,
    USED,
)

TILE: Final = 32
"""Cells worked on at once: their tails fit the second level of a processor's cache."""

OPTIMAL: Final = 0
"""`backward`: hit or stay, whichever is worth more."""
ALWAYS_STAY: Final = 1
"""`backward`: stay at every decision, so that a hit's value is that of one more card."""

P_BUST: Final = 0
P_FLIP7: Final = 1
P_FROZEN: Final = 2
N_REACHED: Final = 3
"""Columns of `forward`'s `figures`."""


@helper
def line_points(number_sum: int, doublers: int, plus: int) -> int:
    """Score of a line without Flip 7 (rules.md section 4)."""
    return (number_sum << doublers) + plus


@helper
def add_row(target: Any, source: Any, factor: float) -> None:
    """Add ``factor * source`` to `target`."""
    for at in range(target.shape[0]):
        target[at] += factor * source[at]


@njit
def backward(
    first: int,
    last: int,
    level: int,
    order: Any,
    place: Any,
    subset_of_mask: Any,
    masks: Any,
    subset_sum: Any,
    subset_size: Any,
    duplicates: Any,
    ranks: Any,
    rank_cards: Any,
    modifier_counts: Any,
    modifier_in: Any,
    modifier_up: Any,
    plus: Any,
    doublers: Any,
    tails: Any,
    slots: Any,
    settings: Any,
    reward: Any,
    mode: int,
    following: Any,
    values: Any,
    hit: Any,
    stays: Any,
) -> None:
    """Compute the values of cells `order[first:last]`, all of one level.

    Parameters
    ----------
    settings : ndarray of int64
        Cards in the deck at the start, capacity, Flip 7 bonus, 1 if the line starts empty.
    reward : ndarray of float64, shape (n_scores,)
        What a round that ends with each score is worth.
    following, values : ndarray of float64, shape (n_cells_of_level, n_slots)
        The next level's values; this level's, written.
    hit : ndarray of float64, shape (n_cells, n_decisions)
        Value of hitting, written; without cells where it is not wanted.
    stays : ndarray of uint8, shape (n_cells, n_decisions)
        1 where staying is worth at least as much as hitting, written.
    """
    n_tails = tails.shape[0]
    n_slots = slots.shape[0]
    n_modifiers = plus.shape[0]
    deck_cards, capacity, bonus, starts_empty = settings[0], settings[1], settings[2], settings[3]
    longer = np.empty(n_slots)
    sums = np.zeros((n_slots, TILE))
    worth = np.zeros((n_tails, TILE))
    value, stay, flip7, copies = np.zeros(TILE), np.zeros(TILE), np.zeros(TILE), np.zeros(TILE)
    may_stay = np.zeros(TILE, np.bool_)
    worth[1] = reward[0]
    for start in range(first, last, TILE):
        n_cells = min(TILE, last - start)
        for at in range(n_cells):
            cell = order[start + at]
            subset = cell // n_modifiers
            combo = cell - subset * n_modifiers
            mask = masks[subset]
            longer[:] = 0.0
            seven = 0.0
            full = subset_size[subset] == capacity
            for rank in range(ranks.shape[0]):
                if mask >> rank & 1:
                    continue
                if full:
                    total = subset_sum[subset] + ranks[rank]
                    end = line_points(total, doublers[combo], plus[combo]) + bonus
                    seven += rank_cards[rank] * reward[end]
                else:
                    next_cell = subset_of_mask[mask | 1 << rank] * n_modifiers + combo
                    add_row(longer, following[place[next_cell]], float(rank_cards[rank]))
            for kind in range(modifier_counts.shape[0]):
                cards = modifier_counts[kind] - modifier_in[combo, kind]
                if cards > 0:
                    next_cell = subset * n_modifiers + modifier_up[combo, kind]
                    add_row(longer, following[place[next_cell]], float(cards))
            for slot in range(n_slots):
                sums[slot, at] = longer[slot]
            stay[at] = reward[line_points(subset_sum[subset], doublers[combo], plus[combo])]
            flip7[at] = seven
            copies[at] = duplicates[subset]
            may_stay[at] = starts_empty == 0 or mask != 0 or combo != 0
        worth[0] = stay
        for tail in range(2, n_tails):
            left = deck_cards - level - tails[tail, N_CARDS]
            if left <= 0:  # not reachable
                worth[tail] = stay
                continue
            used = float(tails[tail, USED])
            source, saved = sums[tails[tail, SLOT]], worth[tails[tail, ON_DUPLICATE]]
            for at in range(TILE):
                value[at] = source[at] + flip7[at] + max(copies[at] - used, 0.0) * saved[at]
            if tails[tail, CHANCES_LEFT] > 0:
                add_row(value, worth[tails[tail, ON_CHANCE]], float(tails[tail, CHANCES_LEFT]))
            if tails[tail, FLIP_THREES_LEFT] > 0:
                cards = float(tails[tail, FLIP_THREES_LEFT])
                add_row(value, worth[tails[tail, ON_FLIP_THREE]], cards)
            if tails[tail, FREEZES_LEFT] > 0:
                add_row(value, worth[tails[tail, ON_FREEZE]], float(tails[tail, FREEZES_LEFT]))
            if tails[tail, INERT_LEFT] > 0:
                add_row(value, worth[tails[tail, ON_INERT]], float(tails[tail, INERT_LEFT]))
            for at in range(TILE):
                value[at] /= left
            decision = tails[tail, DECISION]
            if decision >= 0:
                for at in range(n_cells):
                    cell = order[start + at]
                    if hit.shape[0] != 0:
                        hit[cell, decision] = value[at]
                    stays[cell, decision] = stay[at] >= value[at]
                    wants = mode == ALWAYS_STAY or stay[at] >= value[at]
                    if wants and (may_stay[at] or tails[tail, HELD] == 1):
                        value[at] = stay[at]
            worth[tail] = value
        for at in range(n_cells):
            row = values[place[order[start + at]]]
            for slot in range(n_slots):
                row[slot] = worth[slots[slot], at]


@njit
def forward(
    first: int,
    last: int,
    level: int,
    order: Any,
    place: Any,
    subset_of_mask: Any,
    masks: Any,
    subset_sum: Any,
    subset_size: Any,
    duplicates: Any,
    ranks: Any,
    rank_cards: Any,
    modifier_counts: Any,
    modifier_in: Any,
    modifier_down: Any,
    plus: Any,
    doublers: Any,
    tails: Any,
    slots: Any,
    settings: Any,
    stays: Any,
    previous: Any,
    chances: Any,
    histogram: Any,
    figures: Any,
    visits: Any,
) -> None:
    """Carry the chances of being in each state through cells `order[first:last]` of one level.

    Parameters
    ----------
    settings : ndarray of int64
        Those of `backward`, then the tail before the first card.
    stays : ndarray of uint8, shape (n_cells, n_decisions)
        1 where the player stays.
    previous, chances : ndarray of float64, shape (n_cells_of_level, n_slots)
        Chance that a flip leads from the cell, grown by one card, to the tail of each slot, for
        every card of that kind: of the level before; of this level, written.
    histogram : ndarray of float64, shape (n_scores,)
        Chance of each final score, added to; busts are left out.
    figures : ndarray of float64, shape (4,)
        Chances of a bust, of a Flip 7 and of a Freeze, and the number of decision states reached,
        added to.
    visits : ndarray of float64, shape (n_cells, n_decisions) or (0, 0)
        Chance that each decision comes up, written; left alone if empty.
    """
    n_tails = tails.shape[0]
    n_slots = slots.shape[0]
    n_modifiers = plus.shape[0]
    deck_cards, capacity, bonus, starts_empty = settings[0], settings[1], settings[2], settings[3]
    inflow = np.empty(n_slots)
    onward = np.zeros((n_slots, TILE))
    chance = np.zeros((n_tails, TILE))
    flow, same, ended, flipped = np.zeros(TILE), np.zeros(TILE), np.zeros(TILE), np.zeros(TILE)
    copies = np.zeros(TILE)
    may_stay = np.zeros(TILE, np.bool_)
    for start in range(first, last, TILE):
        n_cells = min(TILE, last - start)
        chance[:] = 0.0
        onward[:] = 0.0
        ended[:] = 0.0
        flipped[:] = 0.0
        for at in range(n_cells):
            cell = order[start + at]
            subset = cell // n_modifiers
            combo = cell - subset * n_modifiers
            mask = masks[subset]
            inflow[:] = 0.0
            for rank in range(ranks.shape[0]):
                if mask >> rank & 1:
                    shorter = subset_of_mask[mask ^ (1 << rank)] * n_modifiers + combo
                    add_row(inflow, previous[place[shorter]], float(rank_cards[rank]))
            for kind in range(modifier_counts.shape[0]):
                if modifier_in[combo, kind] > 0:
                    shorter = subset * n_modifiers + modifier_down[combo, kind]
                    cards = modifier_counts[kind] - modifier_in[combo, kind] + 1
                    add_row(inflow, previous[place[shorter]], float(cards))
            for slot in range(n_slots):
                chance[slots[slot], at] = inflow[slot]
            copies[at] = duplicates[subset]
            may_stay[at] = starts_empty == 0 or mask != 0 or combo != 0
        if level == 0:
            chance[settings[4], 0] = 1.0
        for back in range(n_tails - 2):
            tail = n_tails - 1 - back
            left = deck_cards - level - tails[tail, N_CARDS]
            if left <= 0:  # not reachable
                continue
            here = chance[tail]
            decision = tails[tail, DECISION]
            if decision >= 0:
                for at in range(n_cells):
                    figures[N_REACHED] += here[at] > 0.0
                    if visits.shape[0] > 0:
                        visits[order[start + at], decision] = here[at]
                    wants = stays[order[start + at], decision] != 0
                    if wants and (may_stay[at] or tails[tail, HELD] == 1):
                        ended[at] += here[at]
                        here[at] = 0.0
            used = float(tails[tail, USED])
            for at in range(TILE):
                flow[at] = here[at] / left
                flipped[at] += flow[at]
                same[at] = flow[at] * max(copies[at] - used, 0.0)
            add_row(onward[tails[tail, SLOT]], flow, 1.0)
            add_row(chance[tails[tail, ON_DUPLICATE]], same, 1.0)
            if tails[tail, CHANCES_LEFT] > 0:
                add_row(chance[tails[tail, ON_CHANCE]], flow, float(tails[tail, CHANCES_LEFT]))
            if tails[tail, FLIP_THREES_LEFT] > 0:
                cards = float(tails[tail, FLIP_THREES_LEFT])
                add_row(chance[tails[tail, ON_FLIP_THREE]], flow, cards)
            if tails[tail, FREEZES_LEFT] > 0:
                add_row(chance[tails[tail, ON_FREEZE]], flow, float(tails[tail, FREEZES_LEFT]))
            if tails[tail, INERT_LEFT] > 0:
                add_row(chance[tails[tail, ON_INERT]], flow, float(tails[tail, INERT_LEFT]))
        for at in range(n_cells):
            cell = order[start + at]
            subset = cell // n_modifiers
            combo = cell - subset * n_modifiers
            mask = masks[subset]
            score = line_points(subset_sum[subset], doublers[combo], plus[combo])
            histogram[score] += ended[at] + chance[0, at]
            figures[P_FROZEN] += chance[0, at]
            figures[P_BUST] += chance[1, at]
            if subset_size[subset] == capacity:
                for rank in range(ranks.shape[0]):
                    if not mask >> rank & 1:
                        total = subset_sum[subset] + ranks[rank]
                        end = line_points(total, doublers[combo], plus[combo]) + bonus
                        histogram[end] += flipped[at] * rank_cards[rank]
                        figures[P_FLIP7] += flipped[at] * rank_cards[rank]
            row = chances[place[cell]]
            for slot in range(n_slots):
                row[slot] = onward[slot, at]
