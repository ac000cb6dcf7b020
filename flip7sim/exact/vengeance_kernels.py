"""Compiled kernels of the Vengeance solitaire round: the lattices before and after `unlucky7`."""

from __future__ import annotations

from typing import Any

import numpy as np

from flip7sim._jit import helper, njit
from flip7sim.exact.vengeance_lattice import (
    BLANKS,
    CARDS,
    FIXED_COUNT,
    FIXED_SAME,
    FIXED_SUM,
    LOW,
    N_MORE,
    N_SETTINGS,
    STARTS_EMPTY,
    UNLUCKY,
    ZERO_ITEM,
    carry_lattice,
    fill_worth,
    solve_lattice,
)


@helper
def enter_wiped(
    lost: int, lost_combo: int, item_cards: Any, seven_item: int, points: Any, halving: Any,
    n_modifiers: int, settings: Any, cards_here: Any, minus: Any, halvings: Any, n_bits: Any,
    settings_here: Any,
) -> int:  # fmt: skip
    """Set up the lattice after `unlucky7` discarded a set of items and a set of modifiers.

    Writes the arrays from `cards_here` on; returns the number of modifiers left.
    """
    out = 1
    same = 0
    for item in range(item_cards.shape[0]):
        cards_here[item] = item_cards[item]
        if lost >> item & 1:
            cards_here[item] -= 1
            out += 1
    if seven_item >= 0:
        same = cards_here[seven_item]
        cards_here[seven_item] = 0
    n_free = 0
    minus[0], halvings[0], n_bits[0] = 0, 0, 0
    for bit in range(n_modifiers):
        if lost_combo >> bit & 1:
            out += 1
            continue
        half = 1 << n_free
        for combo in range(half):
            minus[half + combo] = minus[combo] + points[bit]
            halvings[half + combo] = halvings[combo] + halving[bit]
            n_bits[half + combo] = n_bits[combo] + 1
        n_free += 1
    for at in range(N_SETTINGS):
        settings_here[at] = settings[at]
    settings_here[CARDS] = settings[CARDS] - out
    settings_here[FIXED_SUM] = 7
    settings_here[FIXED_COUNT] = 1
    settings_here[FIXED_SAME] = same
    settings_here[UNLUCKY] = 0
    settings_here[STARTS_EMPTY] = 0
    return n_free


@helper
def without_cards(item_cards: Any) -> int:
    """Return the items of which there is no card, as bits."""
    gone = 0
    for item in range(item_cards.shape[0]):
        if item_cards[item] == 0:
            gone |= 1 << item
    return gone


@njit
def solve_first(
    masks: Any, counted: Any, sums: Any, place: Any, item_cards: Any, item_rank: Any,
    minus: Any, halvings: Any, n_bits: Any, n_modifiers: int, settings: Any, reward: Any,
    wiped: Any, values: Any,
) -> None:  # fmt: skip
    """Solve the lattice before `unlucky7`; arguments as for `solve_lattice` and `fill_worth`."""
    n_combos = 1 << n_modifiers
    stay_worth = np.empty((sums.max() + N_MORE, n_combos))
    flip7_worth = np.empty_like(stay_worth)
    fill_worth(minus, halvings, n_combos, settings, reward, stay_worth, flip7_worth)
    solve_lattice(
        masks, counted, sums, place, item_cards, item_rank, without_cards(item_cards), n_bits,
        n_modifiers, settings, reward[-settings[LOW]], stay_worth, flip7_worth, wiped, values,
        np.empty(n_combos),
    )  # fmt: skip


@njit
def carry_first(
    masks: Any, counted: Any, sums: Any, place: Any, item_cards: Any, item_rank: Any,
    minus: Any, halvings: Any, n_bits: Any, n_modifiers: int, settings: Any, reward: Any,
    values: Any, wipes: Any, histogram: Any, figures: Any,
) -> None:  # fmt: skip
    """Carry chances through the lattice before `unlucky7`, from the empty line."""
    chances = np.zeros(values.shape)
    chances[0, 0, 0] = 1.0
    carry_lattice(
        masks, counted, sums, place, item_cards, item_rank, without_cards(item_cards), minus,
        halvings, n_bits, n_modifiers, settings, reward, values, chances, wipes, histogram,
        figures,
    )  # fmt: skip


