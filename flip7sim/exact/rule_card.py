"""A solved round in a few words: the smallest list of conditions that keeps nearly all its value.

A rule card counts the numbers of the line, perhaps with a part of the plus points, and says at
which count to stay: one threshold for each group of numbers of cards, perhaps another while holding
a Second Chance. All these forms are compared by their losses (`rule_losses`) without playing them;
of each number of conditions the most promising ones are then evaluated exactly, and the thresholds
of the best one climb by single steps until none betters it. The card with the fewest conditions
that keeps the wanted share of the optimal value is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import CARD_NAMES
from flip7sim.errors import InputError
from flip7sim.exact import store
from flip7sim.exact.layout import Layout, build_layout
from flip7sim.exact.outcome import Outcome
from flip7sim.exact.round import Solution, rules_key, solve
from flip7sim.exact.rule_losses import COUNTINGS, MOST_CONDITIONS, NEVER, Form, Losses
from flip7sim.rules import Rules

_COUNTED: Final[dict[Fraction, str]] = dict(
    zip(
        COUNTINGS,
        (
            "count the numbers only",
            "count the numbers and a third of the plus points",
            "count the numbers and half of the plus points",
            "count the numbers and the plus points",
        ),
        strict=True,
    )
)


_NEARLY: Final = 1.5
"""Forms are tried up to so many times the loss that is allowed or reached: in all decks looked at
the real loss of a good form was at least 0.7 of the expected one."""
_NEGLIGIBLE: Final = 1e-12


@dataclass(frozen=True)
class RuleCard:
    """A rule in a few conditions.

    Attributes
    ----------
    form : Form
        What is counted, and the thresholds.
    modifiers : tuple of str
        Those of the deck that do something.
    outcome : Outcome
        Of the round played by the card.
    share : float
        Of the optimal value that it keeps.
    """

    form: Form
    modifiers: tuple[str, ...]
    outcome: Outcome
    share: float

    def lines(self) -> list[str]:
        """Return the card, a condition a line, after one that says what is counted."""
        counted = _COUNTED[self.form.plus_part]
        if self.form.plus_part and "x2" in self.modifiers:
            counted += ", x2 or not"
        out = [counted] if self.modifiers else []
        for group, threshold in zip(self.form.groups, self.form.thresholds, strict=True):
            rule = _rule(threshold)
            if len(self.form.groups) > 1:
                cards = f"{group[0]} to {group[-1]}" if len(group) > 1 else f"{group[0]}"
                if group[0] == 1:
                    cards = f"up to {group[-1]}"
                rule = f"with {cards} number{'s' * (group[-1] > 1)}: {rule}"
            out.append(rule)
        if self.form.with_chance is not None:
            out.append(f"holding a Second Chance: {_rule(self.form.with_chance)}")
        return out

    def report(self) -> dict[str, Any]:
        """Return the card ready for JSON."""
        return {
            "lines": self.lines(),
            "conditions": self.form.n_conditions,
            "share": self.share,
            **self.outcome.report(),
        }


def _rule(threshold: int) -> str:
    return "hit" if threshold >= NEVER else f"stay at {threshold} or more"


def rule_card(
    rules: Rules,
    *,
    share: float = 0.999,
    threads: int | None = None,
    cached: bool = True,
    progress: Callable[[float], None] | None = None,
) -> RuleCard:
    """Find the rule card of a deck.

    Parameters
    ----------
    rules : Rules
        As for `round.solve`.
    share : float
        Of the optimal value that the card must keep.
    threads : int, optional
    cached : bool
        Read the card from the cache folder, and write it there.
    progress : callable, optional
        Told the finished share, at most.

    Returns
    -------
    RuleCard
        The one with the fewest conditions that keeps the share; the best if none does.

    Raises
    ------
    InputError
        If the deck cannot be solved exactly.

    Examples
    --------
    >>> card = rule_card(Rules(deck="numbers"), share=0.99, cached=False)
    >>> card.lines(), f"{card.outcome.mean:.10f}"
    (['stay at 23 or more'], '18.5212257206')
    """
    if rules.game != "base":
        raise InputError("rule cards are made for decks of the base game, not of vengeance")
    layout = build_layout(rules)
    key = {"what": "rule-card", "share": share, **rules_key(rules)}
    if cached and (found := store.load(key)) is not None:
        summary, _ = found
        return RuleCard(
            Form.from_summary(summary["form"]), _modifiers(layout),
            Outcome.from_summary(summary["outcome"]), float(summary["share"]),
        )  # fmt: skip
    from flip7sim.exact import sweep  # compiled code, which a cached card does not need

    solution = solve(rules, threads=threads, cached=cached)
    with sweep.workers(threads) as pool:
        card = _Search(layout, solution, share, pool).card(progress)
    if cached:
        summary = {
            "form": card.form.summary(),
            "outcome": card.outcome.summary(),
            "share": card.share,
        }
        store.save(key, summary, np.empty(0, np.int64))
    return card


def _modifiers(layout: Layout) -> tuple[str, ...]:
    return tuple(CARD_NAMES[kind] for kind in layout.modifiers)


class _Search:
    """The search for a deck's card; each form that it plays costs one sweep."""

    def __init__(self, layout: Layout, solution: Solution, share: float, pool: Any) -> None:
        self._layout, self._solution, self._share, self._pool = layout, solution, share, pool
        visits = np.zeros_like(solution.hit)
        self._play(layout.points[:, None] >= solution.hit, visits)
        self._losses = Losses(layout, solution.hit, visits)
        self._allowed = (1 - share) * solution.value
        self._least = np.inf
        """The least loss expected with fewer conditions."""

    def card(self, progress: Callable[[float], None] | None) -> RuleCard:
        """Return the card with the fewest conditions that keeps the share, or the best."""
        cards = []
        for n_conditions in range(1, MOST_CONDITIONS + 1):
            card = self._best(n_conditions)
            if card is not None:
                cards.append(card)
                if card.share >= self._share:
                    break
            if progress is not None:
                progress(n_conditions / MOST_CONDITIONS)
        return max(cards, key=lambda card: card.share)

    def _best(self, n_conditions: int) -> RuleCard | None:
        """Return the best card with this number of conditions, if it needs so many."""
        ranked = self._losses.ranked(n_conditions)
        best: RuleCard | None = None
        for expected, form in ranked:
            if expected > self._least - _NEGLIGIBLE:  # as good with fewer conditions
                break
            if best is not None and expected > _NEARLY * min(self._lost(best), self._allowed):
                break
            card = self._judged(form)
            if best is None or card.share > best.share:
                best = card
        self._least = min([self._least, *(expected for expected, _ in ranked)])
        if best is not None and self._lost(best) <= _NEARLY * self._allowed:
            best = self._climbed(best)
        return best

    def _climbed(self, card: RuleCard) -> RuleCard:
        """Return the card after single steps of its thresholds, until none of them betters it."""
        tried = {card.form}
        improved = True
        while improved:
            improved = False
            for form in card.form.neighbours():
                if form not in tried:
                    tried.add(form)
                    trial = self._judged(form)
                    if trial.share > card.share + _NEGLIGIBLE:
                        card, improved = trial, True
                        break
        return card

    def _lost(self, card: RuleCard) -> float:
        return self._solution.value - card.outcome.mean

    def _judged(self, form: Form) -> RuleCard:
        outcome = self._play(form.stays(self._layout))
        modifiers = _modifiers(self._layout)
        return RuleCard(form, modifiers, outcome, outcome.mean / self._solution.value)

    def _play(self, stays: NDArray[np.bool_], visits: NDArray[np.float64] | None = None) -> Outcome:
        """Play by decisions, shape (n_cells, n_decisions)."""
        from flip7sim.exact import sweep

        return sweep.carry_forward(self._layout, self._pool, stays.astype(np.uint8), visits=visits)
