"""The compiled engine, playing the solved policies, comes to the solved figures."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest

import flip7sim as f7
from flip7sim import _jit
from flip7sim.engine.entries import prepare
from flip7sim.engine.kernels import round_block
from flip7sim.exact.optimal import round_stays, round_words
from flip7sim.exact.race import solve_race
from flip7sim.exact.round import solve
from flip7sim.exact.vengeance import solve_vengeance
from flip7sim.rules import Rules
from flip7sim.table import PLAYER, TABLE, new_table

ROUNDS = 200_000


def play(table: Any, seat: int) -> int:
    return int(round_stays(table, seat, table.constants[table.row]))


@pytest.mark.skipif(_jit.DISABLED, reason="too many rounds for plain Python")
@pytest.mark.parametrize(
    "rules",
    [
        Rules(deck="no-attacks"),
        Rules(deck={"flip_three": 2, "x2": 0, "+2": 0, "+4": 0, "+6": 0}),
        Rules(game="vengeance", deck="numbers"),
    ],
    ids=["no-attacks", "flip threes", "vengeance"],
)
def test_simulated_optimal_policy(rules: Rules) -> None:
    words = round_words(rules)
    policy = _jit.Entry(play, TABLE, cached=False)
    tables = np.zeros(1, TABLE).view(np.recarray)
    tables[0] = new_table(rules, 1)
    tables[0].seed[:] = (7, 9)
    prepare(tables)
    arms = np.zeros(1, PLAYER).view(np.recarray)
    arms[0].n_terms = 1
    arms[0].address[0] = policy.address
    arms[0].constants[0] = words.ctypes.data
    low, high = rules.score_bounds()
    histogram = np.zeros((1, 1, high - low + 1), np.int64)
    busts, flip7s = np.zeros((2, 1, 1), np.int64)
    played = round_block(
        tables, arms, 0, ROUNDS, low, histogram, busts, flip7s,
        np.zeros((1, 2), np.int64), np.zeros((1, 1), np.int64), np.zeros(2, np.int64),
    )  # fmt: skip
    assert played == ROUNDS
    solution = solve(rules) if rules.game == "base" else solve_vengeance(rules)
    value, sd = solution.value, solution.outcome.sd
    bust, flip7 = solution.outcome.bust, solution.outcome.flip7
    mean = histogram[0, 0] @ np.arange(low, high + 1) / ROUNDS
    assert abs(mean - value) < 4 * sd / sqrt(ROUNDS)
    assert abs(busts[0, 0] / ROUNDS - bust) < 4 * sqrt(bust * (1 - bust) / ROUNDS)
    assert abs(flip7s[0, 0] / ROUNDS - flip7) < 4 * sqrt(flip7 * (1 - flip7) / ROUNDS)


@pytest.mark.skipif(_jit.DISABLED, reason="too many games for plain Python")
@pytest.mark.parametrize(
    "deck",
    ["no-actions", {"x2": 0, "+2": 0, "+4": 0, "+6": 0, "+8": 0}],
    ids=["no-actions", "all actions"],
)
def test_simulated_race(deck: str | dict[str, int]) -> None:
    """Alone, with a full deck each round, games last as long as the race says."""
    rules = Rules(deck=deck, target_score=70, reshuffle_each_round=True)
    race = solve_race(rules)
    for policy, expected in (
        ("optimal:race", race.value), ("optimal:round", float(race.round_optimal[0])),
    ):  # fmt: skip
        length = f7.games([policy], rules=rules, games=100_000, threads=1).length.mean
        assert abs(length.value - expected) < 4 * length.se
