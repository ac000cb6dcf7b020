"""The Vengeance solitaire round laid out: which lines there are, as arrays for the lattice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import (
    CARD_NAMES,
    DISCARD,
    DIV2,
    FIRST_MODIFIER,
    FLIP_FOUR,
    JUST_ONE_MORE,
    KIND,
    LAST_MODIFIER,
    LAST_NUMBER,
    LUCKY13,
    MODIFIER_POINTS,
    RANKS,
    STEAL,
    SWAP,
    UNLUCKY7,
)
from flip7sim.errors import InputError
from flip7sim.exact import vengeance_lattice as lattice
from flip7sim.rules import Rules

_FLIP7: Final = 7
_MAX_STATES: Final = 4_000_000
"""Most states of the first lattice."""


@dataclass(frozen=True, eq=False)
class Lines:
    """The sets of items that lines of a lattice hold, small before large.

    Attributes
    ----------
    sets : ndarray of int64, shape (n_sets, N_COLUMNS)
    children : ndarray of int64, shape (n_sets, n_items)
        As `vengeance_lattice.solve_lattice` reads them.
    place : ndarray of int64, shape (2**n_items,)
        Position of each set by its bits, -1 for none.
    """

    sets: NDArray[np.int64]
    children: NDArray[np.int64]
    place: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sets)

    @property
    def masks(self) -> NDArray[np.int64]:
        """The sets as bits."""
        masks: NDArray[np.int64] = self.sets[:, lattice.MASK]
        return masks


@dataclass(frozen=True, eq=False)
class Lattices:
    """Sets of items and of modifiers of a Vengeance deck, as arrays for the lattice."""

    rules: Rules
    item_kinds: tuple[int, ...]
    item_cards: NDArray[np.int64]
    item_rank: NDArray[np.int64]
    modifiers: tuple[int, ...]
    blank_kinds: tuple[int, ...]
    n_just_one_more: int
    n_cards: int
    has_unlucky: bool
    low: int
    n_scores: int

    @property
    def n_blanks(self) -> int:
        """Cards without effect on a lone player that are not left out of the deck."""
        return len(self.blank_kinds)

    @property
    def is_playable(self) -> bool:
        """Whether the decisions are kept: number cards, and what never needs remembering."""
        return not self.modifiers and not self.n_blanks

    @property
    def seven_item(self) -> int:
        """The plain 7's item, -1 if there is none."""
        return self._item(7)

    def _item(self, kind: int) -> int:
        return self.item_kinds.index(kind) if kind in self.item_kinds else -1

    @property
    def most_flips(self) -> int:
        """The most cards that a lattice can draw before its round is over."""
        most = min(len(self.item_kinds), _FLIP7)
        return most + len(self.modifiers) + self.n_blanks + self.n_just_one_more

    def settings(self, *, after: bool) -> NDArray[np.int64]:
        """Return the integers that describe the lattice before or after `unlucky7`."""
        out = np.zeros(lattice.N_SETTINGS, np.int64)
        out[lattice.FIXED_SUM] = lattice.UNLUCKY_POINTS if after else 0
        out[lattice.FIXED_COUNT] = after
        out[lattice.UNLUCKY] = self.has_unlucky and not after
        out[lattice.BLANKS], out[lattice.JUST_ONE_MORES] = self.n_blanks, self.n_just_one_more
        out[lattice.BONUS], out[lattice.LOW] = self.rules.flip7_bonus, self.low
        out[lattice.ZERO_ITEM] = self._item(0) if self.rules.specials else -1
        out[lattice.STARTS_EMPTY] = not after
        return out

    @cached_property
    def first(self) -> Lines:
        """The lines before `unlucky7`."""
        return self._lines(0, -1)

    @cached_property
    def after(self) -> Lines:
        """The lines since `unlucky7`, the 7 itself left out."""
        return self._lines(1, self.seven_item)

    def _lines(self, already: int, without: int) -> Lines:
        n_items = len(self.item_kinds)
        masks = np.arange(1 << n_items, dtype=np.int64)
        if without >= 0:
            masks = masks[masks >> without & 1 == 0]
        counted = self._counted(masks)
        keep = counted + already < _FLIP7
        masks, counted = masks[keep], counted[keep]
        sizes = np.bitwise_count(masks).astype(np.int64)
        order = np.argsort(sizes, kind="stable")
        masks, counted, sizes = masks[order], counted[order], sizes[order]
        place = np.full(1 << n_items, -1, np.int64)
        place[masks] = np.arange(len(masks))
        sets = np.zeros((len(masks), lattice.N_COLUMNS), np.int64)
        sets[:, lattice.SIZE], sets[:, lattice.COUNT], sets[:, lattice.MASK] = sizes, counted, masks
        sets[:, lattice.SUM] = (masks[:, None] >> np.arange(n_items) & 1) @ self.item_rank
        zero = self._item(0)
        if self.rules.specials and zero >= 0:
            sets[:, lattice.ZERO] = masks >> zero & 1
        longer = masks[:, None] | 1 << np.arange(n_items)
        children = place[longer]
        children[self._counted(longer) + already >= _FLIP7] = lattice.SEVENTH
        children[longer == masks[:, None]] = lattice.HELD
        if without >= 0:
            children[:, without] = lattice.NO_ITEM
        return Lines(sets, children, place)

    def _counted(self, masks: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many of the seven the items of each set are."""
        counted = np.bitwise_count(masks).astype(np.int64)
        lucky, thirteen = self._item(LUCKY13), self._item(13)
        once = self.rules.specials and self.rules.lucky13_pair_counts == 1
        if once and min(lucky, thirteen) >= 0:
            counted -= (masks >> lucky & 1) * (masks >> thirteen & 1)
        return counted

    def kept(self, lost_combo: int) -> NDArray[np.int64]:
        """Return every set of the modifiers outside `lost_combo`, as sets of all modifiers."""
        free = [bit for bit in range(len(self.modifiers)) if not lost_combo >> bit & 1]
        bits = np.arange(1 << len(free))[:, None] >> np.arange(len(free)) & 1
        return np.asarray((bits << np.array(free, np.int64)).sum(axis=1), np.int64)

    @property
    def points(self) -> NDArray[np.int64]:
        """Minus points of each modifier."""
        return np.array([MODIFIER_POINTS[kind] for kind in self.modifiers], np.int64)

    @property
    def halving(self) -> NDArray[np.int64]:
        """1 for each `div2`."""
        return np.array([kind == DIV2 for kind in self.modifiers], np.int64)

    @cached_property
    def scores(self) -> NDArray[np.int64]:
        """Scores less the lowest, by sum of the numbers and set of modifiers (rules.md section 5).

        Those of lines without The Zero and without a Flip 7's bonus.
        """
        bits = np.arange(1 << len(self.modifiers))[:, None] >> np.arange(len(self.modifiers)) & 1
        totals = np.arange(int(self.item_rank.sum()) + lattice.UNLUCKY_POINTS + 1)
        score = (totals[:, None] >> (bits @ self.halving)) - bits @ self.points
        score = score if self.rules.brutal else np.maximum(score, 0)
        return np.asarray(score - self.low, np.int64)

    @property
    def shown(self) -> tuple[NDArray[np.int64], ...]:
        """What `vengeance_asking.show_line` needs to know of the deck."""
        return (
            np.array([self._shown_kind(item) for item in self.item_kinds], np.int64),
            self.item_rank,
            np.array(self.modifiers, np.int64),
            self.points,
            self.halving,
            np.array(self.blank_kinds, np.int64),
        )

    def _shown_kind(self, item: int) -> int:
        # Without the special cards' rules an item may have no card under its own name.
        kinds = [kind for kind in range(LAST_NUMBER + 1) if self.rules.counts[kind]]
        return item if item in kinds else next(k for k in kinds if RANKS[k] == RANKS[item])

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Shape of the first lattice: sets of modifiers, blanks drawn, sets of numbers, a lane."""
        return 1 << len(self.modifiers), self.n_blanks + 1, len(self.first), 1


def build_lattices(rules: Rules, *, all_blanks: bool = False) -> Lattices:
    """Lay out the Vengeance solitaire round.

    Parameters
    ----------
    rules : Rules
    all_blanks : bool
        Keep cards that change neither optimal decisions nor scores: policies see them in the deck.

    Raises
    ------
    InputError
        If the game is not Vengeance, or the deck holds what is left out, two equal modifiers, too
        many states, or too few numbers to be sure not to run out.
    """
    if rules.game != "vengeance":
        raise InputError(f"this solver plays vengeance, not {rules.game}")
    inert = {KIND[name] for name in rules.inert}
    counts = rules.counts
    for kind in (FLIP_FOUR, DISCARD):
        if counts[kind] and kind not in inert:
            name = CARD_NAMES[kind]
            raise InputError(
                f"exact Vengeance rounds leave out {name}; take the deck numbers or no-actions, "
                f"or set {name} to 0 or inert"
            )
    modifiers = tuple(
        kind
        for kind in range(FIRST_MODIFIER, LAST_MODIFIER + 1)
        if counts[kind] and kind not in inert
    )
    for kind in modifiers:
        if counts[kind] > 1:
            raise InputError(
                f"exact Vengeance rounds take one {CARD_NAMES[kind]} at most, not {counts[kind]}"
            )
    cards: dict[int, int] = {}
    for kind in range(LAST_NUMBER + 1):
        if counts[kind] and not (rules.specials and kind == UNLUCKY7):
            item = kind if rules.specials else RANKS[kind]
            cards[item] = cards.get(item, 0) + counts[kind]
    has_unlucky = rules.specials and counts[UNLUCKY7] > 0
    jom = 0 if JUST_ONE_MORE in inert else counts[JUST_ONE_MORE]
    blanks = [
        kind
        for kind in range(len(counts))
        if kind in inert or kind in (STEAL, SWAP)
        for _ in range(counts[kind])
    ]
    low, high = rules.score_bounds()
    lattices = Lattices(
        rules=rules,
        item_kinds=tuple(sorted(cards)),
        item_cards=np.array([cards[item] for item in sorted(cards)], np.int64),
        item_rank=np.array([RANKS[item] for item in sorted(cards)], np.int64),
        modifiers=modifiers,
        blank_kinds=tuple(blanks),
        n_just_one_more=jom,
        n_cards=rules.n_cards,
        has_unlucky=has_unlucky,
        low=low,
        n_scores=high - low + 1,
    )
    flips = lattices.most_flips
    if has_unlucky:
        flips += 1 + min(len(cards), _FLIP7)
    if flips >= rules.n_cards:
        raise InputError(
            f"the deck of {rules.n_cards} cards could run out within the round; exact solutions "
            "need more numbers than a round can use"
        )
    if not jom and not all_blanks:
        # Without forced flips a card that does nothing only delays: the player is asked again in
        # the same state. So such cards change neither decisions nor scores.
        lattices = replace(lattices, blank_kinds=(), n_cards=rules.n_cards - len(blanks))
    if int(np.prod(lattices.shape)) > _MAX_STATES:
        raise InputError(f"the deck {rules.deck_name!r} has too many states for an exact solution")
    return lattices
