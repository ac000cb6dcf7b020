"""Solutions as compiled policies read them, asked in the exact round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from flip7sim import _jit
from flip7sim.callbacks import Callback
from flip7sim.errors import InputError
from flip7sim.exact.evaluate import Term, evaluate
from flip7sim.exact.optimal import (
    race_stays,
    race_words,
    round_stays,
    round_words,
    rules_of,
    vengeance_stays,
)
from flip7sim.exact.race import solve_race
from flip7sim.exact.round import solve
from flip7sim.exact.vengeance_layout import build_lattices
from flip7sim.rules import Rules
from flip7sim.table import TABLE, new_table


def play_round(table: Any, seat: int) -> int:
    return int(round_stays(table, seat, table.constants[table.row]))


def play_race(table: Any, seat: int) -> int:
    return int(race_stays(table, seat, table.constants[table.row]))


def code(function: Any) -> Any:
    if _jit.DISABLED:
        return Callback(function)
    return _jit.Entry(function, TABLE, cached=False)


@pytest.mark.parametrize(
    "rules",
    [
        Rules(deck="numbers"),
        Rules(deck="no-attacks"),
        Rules(deck={"flip_three": 1, "x2": 0, "+2": 0, "+4": 0, "+6": 0, "+8": 2}),
        Rules(deck={"second_chance": 1}, inert=("flip_three", "freeze", "+2", "+4", "+6")),
    ],
    ids=["numbers", "no-attacks", "one flip three", "inert"],
)
def test_optimal_policy_has_the_solved_value(rules: Rules) -> None:
    words = round_words(rules)
    policy = code(play_round)
    outcome = evaluate(rules, [Term(policy.address, constants=words.ctypes.data)])
    assert outcome.mean == pytest.approx(solve(rules).value, abs=1e-11)
    assert outcome.scores() == pytest.approx(solve(rules).outcome.scores(), abs=1e-12)


@pytest.mark.parametrize("total", [0, 25, 39])
def test_race_policy_takes_the_fewest_rounds(total: int) -> None:
    rules = Rules(deck="numbers", target_score=40)
    race = solve_race(rules)
    words = race_words(rules)
    policy = code(play_race)
    outcome = evaluate(rules, [Term(policy.address, constants=words.ctypes.data)], total=total)
    rounds = np.zeros(total + len(outcome.histogram) + 40)
    rounds[:40] = race.rounds
    ahead = 1 + outcome.histogram @ rounds[total : total + len(outcome.histogram)]
    assert ahead == pytest.approx(race.rounds[total], abs=1e-11)


def test_vengeance_policy_reads_the_solved_decisions() -> None:
    rules = Rules(game="vengeance", deck="numbers", specials=False)
    words = round_words(rules)
    table = new_table(rules, 1)
    lattices = build_lattices(rules)

    def stays(*numbers: int) -> bool:
        table.line[0, :] = 0
        table.left[:] = table.full
        for number in numbers:
            table.line[0, number] = 1
            table.left[number] -= 1
        return bool(vengeance_stays(table, 0, np.uint64(words.ctypes.data)))

    assert len(lattices.item_kinds) == 14
    assert not stays(5)
    assert stays(13, 12, 11)
    assert not stays(1, 2, 3)


def test_rules_of_a_table() -> None:
    rules = Rules(game="vengeance", deck="no-actions", lucky13_pair_counts=1, inert=("div2",))
    again = rules_of(new_table(rules, 3))
    assert again.counts == rules.counts
    assert (again.lucky13_pair_counts, again.inert) == (1, ("div2",))


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(InputError, match="number cards only"):
        round_words(Rules(game="vengeance", deck="no-actions"))
    with pytest.raises(InputError, match="flip_four"):
        round_words(Rules(game="vengeance"))
    with pytest.raises(InputError, match="40 minutes of two cores"):
        race_words(Rules(target_score=1000))
