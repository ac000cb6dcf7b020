"""`bench`: rounds per second, beside the same work in plain C where gcc is."""

from __future__ import annotations

from typing import Any

from flip7sim.cli import options, output
from flip7sim.study import defaults


def register(adder: Any) -> None:
    """Add the command."""
    parser = options.add_command(
        adder, "bench", "speed: rounds per second, and as a ratio to the yardstick in C", execute
    )
    parser.add_argument(
        "--rounds", metavar="N", type=options.whole_number, default=defaults.BENCH_ROUNDS,
        help=f"rounds of each run, default {defaults.BENCH_ROUNDS:,}",
    )  # fmt: skip
    parser.add_argument(
        "--runs", metavar="N", type=options.whole_number, default=defaults.BENCH_RUNS,
        help=f"runs of each, in turn, default {defaults.BENCH_RUNS}",
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
