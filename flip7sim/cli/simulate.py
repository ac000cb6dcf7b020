"""`simulate`: independent rounds."""

from __future__ import annotations

import sys
from typing import Any

from flip7sim.cli import options, output
from flip7sim.study import defaults


def register(adder: Any) -> None:
    """Add the command."""
    parser = options.add_command(
        adder,
        "simulate",
        "play independent rounds: points, spread, busts, Flip 7s per seat",
        execute,
    )
    options.add_players(parser)
    options.add_rules(parser)
    options.add_effort(parser, default=defaults.ROUNDS)
    group = parser.add_argument_group("files")
    group.add_argument(
        "--save-rounds", metavar="FILE.parquet", default=None,
        help="write a row a round: scores, how they ended; at most 20 million rounds",
    )  # fmt: skip
    group.add_argument(
        "--decision-log", metavar="FILE.parquet", default=None,
        help="write a row a decision, the first million",
    )  # fmt: skip
    options.add_json(parser)


def execute(arguments: Any) -> int:
    """Run the command."""
    rules = options.rules_of(arguments)
    players = options.players_of(arguments)

    from flip7sim.study.rounds import simulate

    with output.ProgressBar() as bar:
        result = simulate(
            players, rules=rules, rounds=options.effort_of(arguments), seed=arguments.seed,
            until_se=arguments.until_se, threads=arguments.threads, progress=bar("simulate"),
            save_rounds=arguments.save_rounds, decision_log=arguments.decision_log,
        )  # fmt: skip
    if arguments.json:
        output.print_json(result.document())
    else:
        output.print_table(result.shown, notes=result.notes())
    for sentence in result.written:
        print(sentence, file=sys.stderr)
    return output.finish(result.interrupted)
