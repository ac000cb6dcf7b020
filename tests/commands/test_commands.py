"""What each command answers: the JSON of docs/cli.md, the table, and the library's same figures."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import flip7sim as f7
from flip7sim.cli.parser import build_parser

Run = Callable[..., Any]

SCENARIOS = Path(__file__).resolve().parents[1] / "scenarios"
BASE = ("--player", "score:25", "--player", "cards:4/next")


def names_of_commands() -> list[str]:
    (actions,) = (a for a in build_parser()._actions if a.dest == "command")
    return list(actions.choices)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", names_of_commands())
def test_help_of_every_command(fine: Run, name: str) -> None:
    text = fine(name, "--help").out
    assert text.startswith(f"usage: flip7sim {name}")
    assert "-h, --help" in text


def test_help_lists_every_command_and_version_says_all(fine: Run) -> None:
    text = fine("--help").out
    for name in names_of_commands():
        assert re.search(rf"^    {name}(\s|$)", text, re.MULTILINE), name
    version = fine("--version").out
    assert version == (
        f"flip7sim {f7.__version__} (rules version {f7.RULES_VERSION}, "
        f"engine version {f7.ENGINE_VERSION})\n"
    )


def test_simulate_as_json(fine: Run) -> None:
    """Every key that docs/cli.md shows stands there, with a value of its type."""
    found = fine("simulate", *BASE, "--rounds", "3000", "--seed", "7", "--json").json
    wanted = {
        "game": str, "rounds": int, "seed": int, "options": dict, "deck": str,
        "rules_version": int, "engine_version": int, "seats": list, "elapsed_s": float,
        "rounds_per_s": float,
    }  # fmt: skip
    for key, kind in wanted.items():
        assert isinstance(found[key], kind), key
    assert (found["game"], found["rounds"], found["seed"]) == ("base", 3000, 7)
    assert (found["options"], found["deck"], found["interrupted"]) == ({}, "base", False)
    assert [seat["seat"] for seat in found["seats"]] == [0, 1]
    assert [seat["policy"] for seat in found["seats"]] == ["score:25/leader", "cards:4/next"]
    for seat in found["seats"]:
        histogram = {int(score): count for score, count in seat["histogram"].items()}
        assert list(histogram) == sorted(histogram)
        assert sum(histogram.values()) == 3000
        mean = sum(score * count for score, count in histogram.items()) / 3000
        assert seat["mean"]["value"] == pytest.approx(mean)
        assert seat["mean"]["se"] == pytest.approx(seat["sd"] / math.sqrt(3000), rel=1e-3)
        for share in ("bust", "flip7"):
            low, value, high = (seat[share][key] for key in ("low", "value", "high"))
            assert 0 <= low <= value <= high <= 1
        assert 0 < seat["bust"]["value"] < 1


def test_simulate_says_under_which_rules(fine: Run) -> None:
    found = fine(
        "simulate", "--game", "vengeance", "--brutal", "--player", "score:20", "--rounds", "200",
        "--option", "flip7_bonus=20", "--option", "inert=swap,steal", "--deck", "no-actions",
        "--json",
    ).json  # fmt: skip
    assert found["options"] == {"flip7_bonus": 20, "brutal": True, "inert": ["steal", "swap"]}
    assert (found["game"], found["deck"]) == ("vengeance", "no-actions")
    own = fine(
        "simulate", "--player", "score:20", "--rounds", "9", "--deck", '{"freeze": 0}', "--json"
    ).json
    assert (own["deck"], own["options"]) == ({"freeze": 0}, {})


def test_simulate_is_the_library_s_simulate(fine: Run) -> None:
    found = fine("simulate", *BASE, "--rounds", "2_000", "--seed", "3", "--json").json
    result = f7.simulate(["score:25", "cards:4/next"], rounds=2_000, seed=3)
    document = result.document()
    for key in document.keys() - {"elapsed_s", "rounds_per_s"}:
        assert found[key] == json.loads(json.dumps(document[key])), key
    assert list(result.frame["policy"]) == ["score:25/leader", "cards:4/next"]
    assert result.frame["mean"][0] == found["seats"][0]["mean"]["value"]


def test_simulate_as_a_table(fine: Run) -> None:
    text = fine("simulate", *BASE, "--rounds", "2000").out
    lines = text.splitlines()
    assert lines[0].split()[:2] == ["seat", "policy"]
    assert "score:25/leader" in lines[2]
    assert "cards:4/next" in lines[3]
    assert re.search(r"\d ± 0\.\d", lines[2])
    assert "Independent rounds, each from a full shuffled deck" in text
    assert "seed 1" in text
    assert "2,000 rounds" in text


def test_the_same_command_prints_the_same(fine: Run) -> None:
    arguments = ("simulate", *BASE, "--rounds", "500")
    first = fine(*arguments).out
    assert fine(*arguments, "--threads", "1").out == first
    assert fine(*arguments, "--seed", "2").out != first


def test_simulate_until_the_error_is_small(fine: Run) -> None:
    found = fine(
        "simulate", "--player", "score:25", "--until-se", "0.07", "--seed", "4", "--json"
    ).json
    assert found["seats"][0]["mean"]["se"] <= 0.07
    assert 10_000 < found["rounds"] < 100_000
    limited = fine(
        "simulate", "--player", "score:25", "--until-se", "0.0001", "--rounds", "12000", "--json"
    ).json
    assert limited["rounds"] == 12_000


def test_sweep_as_json(fine: Run) -> None:
    found = fine(
        "sweep", "--policy", "score", "--from", "10", "--to", "40", "--step", "15",
        "--against", "score:25", "--rounds", "4000", "--json",
    ).json  # fmt: skip
    assert found["players"] == ["score", "score:25/leader"]
    assert [arm["value"] for arm in found["values"]] == [10, 25, 40]
    assert [arm["policy"] for arm in found["values"]] == [f"score:{n}/leader" for n in (10, 25, 40)]
    assert found["best"] == 25
    assert found["best"] in found["tied"]
    assert found["fresh"]["rounds"] == 4000
    products = found["products"]
    assert [len(row) for row in products] == [3, 3, 3]
    assert all(products[a][b] == products[b][a] for a in range(3) for b in range(3))
    for k, arm in enumerate(found["values"]):
        square = sum(int(score) ** 2 * count for score, count in arm["histogram"].items())
        assert products[k][k] == square
        assert arm["tied"] == (arm["value"] in found["tied"])
        assert (arm["loss"]["value"] == 0) == (arm["value"] == 25)


def test_sweep_of_another_parameter_and_in_a_table(fine: Run) -> None:
    text = fine(
        "sweep", "--policy", "score:25", "--parameter", "2", "--from", "25", "--to", "35",
        "--step", "10", "--rounds", "500",
    ).out  # fmt: skip
    assert "chance" in text.splitlines()[0]
    assert "Best: chance" in text
    by_name = fine(
        "sweep", "--policy", "score:25", "--parameter", "chance", "--from", "25", "--to", "35",
        "--step", "10", "--rounds", "500",
    ).out  # fmt: skip
    assert by_name == text


def test_a_swept_value_scores_what_simulate_says(fine: Run) -> None:
    """All values are played on the rounds of `simulate` with the same seed."""
    swept = fine(
        "sweep", "--policy", "score", "--from", "20", "--to", "22", "--against", "cards:4",
        "--rounds", "700", "--json",
    ).json  # fmt: skip
    alone = fine(
        "simulate", "--player", "score:21", "--player", "cards:4", "--rounds", "700", "--json"
    ).json
    assert swept["values"][1]["histogram"] == alone["seats"][0]["histogram"]


def test_a_trace_replays(fine: Run, tmp_path: Path) -> None:
    file = tmp_path / "traced.json"
    for extra in (["--round", "5"], ["--game-number", "2"], ["--game", "vengeance"]):
        scenario = fine("trace", *BASE, "--seed", "3", *extra).out
        file.write_text(scenario, "utf-8")
        found = fine("replay", str(file)).json
        assert found["ok"] is True
        assert found["differences"] == []
        assert found["outcome"] == json.loads(scenario)["expect"]


def test_a_trace_is_a_round_of_simulate(fine: Run) -> None:
    scores = [0, 0]
    for index in range(6):
        scenario = json.loads(fine("trace", *BASE, "--seed", "8", "--round", str(index)).out)
        for seat, score in enumerate(scenario["expect"]["round_scores"]):
            scores[seat] += score
    found = fine("simulate", *BASE, "--seed", "8", "--rounds", "6", "--json").json
    means = [seat["mean"]["value"] for seat in found["seats"]]
    assert means == pytest.approx([score / 6 for score in scores])


def test_a_trace_in_words(fine: Run) -> None:
    text = fine("trace", *BASE, "--text").out
    assert len(text.splitlines()) > 5
    assert not text.startswith("{")


def test_replay_prints_a_line_per_file_and_the_worst_status(command: Run, tmp_path: Path) -> None:
    good = sorted(SCENARIOS.glob("base/*.json"))[:2]
    bad = sorted(SCENARIOS.glob("malformed/*.json"))[0]
    other = tmp_path / "other.json"
    scenario = json.loads(good[0].read_text("utf-8"))
    scenario["expect"] = {"flips": 999}
    other.write_text(json.dumps(scenario), "utf-8")
    for files, status in ((good, 0), ([good[0], other], 1), ([other, bad, good[1]], 2)):
        ran = command("replay", *map(str, files))
        results = [json.loads(line) for line in ran.out.splitlines()]
        assert ran.status == status
        assert len(results) == len(files)
        assert [result["ok"] for result in results] == [file in good for file in files]
    missing = command("replay", str(tmp_path / "missing.json"))
    assert missing.status == 2
    assert json.loads(missing.out)["ok"] is False


def test_policies(fine: Run) -> None:
    listed = fine("policies", "--json").json["policies"]
    names = {(policy["kind"], policy["name"]) for policy in listed}
    assert {
        ("stay", name) for name in ("score", "cards", "sum", "bust", "never", "always")
    } <= names
    assert {("targeting", name) for name in ("leader", "next", "random")} <= names
    for policy in listed:
        assert policy["summary"].endswith(".")
    text = fine("policies", "--kind", "stay").out
    assert "score:points" in text
    assert "targeting" not in text
    looking = fine("policies", "--looks-at", "totals", "--json").json["policies"]
    assert 0 < len(looking) < len(listed)


def test_a_policy_file(fine: Run, tmp_path: Path) -> None:
    """A policy of the user's, by name and with its parameter, plays as the built-in does."""
    file = tmp_path / "mine.py"
    file.write_text(
        "import flip7sim as f7\n\n\n"
        "@f7.stay_policy\n"
        "def my_score(table, seat, points=25.0):\n"
        "    '''Stay at `points`.'''\n"
        "    return f7.line_score(table, seat) >= points\n\n\n"
        "@f7.stay_policy(compiled=False)\n"
        "def my_slow_score(table, seat, points=25.0):\n"
        "    return table.number_sum[seat] >= 0 and f7.line_score(table, seat) >= points\n",
        "utf-8",
    )
    mine = ("--policy-file", str(file))
    wanted = fine("simulate", "--player", "score:21", "--rounds", "800", "--json").json
    for name in ("my_score", "my_slow_score"):
        found = fine("simulate", *mine, "--player", f"{name}:21", "--rounds", "800", "--json").json
        assert found["seats"][0]["policy"] == f"{name}:points=21/leader"
        assert found["seats"][0]["histogram"] == wanted["seats"][0]["histogram"]
    swept = fine(
        "sweep", *mine, "--policy", "my_score", "--from", "21", "--to", "22", "--rounds", "800",
        "--json",
    ).json  # fmt: skip
    assert swept["values"][0]["histogram"] == wanted["seats"][0]["histogram"]
    assert "my_score:points" in fine("policies", *mine).out


