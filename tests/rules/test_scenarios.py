"""Every scripted round of tests/scenarios comes out as it says, and the malformed are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flip7sim.replay import differences, replay, replay_files
from flip7sim.scenario import load_scenario, parse_scenario

FOLDER = Path(__file__).resolve().parents[1] / "scenarios"
SOUND = sorted([*FOLDER.glob("base/*.json"), *FOLDER.glob("vengeance/*.json")])
MALFORMED = sorted(FOLDER.glob("malformed/*.json"))

# A part of what is wrong with each malformed scenario, by the number in front of its name.
REASONS = {
    "001": "draws[1]: the deck holds no 1 at that moment",
    "002": "draws[1]: the deck holds no 1 at that moment",
    "003": "draws[4]: the deck holds no 3 at that moment; it holds (card: count) 5: 1, second_ch",
    "005": "draws[5]: the deck holds no freeze at that moment",
    "006": "draws left over: 1 of 4, the first is draws[3]",
    "008": "draws missing: flip 3, for seat 0, has no card",
    "010": "decisions[2]: 0 is no legal answer of seat 1 to flip_three; legal answers: 2, 1",
    "011": "decisions[1]: 1 is no legal answer of seat 0 to second_chance; legal answers: 2, 3",
    "014": "draws missing: flip 2, for seat 0, has no card",
    "015": 'decisions missing: decision 1 is hit_or_stay of seat 0; legal answers: "hit", "stay"',
    "016": "decisions left over: 1 of 2, the first is decisions[1]",
    "017": "decisions[0]: asked is hit_or_stay of seat 0, not hit_or_stay of seat 1",
    "018": "decisions[3]: asked is freeze of seat 0, not hit_or_stay of seat 1",
    "019": "decisions[0]: unknown ask '+4'",
    "024": "draws[1]: the deck holds no unlucky7 at that moment",
    "026": "decisions left over: 2 of 2",
    "027": "decisions[2]: 0 is no legal answer of seat 1 to -8; legal answers: 2, 1",
    "028": 'decisions[2]: {"seat": 1, "card": "6"} is no legal answer of seat 1 to steal',
    "029": "is no legal answer of seat 1 to swap",
    "030": 'decisions[2]: {"seat": 0, "card": "5"} is no legal answer of seat 1 to discard',
    "031": 'decisions[5]: {"seat": 0, "card": "-8"} is no legal answer of seat 1 to steal',
    "032": "decisions left over: 1 of 6",
    "033": "decisions[2]: 0 is no legal answer of seat 1 to just_one_more; legal answers: 2, 1",
}


def test_there_are_scenarios() -> None:
    assert len(SOUND) >= 150
    assert len(MALFORMED) >= 23


@pytest.mark.parametrize("path", SOUND, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_scenario_comes_out_as_expected(path: Path) -> None:
    scenario = load_scenario(path)
    assert scenario.expect
    assert differences(scenario, replay(scenario)) == []


@pytest.mark.parametrize("path", SOUND, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_outcome_as_expectation_agrees_with_itself(path: Path) -> None:
    scenario = load_scenario(path)
    whole = parse_scenario(scenario.text()).as_json()
    whole["expect"] = replay(scenario).as_json()
    again = parse_scenario(json.dumps(whole))
    assert differences(again, replay(again)) == []


@pytest.mark.parametrize("path", MALFORMED, ids=lambda path: path.stem)
def test_malformed_scenario_is_refused_and_says_why(path: Path) -> None:
    (line,), status = replay_files([path])
    result = json.loads(line)
    assert status == 2
    assert result["ok"] is False
    assert result["name"] == json.loads(path.read_text("utf-8"))["name"]
    assert REASONS[path.stem[:3]] in result["error"]
    assert sorted(result) == ["error", "name", "ok"]
