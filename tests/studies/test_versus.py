"""`versus`: paired differences in points and in wins."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from flip7sim.cli import main
from flip7sim.policies import as_player
from flip7sim.rules import Rules
from flip7sim.runner import play_games, play_rounds
from flip7sim.study.versus import EQUAL, versus
from flip7sim.study.wins import wins_difference


def test_a_policy_against_itself_differs_by_nothing() -> None:
    found = versus("score:25", "score:25", against=["cards:3"], rounds=500, games=50)
    assert (found.difference.value, found.difference.se) == (0.0, 0.0)
    assert found.wins_difference is not None
    assert (found.wins_difference.value, found.wins_difference.se) == (0.0, 0.0)
    assert not found.told_apart
    assert EQUAL in found.answer()
    assert "every one of 500 rounds" in found.answer()


def test_difference_is_that_of_the_rounds_one_by_one() -> None:
    rules = Rules()
    rivals = [as_player("score:25")]
    scores = []
    for who in ("score:15", "score:25"):
        seated = [as_player(who), *rivals]
        single = [
            play_rounds(rules, seated, rounds=1, first=k, seed=1, threads=1, block=1)
            for k in range(60)
        ]
        scores.append([int(one.sums[0, 0]) for one in single])
    gaps = np.subtract(*scores)
    found = versus("score:15", "score:25", against=["score:25"], rounds=60, games=0)
    assert found.difference.value == pytest.approx(gaps.mean())
    assert found.difference.se == pytest.approx(gaps.std(ddof=1) / math.sqrt(60))
    assert found.wins is None


def test_swapped_sides_swap_the_sign() -> None:
    one = versus("score:25", "score:10", against=["score:25"] * 2, rounds=2_000, games=300)
    other = versus("score:10", "score:25", against=["score:25"] * 2, rounds=2_000, games=300)
    assert one.difference.value == -other.difference.value
    assert one.wins_difference is not None
    assert other.wins_difference is not None
    assert one.wins_difference.value == pytest.approx(-other.wins_difference.value)
    assert one.told_apart
    assert one.wins_told_apart
    assert "A is better" in one.answer()
    assert "B is better" in other.answer()


def test_wins_difference_is_over_decks() -> None:
    arms = [[as_player(who), as_player("score:25")] for who in ("score:20", "bust:0.3")]
    tallies = play_games(Rules(), arms, games=400, seed=3)
    found = wins_difference(tallies)
    singles = [
        play_games(Rules(), arms, games=2, first=first, seed=3, threads=1)
        for first in range(0, 400, 2)
    ]
    # Wins of player 0 under either arm, deck by deck, from the joint counts.
    gaps = np.array([one.joint[0, 1, 1, :].sum() - one.joint[0, 1, :, 1].sum() for one in singles])
    assert found.value == pytest.approx(gaps.sum() / 400)
    assert found.se == pytest.approx(gaps.std(ddof=1) / math.sqrt(200) / 2)
    assert found.degrees == 199


def test_pairing_saves_rounds() -> None:
    found = versus("score:24", "score:25", rounds=4_000)
    assert found.independent_rounds > 4 * found.rounds


def test_until_se_reaches_the_error() -> None:
    found = versus("score:20", "score:25", rounds=10**6, until_se=0.08)
    assert found.difference.se <= 0.08
    assert found.rounds < 100_000


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["versus", "score:25", "score:5", "--rounds", "2000"]
    assert main([*arguments, "--against", "score:25", "--games", "100", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["points"]["told_apart"] is True
    assert document["points"]["value"] > 0
    assert document["games"] == 100
    assert main(arguments) == 0
    assert "A is better" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["score:25", "scor:5"], "did you mean 'score'"),
        (["score:25", "score:5", "--games", "10"], "without rivals"),
        (["score:25", "score:5", "--option", "tie=share"], "has no effect on versus"),
        (["score:25"], "required: B"),
    ],
    ids=["misspelt", "solitaire games", "no effect", "one side"],
)
def test_bad_input_is_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["versus", *arguments]) == 2
    captured = capsys.readouterr()
    assert says in captured.err
    assert captured.err.count("\n") == 1


def test_figure_and_frame() -> None:
    found = versus("score:25", "score:5", against=["score:25"], rounds=200, games=20)
    assert list(found.frame["side"]) == ["A", "B", "A - B"]
    assert [label.get_text() for label in found.plot().axes[0].get_yticklabels()] == [
        "points per round", "wins in 100 games",
    ]  # fmt: skip
    assert len(found.shown) == 3
