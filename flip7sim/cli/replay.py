"""`replay` and `trace`: scripted rounds (docs/replay.md)."""

from __future__ import annotations

from typing import Any

from flip7sim.cli import options
from flip7sim.errors import InputError


def register(adder: Any) -> None:
    """Add the commands."""
    parser = options.add_command(
        adder, "replay", "replay scripted rounds: one JSON line per file (docs/replay.md)", _replay
    )
    parser.add_argument("files", metavar="FILE.json", nargs="*")

    parser = options.add_command(
        adder, "trace", "play one simulated round or game and print it as a scenario", _trace
    )
    options.add_players(parser)
    options.add_rules(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--round", metavar="K", type=options.whole_number, default=None,
        help="round K of simulate with the same seed and players; default: 0",
    )  # fmt: skip
    which.add_argument(
        "--game-number", metavar="K", type=options.whole_number, default=None,
        help="game K of games with the same seed and players",
    )  # fmt: skip
    parser.add_argument("--text", action="store_true", help="told in words instead of JSON")
    options.add_seed(parser)


def _replay(arguments: Any) -> int:
    """Run `replay`."""
    if not arguments.files:
        raise InputError("replay needs at least one FILE.json")

    from flip7sim.replay import replay_files

    lines, status = replay_files(arguments.files)
    for line in lines:
        print(line)
    return status


def _trace(arguments: Any) -> int:
    """Run `trace`."""
    is_game = arguments.game_number is not None
    rules = options.rules_of(arguments, without_effect=() if is_game else options.GAME_ONLY)
    players = options.players_of(arguments)
    number = arguments.game_number if is_game else arguments.round or 0
    if number < 0:
        raise InputError(
            f"--{'game-number' if is_game else 'round'} must be from 0 on, not {number}"
        )

    from flip7sim.runner import checked_players, checked_seed

    seated, seed = checked_players(players, rules), checked_seed(arguments.seed)

    from flip7sim.trace import trace_game, trace_round

    if is_game:
        scenario = trace_game(seated, rules=rules, seed=seed, game_index=number)
    else:
        scenario = trace_round(seated, rules=rules, seed=seed, round_index=number)
    if arguments.text:
        from flip7sim.narrate import narrate

        print(narrate(scenario))
    else:
        print(scenario.text(), end="")
    return 0
