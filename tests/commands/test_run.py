"""`run`: a results folder, whole or not at all, the same in every run but for `run.json`."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

Run = Callable[..., Any]

ROOT = Path(__file__).resolve().parents[2]
STUDY = ROOT / "experiments/stay_thresholds.toml"
FILES = {
    "curves.csv", "curves.parquet", "thresholds.csv", "thresholds.parquet", "stay_thresholds.md",
    "stay_thresholds.svg", "stay_thresholds.png", "manifest.json", "run.json",
}  # fmt: skip


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the project's own study with fewer rounds, players and values."""
    text = STUDY.read_text("utf-8")
    for old, new in [
        ("players = [1, 2, 3, 4, 5, 6]", "players = [1, 3]"),
        ("quick = 20_000", "quick = 3_000"),
        ("from = 15", "from = 20"),
        ("to = 40", "to = 30"),
    ]:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path_factory.mktemp("study") / "stay_thresholds.toml"
    file.write_text(text, "utf-8")
    return file


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def results(study: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from flip7sim.cli import main

    folder = tmp_path_factory.mktemp("results") / "out"
    assert (
        main(["run", str(study), "--effort", "quick", "--to", str(folder), "--threads", "1"]) == 0
    )
    return folder


def test_the_folder_holds_every_kind_of_file(results: Path) -> None:
    found = contents(results)
    assert set(found) == FILES
    assert found["stay_thresholds.png"].startswith(b"\x89PNG")
    assert b"<svg" in found["stay_thresholds.svg"]
    for name in ("thresholds", "curves"):
        frame = pd.read_parquet(results / f"{name}.parquet")
        text = pd.read_csv(results / f"{name}.csv")
        assert list(frame.columns) == list(text.columns)
        assert len(frame) == len(text)
    assert pd.read_parquet(results / "curves.parquet").shape[0] == 2 * 11


def test_the_manifest_says_what_the_results_depend_on(results: Path, study: Path) -> None:
    manifest = json.loads((results / "manifest.json").read_text("utf-8"))
    assert manifest["configuration"]["players"] == [1, 3]
    assert (manifest["effort"], manifest["configuration"]["seed"]) == ("quick", 1)
    assert {"rules_version", "engine_version"} <= set(manifest)
    for name, digest in manifest["data_sha256"].items():
        assert hashlib.sha256((results / name).read_bytes()).hexdigest() == digest
    run = json.loads((results / "run.json").read_text("utf-8"))
    assert run["elapsed_s"] > 0
    assert not set(run) & set(manifest)


def test_a_second_run_changes_nothing_but_run_json(
    command: Run, results: Path, study: Path
) -> None:
    before = contents(results)
    ran = command("run", str(study), "--effort", "quick", "--to", str(results))
    assert ran.status == 0
    after = contents(results)
    assert [name for name in FILES if before[name] != after.get(name)] in ([], ["run.json"])
    assert set(after) == FILES


def test_the_answer_is_printed_as_it_is_written(command: Run, results: Path, study: Path) -> None:
    to = str(results)
    ran = command("run", str(study), "--effort", "quick", "--to", to)
    assert ran.err == f"Written to {to}\n"
    markdown = (results / "stay_thresholds.md").read_text("utf-8")
    title = "At how many points to stay in Flip 7"
    assert title in ran.out
    assert title in markdown
    answer = next(line for line in markdown.splitlines() if line.startswith("**")).strip("*")
    assert " ".join(answer.split()) in " ".join(ran.out.split())
    assert "Independent rounds" in ran.out
    document = command("run", str(study), "--effort", "quick", "--to", to, "--json").json
    manifest = json.loads((results / "manifest.json").read_text("utf-8"))
    assert document == manifest["result"]


def test_the_results_are_those_of_sweep(fine: Run, results: Path) -> None:
    """A study is a sweep on the same rounds: its curve is that of the command."""
    swept = fine(
        "sweep", "--policy", "score", "--from", "20", "--to", "30", "--rounds", "3000",
        "--against", "score:25/leader", "--against", "score:25/leader", "--json",
    ).json  # fmt: skip
    curves = pd.read_csv(results / "curves.csv")
    by_players = curves[curves["players"] == 3]
    assert by_players["mean"].tolist() == pytest.approx(
        [arm["mean"]["value"] for arm in swept["values"]], rel=1e-9
    )


KILLED = """
import os, signal, sys
from flip7sim import files
from flip7sim.cli import main

rename, left = os.replace, int(sys.argv[1])


def replace(source, target):
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    rename(source, target)


os.replace = replace
main(sys.argv[2:])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal there")
@pytest.mark.parametrize("n_written", [0, 4])
def test_a_killed_run_leaves_whole_files_which_the_next_replaces(
    command: Run, results: Path, study: Path, tmp_path: Path, n_written: int
) -> None:
    folder = tmp_path / "out"
    arguments = ("run", str(study), "--effort", "quick", "--to", str(folder))
    run = subprocess.run(
        [sys.executable, "-c", KILLED, str(n_written), *arguments],
        capture_output=True, check=False, env={**os.environ},
    )  # fmt: skip
    assert run.returncode == -signal.SIGKILL
    wanted = contents(results)
    visible = {k: v for k, v in contents(folder).items() if not k.startswith(".")}
    assert len(visible) == n_written
    assert all(content == wanted[name] for name, content in visible.items())
    assert command(*arguments).status == 0
    found = contents(folder)
    assert set(found) == FILES  # the draft that the kill left behind is gone too
    assert [name for name in FILES - {"run.json"} if found[name] != wanted[name]] == []


def test_a_failing_write_leaves_the_old_files_and_prints_the_answer(
    command: Run, results: Path, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(results)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("flip7sim.files.os.replace", full)
    status, out, err = command("run", str(study), "--effort", "quick", "--to", str(results))
    assert status == 2
    assert err.startswith("flip7sim: error: ")
    assert "no space left" in err
    assert err.count("\n") == 1
    assert "stay as soon as your line is worth" in out.replace("\n", " ")
    assert contents(results) == before


def test_the_default_folder_stands_below_results(
    command: Run, study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command("run", str(study), "--effort", "quick").status == 0
    assert {path.name for path in (tmp_path / "results").iterdir()} == {"stay_thresholds.quick"}
