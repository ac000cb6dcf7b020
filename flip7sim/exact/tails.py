"""What besides numbers and modifiers a lone player's base round has come to: the tail states.

In solitaire every Freeze and Flip Three falls on the player, so apart from the line's numbers and
modifiers a round is described by how many Second Chances were drawn, held and used, how many Flip
Threes and inert cards were drawn, and, while forced flips run, by the run. That is a small
automaton, the same for every line; this module lists its states and its transitions.

Within a forced run the cards set aside are settled in order and a Freeze ends everything behind it,
so a waiting list matters only as "so many Flip Threes, then a Freeze or none" (rules.md section 4).

Examples
--------
>>> tails = build_tails(second_chances=1, flip_threes=0, freezes=1, inert=0)
>>> [tails.name(index) for index in tails.decisions]
['drawn 1 held 0 used 1', 'drawn 1 held 1 used 0', 'drawn 0 held 0 used 0']
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

FROZEN: Final = 0
"""Tail in which the player has been frozen: the line is scored."""
BUST: Final = 1
"""Tail in which the player has busted."""
N_FLIPS: Final = 3
"""Flips of a Flip Three."""
MAX_TAILS: Final = 20_000
"""More tail states than this are refused."""

N_CARDS: Final = 0
NEUTRAL: Final = 1
ON_DUPLICATE: Final = 2
ON_CHANCE: Final = 3
ON_FLIP_THREE: Final = 4
ON_FREEZE: Final = 5
ON_INERT: Final = 6
CHANCES_LEFT: Final = 7
FLIP_THREES_LEFT: Final = 8
FREEZES_LEFT: Final = 9
INERT_LEFT: Final = 10
USED: Final = 11
DECISION: Final = 12
HELD: Final = 13
SLOT: Final = 14
"""Columns of `Tails.arrays`."""


class Run(NamedTuple):
    """A Flip Three being carried out by the player."""

    flips_left: int
    aside: int
    """Flip Threes set aside in this run before its first Freeze."""
    aside_freeze: bool
    """A Freeze was set aside in this run."""
    older: int
    """Flip Threes waiting behind this run's cards, up to the first Freeze among those."""
    older_freeze: bool
    freezes: int
    """Freezes flipped so far."""


class Tail(NamedTuple):
    """One tail state; `run` is None at a decision."""

    drawn: int
    """Second Chances drawn from the deck."""
    held: int
    used: int
    """Duplicates that a Second Chance took out."""
    flip_threes: int
    inert: int
    run: Run | None


@dataclass(frozen=True)
class Tails:
    """The tail automaton as arrays over its states; 0 is `FROZEN`, 1 is `BUST`.

    States stand so that every transition by an action card, an inert card or a duplicate leads to
    a smaller index; `neutral` (a new number or a modifier) leads to any tail, of a longer line.

    Attributes
    ----------
    states : tuple
        The `Tail` of each index, None for the first two.
    n_cards : ndarray of int64, shape (n_tails,)
        Cards that left the deck and are neither new numbers nor modifiers.
    neutral, on_duplicate, on_chance, on_flip_three, on_freeze, on_inert : ndarray of int64
        The next tail after such a card.
    chances_left, flip_threes_left, freezes_left, inert_left, used, held : ndarray of int64
        Cards of the kind in the deck; duplicates used; Second Chance held.
    decision : ndarray of int64
        Position among the decision tails, -1 for the others.
    decisions : ndarray of int64, shape (n_decisions,)
        Tails in which the player decides.
    start : int
        The tail before the first card.
    """

    states: tuple[Tail | None, ...]
    n_cards: NDArray[np.int64]
    neutral: NDArray[np.int64]
    on_duplicate: NDArray[np.int64]
    on_chance: NDArray[np.int64]
    on_flip_three: NDArray[np.int64]
    on_freeze: NDArray[np.int64]
    on_inert: NDArray[np.int64]
    chances_left: NDArray[np.int64]
    flip_threes_left: NDArray[np.int64]
    freezes_left: NDArray[np.int64]
    inert_left: NDArray[np.int64]
    used: NDArray[np.int64]
    held: NDArray[np.int64]
    decision: NDArray[np.int64]
    decisions: NDArray[np.int64]
    start: int

    @property
    def slots(self) -> NDArray[np.int64]:
        """The tails, in order, in which a line can become longer: what a level tells the next."""
        return np.unique(self.neutral[BUST + 1 :])

    def name(self, index: int) -> str:
        """Describe tail `index` in words."""
        tail = self.states[index]
        if tail is None:
            return "frozen" if index == FROZEN else "bust"
        words = f"drawn {tail.drawn} held {tail.held} used {tail.used}"
        if tail.flip_threes:
            words += f" flip threes {tail.flip_threes}"
        if tail.inert:
            words += f" inert {tail.inert}"
        return words if tail.run is None else f"{words} {tail.run}"

    def arrays(self) -> NDArray[np.int64]:
        """Return what the kernels read, shape (n_tails, 15); the columns are named above."""
        return np.stack(
            [
                self.n_cards,
                self.neutral,
                self.on_duplicate,
                self.on_chance,
                self.on_flip_three,
                self.on_freeze,
                self.on_inert,
                self.chances_left,
                self.flip_threes_left,
                self.freezes_left,
                self.inert_left,
                self.used,
                self.decision,
                self.held,
                np.searchsorted(self.slots, self.neutral),
            ],
            axis=1,
        )


