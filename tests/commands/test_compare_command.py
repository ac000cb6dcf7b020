"""`compare` on the command line."""

from __future__ import annotations

import json

import pytest

from flip7sim.cli import main

SMALL = ["compare", "--rounds", "200", "--games", "20", "--players", "2"]


def test_json_holds_all_games_and_the_sources(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SMALL, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document["games"]) == ["Base", "Vengeance", "Brutal"]
    assert set(document["games"]["Base"]["figures"]["variance"]) == {"value", "se", "low", "high"}
    assert len(document["sources"]["configurations"]) == 73
    assert document["players"] == 2


def test_tables_and_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SMALL, "--option", "target_score=50", "--no-sources"]) == 0
    shown = capsys.readouterr().out
    assert "Vengeance − Base" in shown
    assert "With 2 players (2 × score:25/leader):" in shown
    assert "target_score = 50" in shown


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (["--player", "score:25"], "not both"),
        (["--option", "deck=numbers"], "cannot be set in a comparison"),
        (["--option", "tie=sharee"], "did you mean 'share'?"),
        (["--option", "tie"], "NAME=VALUE"),
        (["--rounds", "0"], "rounds must be from 1"),
        (["--roundss", "5"], "did you mean '--rounds'?"),
    ],
    ids=["players twice", "deck", "tie", "no value", "no rounds", "unknown option"],
)
def test_bad_input_is_one_line(
    extra: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SMALL, *extra]) == 2
    error = capsys.readouterr().err
    assert error.startswith("flip7sim: error: ")
    assert error.count("\n") == 1
    assert said in error
