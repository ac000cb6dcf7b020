"""`compare`: base, Vengeance and Brutal side by side; where the variance comes from."""

from __future__ import annotations

from typing import Any

from flip7sim.cli import options, output
from flip7sim.errors import InputError, nearest
from flip7sim.study import defaults


def register(adder: Any) -> None:
    """Add the command."""
    parser = options.add_command(
        adder, "compare", "base, Vengeance and Brutal side by side; where the variance comes from",
        execute,
    )  # fmt: skip
    parser.add_argument(
        "--players", metavar="N", type=options.whole_number, default=None,
        help=f"so many times {defaults.COMPARE_PLAYER}; default: {defaults.COMPARE_PLAYERS}",
    )  # fmt: skip
    options.add_players(parser)
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[],
        help="a rule option of all three games: target_score, flip7_bonus, …",
    )  # fmt: skip
    parser.add_argument("--no-sources", action="store_true", help="only side by side: faster")
    options.add_effort(parser, default=defaults.COMPARE_ROUNDS, until=False)
    parser.add_argument(
        "--games", metavar="N", type=options.whole_number, default=defaults.COMPARE_GAMES,
        help=f"games of each, default {defaults.COMPARE_GAMES:,}; 0 for none",
    )  # fmt: skip
    options.add_json(parser)


def execute(arguments: Any) -> int:
    """Run the command."""
    chosen = options_of(arguments.option)
    players = players_of(arguments)
    rounds = options.effort_of(arguments)

    from flip7sim.study.compared import variance_tables
    from flip7sim.study.compared.compare import compare
    from flip7sim.study.compared.variance_sources import variance_sources

    with output.ProgressBar() as bar:
        result = compare(
            players, options=chosen, rounds=rounds, games=arguments.games, seed=arguments.seed,
            threads=arguments.threads, progress=bar,
        )  # fmt: skip
        sources = None
        if not arguments.no_sources and not result.interrupted:
            try:
                sources = variance_sources(
                    players, options=chosen, rounds=rounds, seed=arguments.seed,
                    threads=arguments.threads, progress=bar,
                )  # fmt: skip
            except KeyboardInterrupt:
                result = result.stopped()
    if arguments.json:
        found = None if sources is None else sources.document()
        elapsed = result.elapsed_s + (0.0 if sources is None else sources.elapsed_s)
        output.print_json({**result.document(), "sources": found, "elapsed_s": elapsed})
        return output.finish(result.interrupted)
    output.print_table(result.shown)
    print()
    output.print_table(result.differences_shown, notes=[result.answer(), *result.notes()])
    if sources is not None:
        for frame in (
            variance_tables.ladder_shown(sources),
            variance_tables.changes_shown(sources),
            variance_tables.interactions_shown(sources),
        ):
            print()
            output.print_table(frame)
        print()
        output.print_notes([sources.answer(), *variance_tables.notes(sources)])
    return output.finish(result.interrupted)


def players_of(arguments: Any) -> list[Any]:
    """Return the players: those given one by one, or so many of the default.

    Raises
    ------
    InputError
        If both are given, or a number that no table has.
    """
    from flip7sim.rules import checked_seats

    if arguments.player:
        if arguments.players is not None:
            raise InputError("compare takes --players N or --player SPEC for each seat, not both")
        return list(options.players_of(arguments))
    options.load_policy_files(arguments)

    n_players = defaults.COMPARE_PLAYERS if arguments.players is None else arguments.players
    return [defaults.COMPARE_PLAYER] * checked_seats(n_players)


def options_of(texts: list[str]) -> dict[str, Any]:
    """Return the rule options of all games.

    Raises
    ------
    InputError
        If one has no value, is given twice or cannot be set in a comparison.
    """
    from flip7sim.study.compared.compared_games import COMPARE_OPTIONS

    chosen: dict[str, Any] = {}
    for name, value in options.named_values(texts).items():
        if name not in COMPARE_OPTIONS:
            raise InputError(
                f"option {name!r} cannot be set in a comparison; {nearest(name, COMPARE_OPTIONS)}"
            )
        chosen[name] = options.option_value(name, value)
    return chosen
