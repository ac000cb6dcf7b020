"""The command as a process: start-up, terminals and pipes, Ctrl-C, readers that leave."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flip7sim import _jit

Start = Callable[..., "subprocess.Popen[str]"]

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and terminals of POSIX")
HEAVY = ("numpy", "numba", "pandas", "scipy", "matplotlib", "pyarrow", "tqdm", "msgspec")
PATIENCE = 120
"""Seconds after which a command that should have ended hangs."""

# A policy that tells, through a file, that the work is well under way.
MARKING = """
from pathlib import Path
import flip7sim as f7

calls = 0


@f7.stay_policy(compiled=False)
def marking(table, seat):
    return mark()


def mark():
    global calls
    calls += 1
    if calls == 5000:
        Path("started").touch()
    return True
"""


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for the end of a command and return its status and what it printed."""
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out or "", err or ""


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None, "it has ended too soon"
        assert time.monotonic() < deadline, "it has not begun"
        time.sleep(0.02)


@pytest.mark.parametrize("arguments", [["--help"], ["simulate", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import sys; from flip7sim.cli import main; status = main(sys.argv[1:]); "
        f"print(status, [m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
    )
    assert run.stderr == "0 []\n"


def test_bad_input_in_a_process_of_its_own(start: Start) -> None:
    status, out, err = ended(start("simulate", "--player", "scroe:25"))
    assert (status, out) == (2, "")
    assert err == "flip7sim: error: unknown stay policy 'scroe'; did you mean 'score'?\n"


@POSIX
def test_progress_on_a_terminal(start: Start) -> None:
    import fcntl
    import pty
    import struct
    import termios

    reader, writer = pty.openpty()
    fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    arguments = ("simulate", "--player", "score:25", "--rounds", "20000", "--json")
    process = start(*arguments, stderr=writer)
    os.close(writer)
    shown = b""
    while True:
        try:
            part = os.read(reader, 4096)
        except OSError:  # the terminal's other end is closed
            break
        if not part:
            break
        shown += part
    os.close(reader)
    status, out, _ = ended(process)
    assert status == 0
    assert json.loads(out)["rounds"] == 20_000  # the bar is not on standard output
    assert b"simulate" in shown
    assert b"%" in shown
    assert b"round" in shown


def test_nothing_in_a_pipe(start: Start) -> None:
    arguments = ("simulate", "--player", "score:25", "--rounds", "20000", "--json")
    status, out, err = ended(start(*arguments))
    assert (status, err) == (0, "")
    assert json.loads(out)["rounds"] == 20_000


def interrupted(start: Start, folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Run a command for ever, press Ctrl-C when it is well under way, and return its end."""
    (folder / "marking.py").write_text(MARKING, "utf-8")
    process = start(*arguments, "--policy-file", "marking.py", "--rounds", "1_000_000_000")
    wait_for((folder / "started").exists, process)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    return ended(process)


@POSIX
def test_ctrl_c_prints_what_is_finished(start: Start, fine: Any, tmp_path: Path) -> None:
    players = ("--player", "score:25/next", "--player", "marking")
    status, out, err = interrupted(start, tmp_path, "simulate", *players, "--json")
    assert status == 130
    assert err == "flip7sim: interrupted, the result is of what was finished\n"
    document = json.loads(out)
    assert document["interrupted"] is True
    assert 1000 < document["rounds"] < 1_000_000_000
    # What is finished is a beginning: the same as a shorter run.
    shorter = fine(
        "simulate", "--player", "score:25/next", "--player", "always", "--rounds",
        str(document["rounds"]), "--json",
    ).json  # fmt: skip
    histograms = [seat["histogram"] for seat in document["seats"]]
    assert histograms == [seat["histogram"] for seat in shorter["seats"]]


@POSIX
def test_ctrl_c_in_a_sweep_prints_a_table(start: Start, tmp_path: Path) -> None:
    sweep = ("sweep", "--policy", "score", "--from", "20", "--to", "22", "--against", "marking")
    status, out, err = interrupted(start, tmp_path, *sweep)
    assert status == 130
    assert err == "flip7sim: interrupted, the result is of what was finished\n"
    assert "Best: points" in out
    assert "points per round" in out


@POSIX
def test_ctrl_c_before_anything_is_finished(start: Start, tmp_path: Path) -> None:
    """A policy that never returns: nothing can stop it from inside, yet Ctrl-C is answered."""
    (tmp_path / "endless.py").write_text(
        "from pathlib import Path\nimport time\nimport flip7sim as f7\n\n\n"
        "@f7.stay_policy(compiled=False)\ndef endless(table, seat):\n    return stuck()\n\n\n"
        "def stuck():\n    Path('started').touch()\n    while True:\n        time.sleep(0.01)\n",
        "utf-8",
    )
    process = start("simulate", "--policy-file", "endless.py", "--player", "endless", "--json")
    wait_for((tmp_path / "started").exists, process)
    process.send_signal(signal.SIGINT)
    status, out, err = ended(process)
    assert (status, out) == (130, "")
    assert "interrupted, nothing finished" in err
    assert "Traceback" not in err


@POSIX
@pytest.mark.skipif(_jit.DISABLED, reason="nothing is compiled")
def test_ctrl_c_during_the_first_compilation(start: Start, tmp_path: Path) -> None:
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    arguments = ("simulate", "--player", "always", "--rounds", "1000", "--json")
    process = start(*arguments, env=environment)
    # The policy is compiled first and kept; the engine then takes many seconds.
    wait_for(lambda: any(tmp_path.rglob("*.nbi")), process)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    status, out, err = ended(process)
    assert (status, out) == (130, "")
    assert "interrupted, nothing finished" in err
    assert "Traceback" not in err
    status, out, err = ended(start(*arguments, env=environment))
    assert (status, err) == (0, "")
    assert json.loads(out)["rounds"] == 1000


@POSIX
def test_a_reader_that_leaves_is_no_error(start: Start) -> None:
    for arguments in (("policies", "--json"), ("simulate", "--player", "always", "--rounds", "9")):
        process = start(*arguments)
        assert process.stdout is not None
        process.stdout.close()  # as `| head` does, but surely before anything is printed
        process.stdout = None
        status, _, err = ended(process)
        assert err == ""
        assert status in (0, 141)


@POSIX
def test_head_of_a_long_output(start: Start) -> None:
    process = start("policies", "--json")
    assert process.stdout is not None
    assert process.stdout.read(1) == "{"
    process.stdout.close()
    process.stdout = None
    status, _, err = ended(process)
    assert (err, status in (0, 141)) == ("", True)