def _flipped(tail: Tail) -> Tail | None:
    """Return `tail` after one more flip of its run was settled; None once frozen."""
    run = tail.run
    if run is None:
        return tail
    if run.flips_left > 1:
        return tail._replace(run=run._replace(flips_left=run.flips_left - 1))
    # The run is over: what it set aside comes first, then the older cards, up to a Freeze.
    if run.aside_freeze:
        waiting, freeze = run.aside, True
    else:
        waiting, freeze = run.aside + run.older, run.older_freeze
    if waiting:
        return tail._replace(run=Run(N_FLIPS, 0, False, waiting - 1, freeze, run.freezes))
    return None if freeze else tail._replace(run=None)


def _after_duplicate(tail: Tail) -> Tail | int | None:
    if not tail.held:
        return BUST
    return _flipped(tail._replace(held=0, used=tail.used + 1))


def _after_chance(tail: Tail) -> Tail | None:
    # A surplus one finds no taker in solitaire and is discarded.
    return _flipped(tail._replace(drawn=tail.drawn + 1, held=1))


def _after_flip_three(tail: Tail) -> Tail | None:
    tail = tail._replace(flip_threes=tail.flip_threes + 1)
    run = tail.run
    if run is None:
        return tail._replace(run=Run(N_FLIPS, 0, False, 0, False, 0))
    if not run.aside_freeze:
        run = run._replace(aside=run.aside + 1)
    return _flipped(tail._replace(run=run))


def _after_freeze(tail: Tail) -> Tail | None:
    run = tail.run
    if run is None:
        return None
    if run.aside_freeze:
        run = run._replace(freezes=run.freezes + 1)
    else:
        run = run._replace(aside_freeze=True, older=0, older_freeze=False, freezes=run.freezes + 1)
    return _flipped(tail._replace(run=run))


def build_tails(
    *, second_chances: int, flip_threes: int, freezes: int, inert: int, held: int = 0
) -> Tails | None:
    """List the tail states of a solitaire base round.

    Parameters
    ----------
    second_chances, flip_threes, freezes, inert : int
        Cards of each kind in the deck at the start.
    held : int
        1 if the line starts with a Second Chance.

    Returns
    -------
    Tails or None
        None if there are more than `MAX_TAILS`.
    """
    start = Tail(0, held, 0, 0, 0, None)
    found: dict[Tail, list[Tail | int | None]] = {}
    frontier = [start]
    while frontier:
        tail = frontier.pop()
        if tail in found:
            continue
        seen_freezes = tail.run.freezes if tail.run else 0
        following: list[Tail | int | None] = [
            _flipped(tail),
            _after_duplicate(tail),
            _after_chance(tail) if tail.drawn < second_chances else BUST,
            _after_flip_three(tail) if tail.flip_threes < flip_threes else BUST,
            _after_freeze(tail) if seen_freezes < freezes else BUST,
            _flipped(tail._replace(inert=tail.inert + 1)) if tail.inert < inert else BUST,
        ]
        found[tail] = following
        if len(found) > MAX_TAILS:
            return None
        frontier.extend(item for item in following if isinstance(item, Tail))

    def cards(tail: Tail) -> int:
        freezes_seen = tail.run.freezes if tail.run else 0
        return tail.drawn + tail.used + tail.flip_threes + tail.inert + freezes_seen

    ordered = sorted(found, key=lambda tail: (-cards(tail), tail.run is not None, tail[:5]))
    index: dict[Tail | int | None, int] = {None: FROZEN, BUST: BUST}
    index |= {tail: position + 2 for position, tail in enumerate(ordered)}
    ends = [FROZEN, BUST]

    def column(values: list[int], first: list[int]) -> NDArray[np.int64]:
        return np.array(first + values, np.int64)

    def step(position: int) -> NDArray[np.int64]:
        return column([index[found[tail][position]] for tail in ordered], ends)

    runs = [tail.run.freezes if tail.run else 0 for tail in ordered]
    decisions = [index[tail] for tail in ordered if tail.run is None]
    decision = np.full(len(ordered) + 2, -1, np.int64)
    decision[decisions] = np.arange(len(decisions))
    return Tails(
        states=(None, None, *ordered),
        n_cards=column([cards(tail) for tail in ordered], [0, 0]),
        neutral=step(0),
        on_duplicate=step(1),
        on_chance=step(2),
        on_flip_three=step(3),
        on_freeze=step(4),
        on_inert=step(5),
        chances_left=column([second_chances - tail.drawn for tail in ordered], [0, 0]),
        flip_threes_left=column([flip_threes - tail.flip_threes for tail in ordered], [0, 0]),
        freezes_left=column([freezes - seen for seen in runs], [0, 0]),
        inert_left=column([inert - tail.inert for tail in ordered], [0, 0]),
        used=column([tail.used for tail in ordered], [0, 0]),
        held=column([tail.held for tail in ordered], [0, 0]),
        decision=decision,
        decisions=np.array(decisions, np.int64),
        start=index[start],
    )
