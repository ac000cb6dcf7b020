"""The race alone, against plain Python on a miniature deck and against published figures."""

from __future__ import annotations

from fractions import Fraction
from types import ModuleType

import numpy as np
import pytest

from flip7sim import _jit
from flip7sim.cards import GAME_CARDS
from flip7sim.exact import sweep
from flip7sim.exact.layout import build_layout
from flip7sim.exact.race import expected_rounds, solve_race
from flip7sim.exact.round import solve
from flip7sim.rules import Rules

plain_is_slow = pytest.mark.skipif(_jit.DISABLED, reason="minutes in plain Python")


def test_round_optimal_play_takes_the_published_rounds() -> None:
    numbers = solve(Rules(deck="numbers")).outcome
    assert round(float(expected_rounds(numbers, 200)[0]), 2) == 11.51


def test_the_race_is_faster_than_playing_for_points() -> None:
    race = solve_race(Rules(deck="numbers", target_score=60))
    assert (race.rounds < race.round_optimal).all() or race.rounds[-1] == 1
    assert (np.diff(race.rounds) <= 1e-12).all()  # more points are never worse
    # No rule scores more than the one for points; just before the target there is no need to risk.
    points = solve(Rules(deck="numbers")).outcome
    assert race.scores[0] <= points.mean + 1e-12
    assert race.busts[55] < 0.01 < race.busts[30]
    assert race.rounds[59] == pytest.approx(1, abs=1e-12)  # the first number but the 0 will do


@plain_is_slow
def test_published_races() -> None:
    """Values that an earlier solver, by policy iteration to the last bit, also gave."""
    numbers = solve_race(Rules(deck="numbers"))
    assert f"{numbers.value:.9f}" == "11.063581682"
    assert f"{numbers.round_optimal[0]:.9f}" == "11.513357724"


@plain_is_slow
@pytest.mark.parametrize(
    "deck",
    ["numbers", {"flip_three": 2, "x2": 0, "+2": 0, "+4": 0, "+6": 0, "+8": 0}],
    ids=["numbers", "actions"],
)
def test_no_rule_takes_fewer_rounds(deck: str | dict[str, int]) -> None:
    """Solve the round with the race's own values as rewards: nothing is gained at any total."""
    rules = Rules(deck=deck, target_score=50)
    race = solve_race(rules)
    layout = build_layout(rules)
    rounds = np.zeros(50 + layout.n_scores)
    rounds[:50] = race.rounds
    with sweep.workers(1) as pool:
        for total in range(50):
            reward = -rounds[total : total + layout.n_scores]
            best = 1 - sweep.solve_backward(layout, reward, pool, keep=False).start
            assert best == pytest.approx(race.rounds[total], abs=1e-10)


def test_a_miniature_race_in_plain_python(brute: ModuleType) -> None:
    deck = {"2": 2, "3": 3, "second_chance": 1, "flip_three": 1, "freeze": 1, "4": 1}
    cards = tuple(card for card, count in deck.items() for _ in range(count))
    target = 9
    rounds: dict[int, float] = {}

    def ahead(total: int, stuck: float) -> float:
        def worth(score: int) -> Fraction:
            if score == 0:
                return Fraction(-stuck)
            return Fraction(-rounds.get(total + score, 0.0))

        return 1 - float(brute.best_value(cards, worth=worth))

    for total in reversed(range(target)):
        # W = 1 + E[...W...] rises in W with a slope below 1: halve the interval.
        low, high = 1.0, 60.0
        for _ in range(45):
            middle = (low + high) / 2
            low, high = (middle, high) if ahead(total, middle) > middle else (low, middle)
        rounds[total] = (low + high) / 2
    rules = Rules(
        deck={name: deck.get(name, 0) for name in GAME_CARDS["base"]}, target_score=target
    )
    race = solve_race(rules, cached=False)
    assert race.rounds == pytest.approx([rounds[total] for total in range(target)], abs=1e-9)


def test_the_race_is_cached() -> None:
    rules = Rules(deck="numbers", target_score=30)
    first, second = solve_race(rules), solve_race(rules)
    assert second.from_cache and not first.from_cache
    assert second.rounds.tolist() == first.rounds.tolist()
    assert second.words.tobytes() == first.words.tobytes()
