"""Settings of the whole suite: plots without a screen, repeatable hypothesis, one marker per group.

A test's group is the folder of `tests/` that it stands in, and each group has a budget on two
cores. The suite prints what each took; nothing fails for being slow.
"""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path
from typing import Final

import hypothesis
import pytest

os.environ["MPLBACKEND"] = "Agg"

# Machines that compile on first use have no steady time per example, so there is no deadline.
hypothesis.settings.register_profile("flip7sim", deadline=None)
hypothesis.settings.register_profile(
    "flip7sim-ci", deadline=None, derandomize=True, database=None, print_blob=True
)
hypothesis.settings.load_profile("flip7sim-ci" if os.environ.get("CI") else "flip7sim")

TESTS: Final = Path(__file__).resolve().parent
DOCUMENTATION: Final = "documentation"
BUDGETS: Final = {
    "rules": 30,
    "exact": 110,
    "engine": 90,
    "policies": 50,
    "statistics": 50,
    "studies": 60,
    "commands": 80,
    "notebooks": 60,
    DOCUMENTATION: 60,
}
"""Seconds per group, together under ten minutes."""
GROUPS: Final = [group for group in BUDGETS if group != DOCUMENTATION]


def group_of(path: Path) -> str:
    """Return the group of a test file, refusing one that stands outside every group."""
    if TESTS not in path.parents:
        return DOCUMENTATION
    group = path.relative_to(TESTS).parts[0]
    if group not in GROUPS:
        raise pytest.UsageError(f"{path} belongs into a folder of tests/: {', '.join(GROUPS)}")
    return group


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        item.add_marker(group_of(item.path))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    seconds: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                path = terminalreporter.config.rootpath / report.nodeid.partition("::")[0]
                seconds[group_of(path)] += report.duration
    if not seconds:
        return
    terminalreporter.section("time per group")
    for group, budget in BUDGETS.items():
        if group in seconds:
            over = "  over its budget" if seconds[group] > budget else ""
            terminalreporter.line(f"{group:14}{seconds[group]:7.1f} s of {budget} s{over}")
