"""`bench`: rounds per second, beside the same work in plain C where gcc is."""

from __future__ import annotations

from typing import Any

from flip7sim.cli import options, output


def register(adder: Any) -> None:
    """Add the command."""
    parser = options.add_command(
        adder, "bench", "speed: rounds per second, and as a ratio to the yardstick in C", execute
    )
    parser.add_argument(
        "--rounds", metavar="N", type=options.whole_number, default=2_000_000,
        help="rounds of each run, default 2,000,000",
    )  # fmt: skip
    parser.add_argument(
        "--runs", metavar="N", type=options.whole_number, default=7,
        help="runs of each, in turn, default 7",
    )  # fmt: skip
    options.add_json(parser)


def execute(arguments: Any) -> int:
    """Run the command."""
    from flip7sim.checks.yardstick import bench

    with output.ProgressBar() as bar:
        result = bench(rounds=arguments.rounds, runs=arguments.runs, progress=bar("bench", "run"))
    if arguments.json:
        output.print_json(result.document())
    else:
        output.print_table(result.shown, notes=result.notes())
    return 0
