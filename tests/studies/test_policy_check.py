"""`check-policy`: sound policies pass, each kind of unsound one is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import flip7sim as f7
from flip7sim import _jit
from flip7sim.checks import policy_points, policy_worker
from flip7sim.checks.policy_check import check_policies
from flip7sim.checks.policy_points import probe
from flip7sim.cli import main
from flip7sim.policies import BoundPolicy, Policy

COUNTED = [0]
LIMIT = 0


@f7.stay_policy
def cautious(table: Any, seat: int, points: float) -> bool:
    """Stay at some points."""
    return f7.line_score(table, seat) >= points


@f7.targeting_policy
def last(table: Any, seat: int) -> int:
    """Take the last option."""
    return table.n_options - 1


@f7.targeting_policy
def beyond(table: Any, seat: int) -> int:
    """Take an option that is not there."""
    return table.n_options


@f7.stay_policy
def outside(table: Any, seat: int) -> bool:
    """Read a seat that no table has."""
    return table.total[seat + 18] > 0


@f7.stay_policy(compiled=False)
def wavering(table: Any, seat: int) -> bool:
    """Answer now this, now that."""
    COUNTED[0] += 1
    return COUNTED[0] % 2 == 0


@f7.stay_policy(compiled=False)
def failing(table: Any, seat: int) -> bool:
    """Raise with four cards."""
    if table.n_line[seat] >= 4:
        raise ValueError("too many cards")
    return False


@f7.stay_policy
def of_two_minds(table: Any, seat: int) -> bool:
    """Follow a global name, which compiled code froze when it was made."""
    return LIMIT > 1


@pytest.fixture(autouse=True)
def few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_points, "ENOUGH", 40)
    monkeypatch.setattr(policy_points, "MOST_GAMES", 12)


def probed(policy: Policy, **given: float) -> policy_points.Points:
    return probe(policy(**given), ["base", "vengeance"], seconds=60.0)


def test_sound_policies_have_nothing_against_them() -> None:
    for points in (probed(cautious, points=20), probed(last)):
        assert points.illegal == points.unsteady == points.wrote == points.unequal == []
        assert points.kept
    assert set(probed(last).asked) >= {
        "freeze", "flip_three", "second_chance", "just_one_more", "flip_four", "steal", "swap",
        "discard", "modifier",
    }  # fmt: skip


def test_illegal_answers_are_told_with_what_is_legal() -> None:
    points = probed(beyond)
    assert len(points.illegal) == sum(points.asked.values())
    assert "legal is 0 to" in points.illegal[0]


def test_reading_out_of_bounds_is_an_exception() -> None:
    assert "index out of bounds" in probed(outside).illegal[0]


def test_changing_answers_are_told() -> None:
    assert probed(wavering).unsteady


def test_what_a_plain_policy_raised_is_told() -> None:
    points = probed(failing)
    assert "ValueError: too many cards" in points.illegal[0]
    assert len(points.illegal) < points.asked["hit_or_stay"]


def test_compiled_and_plain_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    of_two_minds().address()
    monkeypatch.setitem(globals(), "LIMIT", 5)
    points = probed(of_two_minds)
    assert "compiled 0, as plain Python 1" in points.unequal[0]
    assert points.illegal == []


def test_a_policy_that_changes_the_table_is_caught() -> None:
    def write(table: Any, seat: int) -> bool:
        table.total[seat] += 1
        return False

    # A decorated one would be refused from its source; this is how it is caught without.
    def read(table: Any, seat: int) -> bool:
        return False

    policy = Policy("stay", read)
    policy.function = write
    points = probe(BoundPolicy(policy, ()), ["base"], seconds=60.0)
    if _jit.DISABLED:  # plain Python sees a read-only table: writing raises
        assert "read-only" in points.illegal[0]
    else:
        assert points.wrote


@pytest.fixture
def stages() -> Iterator[list[str]]:
    yield []


def test_examination_of_a_sound_policy(stages: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_worker, "ROUNDS", 200)
    monkeypatch.setattr(policy_worker, "PLAIN_ROUNDS", 20)
    monkeypatch.setattr(policy_worker, "SPEED_SECONDS", 0.01)
    found = policy_worker.examine(cautious, seconds=60.0, stage=stages.append)
    assert [check["check"] for check in found["checks"] if not check["ok"]] == []
    assert found["tried_as"] == "cautious:points=1"
    assert found["speed"]["rounds_per_s"] > 0
    assert stages[0] == "compiling"


def test_examination_of_one_that_cannot_be_compiled(stages: list[str]) -> None:
    @f7.stay_policy
    def text(table: Any, seat: int) -> bool:
        """Write a document."""
        return len(json.dumps({"ask": int(table.ask)})) > 9

    found = policy_worker.examine(text, seconds=1.0, stage=stages.append)
    assert [check["check"] for check in found["checks"]] == ["compiles"]
    assert not found["checks"][0]["ok"]


GOOD = '''
import os
import flip7sim as f7

print("a file may print")

@f7.stay_policy
def good(table, seat):
    """Stay at 20."""
    return f7.line_score(table, seat) >= 20

@f7.stay_policy(compiled=False)
def crash(table, seat):
    """End the process."""
    os.kill(os.getpid(), 9)
'''
ENDLESS = """
import flip7sim as f7

while True:
    pass
"""
WRITES = '''
import flip7sim as f7

@f7.stay_policy
def cheat(table, seat):
    """Give oneself points."""
    table.total[seat] = 200
    return True
'''


def written(folder: Path, text: str) -> str:
    file = folder / "mine.py"
    file.write_text(text)
    return str(file)


def test_a_file_is_judged_policy_by_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, GOOD)
    assert main(["check-policy", file, "--time-limit", "100", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    good, crash = document["policies"]
    assert good["sound"], good
    assert good["asked"]["hit_or_stay"] > 1_000
    assert not crash["sound"]
    assert "crashed (SIGKILL) while asking it" in crash["checks"][0]["detail"]


def test_what_never_returns_is_stopped(tmp_path: Path) -> None:
    report = check_policies(written(tmp_path, ENDLESS), time_limit=4.0)
    assert not report.sound
    assert "did not return within 4 s" in report.problem


def test_a_policy_refused_from_its_source_is_unsound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check-policy", written(tmp_path, WRITES)]) == 1
    assert "writes to the table" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "no such file"),
        ("def f(:", "line 1"),
        ("x = 1", "defines no policy"),
        ("1 / 0", "ZeroDivisionError"),
    ],
    ids=["missing", "syntax", "empty", "raises"],
)
def test_bad_files_are_bad_input(
    text: str | None, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "none.py") if text is None else written(tmp_path, text)
    assert main(["check-policy", path]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err
    assert captured.err.count("\n") == 1
