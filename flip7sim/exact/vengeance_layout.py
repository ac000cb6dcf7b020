"""The Vengeance solitaire round laid out: which lines there are, as arrays for the lattice."""

from __future__ import annotations

from dataclasses import dataclass
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
class Lattices:
    """Sets of items and of modifiers of a Vengeance deck, as arrays for the lattice."""

    rules: Rules
    item_kinds: tuple[int, ...]
    item_cards: NDArray[np.int64]
    item_rank: NDArray[np.int64]
    modifiers: tuple[int, ...]
    n_blanks: int
    n_just_one_more: int
    has_unlucky: bool
    low: int
    n_scores: int
    settings: NDArray[np.int64]

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

    @cached_property
    def first(self) -> tuple[NDArray[np.int64], ...]:
        """Masks, counts of the seven, sums and places of the lines before `unlucky7`."""
        return self._sets(0, -1)

    @cached_property
    def after(self) -> tuple[NDArray[np.int64], ...]:
        """The same of the lines after it, the 7 itself left out."""
        return self._sets(1, self.seven_item)

    def _sets(self, already: int, without: int) -> tuple[NDArray[np.int64], ...]:
        masks = np.arange(1 << len(self.item_kinds), dtype=np.int64)
        if without >= 0:
            masks = masks[masks >> without & 1 == 0]
        bits = masks[:, None] >> np.arange(len(self.item_kinds)) & 1
        counted = bits.sum(axis=1)
        lucky, thirteen = self._item(LUCKY13), self._item(13)
        if (
            self.rules.specials
            and self.rules.lucky13_pair_counts == 1
            and min(lucky, thirteen) >= 0
        ):
            counted = counted - bits[:, lucky] * bits[:, thirteen]
        keep = counted + already < _FLIP7
        masks, bits, counted = masks[keep], bits[keep], counted[keep]
        order = np.argsort(bits.sum(axis=1), kind="stable")
        masks, bits, counted = masks[order], bits[order], counted[order]
        place = np.full(1 << len(self.item_kinds), -1, np.int64)
        place[masks] = np.arange(len(masks))
        sums = bits @ self.item_rank
        return masks, counted.astype(np.int64), sums.astype(np.int64), place

    @property
    def combos(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Minus points, halvings and sizes of every set of modifiers."""
        bits = np.arange(1 << len(self.modifiers))[:, None] >> np.arange(len(self.modifiers)) & 1
        return bits @ self.points, bits @ self.halving, bits.sum(axis=1).astype(np.int64)

    @property
    def points(self) -> NDArray[np.int64]:
        """Minus points of each modifier."""
        return np.array([MODIFIER_POINTS[kind] for kind in self.modifiers], np.int64)

    @property
    def halving(self) -> NDArray[np.int64]:
        """1 for each `div2`."""
        return np.array([kind == DIV2 for kind in self.modifiers], np.int64)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Shape of the first lattice: sets of numbers, blanks drawn, sets of modifiers."""
        return len(self.first[0]), self.n_blanks + 1, 1 << len(self.modifiers)


def build_lattices(rules: Rules) -> Lattices:
    """Lay out the Vengeance solitaire round.

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
    blanks = sum(counts[kind] for kind in inert)
    blanks += sum(counts[kind] for kind in (STEAL, SWAP) if kind not in inert)
    most = min(len(cards), _FLIP7)
    flips = most + len(modifiers) + blanks + jom
    if has_unlucky:
        flips += 1 + most
    if flips >= rules.n_cards:
        raise InputError(
            f"the deck of {rules.n_cards} cards could run out within the round; exact solutions "
            "need more numbers than a round can use"
        )
    if not jom:
        # Without forced flips a card that does nothing only delays: the player is asked again in
        # the same state. So such cards change neither decisions nor scores.
        dropped, blanks = blanks, 0
    else:
        dropped = 0
    items = tuple(sorted(cards))
    low, high = rules.score_bounds()
    settings = np.zeros(lattice.N_SETTINGS, np.int64)
    special = rules.specials
    settings[lattice.CARDS] = rules.n_cards - dropped
    settings[lattice.UNLUCKY] = has_unlucky
    settings[lattice.BLANKS], settings[lattice.JUST_ONE_MORES] = blanks, jom
    settings[lattice.BONUS], settings[lattice.LOW] = rules.flip7_bonus, low
    settings[lattice.FLOORED] = not rules.brutal
    settings[lattice.ZERO_ITEM] = items.index(0) if special and 0 in items else -1
    settings[lattice.LUCKY_ITEM] = items.index(LUCKY13) if LUCKY13 in items else -1
    settings[lattice.THIRTEEN_ITEM] = items.index(13) if 13 in items else -1
    settings[lattice.PAIR_ONCE] = special and rules.lucky13_pair_counts == 1
    settings[lattice.STARTS_EMPTY] = 1
    lattices = Lattices(
        rules=rules,
        item_kinds=items,
        item_cards=np.array([cards[item] for item in items], np.int64),
        item_rank=np.array([RANKS[item] for item in items], np.int64),
        modifiers=modifiers,
        n_blanks=blanks,
        n_just_one_more=jom,
        has_unlucky=has_unlucky,
        low=low,
        n_scores=high - low + 1,
        settings=settings,
    )
    if int(np.prod(lattices.shape)) > _MAX_STATES:
        raise InputError(f"the deck {rules.deck_name!r} has too many states for an exact solution")
    return lattices
