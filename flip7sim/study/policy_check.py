"""`check-policy`: is a user's policy sound, and how fast is it.

Every policy of a file is tried in a process of its own with a time limit, since compiled code that
never returns cannot be stopped, and code that crashes takes its process along.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from flip7sim.errors import InputError

TIME_LIMIT: Final = 120.0
"""Seconds for each policy, compiling included."""
PROBE_SHARE: Final = 0.15
"""Part of the time in which decision points are looked for."""
MOST_PROBE_SECONDS: Final = 12.0
_ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    check : str
    ok : bool
    detail : str
    """

    check: str
    ok: bool
    detail: str


@dataclass(frozen=True, kw_only=True)
class PolicyReport:
    """What was found of one policy.

    Attributes
    ----------
    name, kind : str
    tried_as : str
        The policy with the parameters it was tried with.
    checks : tuple of Check
    asked : dict of str to int
        Decision points by choice.
    speed : dict of str to float
        `rounds_per_s`, `yardstick_rounds_per_s`, `ns_per_decision`; empty if it never got there.
    """

    name: str
    kind: str
    tried_as: str
    checks: tuple[Check, ...]
    asked: dict[str, int] = field(default_factory=dict)
    speed: dict[str, float] = field(default_factory=dict)

    @property
    def sound(self) -> bool:
        """Whether every check was passed."""
        return all(check.ok for check in self.checks)

    def document(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "name": self.name,
            "kind": self.kind,
            "sound": self.sound,
            "tried_as": self.tried_as,
            "checks": [vars(check) for check in self.checks],
            "asked": self.asked,
            "speed": self.speed or None,
        }

    def text(self) -> str:
        """Return the report for people."""
        lines = [f"{self.kind} policy {self.name}: {'sound' if self.sound else 'NOT SOUND'}"]
        if self.tried_as != self.name:
            lines.append(f"  tried as {self.tried_as}")
        lines += [
            f"  {'ok ' if check.ok else 'BAD'} {check.check}: {check.detail}"
            for check in self.checks
        ]
        if self.speed:
            ratio = self.speed["rounds_per_s"] / self.speed["yardstick_rounds_per_s"]
            lines.append(
                f"  speed: {self.speed['rounds_per_s']:,.0f} rounds a second on one thread, "
                f"{ratio:.2f} times the built-in score:25/leader; "
                f"{self.speed['ns_per_decision']:,.0f} ns a decision"
            )
        return "\n".join(lines)


@dataclass(frozen=True, kw_only=True)
class FileReport:
    """What was found of a file.

    Attributes
    ----------
    file : str
    policies : tuple of PolicyReport
    problem : str
        Why the file as a whole is not sound; empty otherwise.
    """

    file: str
    policies: tuple[PolicyReport, ...]
    problem: str = ""

    @property
    def sound(self) -> bool:
        """Whether all its policies are."""
        return not self.problem and all(report.sound for report in self.policies)

    def document(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "file": self.file,
            "sound": self.sound,
            "problem": self.problem or None,
            "policies": [report.document() for report in self.policies],
        }

    def text(self) -> str:
        """Return the report for people."""
        parts = [report.text() for report in self.policies]
        if self.problem:
            parts.append(f"NOT SOUND: {self.problem}")
        return "\n\n".join(parts)


def check_policies(
    path: str | Path,
    *,
    time_limit: float = TIME_LIMIT,
    progress: Callable[[str], None] = lambda _: None,
) -> FileReport:
    """Try every policy of a file.

    Each is asked at thousands of real decision points of all games it is for: its answers must be
    legal, the same when asked again, the same as those of the plain function, and leave the table
    as it is. Then it plays rounds, the same twice, and its speed is measured.

    Parameters
    ----------
    path : path
        A Python file with policies.
    time_limit : float
        Seconds for each policy.
    progress : callable, optional
        Called with the name of each policy before it is tried.

    Returns
    -------
    FileReport

    Raises
    ------
    InputError
        If there is no such file, it cannot be run, or defines no policy.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> lines = ["import flip7sim as f7", "@f7.stay_policy(compiled=False)", "def timid(table, seat):"]
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "empty.py")
    ...     _ = file.write_text("policies = None")
    ...     check_policies(file)
    """
    if isinstance(time_limit, bool) or not time_limit > 0:
        raise InputError(f"the time limit must be above 0 seconds, not {time_limit!r}")
    listed, where = _worker([str(path)], time_limit)
    if isinstance(listed, str):
        return FileReport(file=str(path), policies=(), problem=f"{listed} while {where}")
    if "refused" in listed:
        if not listed["unsound"]:
            raise InputError(listed["refused"])
        return FileReport(file=str(path), policies=(), problem=listed["refused"])
    reports = []
    for k, policy in enumerate(listed["result"]):
        progress(policy["name"])
        reports.append(_examined(path, k, policy, time_limit))
    return FileReport(file=str(path), policies=tuple(reports))


def _examined(
    path: str | Path, index: int, policy: dict[str, Any], time_limit: float
) -> PolicyReport:
    seconds = min(PROBE_SHARE * time_limit, MOST_PROBE_SECONDS)
    found, where = _worker([str(path), str(index), str(seconds)], time_limit)
    name, kind = policy["name"], policy["kind"]
    if isinstance(found, str) or "refused" in found:
        said = f"{found} while {where}" if isinstance(found, str) else found["refused"]
        ends = Check(check="comes to an end", ok=False, detail=said)
        return PolicyReport(name=name, kind=kind, tried_as=name, checks=(ends,))
    result = found["result"]
    return PolicyReport(
        name=name,
        kind=kind,
        tried_as=result["tried_as"],
        checks=tuple(Check(**check) for check in result["checks"]),
        asked=result.get("asked", {}),
        speed=result.get("speed", {}),
    )


def _worker(arguments: list[str], time_limit: float) -> tuple[dict[str, Any] | str, str]:
    """Return the last line of a worker, or what became of it, and its last stage."""
    paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-P", "-m", "flip7sim.study.policy_worker", *arguments]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, encoding="utf-8", env=environment,
    )  # fmt: skip
    try:
        output, errors = process.communicate(timeout=time_limit)
        ended = ""
    except subprocess.TimeoutExpired:
        process.kill()
        output, errors = process.communicate()
        ended = f"it did not return within {time_limit:g} s"
    except BaseException:
        process.kill()
        process.wait()
        raise
    messages = [json.loads(line) for line in output.splitlines() if line.endswith("}")]
    stages = [message["stage"] for message in messages if "stage" in message]
    where = stages[-1] if stages else "starting"
    if ended:
        return ended, where
    if messages and "stage" not in messages[-1]:
        return messages[-1], where
    if process.returncode < 0:
        return f"it crashed ({signal.Signals(-process.returncode).name})", where
    last = errors.strip().splitlines()
    return f"it ended early ({last[-1] if last else f'status {process.returncode}'})", where