@njit
def wiped_chunk(
    lost_masks: Any, lost_at: Any, weights: Any, masks: Any, counted: Any, sums: Any, place: Any,
    item_cards: Any, item_rank: Any, seven_item: int, points: Any, halving: Any,
    n_modifiers: int, settings: Any, reward: Any, carry: bool, keep: bool, wiped: Any,
    stays: Any, histogram: Any, figures: Any,
) -> None:  # fmt: skip
    """Solve the lattices after `unlucky7` for some sets of lost items, with all lost modifiers.

    Parameters
    ----------
    lost_masks, lost_at : ndarray of int64, shape (n_lost,)
        Sets of items that `unlucky7` discarded, and their positions among the first lattice's sets.
    weights : ndarray of float64, shape (n_first_sets, n_blanks + 1, 2**n_modifiers)
        Where this is 0 for all blanks, the lattice is skipped.
    points, halving : ndarray of int64, shape (n_modifiers,)
        Of each modifier.
    carry : bool
        Carry the chances in `weights` forward too, into `histogram` and `figures`.
    keep : bool
        Write 1 into `stays` where staying is best, shape (n_first_sets, n_sets); for decks
        without modifiers.
    wiped : ndarray of float64, same shape as `weights`
        Written: the value of each lattice's start.
    """
    blanks = settings[BLANKS]
    n_combos = 1 << n_modifiers
    values = np.zeros((masks.shape[0], blanks + 1, n_combos))
    chances = np.zeros((1, 1, 1))
    if carry:
        chances = np.zeros((masks.shape[0], blanks + 1, n_combos))
    no_wipes = np.zeros((1, 1, 1))
    cards_here = np.empty_like(item_cards)
    minus = np.zeros(n_combos, np.int64)
    halvings = np.zeros(n_combos, np.int64)
    n_bits = np.zeros(n_combos, np.int64)
    settings_here = np.empty_like(settings)
    room = np.empty(n_combos)
    stay_worth = np.empty((sums.max() + N_MORE, n_combos))
    flip7_worth = np.empty_like(stay_worth)
    bust = reward[-settings[LOW]]
    for lost_combo in range(n_combos):
        fresh = True
        for index in range(lost_masks.shape[0]):
            lost, at = lost_masks[index], lost_at[index]
            wanted = False
            for blank in range(blanks + 1):
                if weights[at, blank, lost_combo] > 0.0:
                    wanted = True
            if not wanted:
                continue
            n_free = enter_wiped(
                lost, lost_combo, item_cards, seven_item, points, halving, n_modifiers, settings,
                cards_here, minus, halvings, n_bits, settings_here,
            )  # fmt: skip
            gone = without_cards(cards_here)
            if fresh:  # the worth depends on the modifiers that are left only
                fresh = False
                fill_worth(
                    minus, halvings, 1 << n_free, settings_here, reward, stay_worth, flip7_worth
                )
            solve_lattice(
                masks, counted, sums, place, cards_here, item_rank, gone, n_bits, n_free,
                settings_here, bust, stay_worth, flip7_worth, no_wipes, values, room,
            )  # fmt: skip
            for blank in range(blanks + 1):
                wiped[at, blank, lost_combo] = values[0, blank, 0]
            if keep:
                for line in range(masks.shape[0]):
                    if masks[line] & gone == 0:
                        zero = settings[ZERO_ITEM]
                        bound = zero >= 0 and (masks[line] >> zero & 1) == 1
                        if not bound and values[line, 0, 0] == stay_worth[7 + sums[line], 0]:
                            stays[at, line] = 1
            if carry:
                for blank in range(blanks + 1):
                    chances[0, blank, 0] = weights[at, blank, lost_combo]
                carry_lattice(
                    masks, counted, sums, place, cards_here, item_rank, gone, minus, halvings,
                    n_bits, n_free, settings_here, reward, values, chances, no_wipes, histogram,
                    figures,
                )  # fmt: skip
