"""The Vengeance solitaire round laid out: which lines there are, as arrays for the lattice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """Sets of items and of modifiers of a Vengeance deck, as arrays for the lattice.

    The round starts with the full deck, or with a line and without cards seen; the cards of each
    item include those in the line, `n_cards` does not.
    """

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
    line: int = 0
    """Items in the line at the start."""
    line_modifiers: int = 0
    since_unlucky: bool = False
    """`unlucky7` lies in the line at the start."""

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
        """Return the integers that describe the first lattice, or those after `unlucky7`."""
        out = np.zeros(lattice.N_SETTINGS, np.int64)
        has_seven = after or self.since_unlucky
        out[lattice.FIXED_SUM] = lattice.UNLUCKY_POINTS if has_seven else 0
        out[lattice.FIXED_COUNT] = has_seven
        out[lattice.UNLUCKY] = self.has_unlucky and not after
        out[lattice.BLANKS], out[lattice.JUST_ONE_MORES] = self.n_blanks, self.n_just_one_more
        out[lattice.BONUS], out[lattice.LOW] = self.rules.flip7_bonus, self.low
        out[lattice.ZERO_ITEM] = self._item(0) if self.rules.specials else -1
        out[lattice.MUST_HIT] = not after
        return out

    @cached_property
    def first(self) -> Lines:
        """The lines that grow from the start, before `unlucky7`."""
        if self.since_unlucky:
            return self._lines(1, self.seven_item, self.line)
        return self._lines(0, -1, self.line)

    @cached_property
    def after(self) -> Lines:
        """The lines since `unlucky7`, the 7 itself left out."""
        return self._lines(1, self.seven_item, 0)

    def _lines(self, already: int, without: int, start: int) -> Lines:
        n_items = len(self.item_kinds)
        masks = np.arange(1 << n_items, dtype=np.int64)
        if without >= 0:
            masks = masks[masks >> without & 1 == 0]
        masks = masks[masks & start == start]
        counted = self._counted(masks)
        keep = counted + already < _FLIP7
        masks, counted = masks[keep], counted[keep]
        sizes = np.bitwise_count(masks).astype(np.int64)
        order = np.argsort(sizes, kind="stable")
        masks, counted, sizes = masks[order], counted[order], sizes[order]
        place = np.full(1 << n_items, -1, np.int64)
        place[masks] = np.arange(len(masks))
        sets = np.zeros((len(masks), lattice.N_COLUMNS), np.int64)
        sets[:, lattice.SIZE] = sizes - start.bit_count()
        sets[:, lattice.COUNT], sets[:, lattice.MASK] = counted, masks
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

    @cached_property
    def first_kept(self) -> NDArray[np.int64]:
        """The sets of modifiers that a line may hold before `unlucky7`."""
        return self.kept(self.line_modifiers) | self.line_modifiers

    def kept(self, lost: int) -> NDArray[np.int64]:
        """Return every set of modifiers that has none of the set `lost`."""
        free = [bit for bit in range(len(self.modifiers)) if not lost >> bit & 1]
        bits = np.arange(1 << len(free))[:, None] >> np.arange(len(free)) & 1
        return np.asarray((bits << np.array(free, np.int64)).sum(axis=1), np.int64)

    def n_left_after(self, lost: int) -> int:
        """Return the cards left once `unlucky7` has discarded these modifiers.

        The numbers that it discarded are counted in.
        """
        drawn = (lost & ~self.line_modifiers).bit_count()
        return self.n_cards - 1 - drawn + self.line.bit_count()

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
        return len(self.first_kept), self.n_blanks + 1, len(self.first), 1


def build_lattices(
    rules: Rules,
    *,
    line: Mapping[int, int] | None = None,
    seen: Mapping[int, int] | None = None,
    all_blanks: bool = False,
) -> Lattices:
    """Lay out the Vengeance solitaire round.

    Parameters
    ----------
    rules : Rules
    line, seen : mapping of int to int, optional
        Cards in the line at the start, and other cards out of the deck, by kind.
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
    held, gone = line or {}, seen or {}
    inert = {KIND[name] for name in rules.inert}
    counts = [count - gone.get(kind, 0) for kind, count in enumerate(rules.counts)]
    modifiers = _checked_modifiers(rules, counts, inert)
    cards: dict[int, int] = {}
    line_items = 0
    for kind in range(LAST_NUMBER + 1):
        if counts[kind] and not (rules.specials and kind == UNLUCKY7):
            item = kind if rules.specials else RANKS[kind]
            cards[item] = cards.get(item, 0) + counts[kind]
    items = tuple(sorted(cards))
    for kind in held:
        if kind <= LAST_NUMBER and not (rules.specials and kind == UNLUCKY7):
            line_items |= 1 << items.index(kind if rules.specials else RANKS[kind])
    blanks = [
        kind
        for kind in range(len(counts))
        if kind in inert or kind in (STEAL, SWAP)
        for _ in range(counts[kind])
    ]
    low, high = rules.score_bounds()
    lattices = Lattices(
        rules=rules,
        item_kinds=items,
        item_cards=np.array([cards[item] for item in items], np.int64),
        item_rank=np.array([RANKS[item] for item in items], np.int64),
        modifiers=modifiers,
        blank_kinds=tuple(blanks),
        n_just_one_more=0 if JUST_ONE_MORE in inert else counts[JUST_ONE_MORE],
        n_cards=sum(counts) - sum(held.values()),
        has_unlucky=rules.specials and counts[UNLUCKY7] > held.get(UNLUCKY7, 0),
        low=low,
        n_scores=high - low + 1,
        line=line_items,
        line_modifiers=sum(1 << bit for bit, kind in enumerate(modifiers) if held.get(kind, 0)),
        since_unlucky=rules.specials and held.get(UNLUCKY7, 0) > 0,
    )
    flips = lattices.most_flips - line_items.bit_count() - lattices.line_modifiers.bit_count()
    if lattices.has_unlucky:
        flips += 1 + min(len(cards), _FLIP7)
    if flips >= lattices.n_cards:
        raise InputError(
            f"the deck of {lattices.n_cards} cards could run out within the round; exact solutions "
            "need more numbers than a round can use"
        )
    if not lattices.n_just_one_more and not all_blanks:
        # Without forced flips a card that does nothing only delays: the player is asked again in
        # the same state. So such cards change neither decisions nor scores.
        lattices = replace(lattices, blank_kinds=(), n_cards=lattices.n_cards - len(blanks))
    if int(np.prod(lattices.shape)) > _MAX_STATES:
        raise InputError(f"the deck {rules.deck_name!r} has too many states for an exact solution")
    return lattices


def _checked_modifiers(rules: Rules, counts: Sequence[int], inert: set[int]) -> tuple[int, ...]:
    """Return the modifiers among the counts, refusing decks that are left out."""
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
    return modifiers
