"""`check-policy`: is a user's policy sound, and how fast."""

from __future__ import annotations

import sys
from typing import Any

from flip7sim.cli import options, output
from flip7sim.study import defaults


def register(adder: Any) -> None:
    """Add the command."""
    parser = options.add_command(
        adder, "check-policy", "try the policies of a file: legal, repeatable, fast?", execute
    )
    parser.add_argument("file", metavar="FILE.py")
    parser.add_argument(
        "--time-limit", metavar="SECONDS", type=options.real_number, default=defaults.CHECK_SECONDS,
        help=f"for each policy, compiling included; default {defaults.CHECK_SECONDS:g}",
    )  # fmt: skip
    options.add_json(parser)


def execute(arguments: Any) -> int:
    """Run the command: status 0 when all are sound, 1 when one is not."""
    from flip7sim.checks.policy_check import check_policies

    def tell(name: str) -> None:
        if sys.stderr.isatty():
            print(f"trying {name} …", file=sys.stderr)

    report = check_policies(arguments.file, time_limit=arguments.time_limit, progress=tell)
    if arguments.json:
        output.print_json(report.document())
    else:
        print(report.text())
    return 0 if report.sound else 1
