"""`versus A B`: is A better than B in seat 0 of a table."""

from __future__ import annotations

from typing import Any

from flip7sim.cli import options, output
from flip7sim.study import defaults


def register(adder: Any) -> None:
    """Add the command."""
    parser = options.add_command(
        adder,
        "versus",
        "is A better than B in seat 0: paired difference in points and in wins",
        execute,
    )
    parser.add_argument("a", metavar="A", help="a player, such as bust:0.26")
    parser.add_argument("b", metavar="B", help="another, such as score:25")
    options.add_against(parser)
    options.add_rules(parser)
    options.add_effort(parser, default=defaults.ROUNDS)
    parser.add_argument(
        "--games", metavar="N", type=options.whole_number, default=None,
        help=f"games to play, default {defaults.GAMES:,}; 0 for none; none in solitaire",
    )  # fmt: skip
    options.add_json(parser)


def execute(arguments: Any) -> int:
    """Run the command."""
    games_matter = bool(arguments.against) and arguments.games != 0
    rules = options.rules_of(arguments, without_effect=() if games_matter else options.GAME_ONLY)
    rivals = options.rivals_of(arguments)

    from flip7sim.study.versus import versus

    with output.ProgressBar() as bar:
        result = versus(
            arguments.a, arguments.b, against=rivals, rules=rules,
            rounds=options.effort_of(arguments), games=arguments.games,
            until_se=arguments.until_se, seed=arguments.seed, threads=arguments.threads,
            progress=bar,
        )  # fmt: skip
    if arguments.json:
        output.print_json(result.document())
    else:
        output.print_table(result.shown, notes=[result.answer(), *result.notes()])
    return output.finish(result.interrupted)
