"""A solved round in a few words: the smallest list of conditions that keeps nearly all its value.

A rule card counts the numbers in the line and half of the plus points, and says at which count to
stay, for each number of number cards, and what to do while holding a Second Chance. Why half: one
more card risks the whole line with a chance that grows like the sum of the numbers, so with numbers
n and plus points p the loss grows like n (n + p), about (n + p/2) squared; under an x2 what can be
gained doubles too, and half becomes a quarter. Its thresholds are found by exact evaluation, one
after another until none can be bettered; of the forms tried the one with the fewest conditions that
keeps the wanted share of the optimal value is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from flip7sim._jit import address_of
from flip7sim.cards import FIRST_MODIFIER, LAST_BASE_MODIFIER, SECOND_CHANCE
from flip7sim.errors import InputError
from flip7sim.exact.evaluate import Term, evaluate
from flip7sim.exact.outcome import Outcome
from flip7sim.exact.round import solve
from flip7sim.exact.vengeance import solve_vengeance
from flip7sim.exact.vengeance_layout import build_lattices
from flip7sim.rules import Rules
from flip7sim.table import SEAT_MASK

MOST_NUMBERS: Final = 6
NEVER: Final = 1000
"""A threshold that no line reaches."""
_WITH_CHANCE: Final = 6
"""Position of the threshold while holding a Second Chance; before it those by number of cards."""
_FORMS: Final[tuple[tuple[tuple[int, ...], ...], ...]] = (
    ((1, 2, 3, 4, 5, 6),),
    ((1, 2, 3, 4), (5, 6)),
    ((1, 2, 3), (4,), (5, 6)),
    ((1, 2, 3), (4,), (5,), (6,)),
    ((1, 2), (3,), (4,), (5,), (6,)),
)
"""Groups of numbers of cards that share a threshold, from simple to detailed."""


def _at_thresholds(table: Any, word: int) -> int:
    """Stay when the line counts the threshold for its number of cards, or for a Second Chance."""
    seat = word & SEAT_MASK
    which = table.n_numbers[seat] - 1
    if table.n_second_chances[seat] > 0:
        which = _WITH_CHANCE
    elif which < 0:
        which = 0
    # The numbers and half of the plus points, which each x2 halves again; in halves, so exact.
    numbers, plus = float(table.number_sum[seat]), float(table.modifier_sum[seat])
    counts = numbers + plus / (2 << table.n_doublers[seat])
    return int(counts >= table.parameter[table.row, which])


@dataclass(frozen=True)
class RuleCard:
    """A rule in a few conditions.

    Attributes
    ----------
    groups : tuple of tuple of int
        Numbers of number cards that share a threshold.
    thresholds : tuple of int
        Stay at this count or more, for each group.
    with_chance : int or None
        The count at which to stay while holding a Second Chance, `NEVER` for none; None if the
        deck has none.
    plus_cards : bool
        Whether the deck has modifiers.
    outcome : Outcome
        Of the round played by the card.
    share : float
        Of the optimal value that it keeps.
    """

    groups: tuple[tuple[int, ...], ...]
    thresholds: tuple[int, ...]
    with_chance: int | None
    plus_cards: bool
    outcome: Outcome
    share: float

    def lines(self) -> list[str]:
        """Return the card, a condition a line."""
        out = []
        if self.plus_cards:
            out.append("count the numbers and half of the plus points (with x2 a quarter)")
        for group, threshold in zip(self.groups, self.thresholds, strict=True):
            if len(self.groups) == 1:
                out.append(f"stay at {threshold} or more")
                continue
            cards = f"{group[0]}" if len(group) == 1 else f"{group[0]} to {group[-1]}"
            word = "number" if group == (1,) else "numbers"
            rule = f"stay at {threshold} or more" if threshold < NEVER else "hit"
            out.append(f"with {cards} {word}: {rule}")
        if self.with_chance is not None:
            rule = "hit" if self.with_chance >= NEVER else f"stay at {self.with_chance} or more"
            out.append(f"holding a Second Chance: {rule}")
        return out

    def report(self) -> dict[str, Any]:
        """Return the card ready for JSON."""
        return {"lines": self.lines(), "share": self.share, **self.outcome.report()}


def rule_card(rules: Rules, *, share: float = 0.999, threads: int | None = None) -> RuleCard:
    """Find the rule card of a deck.

    Parameters
    ----------
    rules : Rules
        As for `round.solve`, or of Vengeance with number cards as the only cards that matter.
    share : float
        Of the optimal value that the card must keep.
    threads : int, optional

    Returns
    -------
    RuleCard
        The first form that keeps the share; the best if none does.

    Raises
    ------
    InputError
        If the deck cannot be solved exactly, or holds modifiers of Vengeance.
    """
    value = _value(rules, threads)
    address = address_of(_at_thresholds)
    chances = rules.counts[SECOND_CHANCE] > 0 and "second_chance" not in rules.inert
    cards = []
    start = 25
    for groups in _FORMS:
        card = _climb(rules, address, groups, chances, value, start, threads)
        cards.append(card)
        if card.share >= share:
            return card
        start = card.thresholds[0]
    return max(cards, key=lambda card: card.share)


def _value(rules: Rules, threads: int | None) -> float:
    if rules.game == "base":
        return solve(rules, threads=threads).value
    if build_lattices(rules).modifiers:
        raise InputError(
            "rule cards of Vengeance are made for number cards only, the deck numbers; "
            f"{rules.deck_name!r} has modifiers"
        )
    return solve_vengeance(rules, threads=threads).value


def _climb(
    rules: Rules,
    address: int,
    groups: tuple[tuple[int, ...], ...],
    chances: bool,
    value: float,
    start: int,
    threads: int | None,
) -> RuleCard:
    found: dict[tuple[int, ...], Outcome] = {}

    def outcome(numbers: Sequence[int]) -> Outcome:
        key = tuple(numbers)
        if key not in found:
            parameters = [0.0] * MOST_NUMBERS + [float(key[-1])]
            for group, threshold in zip(groups, key, strict=False):
                for cards in group:
                    parameters[cards - 1] = float(threshold)
            term = Term(address, parameters, line_only=True)
            found[key] = evaluate(rules, [term], threads=threads)
        return found[key]

    best = [start] * len(groups) + [NEVER]
    improved = True
    while improved:
        improved = False
        for at in range(len(groups) + int(chances)):
            for step in (4, -4, 1, -1):
                while True:
                    trial = list(best)
                    trial[at] = 45 if best[at] >= NEVER and step < 0 else best[at] + step
                    if trial[at] < 0 or outcome(trial).mean <= outcome(best).mean:
                        break
                    best, improved = trial, True
    ended = outcome(best)
    return RuleCard(
        groups=groups,
        thresholds=tuple(best[:-1]),
        with_chance=best[-1] if chances else None,
        plus_cards=any(rules.counts[FIRST_MODIFIER : LAST_BASE_MODIFIER + 1]),
        outcome=ended,
        share=ended.mean / value,
    )
