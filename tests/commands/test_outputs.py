"""Where results go: devices, closed and narrow outputs, wrong endings."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROUNDS = ("simulate", "--player", "score:25", "--rounds", "20")


def run(**where: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "flip7sim", *ROUNDS]
    return subprocess.run(command, text=True, check=False, **where)  # type: ignore[call-overload]


@pytest.mark.skipif(not Path("/dev/null").is_char_device(), reason="no such device here")
@pytest.mark.parametrize("option", ["--save-rounds", "--decision-log"])
def test_a_device_is_no_file(refused: Callable[..., str], option: str) -> None:
    assert "no regular file" in refused(*ROUNDS, option, "/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_link_is_followed(command: Callable[..., object], tmp_path: Path) -> None:
    real, link = tmp_path / "real.parquet", tmp_path / "link.parquet"
    link.symlink_to(real)
    command(*ROUNDS, "--save-rounds", str(link))
    assert link.is_symlink()
    assert real.read_bytes()[:4] == b"PAR1"


def test_rounds_are_written_as_parquet(refused: Callable[..., str], tmp_path: Path) -> None:
    assert "FILE.parquet" in refused(*ROUNDS, "--save-rounds", str(tmp_path / "rounds.csv"))
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no such device here")
def test_an_output_that_is_full() -> None:
    with open("/dev/full", "w") as full:
        done = run(stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == "flip7sim: error: cannot write the output: no space left on device\n"


def test_an_output_that_takes_ascii_only() -> None:
    done = run(capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "points per round" in done.stdout


def test_no_name_for_the_results(refused: Callable[..., str]) -> None:
    assert "has no name" in refused("run", "experiments/stay_thresholds.toml", "--to", "")


def test_too_many_rivals(refused: Callable[..., str]) -> None:
    rivals = ",".join(["1"] * 18)
    said = refused("odds", "--line", "5", "--deck", "numbers", "--total", "1", "--rivals", rivals)
    assert "1 to 17 rivals, not 18" in said