def test_a_policy_file_that_is_wrong(refused: Run, tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    for text, said in [
        ("def f(:\n", "wrong.py"),
        ("import flip7sim as f7\nraise RuntimeError('oh no')\n", "oh no"),
        ("x = 1\n", "wrong.py"),
        (
            "import flip7sim as f7\n@f7.stay_policy\ndef w(table, seat):\n"
            "    table.total[seat] = 1\n    return True\n",
            "writes",
        ),
    ]:
        file.write_text(text, "utf-8")
        assert said in refused("simulate", "--policy-file", str(file), "--player", "score:25")


def test_an_illegal_answer_ends_the_command(refused: Run, tmp_path: Path) -> None:
    file = tmp_path / "seven.py"
    file.write_text(
        "import flip7sim as f7\n@f7.stay_policy\ndef seven(table, seat):\n    return 7\n", "utf-8"
    )
    for name in ("simulate", "games"):
        said = refused(name, "--policy-file", str(file), *BASE, "--player", "seven")
        assert re.search(r"'seven' in seat 2, (round|game) 0, .*illegal answer 7", said)


def test_bench_names_its_rates(fine: Run) -> None:
    found = fine("bench", "--rounds", "1000", "--runs", "1", "--json").json
    text = json.dumps(found)
    assert "score:25/leader" in text or "built-in" in text
    assert not math.isnan(sum(_numbers(found)))


def _numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for item in value.values() for number in _numbers(item)]
    if isinstance(value, list):
        return [number for item in value for number in _numbers(item)]
    return [value] if isinstance(value, int | float) else []
