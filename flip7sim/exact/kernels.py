"""Compiled sweeps over the base-game solitaire round: backward for values, forward for chances.

Both work on a chunk of the cells of one level and know the neighbouring level, so chunks can run in
any order and on any thread with the same bits. Columns of `tails` are those of `Tails.arrays`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from flip7sim._jit import helper, njit
from flip7sim.exact.asking import set_line, set_tail, stay_chance, undo_tail
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

OPTIMAL: Final = 0
"""`backward`: hit or stay, whichever is worth more."""
ALWAYS_STAY: Final = 1
"""`backward`: stay at every decision, so that a hit's value is that of one more card."""

FROM_VALUES: Final = 0
"""`forward`: stay where the reward is at least the value of hitting."""
ASKED: Final = 1
"""`forward`: ask the policies in the table."""

P_BUST: Final = 0
P_FLIP7: Final = 1
P_FROZEN: Final = 2
N_REACHED: Final = 3
"""Columns of `forward`'s `figures`."""


@helper
def line_points(number_sum: int, doublers: int, plus: int) -> int:
    """Score of a line without Flip 7 (rules.md section 4)."""
    return (number_sum << doublers) + plus


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
    settings: Any,
    reward: Any,
    mode: int,
    following: Any,
    values: Any,
    hit: Any,
) -> None:
    """Compute the values of cells `order[first:last]`, all of one level.

    Parameters
    ----------
    settings : ndarray of int64
        Cards in the deck at the start, capacity, Flip 7 bonus, 1 if the line starts empty.
    reward : ndarray of float64, shape (n_scores,)
        What a round that ends with each score is worth.
    following, values : ndarray of float64, shape (n_cells_of_level, n_tails)
        The next level's values; this level's, written.
    hit : ndarray of float64, shape (n_cells, n_decisions)
        Value of hitting, written.
    """
    n_tails = tails.shape[0]
    n_modifiers = plus.shape[0]
    n_ranks = ranks.shape[0]
    n_kinds = modifier_counts.shape[0]
    deck_cards, capacity, bonus, starts_empty = settings[0], settings[1], settings[2], settings[3]
    for at in range(first, last):
        cell = order[at]
        subset = cell // n_modifiers
        combo = cell - subset * n_modifiers
        mask = masks[subset]
        row = values[place[cell]]
        stay = reward[line_points(subset_sum[subset], doublers[combo], plus[combo])]
        row[:] = 0.0
        flip7 = 0.0
        full = subset_size[subset] == capacity
        for rank in range(n_ranks):
            if mask >> rank & 1:
                continue
            cards = rank_cards[rank]
            if full:
                total = subset_sum[subset] + ranks[rank]
                flip7 += cards * reward[line_points(total, doublers[combo], plus[combo]) + bonus]
            else:
                longer = subset_of_mask[mask | 1 << rank] * n_modifiers + combo
                source = following[place[longer]]
                for tail in range(n_tails):
                    row[tail] += cards * source[tail]
        for kind in range(n_kinds):
            cards = modifier_counts[kind] - modifier_in[combo, kind]
            if cards > 0:
                source = following[place[subset * n_modifiers + modifier_up[combo, kind]]]
                for tail in range(n_tails):
                    row[tail] += cards * source[tail]
        # `row` is read through `neutral` while it is overwritten, so it needs a copy.
        sums = row.copy()
        row[0] = stay
        row[1] = reward[0]
        can_stay = starts_empty == 0 or mask != 0 or combo != 0
        for tail in range(2, n_tails):
            left = deck_cards - level - tails[tail, N_CARDS]
            if left <= 0:  # not reachable
                row[tail] = stay
                continue
            same = duplicates[subset] - tails[tail, USED]
            value = sums[tails[tail, NEUTRAL]] + flip7
            if same > 0:
                value += same * row[tails[tail, ON_DUPLICATE]]
            value += tails[tail, CHANCES_LEFT] * row[tails[tail, ON_CHANCE]]
            value += tails[tail, FLIP_THREES_LEFT] * row[tails[tail, ON_FLIP_THREE]]
            value += tails[tail, FREEZES_LEFT] * row[tails[tail, ON_FREEZE]]
            value += tails[tail, INERT_LEFT] * row[tails[tail, ON_INERT]]
            value /= left
            decision = tails[tail, DECISION]
            if decision >= 0:
                hit[cell, decision] = value
                if (can_stay or tails[tail, HELD] == 1) and (mode == ALWAYS_STAY or stay >= value):
                    value = stay
            row[tail] = value


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
    mode: int,
    reward: Any,
    hit: Any,
    tables: Any,
    coins: Any,
    previous: Any,
    was_reached: Any,
    chances: Any,
    reached: Any,
    histogram: Any,
    figures: Any,
    visits: Any,
) -> int:
    """Carry the chances of being in each state through cells `order[first:last]` of one level.

    Parameters
    ----------
    settings : ndarray of int64
        Those of `backward`, then the tail before the first card.
    mode : int
        `FROM_VALUES` (reads `reward` and `hit`) or `ASKED` (reads `tables` and `coins`).
    previous, chances : ndarray of float64, shape (n_cells_of_level, n_tails)
        Chance of a flip in each state, divided by the cards left in the deck: of the level before;
        of this level, written for the cells reached.
    was_reached, reached : ndarray of int8, shape (n_cells_of_level,)
        Whether a flip happens in any state of the cell: of the level before; of this one, written.
    histogram : ndarray of float64, shape (n_scores,)
        Chance of each final score, added to; busts are left out.
    figures : ndarray of float64, shape (4,)
        Chances of a bust, of a Flip 7 and of a Freeze, and the number of decision states reached,
        added to.
    visits : ndarray of float64, shape (n_cells, n_decisions) or (0, 0)
        Chance that the decision comes up, written where it does; left alone if empty.

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
                if visits.shape[0] > 0:
                    visits[cell, decision] = chance
                stays = 0.0
                if can_stay or tails[tail, HELD] == 1:
                    if mode == FROM_VALUES:
                        stays = 1.0 if reward[score] >= hit[cell, decision] else 0.0
                    else:
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
