"""`games`: whole games."""

from __future__ import annotations

from typing import Any

from flip7sim.cli import options, output
from flip7sim.study import defaults


def register(adder: Any) -> None:
    """Add the command."""
    parser = options.add_command(
        adder,
        "games",
        "play whole games, the deck carried over: who wins, how long it takes",
        execute,
    )
    options.add_players(parser)
    options.add_rules(parser)
    options.add_effort(parser, default=defaults.GAMES, unit="games")
    options.add_json(parser)


def execute(arguments: Any) -> int:
    """Run the command."""
    rules = options.rules_of(arguments, without_effect=())
    players = options.players_of(arguments)

    from flip7sim.study.games import games

    with output.ProgressBar() as bar:
        result = games(
            players, rules=rules, games=options.effort_of(arguments, "games"), seed=arguments.seed,
            until_se=arguments.until_se, threads=arguments.threads, progress=bar("games", "game"),
        )  # fmt: skip
    if arguments.json:
        output.print_json(result.document())
    else:
        output.print_table(result.shown)
        print()
        output.print_table(result.seats_shown)
        print()
        output.print_table(result.length_shown, notes=[result.answer(), *result.notes()])
    return output.finish(result.interrupted)
