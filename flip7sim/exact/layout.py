"""The base-game solitaire round laid out for dynamic programming: cells times tail states.

A *cell* is what the line holds of numbers and modifiers; a *tail* (see `tails`) is the rest. Copies
of a number are interchangeable, and a duplicate taken out by a Second Chance leaves one copy less
of *some* number held, whichever it was: the chance of the next duplicate depends only on how many
were taken out. So cell and tail together say all that matters for the rest of the round.

Every flip leads to a longer line (the next *level*: one card more) or to a smaller tail of the same
cell, so one sweep over the levels solves the round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import (
    CARD_NAMES,
    FIRST_MODIFIER,
    FLIP_THREE,
    FREEZE,
    KIND,
    LAST_BASE_MODIFIER,
    LAST_NUMBER,
    MODIFIER_POINTS,
    N_KINDS,
    RANKS,
    SECOND_CHANCE,
    SEVEN,
    X2,
)
from flip7sim.errors import InputError
from flip7sim.exact.merging import merge_tails
from flip7sim.exact.tails import Tails, build_tails
from flip7sim.rules import Rules

MAX_VALUES: Final = 400_000_000
"""Most (cell, tail) pairs that a solution may have: about four minutes of two cores."""
MAX_LEVEL_VALUES: Final = 200_000_000
"""Most (cell, tail) pairs of two neighbouring levels, which are in memory at once (1.6 GB)."""
MAX_SCORE: Final = 1_000_000


@dataclass(frozen=True, eq=False)
class Layout:
    """Cells and tails of one deck, from one line on.

    Attributes
    ----------
    rules : Rules
    deck : ndarray of int64, shape (N_KINDS,)
        Cards in the deck at the start.
    line : ndarray of int64, shape (N_KINDS,)
        Cards in the line at the start, usually none.
    ranks : ndarray of int64, shape (n_ranks,)
        Numbers that the line may still take.
    rank_cards : ndarray of int64, shape (n_ranks,)
        Cards of each in the deck.
    capacity : int
        New numbers that the line may take without a Flip 7.
    subset_of_mask : ndarray of int32, shape (2**n_ranks,)
        Index of the set of new numbers, -1 for sets beyond `capacity`.
    masks, subset_sum, subset_size, duplicates : ndarray of int64, shape (n_subsets,)
        The set as bits over `ranks`; its sum with the line's; its size without the line's; copies
        of held numbers in the deck at the start.
    modifiers : ndarray of int64, shape (n_kinds,)
        Kinds of modifier that the line may still take.
    modifier_counts, modifier_in, modifier_up, plus, doublers, modifier_size
        Cards of each in the deck; per combination the count of each kind, the combination with one
        more (-1: none left), the plus points and x2 of the whole line, the number of new modifiers.
    order, level_start, place : ndarray of int64
        Cells sorted by level, where each level starts among them, each cell's place in its level.
    tails : Tails
    """

    rules: Rules
    deck: NDArray[np.int64]
    line: NDArray[np.int64]
    ranks: NDArray[np.int64]
    rank_cards: NDArray[np.int64]
    capacity: int
    subset_of_mask: NDArray[np.int32]
    masks: NDArray[np.int64]
    subset_sum: NDArray[np.int64]
    subset_size: NDArray[np.int64]
    duplicates: NDArray[np.int64]
    modifiers: NDArray[np.int64]
    modifier_counts: NDArray[np.int64]
    modifier_in: NDArray[np.int64]
    modifier_up: NDArray[np.int64]
    plus: NDArray[np.int64]
    doublers: NDArray[np.int64]
    modifier_size: NDArray[np.int64]
    order: NDArray[np.int64]
    level_start: NDArray[np.int64]
    place: NDArray[np.int64]
    tails: Tails
    n_scores: int
    starts_empty: bool

    def is_inert(self, kind: int) -> bool:
        """Return whether cards of this kind do nothing."""
        return CARD_NAMES[kind] in self.rules.inert

    @property
    def points(self) -> NDArray[np.int64]:
        """What the line of each cell scores without a Flip 7, shape (n_cells,)."""
        numbers = self.subset_sum[:, None] << self.doublers[None, :]
        return (numbers + self.plus[None, :]).ravel()

    @property
    def n_cells(self) -> int:
        """Number of cells."""
        return len(self.masks) * len(self.plus)

    @property
    def n_states(self) -> int:
        """Number of states in which the player decides."""
        return self.n_cells * len(self.tails.decisions)

    @property
    def n_values(self) -> int:
        """Number of values that a sweep computes, those within forced flips included."""
        return self.n_cells * len(self.tails.states)


def longest_life(deck: Sequence[int], line: Sequence[int], inert: set[int]) -> int:
    """Return a bound on the cards flipped while a round of the base game goes on.

    Six different numbers, duplicates as far as Second Chances go, and everything that is no number;
    Freezes only where a Flip Three can hold them back.

    Parameters
    ----------
    deck, line : sequence of int, length N_KINDS
        Cards in the deck and in the line, by kind.
    inert : set of int
        Kinds that do nothing.
    """
    numbers = range(LAST_NUMBER + 1)
    n_new = sum(deck[kind] > 0 and not line[kind] for kind in numbers)
    n_new = min(SEVEN - 1 - sum(line[kind] > 0 for kind in numbers), n_new)
    copies = sum(deck[kind] if line[kind] else max(deck[kind] - 1, 0) for kind in numbers)
    others = sum(deck[kind] for kind in range(LAST_NUMBER + 1, N_KINDS))
    chances = 0 if SECOND_CHANCE in inert else deck[SECOND_CHANCE] + line[SECOND_CHANCE]
    holding_back = FLIP_THREE not in inert and deck[FLIP_THREE] > 0
    if FREEZE not in inert and not holding_back:
        others -= deck[FREEZE]
    return n_new + min(chances, copies) + others


def build_layout(
    rules: Rules,
    *,
    line: Mapping[int, int] | None = None,
    seen: Mapping[int, int] | None = None,
) -> Layout:
    """Lay out the base-game solitaire round.

    Parameters
    ----------
    rules : Rules
        Of the base game; any deck whose cards cannot run out within the round.
    line : mapping of int to int, optional
        Cards already in the line, by kind. The line must be one that can be: no number twice.
    seen : mapping of int to int, optional
        Other cards that are no longer in the deck, by kind.

    Raises
    ------
    InputError
        If the game is not base, the deck could run out within the round, or there are too many
        states.
    """
    if rules.game != "base":
        raise InputError(f"this solver plays the base game, not {rules.game}")
    in_line = np.zeros(N_KINDS, np.int64)
    for kind, count in (line or {}).items():
        in_line[kind] = count
    deck = np.array(rules.counts, np.int64) - in_line
    for kind, count in (seen or {}).items():
        deck[kind] -= count
    inert = {KIND[name] for name in rules.inert}
    numbers = [kind for kind in range(LAST_NUMBER + 1) if in_line[kind]]
    held_chance = int(in_line[SECOND_CHANCE])
    if longest_life(deck.tolist(), in_line.tolist(), inert) >= deck.sum():
        raise InputError(
            f"the deck of {int(deck.sum())} cards could run out within the round; exact solutions "
            "need more numbers than a round can use"
        )
    ranks = [kind for kind in range(LAST_NUMBER + 1) if deck[kind] and not in_line[kind]]
    capacity = SEVEN - 1 - len(numbers)
    kinds = [
        kind
        for kind in range(FIRST_MODIFIER, LAST_BASE_MODIFIER + 1)
        if deck[kind] and kind not in inert
    ]
    every_tail = build_tails(
        second_chances=0 if SECOND_CHANCE in inert else int(deck[SECOND_CHANCE]),
        flip_threes=0 if FLIP_THREE in inert else int(deck[FLIP_THREE]),
        freezes=0 if FREEZE in inert else int(deck[FREEZE]),
        inert=int(sum(deck[kind] for kind in inert)),
        held=held_chance,
    )
    tails = None if every_tail is None else merge_tails(every_tail)
    n_subsets = sum(comb(len(ranks), size) for size in range(min(capacity, len(ranks)) + 1))
    n_modifiers = prod(int(deck[kind]) + 1 for kind in kinds)
    if tails is None or n_subsets * n_modifiers * len(tails.states) > MAX_VALUES:
        raise InputError(f"the deck {rules.deck_name!r} has too many states for an exact solution")
    top = rules.score_bounds()[1]
    if top > MAX_SCORE:
        raise InputError(f"scores up to {top} are too many for an exact solution")
    subsets = [
        chosen
        for size in range(min(capacity, len(ranks)) + 1)
        for chosen in combinations(range(len(ranks)), size)
    ]
    masks = np.array([sum(1 << bit for bit in chosen) for chosen in subsets], np.int64)
    subset_of_mask = np.full(1 << len(ranks), -1, np.int32)
    subset_of_mask[masks] = np.arange(len(subsets))
    first_sum = sum(RANKS[kind] for kind in numbers)
    first_duplicates = int(sum(deck[kind] for kind in numbers))
    combos = np.array(
        list(product(*(range(int(deck[kind]) + 1) for kind in kinds))), np.int64
    ).reshape(n_modifiers, len(kinds))
    strides = np.array(
        [prod(int(deck[later]) + 1 for later in kinds[at + 1 :]) for at in range(len(kinds))],
        np.int64,
    )
    full = np.array([deck[kind] for kind in kinds], np.int64)
    up = np.where(combos < full, np.arange(n_modifiers)[:, None] + strides, -1)
    points = np.array([MODIFIER_POINTS[kind] for kind in kinds], np.int64)
    doubling = np.array([kind == X2 for kind in kinds], np.int64)
    sizes = np.array([len(chosen) for chosen in subsets], np.int64)
    modifier_size = combos.sum(axis=1)
    level = (sizes[:, None] + modifier_size[None, :]).ravel()
    # Of one level, lines with the same modifiers stand together: they become longer into the same
    # lines, which then are still in the processor's cache.
    combo = np.tile(np.arange(n_modifiers), len(subsets))
    order = np.lexsort((combo, level)).astype(np.int64)
    level_start = np.searchsorted(level[order], np.arange(level.max() + 2)).astype(np.int64)
    place = np.empty(len(level), np.int64)
    place[order] = np.arange(len(level)) - level_start[level[order]]
    widest = int(np.diff(level_start).max())
    if 2 * widest * len(tails.states) > MAX_LEVEL_VALUES:
        raise InputError(f"the deck {rules.deck_name!r} has too many states for an exact solution")
    active = [kind for kind in range(FIRST_MODIFIER, LAST_BASE_MODIFIER + 1) if kind not in inert]
    return Layout(
        rules=rules,
        deck=deck,
        line=in_line,
        ranks=np.array([RANKS[kind] for kind in ranks], np.int64),
        rank_cards=np.array([deck[kind] for kind in ranks], np.int64),
        capacity=capacity,
        subset_of_mask=subset_of_mask,
        masks=masks,
        subset_sum=np.array(
            [first_sum + sum(RANKS[ranks[bit]] for bit in chosen) for chosen in subsets], np.int64
        ),
        subset_size=sizes,
        duplicates=np.array(
            [
                first_duplicates + sum(int(deck[ranks[bit]]) - 1 for bit in chosen)
                for chosen in subsets
            ],
            np.int64,
        ),
        modifiers=np.array(kinds, np.int64),
        modifier_counts=full,
        modifier_in=combos,
        modifier_up=up.astype(np.int64),
        plus=combos @ points + int(sum(in_line[k] * MODIFIER_POINTS[k] for k in active)),
        doublers=combos @ doubling + (0 if X2 in inert else int(in_line[X2])),
        modifier_size=modifier_size,
        order=order,
        level_start=level_start,
        place=place,
        tails=tails,
        n_scores=top + 1,
        starts_empty=not in_line.any(),
    )
