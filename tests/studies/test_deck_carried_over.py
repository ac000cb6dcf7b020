"""The study `deck_carried_over`, played small."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from flip7sim.errors import InputError
from flip7sim.rules import Rules
from flip7sim.study import deck_experiment
from flip7sim.study.deck_carried_over import deck_carried_over
from flip7sim.study.experiment import load_experiment, run_experiment

Unplayed = Callable[[ModuleType], None]

FILE = Path(__file__).resolve().parents[2] / "experiments" / "deck_carried_over.toml"


def small(folder: Path, **changes: str) -> Path:
    lines = {
        "study": '"deck_carried_over"', "title": '"t"', "tables": '[["score:25", "gain"]]',
        "games": "{ quick = 60, normal = 60, full = 60 }", **changes,
    }  # fmt: skip
    file = folder / "small.toml"
    file.write_text("".join(f"{key} = {value}\n" for key, value in lines.items()))
    return file


def test_committed_file_is_sound() -> None:
    experiment = load_experiment(FILE)
    experiment.study.check(experiment.configuration)


def test_two_runs_write_the_same(tmp_path: Path) -> None:
    file = small(tmp_path)
    folders = [run_experiment(file, to=tmp_path / name)[1] for name in ("a", "b")]
    names = sorted(path.name for path in folders[0].iterdir())
    assert {"length.csv", "wins.csv", "manifest.json", "deck_carried_over.svg"} <= {*names}
    for name in names:
        if name != "run.json":
            assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes(), name
    document = json.loads((folders[0] / "manifest.json").read_text())["result"]
    assert document["games_played"] == 120


def test_games_of_one_round_are_not_changed() -> None:
    # Whoever stays with a card wins at once: there is no second round to shuffle for.
    without = dict.fromkeys(["0", "x2", "freeze", "flip_three", "second_chance"], 0)
    rules = Rules(target_score=1, tie="share", deck=without)
    found = deck_carried_over([["always", "always"]], rules=rules, games_each=40)
    table = found.tables[0]
    assert table.carried.length.mean.value == 1.0
    assert table.rounds.value == 0.0
    assert [gap.value for gap in table.seats] == [0.0, 0.0]
    assert "nothing that was measured" in found.answer()


def test_counting_cards_is_worth_more_when_the_deck_is_carried_over() -> None:
    found = deck_carried_over([["gain", "score:25"]], rules=Rules(), games_each=20_000, seed=2)
    gap = found.tables[0].players[0]
    assert gap.low > 0.0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"options": "{ reshuffle_each_round = true }"}, "is what this study varies"),
        ({"tables": "[]"}, "at least one table"),
        ({"tables": '[["score:25"], []]'}, "1 to 18 players, not 0"),
        ({"tables": '[["score:25"], ["optimal:round"]]', "game": '"vengeance"'}, "flip_four"),
        ({"seed": "-1"}, "seed"),
        ({"games": "{ quick = 60, normal = 60, full = 0 }"}, "games.full must be from 1"),
        ({"games": "{ quick = -1, normal = 60, full = 60 }"}, "games.quick must be from 1"),
    ],
)
def test_study_is_refused_before_anything_is_played(
    tmp_path: Path, unplayed: Unplayed, changes: dict[str, str], said: str
) -> None:
    unplayed(deck_experiment)
    with pytest.raises(InputError, match=said):
        run_experiment(small(tmp_path, **changes), to=tmp_path / "x")
    assert not (tmp_path / "x").exists()
