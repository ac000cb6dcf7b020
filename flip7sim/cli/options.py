"""Options that several commands share, and what they mean (docs/cli.md, "Options")."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from flip7sim import strict
from flip7sim.errors import InputError, nearest
from flip7sim.rules import OPTION_NAMES, VENGEANCE_OPTIONS, Rules

if TYPE_CHECKING:
    from flip7sim.policies import Player

GAME_ONLY: Final = ("target_score", "reshuffle_each_round", "tie")
"""Rule options that matter in games alone, not in single rounds."""


def add_command(adder: Any, name: str, help_text: str, execute: Any) -> Any:
    """Add a command and return its parser."""
    parser = adder.add_parser(name, help=help_text, description=help_text)
    parser.set_defaults(execute=execute, parser=parser)
    return parser


def whole_number(text: str) -> int:
    """Read a whole number; 1_000_000 and 1e6 are fine."""
    try:
        return int(text.replace(",", "_") if text[:1].isdigit() else text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
    if not (math.isfinite(number) and number == int(number)):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(number)


def real_number(text: str) -> float:
    """Read a finite number."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"{text!r} is no number")
    return number


def add_rules(parser: Any) -> None:
    """Add the options that say which game is played."""
    group = parser.add_argument_group("game")
    group.add_argument(
        "--game", default="base", choices=("base", "vengeance"), help="default: base"
    )
    group.add_argument("--brutal", action="store_true", help="Brutal mode of vengeance")
    group.add_argument(
        "--deck", metavar="NAME|JSON", help="a preset, or own counts such as '{\"freeze\": 0}'"
    )
    group.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[],
        help="any other rule option (docs/rules.md section 6)",
    )  # fmt: skip


def add_players(parser: Any) -> None:
    """Add the options that seat every player."""
    parser.add_argument(
        "--player", metavar="SPEC", action="append", default=[],
        help="one seat, such as score:25 or 'bust:0.3/next'; repeated, in seat order",
    )  # fmt: skip
    add_policy_files(parser)


def add_against(parser: Any) -> None:
    """Add the rivals of a command in which seat 0 varies."""
    parser.add_argument(
        "--against", metavar="SPEC", action="append", default=[],
        help="one rival; repeated; none: solitaire",
    )  # fmt: skip
    add_policy_files(parser)


def add_policy_files(parser: Any) -> None:
    """Add the option that reads users' policies."""
    parser.add_argument(
        "--policy-file", metavar="FILE.py", action="append", default=[],
        help="makes the policies in it usable by name; repeatable",
    )  # fmt: skip


def add_effort(parser: Any, *, default: int, unit: str = "rounds", until: bool = True) -> None:
    """Add seed, threads and the number of rounds or games."""
    group = parser.add_argument_group("effort")
    most = f"; with --until-se the most {unit} (then 100 times as many by default)" if until else ""
    group.add_argument(
        f"--{unit}", metavar="N", type=whole_number, default=None,
        help=f"{unit} to play, default {default:,}{most}",
    )  # fmt: skip
    parser.set_defaults(**{f"default_{unit}": default})
    if until:
        group.add_argument(
            "--until-se", metavar="X", type=real_number, default=None,
            help="play until standard errors are at most X",
        )  # fmt: skip
    add_seed(group)
    add_threads(group)


def add_seed(group: Any) -> None:
    """Add the seed."""
    group.add_argument("--seed", metavar="N", type=whole_number, default=1, help="default: 1")


def add_threads(group: Any) -> None:
    """Add the number of threads."""
    group.add_argument(
        "--threads", metavar="N", type=whole_number, default=None, help="default: all cores"
    )


def add_json(parser: Any) -> None:
    """Add the choice of JSON instead of a table."""
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def effort_of(arguments: Any, unit: str = "rounds") -> int:
    """Return the number of rounds or games asked for."""
    given = getattr(arguments, unit)
    if given is not None:
        return int(given)
    default = int(getattr(arguments, f"default_{unit}"))
    return default * 100 if getattr(arguments, "until_se", None) is not None else default


