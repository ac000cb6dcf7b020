"""The study `stay_thresholds`, played small."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from flip7sim.errors import InputError
from flip7sim.rules import Rules
from flip7sim.study import thresholds_experiment
from flip7sim.study.experiment import run_experiment
from flip7sim.study.thresholds import stay_thresholds

Unplayed = Callable[[ModuleType], None]

STUDY = """
study = "stay_thresholds"
title = "Small"
players = [1, 2]
rival = "score:25/leader"
policy = "score"
from = 20
to = 30
step = 5
rounds = {quick = 300, normal = 300, full = 300}
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("players = [1, 2]", "players = [1, 40]", "1 to 18 players, not 40"),
        ("full = 300", "full = 0", "rounds.full must be from 1"),
        ("normal = 300", "normal = -1", "rounds.normal must be from 1"),
        ("step = 5", "step = 5\nseed = -1", "seed"),
        ('policy = "score"', 'policy = "bust"', "a number from 0 to 1"),
        ('"score:25/leader"', '"score:25/greedy"', "greedy makes no choice of base"),
        ('rival = "score:25/leader"', 'game = "vengeance"\nrival = "optimal:round"', "flip_four"),
    ],
)
def test_study_is_refused_before_anything_is_played(
    tmp_path: Path, unplayed: Unplayed, old: str, new: str, said: str
) -> None:
    unplayed(thresholds_experiment)
    file = tmp_path / "small.toml"
    assert old in STUDY
    file.write_text(STUDY.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        run_experiment(file, effort="quick", to=tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ([1], "With 1 player, stay as soon as"),
        ([2], "With 2 players against rivals who play score:25/leader, stay as soon as"),
        ([1, 2, 3], "With 1 to 3 players against rivals who play"),
        ([3, 1], "With 1, 3 players against rivals who play"),
        ([3, 2, 1], "With 1 to 3 players against rivals who play"),
        ([5, 1, 2, 3], "With 1 to 3, 5 players against rivals who play"),
    ],
)
def test_the_answer_names_the_tables_that_were_played(players: list[int], said: str) -> None:
    found = stay_thresholds(
        rules=Rules(), players=players, rival="score:25", policy="score", values=[20, 30],
        rounds=50, seed=1,
    )  # fmt: skip
    assert [table.n_players for table in found.tables] == players
    assert found.answer().startswith(said)
