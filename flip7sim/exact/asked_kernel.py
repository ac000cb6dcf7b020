"""The compiled sweep forward over the base-game solitaire round in which policies decide.

It asks them about the states that are reached, and no others. Chunks as in `kernels`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flip7sim._jit import njit
from flip7sim.exact.asking import set_line, set_tail, stay_chance, undo_tail
from flip7sim.exact.kernels import N_REACHED, P_BUST, P_FLIP7, P_FROZEN, line_points
from flip7sim.exact.tails import (
    CHANCES_LEFT,
    DECISION,
    FLIP_THREES_LEFT,
    FREEZES_LEFT,
    HELD,
    INERT_LEFT,
    N_CARDS,
    NEUTRAL,
    ON_CHANCE,
    ON_DUPLICATE,
    ON_FLIP_THREE,
    ON_FREEZE,
    ON_INERT,
    USED,
)


@njit
def forward_asked(
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
    modifiers: Any,
    modifier_counts: Any,
    modifier_in: Any,
    modifier_down: Any,
    plus: Any,
    doublers: Any,
    tails: Any,
    settings: Any,
    deck: Any,
    line: Any,
    inert: Any,
    tables: Any,
    coins: Any,
    previous: Any,
    was_reached: Any,
    chances: Any,
    reached: Any,
    histogram: Any,
    figures: Any,
) -> int:
    """Carry the chances of being in each state through cells `order[first:last]` of one level.

    Settings, `histogram` and `figures` are those of `kernels.forward`.

    Parameters
    ----------
    previous, chances : ndarray of float64, shape (n_cells_of_level, n_tails)
        Chance of a flip in each state, divided by the cards left in the deck: of the level before;
        of this level, written for the cells reached.
    was_reached, reached : ndarray of int8, shape (n_cells_of_level,)
        Whether a flip happens in any state of the cell: of the level before; of this one, written.
    tables, coins
        One table with its policies, and the chances of random terms (`asking.stay_chance`).

    Returns
    -------
    int
        -1, or the cell in which a policy gave an illegal answer (``tables[0].answer``).
    """
    n_tails = tails.shape[0]
    n_modifiers = plus.shape[0]
    n_ranks = ranks.shape[0]
    n_kinds = modifier_counts.shape[0]
    deck_cards, capacity, bonus, starts_empty = settings[0], settings[1], settings[2], settings[3]
    inflow = np.zeros(n_tails)
    for at in range(first, last):
        cell = order[at]
        subset = cell // n_modifiers
        combo = cell - subset * n_modifiers
        mask = masks[subset]
        row = chances[place[cell]]
        found = level == 0
        for rank in range(n_ranks):
            if mask >> rank & 1:
                shorter = place[subset_of_mask[mask ^ (1 << rank)] * n_modifiers + combo]
                if was_reached[shorter] == 0:
                    continue
                if not found:
                    inflow[:] = 0.0
                    found = True
                source = previous[shorter]
                for tail in range(n_tails):
                    inflow[tail] += rank_cards[rank] * source[tail]
        for kind in range(n_kinds):
            if modifier_in[combo, kind] > 0:
                shorter = place[subset * n_modifiers + modifier_down[combo, kind]]
                if was_reached[shorter] == 0:
                    continue
                if not found:
                    inflow[:] = 0.0
                    found = True
                cards = modifier_counts[kind] - modifier_in[combo, kind] + 1
                source = previous[shorter]
                for tail in range(n_tails):
                    inflow[tail] += cards * source[tail]
        reached[place[cell]] = 0
        if not found:
            continue
        row[:] = 0.0
        for tail in range(2, n_tails):
            if inflow[tail] > 0.0:
                row[tails[tail, NEUTRAL]] += inflow[tail]
        if level == 0:
            row[settings[4]] = 1.0
        score = line_points(subset_sum[subset], doublers[combo], plus[combo])
        full = subset_size[subset] == capacity
        can_stay = starts_empty == 0 or mask != 0 or combo != 0
        line_set = False
        for back in range(n_tails - 2):
            tail = n_tails - 1 - back
            chance = row[tail]
            if chance == 0.0:
                continue
            decision = tails[tail, DECISION]
            if decision >= 0:
                figures[N_REACHED] += 1.0
                stays = 0.0
                if can_stay or tails[tail, HELD] == 1:
                    table = tables[0]
                    if not line_set:
                        set_line(
                            table, mask, combo, ranks, modifiers, modifier_in,
                            doublers[combo], plus[combo], line, deck,
                        )  # fmt: skip
                        line_set = True
                    set_tail(table, tails[tail], level, line, deck, inert)
                    stays = stay_chance(table, coins)
                    undo_tail(table)
                    if stays < 0.0:
                        return int(cell)
                histogram[score] += chance * stays
                chance *= 1.0 - stays
            if chance == 0.0:
                row[tail] = 0.0
                continue
            reached[place[cell]] = 1
            left = deck_cards - level - tails[tail, N_CARDS]
            flow = chance / left
            row[tail] = flow
            same = duplicates[subset] - tails[tail, USED]
            row[tails[tail, ON_DUPLICATE]] += flow * same
            row[tails[tail, ON_CHANCE]] += flow * tails[tail, CHANCES_LEFT]
            row[tails[tail, ON_FLIP_THREE]] += flow * tails[tail, FLIP_THREES_LEFT]
            row[tails[tail, ON_FREEZE]] += flow * tails[tail, FREEZES_LEFT]
            row[tails[tail, ON_INERT]] += flow * tails[tail, INERT_LEFT]
            if full:
                for rank in range(n_ranks):
                    if not mask >> rank & 1:
                        total = subset_sum[subset] + ranks[rank]
                        end = line_points(total, doublers[combo], plus[combo]) + bonus
                        histogram[end] += flow * rank_cards[rank]
                        figures[P_FLIP7] += flow * rank_cards[rank]
        histogram[score] += row[0]
        figures[P_FROZEN] += row[0]
        figures[P_BUST] += row[1]
        row[0] = 0.0
        row[1] = 0.0
    return -1