def rules_of(arguments: Any, *, without_effect: Sequence[str] = GAME_ONLY) -> Rules:
    """Return the rules that the options name.

    Parameters
    ----------
    arguments : argparse.Namespace
    without_effect : sequence of str
        Rule options that change nothing in this command; they are refused.

    Raises
    ------
    InputError
        If an option is unknown, given twice, of no effect or not legal.
    """
    options: dict[str, Any] = {}
    for name, value in named_values(arguments.option).items():
        if name == "brutal":
            raise InputError("say --brutal instead of --option brutal=…")
        if name == "deck":
            raise InputError("say --deck instead of --option deck=…")
        if name not in OPTION_NAMES:
            raise InputError(f"unknown option {name!r}; {nearest(name, OPTION_NAMES)}")
        if arguments.game == "base" and name in VENGEANCE_OPTIONS:
            raise InputError(f"option {name} belongs to vengeance, not to the base game")
        if name in without_effect:
            raise InputError(f"option {name} has no effect on {arguments.command}")
        options[name] = option_value(name, value)
    if options.get("specials") is False and "lucky13_pair_counts" in options:
        raise InputError("option lucky13_pair_counts has no effect with specials=false")
    if arguments.brutal:
        options["brutal"] = True
    if arguments.deck is not None:
        options["deck"] = deck_value(arguments.deck)
    return Rules.from_options(arguments.game, options)


def named_values(texts: Sequence[str]) -> dict[str, str]:
    """Return what several ``--option NAME=VALUE`` say, value by name.

    Raises
    ------
    InputError
        If one has no name or no value, or a name is given twice.

    Examples
    --------
    >>> named_values(["tie=share", "inert=freeze,x2"])
    {'tie': 'share', 'inert': 'freeze,x2'}
    """
    found: dict[str, str] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if not name or not value:
            raise InputError(f"--option takes NAME=VALUE, not {text!r}")
        if name in found:
            raise InputError(f"--option {name} is given twice")
        found[name] = value
    return found


def option_value(name: str, text: str) -> Any:
    """Read an option's value: a number, true or false, a word, card names with commas between.

    Examples
    --------
    >>> option_value("tie", "share"), option_value("inert", "freeze,x2")
    ('share', ['freeze', 'x2'])
    """
    if name == "inert":
        if text.lstrip().startswith("["):
            return _json(f"--option {name}", text)
        return [word.strip() for word in text.split(",")]
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        return text


def deck_value(text: str) -> Any:
    """Read a deck: a preset's name, or counts as JSON.

    Examples
    --------
    >>> deck_value("numbers"), deck_value('{"freeze": 0}')
    ('numbers', {'freeze': 0})
    """
    return _json("--deck", text) if text.lstrip().startswith(("{", "[")) else text


def _json(where: str, text: str) -> Any:
    try:
        return strict.parse_json(text)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def load_policy_files(arguments: Any) -> None:
    """Make the policies in the given files usable by name.

    Raises
    ------
    InputError
    """
    if arguments.policy_file:
        from flip7sim.policies import load_policy_file

        for path in arguments.policy_file:
            load_policy_file(path)


def players_of(arguments: Any) -> list[Player]:
    """Return the players that the options seat.

    Raises
    ------
    InputError
        If there is none, or a SPEC is wrong.
    """
    from flip7sim.policies import as_player

    load_policy_files(arguments)
    if not arguments.player:
        raise InputError(f"{arguments.command} needs a --player SPEC, such as --player score:25")
    return [as_player(spec) for spec in arguments.player]


def rivals_of(arguments: Any) -> list[Player]:
    """Return the rivals that the options seat."""
    from flip7sim.policies import as_player

    load_policy_files(arguments)
    return [as_player(spec) for spec in arguments.against]
