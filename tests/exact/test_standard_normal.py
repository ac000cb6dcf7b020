"""Simulated against exact for many decks and policies: as a set, standard normal differences.

Each pair is simulated with a seed of its own, so the differences in standard errors are
independent. Their distribution, the sum of their squares and their largest are what independent
standard normal numbers would be likely to show. The seeds are fixed, so the outcome is too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import pytest
from scipy import stats

import flip7sim as f7
from flip7sim import _jit
from flip7sim.exact.round import solve
from flip7sim.exact.vengeance import solve_vengeance
from flip7sim.rules import Rules

pytestmark = pytest.mark.skipif(_jit.DISABLED, reason="too many rounds for plain Python")

ROUNDS = 500_000
FIRST_SEED = 4_000
FEW = {"x2": 0, "+2": 0, "+4": 0, "+6": 0, "+8": 0}
SOME = dict.fromkeys(("-2", "-4", "-6", "-8", "-10", "flip_four", "discard", "swap"), 0)
DECKS: dict[str, Rules] = {
    "numbers": Rules(deck="numbers"),
    "no-actions": Rules(deck="no-actions"),
    "no-attacks": Rules(deck="no-attacks"),
    "flip threes": Rules(deck={**FEW, "flip_three": 2, "freeze": 0, "second_chance": 1}),
    "freezes": Rules(deck={**FEW, "x2": 1, "flip_three": 1, "freeze": 3, "second_chance": 0}),
    "vengeance": Rules(game="vengeance", deck="numbers"),
    "a modifier and actions": Rules(game="vengeance", deck={**SOME, "steal": 1}),
}
POLICIES = {
    "numbers": [
        "score:18", "score:23", "score:30", "cards:2", "cards:3", "cards:5", "sum:26",
        "bust:0.2", "bust:0.26", "gain", "never", "score:30 or bust:0.3", "cards:3 and sum:20",
    ],
    "no-actions": [
        "score:20", "score:27", "cards:4", "sum:22", "bust:0.25", "gain", "cards:5 or score:22",
        "bust:0.2 and score:24",
    ],
    "no-attacks": [
        "score:22", "score:28", "cards:3", "sum:25", "bust:0.3", "gain", "never",
        "score:25 or cards:4 and bust:0.2",
    ],
    "flip threes": ["score:24", "cards:4", "bust:0.25", "gain", "sum:20 or cards:5"],
    "freezes": ["score:25", "cards:3", "sum:23", "gain", "bust:0.3 and score:20"],
    "vengeance": ["score:25", "cards:3", "sum:30", "bust:0.25", "gain", "never", "random:0.3"],
    "a modifier and actions": ["score:18", "cards:2 and score:16", "bust:0.2", "sum:22"],
}  # fmt: skip
PAIRS = [(deck, spec) for deck, specs in POLICIES.items() for spec in specs]


@dataclass(frozen=True)
class Pair:
    """One deck and policy: by how many exact standard errors the simulation is off."""

    mean: float
    bust: float
    se: float

    def shifted(self, points: float) -> float:
        """Return the deviation of an engine whose mean is off by so many points."""
        return self.mean + points / self.se


def compare(rules: Rules, spec: str, seed: int) -> Pair:
    exact = f7.evaluate(spec, rules=rules)
    seat = f7.simulate([spec], rules=rules, rounds=ROUNDS, seed=seed).seats[0]
    se = exact.sd / sqrt(ROUNDS)
    bust_se = sqrt(exact.bust * (1 - exact.bust) / ROUNDS)
    mean = (seat.summary.mean.value - exact.mean) / se
    return Pair(mean=mean, bust=(seat.bust.value - exact.bust) / bust_se, se=se)


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return [
        compare(DECKS[deck], spec, FIRST_SEED + place) for place, (deck, spec) in enumerate(PAIRS)
    ]


def p_values(deviations: Sequence[float]) -> dict[str, float]:
    """Return how likely standard normal numbers look as odd as these, by three tests."""
    z = np.array(deviations)
    squares = stats.chi2.cdf((z**2).sum(), len(z))
    return {
        "Kolmogorov-Smirnov": float(stats.kstest(z, "norm").pvalue),
        "sum of squares": float(2 * min(squares, 1 - squares)),
        "largest": float(1 - (1 - 2 * stats.norm.sf(np.abs(z).max())) ** len(z)),
    }


def test_there_are_enough_pairs() -> None:
    assert len(PAIRS) == len(set(PAIRS)) >= 30


@pytest.mark.parametrize("figure", ["mean", "bust"])
def test_differences_look_standard_normal(pairs: list[Pair], figure: str) -> None:
    found = p_values([getattr(pair, figure) for pair in pairs])
    assert min(found.values()) > 0.01, found


def test_a_biased_engine_would_be_noticed(pairs: list[Pair]) -> None:
    """A twentieth of a point, a quarter of a per cent, does not pass."""
    found = p_values([pair.shifted(0.05) for pair in pairs])
    assert max(found.values()) < 1e-3, found


def test_wrong_standard_errors_would_be_noticed(pairs: list[Pair]) -> None:
    """Errors that are too large by a half, or too small by a third, show in the squares."""
    for factor in (1 / 1.5, 1.5):
        found = p_values([factor * pair.mean for pair in pairs])
        assert found["sum of squares"] < 0.01, (factor, found)


def test_a_forgotten_bonus_would_be_noticed(pairs: list[Pair]) -> None:
    """The exact figures of rounds whose Flip 7 earns nothing more are told from the simulated."""
    wrong = []
    for pair, (deck, spec) in zip(pairs, PAIRS, strict=True):
        if deck == "numbers":
            poorer = f7.evaluate(spec, rules=Rules(deck="numbers", flip7_bonus=0)).mean
            wrong.append(pair.shifted(f7.evaluate(spec, rules=DECKS[deck]).mean - poorer))
    assert p_values(wrong)["sum of squares"] < 1e-6
    assert p_values(wrong)["largest"] < 1e-6


@pytest.mark.parametrize(
    ("game", "deck"),
    [
        ("base", "numbers"),
        ("base", "no-actions"),
        ("base", "no-attacks"),
        ("vengeance", "numbers"),
    ],
)
def test_the_optimal_policy_plays_to_the_solved_value(game: str, deck: str) -> None:
    rules = Rules(game=game, deck=deck)
    rounds = 2 * ROUNDS
    played = f7.simulate(["optimal:round"], rules=rules, rounds=rounds, seed=FIRST_SEED).seats[0]
    outcome = (solve if game == "base" else solve_vengeance)(rules).outcome
    value, sd, bust, flip7 = outcome.mean, outcome.sd, outcome.bust, outcome.flip7
    assert abs(played.summary.mean.value - value) < 3.5 * sd / sqrt(rounds)
    assert abs(played.bust.value - bust) < 3.5 * sqrt(bust * (1 - bust) / rounds)
    assert abs(played.flip7.value - flip7) < 3.5 * sqrt(flip7 * (1 - flip7) / rounds)
