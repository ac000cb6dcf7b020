"""`replay`: the lines it prints, the exit status, and what it compares how."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flip7sim.errors import InputError
from flip7sim.replay import differences, replay, replay_files
from flip7sim.scenario import GAME_KEYS, ROUND_KEYS, as_scenario

ROUND: dict[str, Any] = {
    "name": "bust and stay",
    "game": "base",
    "players": 2,
    "dealer": 1,
    "totals": [-7, 10],
    "draws": ["5", "6", "5", "+4"],
    "decisions": [
        {"seat": 0, "ask": "hit_or_stay", "answer": "hit"},
        {"seat": 1, "ask": "hit_or_stay", "answer": "hit"},
        {"seat": 1, "ask": "hit_or_stay", "answer": "stay"},
    ],
}
OUTCOME = {
    "round_scores": [0, 10],
    "totals": [-7, 20],
    "status": ["busted", "stayed"],
    "lines": [["5", "5"], ["6", "+4"]],
    "discard": [],
    "flips": 4,
}
GAME: dict[str, Any] = {
    "name": "shared win",
    "game": "base",
    "rules": {"target_score": 9, "tie": "share", "deck": "numbers"},
    "players": 2,
    "dealer": 0,
    "play": "game",
    "draws": ["5", "4", "5", "4"],
    "decisions": [
        {"seat": 1, "ask": "hit_or_stay", "answer": "stay"},
        {"seat": 0, "ask": "hit_or_stay", "answer": "stay"},
        {"seat": 0, "ask": "hit_or_stay", "answer": "stay"},
        {"seat": 1, "ask": "hit_or_stay", "answer": "stay"},
    ],
}


def written(folder: Path, name: str, scenario: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(scenario), "utf-8")
    return path


def different(scenario: dict[str, Any], expect: dict[str, Any]) -> list[dict[str, Any]]:
    parsed = as_scenario(scenario | {"expect": expect})
    return differences(parsed, replay(parsed))


def test_outcome_of_a_round() -> None:
    outcome = replay(ROUND)
    assert outcome.as_json() == OUTCOME
    assert list(outcome.as_json()) == list(ROUND_KEYS)
    assert (outcome.rounds, outcome.winners) == (None, None)


def test_outcome_of_a_game() -> None:
    outcome = replay(GAME).as_json()
    assert list(outcome) == list(GAME_KEYS)
    assert outcome == {
        "round_scores": [5, 4],
        "totals": [9, 9],
        "status": ["stayed", "stayed"],
        "lines": [["5"], ["4"]],
        "discard": ["4", "5"],
        "flips": 4,
        "rounds": 2,
        "winners": [0, 1],
    }


def test_winners_have_no_order() -> None:
    assert different(GAME, {"winners": [1, 0], "rounds": 2}) == []
    assert different(GAME, {"winners": [1, 1, 0]}) == [
        {"key": "winners", "expected": [1, 1, 0], "got": [0, 1]}
    ]


def test_lines_and_discard_have_no_order_but_seats_have() -> None:
    assert different(ROUND, {"lines": [["5", "5"], ["+4", "6"]]}) == []
    assert different(GAME, {"discard": ["5", "4"]}) == []
    found = different(ROUND, {"lines": [["6", "+4"], ["5", "5"]]})
    assert found == [
        {"key": "lines", "expected": [["6", "+4"], ["5", "5"]], "got": [["5", "5"], ["6", "+4"]]}
    ]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("round_scores", [0]),
        ("round_scores", [10, 0]),
        ("totals", [0, 10, 0]),
        ("status", ["busted"]),
        ("status", ["busted", "frozen"]),
        ("lines", [["5", "5"]]),
        ("lines", [["5"], ["6", "+4"]]),
        ("discard", ["5"]),
        ("flips", 5),
    ],
)
def test_each_difference_is_named(key: str, value: Any) -> None:
    assert different(ROUND, OUTCOME | {key: value}) == [
        {"key": key, "expected": value, "got": OUTCOME[key]}
    ]


def test_only_given_keys_are_compared() -> None:
    assert different(ROUND, {}) == []
    assert different(ROUND, {"flips": 4}) == []


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("draws", ["5", "6", "5"], "draws missing: flip 4, for seat 1, has no card"),
        ("draws", ["5", "6", "5", "+4", "+6"], "draws left over: 1 of 5, the first is draws[4]"),
        ("draws", ["5", "6", "5", "0"], ""),
        ("decisions", ROUND["decisions"][:2], "decision 3 is hit_or_stay of seat 1"),
        (
            "decisions",
            [*ROUND["decisions"], ROUND["decisions"][0]],
            "decisions left over: 1 of 4, the first is decisions[3]",
        ),
        (
            "decisions",
            [{"seat": 0, "ask": "flip_three", "answer": 0}],
            "decisions[0]: asked is hit_or_stay of seat 0, not flip_three of seat 0; "
            'legal answers: "hit", "stay"',
        ),
    ],
)
def test_what_the_play_needs_is_said(key: str, value: Any, message: str) -> None:
    if not message:
        assert replay(ROUND | {key: value}).round_scores == (0, 6)
        return
    with pytest.raises(InputError) as caught:
        replay(ROUND | {key: value})
    assert message in str(caught.value)


def test_both_left_over_are_named() -> None:
    scenario = ROUND | {"draws": ["5", "6", "5", "+4", "+6"]}
    scenario["decisions"] = [*ROUND["decisions"], ROUND["decisions"][2]]
    with pytest.raises(InputError, match=r"draws left over.*; decisions left over"):
        replay(scenario)


def test_status_zero_when_all_agree(tmp_path: Path) -> None:
    paths = [
        written(tmp_path, "a.json", ROUND | {"expect": OUTCOME}),
        written(tmp_path, "b.json", GAME | {"expect": {"rounds": 2}}),
    ]
    lines, status = replay_files(paths)
    assert status == 0
    assert json.loads(lines[0]) == {
        "name": "bust and stay", "ok": True, "outcome": OUTCOME, "differences": [],
    }  # fmt: skip
    assert [json.loads(line)["name"] for line in lines] == ["bust and stay", "shared win"]


def test_status_one_when_one_differs(tmp_path: Path) -> None:
    paths = [
        written(tmp_path, "a.json", ROUND | {"expect": {"flips": 3}}),
        written(tmp_path, "b.json", ROUND | {"expect": OUTCOME}),
    ]
    lines, status = replay_files(paths)
    assert status == 1
    first = json.loads(lines[0])
    assert first["ok"] is False
    assert first["outcome"] == OUTCOME
    assert first["differences"] == [{"key": "flips", "expected": 3, "got": 4}]


def test_status_two_goes_first_and_nothing_stops(tmp_path: Path) -> None:
    unreadable = tmp_path / "no.json"
    unreadable.write_bytes(b"\xff")
    paths = [
        written(tmp_path, "a.json", ROUND | {"expect": {"flips": 3}}),
        tmp_path / "missing.json",
        written(tmp_path, "b.json", ROUND | {"players": 1}),
        unreadable,
        written(tmp_path, "c.json", ROUND | {"expect": OUTCOME}),
    ]
    lines, status = replay_files(paths)
    results = [json.loads(line) for line in lines]
    assert status == 2
    assert [result["ok"] for result in results] == [False, False, False, False, True]
    assert results[1]["name"] == str(tmp_path / "missing.json")
    assert results[2]["name"] == "bust and stay"
    assert "totals must have 1 entries" in results[2]["error"]
    assert results[3]["error"].startswith("not UTF-8")


def test_a_scenario_without_a_name_goes_by_its_file(tmp_path: Path) -> None:
    unnamed = {key: value for key, value in ROUND.items() if key != "name"}
    paths = [
        written(tmp_path, "a.json", unnamed),
        written(tmp_path, "b.json", unnamed | {"draws": []}),
    ]
    lines, _ = replay_files(paths)
    assert [json.loads(line)["name"] for line in lines] == [str(path) for path in paths]


def test_no_file_at_all_is_an_error() -> None:
    with pytest.raises(InputError, match="no file to replay"):
        replay_files([])


def test_an_unfinished_game_has_no_winners() -> None:
    # A deck of one 0: nobody ever gets a point, and a game ends after 1,000 rounds.
    nothing = {**{str(n): 0 for n in range(1, 13)}, "+2": 0, "+4": 0, "+6": 0, "+8": 0, "+10": 0}
    nothing |= {"x2": 0, "freeze": 0, "flip_three": 0, "second_chance": 0}
    outcome = replay(
        {
            "game": "base",
            "rules": {"deck": nothing},
            "players": 1,
            "dealer": 0,
            "play": "game",
            "draws": ["0"] * 1000,
            "decisions": [{"seat": 0, "ask": "hit_or_stay", "answer": "stay"}] * 1000,
        }
    )
    assert (outcome.rounds, outcome.flips, outcome.winners) == (1000, 1000, ())


def test_a_round_without_a_card() -> None:
    nothing = {str(n): 0 for n in range(13)}
    nothing |= dict.fromkeys(("+2", "+4", "+6", "+8", "+10", "x2"), 0)
    nothing |= dict.fromkeys(("freeze", "flip_three", "second_chance"), 0)
    outcome = replay(
        {
            "game": "base", "rules": {"deck": nothing}, "players": 2, "dealer": 0,
            "draws": [], "decisions": [],
        }
    )  # fmt: skip
    assert outcome.status == ("stayed", "stayed")
    assert outcome.flips == 0
