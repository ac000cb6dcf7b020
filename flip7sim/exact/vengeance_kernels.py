"""Compiled kernels of the Vengeance solitaire round: the lattices before and after `unlucky7`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from flip7sim._jit import helper, njit
from flip7sim.exact.vengeance_carry import UNKNOWN, carry_lattice
from flip7sim.exact.vengeance_lattice import (
    BLANKS,
    FIXED_SUM,
    LOW,
    SUM,
    ZERO,
    solve_lattice,
)

LANES: Final = 32
"""Lattices after `unlucky7` that are swept side by side: short loops over them run as vectors, and
a layer of values still fits a processor core's cache."""


@njit
def solve_first(
    sets: Any, children: Any, item_rank: Any, scores: Any, settings: Any, cards: Any, share: Any,
    kept: Any, n_bits: Any, n_modifiers: int, wiped: Any, values: Any, hits: Any,
) -> None:  # fmt: skip
    """Solve the lattice before `unlucky7`, a single lane; arguments as for `solve_lattice`."""
    solve_lattice(
        sets, children, item_rank, scores, settings, cards, share, kept, n_bits, n_modifiers,
        wiped, values, True, hits, np.empty(values.shape[2:]), np.empty(1), np.empty(1),
    )  # fmt: skip


@njit
def carry_first(
    sets: Any, children: Any, item_rank: Any, scores: Any, settings: Any, cards: Any, share: Any,
    kept: Any, n_bits: Any, n_modifiers: int, mode: int, values: Any, tables: Any, coins: Any,
    shown: Any, wipes: Any, histogram: Any, figures: Any,
) -> bool:  # fmt: skip
    """Carry chances through the lattice before `unlucky7`, from the empty line.

    Arguments and answer are those of `carry_lattice`.
    """
    chances = np.zeros(wipes.shape)
    chances[0, 0, 0, 0] = 1.0
    return carry_lattice(
        sets, children, item_rank, scores, settings, cards, share, np.zeros(1), kept, n_bits,
        n_modifiers, mode, values, tables[0], coins, shown, np.full(1, -1), 0,
        np.full(wipes.shape[:3], UNKNOWN), chances, wipes, histogram, figures, np.empty((4, 1)),
    )  # fmt: skip


@helper
def enter_lane(
    lane: int, lost: int, n_cards: int, item_cards: Any, seven_item: int, cards: Any, share: Any,
    same: Any,
) -> None:  # fmt: skip
    """Set up a lane of the lattice after `unlucky7` discarded a set of items."""
    left = float(n_cards)
    for item in range(item_cards.shape[0]):
        cards[item, lane] = item_cards[item]
        if lost >> item & 1:
            cards[item, lane] -= 1.0
            left -= 1.0
    same[lane] = 0.0
    if seven_item >= 0:
        same[lane] = cards[seven_item, lane]
        cards[seven_item, lane] = 0.0
    for drawn in range(share.shape[0]):
        # Beyond the cards that there are nothing is read.
        share[drawn, lane] = 1.0 / max(left - drawn, 1.0)


@njit
def after_unlucky(
    lost_masks: Any, lost_at: Any, lost_combo: int, lost_modifiers: int, n_cards: int,
    weights: Any, sets: Any, children: Any, item_rank: Any, scores: Any, settings: Any,
    item_cards: Any, seven_item: int, kept: Any, n_bits: Any, n_modifiers: int, n_flips: int,
    solve: bool, carry: bool, keep: bool, mode: int, tables: Any, coins: Any, shown: Any,
    wiped: Any, stays: Any, histogram: Any, figures: Any,
) -> bool:  # fmt: skip
    """Sweep the lattices after `unlucky7` for some sets of lost items and a set of lost modifiers.

    Parameters
    ----------
    lost_masks, lost_at : ndarray of int64, shape (n_lost,)
        Sets of items that `unlucky7` discarded, and their positions among the first lattice's sets.
    lost_combo, lost_modifiers : int
        The modifiers that it discarded: their place among the first lattice's sets, and as a set.
    n_cards : int
        Cards in the deck after `unlucky7`, those of the lost set of items included.
    weights : ndarray of float64, shape (n_modifier_sets, n_blanks + 1, n_first_sets, 1)
        Chances of the lattices' starts.
    sets, children, item_rank, scores, settings, kept, n_bits, n_modifiers
        As for `solve_lattice`.
    item_cards : ndarray of int64, shape (n_items,)
        Cards at the round's start, those of its line included.
    seven_item : int
        The plain 7's item, -1 for none.
    n_flips : int
        The most cards that the deck can give within a round after `unlucky7`.
    solve, carry : bool
        Find the values; carry the chances in `weights` forward into `histogram` and `figures`.
    keep : bool
        Write 1 into `stays` where staying is best, shape (n_first_sets, n_sets); for decks
        without modifiers.
    mode, tables, coins, shown
        As for `carry_lattice`.
    wiped : ndarray of float64, same shape as `weights`
        With `solve` written: the value of each lattice's start.

    Returns
    -------
    bool
        False if a policy gave an illegal answer.
    """
    blanks, n_sets, n_lost = settings[BLANKS], sets.shape[0], lost_masks.shape[0]
    shape = (1 << n_modifiers, blanks + 1, n_sets, LANES)
    none = (1, 1, 1, LANES)
    values = np.zeros(shape if solve else none)
    chances = np.zeros(shape if carry else none)
    known = np.full(shape[:3] if carry else none[:3], UNKNOWN)
    no_wipes = np.zeros(none)
    cards, share = np.empty((item_cards.shape[0], LANES)), np.empty((n_flips + 1, LANES))
    ones, same = np.empty((n_sets, LANES)), np.empty(LANES)
    rooms = np.empty((4, LANES))
    lost = np.zeros(LANES, np.int64)
    for first in range(0, n_lost, LANES):
        n_here = min(LANES, n_lost - first)
        for lane in range(LANES):
            lost[lane] = lost_masks[first + min(lane, n_here - 1)]
            enter_lane(lane, lost[lane], n_cards, item_cards, seven_item, cards, share, same)
        if solve:
            solve_lattice(
                sets, children, item_rank, scores, settings, cards, share, kept, n_bits,
                n_modifiers, no_wipes, values, False, no_wipes, ones, rooms[0], rooms[1],
            )  # fmt: skip
            for lane in range(n_here):
                for blank in range(blanks + 1):
                    wiped[lost_combo, blank, lost_at[first + lane], 0] = values[0, blank, 0, lane]
        if keep:
            for at in range(n_sets):
                stay = float(scores[settings[FIXED_SUM] + sets[at, SUM], 0] + settings[LOW])
                for lane in range(n_here):
                    if sets[at, ZERO] == 0 and values[0, 0, at, lane] == stay:
                        stays[lost_at[first + lane], at] = 1
        if carry:
            for lane in range(n_here):
                for blank in range(blanks + 1):
                    chances[0, blank, 0, lane] = weights[
                        lost_combo, blank, lost_at[first + lane], 0
                    ]
            if not carry_lattice(
                sets, children, item_rank, scores, settings, cards, share, same, kept, n_bits,
                n_modifiers, mode, values, tables[0], coins, shown, lost, lost_modifiers, known,
                chances, no_wipes, histogram, figures, rooms,
            ):  # fmt: skip
                return False
    return True
