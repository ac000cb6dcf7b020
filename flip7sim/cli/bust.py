"""`bust`: bust-probability tables."""

from __future__ import annotations

from typing import Any

from flip7sim.cli import options, output
from flip7sim.study import defaults


def register(adder: Any) -> None:
    """Add the command."""
    parser = options.add_command(
        adder,
        "bust",
        "how likely a bust is at seat 0's decisions: by cards, by worth, by hand",
        execute,
    )
    options.add_players(parser)
    options.add_rules(parser)
    options.add_effort(parser, default=defaults.ROUNDS, until=False)
    parser.add_argument(
        "--min-count", metavar="N", type=options.whole_number, default=defaults.MIN_COUNT,
        help=f"leave out situations with fewer decisions, default {defaults.MIN_COUNT}",
    )  # fmt: skip
    options.add_json(parser)


def execute(arguments: Any) -> int:
    """Run the command."""
    rules = options.rules_of(arguments)
    players = options.players_of(arguments)

    from flip7sim.study.bust import TITLES, bust

    with output.ProgressBar() as bar:
        result = bust(
            players, rules=rules, rounds=options.effort_of(arguments), seed=arguments.seed,
            min_count=arguments.min_count, threads=arguments.threads, progress=bar("bust"),
        )  # fmt: skip
    if arguments.json:
        output.print_json(result.document())
    else:
        for by, title in TITLES.items():
            output.print_table(result.shown_by(by), title=title)
            print()
        output.print_notes(result.notes())
    return output.finish(result.interrupted)
