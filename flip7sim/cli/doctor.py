"""`doctor`: versions, cache and a self-test."""

from __future__ import annotations

from typing import Any

from flip7sim.cli import options, output


def register(adder: Any) -> None:
    """Add the command."""
    parser = options.add_command(
        adder, "doctor", "versions, cache, and whether the numbers are what they should be", execute
    )
    options.add_json(parser)


def execute(arguments: Any) -> int:
    """Run the command: status 1 when the self-test fails."""
    from flip7sim.checks.doctor import doctor

    result = doctor()
    if arguments.json:
        output.print_json(result.document())
    else:
        print(result.text())
    return 0 if result.healthy else 1
