"""Commands as a user types them: in this process where that is enough, else in one of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from flip7sim.cli import main

# What runs in the background of a shell ignores Ctrl-C, and so would the commands started here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Ran(NamedTuple):
    """Exit status and what was printed."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        assert self.out.count("\n") == 1
        return json.loads(self.out, parse_constant=lambda word: pytest.fail(f"{word} in JSON"))


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run ``flip7sim`` with arguments, in this process."""

    def run(*arguments: str) -> Ran:
        capfd.readouterr()
        status = main(list(arguments))
        return Ran(status, *capfd.readouterr())

    return run


@pytest.fixture
def fine(command: Callable[..., Ran]) -> Callable[..., Ran]:
    """Run a command that must succeed and say nothing on standard error."""

    def run(*arguments: str) -> Ran:
        ran = command(*arguments)
        assert (ran.status, ran.err) == (0, "")
        return ran

    return run


@pytest.fixture
def refused(command: Callable[..., Ran]) -> Callable[..., str]:
    """Run a command that must be refused with status 2 and one clear line; return that line."""

    def run(*arguments: str) -> str:
        status, out, err = command(*arguments)
        assert status == 2, err
        assert out == ""
        assert err.startswith("flip7sim: error: ")
        assert err.endswith("\n")
        assert err.count("\n") == 1
        assert "internal error" not in err
        assert "Traceback" not in err
        return err.removeprefix("flip7sim: error: ").rstrip("\n")

    return run


@pytest.fixture
def start(tmp_path: Path) -> Any:
    """Start ``flip7sim`` in a process of its own; whatever still runs afterwards is ended."""
    started: list[subprocess.Popen[str]] = []

    def run(*arguments: str, **options: Any) -> subprocess.Popen[str]:
        how: dict[str, Any] = {
            "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": tmp_path,
        }  # fmt: skip
        how |= options
        how["env"] = {**os.environ, "PYTHONWARNINGS": "error", **options.get("env", {})}
        process = subprocess.Popen([sys.executable, "-m", "flip7sim", *arguments], **how)
        started.append(process)
        return process

    yield run
    for process in started:
        if process.poll() is None:
            process.kill()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        process.wait()
