"""The parser: every command with its options; nothing heavy is imported to show the help."""

from __future__ import annotations

import argparse
import sys
from typing import Any, NoReturn

from flip7sim.cli import commands
from flip7sim.errors import nearest


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line with the nearest right word."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("allow_abbrev", False)
        kwargs.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(*args, **kwargs)

    def error(self, message: str) -> NoReturn:
        """Print one line and end with status 2."""
        command = self.prog.removeprefix("flip7sim").strip()
        where = f"{command}: " if command else ""
        print(f"flip7sim: error: {where}{message}", file=sys.stderr)
        self.exit(2)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; an unknown option is named with the nearest that the command has."""
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            parser: Parser = getattr(parsed, "parser", self)
            words = [word for word in unknown if word.startswith("-")]
            if words:
                known = [o for action in parser._actions for o in action.option_strings]
                word = words[0].split("=")[0]
                long_ones = [option for option in known if option.startswith("--")]
                parser.error(f"unknown option {word!r}; {nearest(word, long_ones)}")
            parser.error(f"unexpected argument {unknown[0]!r}")
        return parsed

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            what = "command" if action.dest == "command" else "/".join(action.option_strings)
            self.error(f"unknown {what} {value!r}; {nearest(str(value), list(action.choices))}")


class _Version(argparse.Action):
    """Print the versions that results carry."""

    def __call__(self, parser: Any, *_: Any) -> None:
        from flip7sim import __version__
        from flip7sim.versions import ENGINE_VERSION, RULES_VERSION

        print(
            f"flip7sim {__version__} (rules version {RULES_VERSION}, "
            f"engine version {ENGINE_VERSION})"
        )
        parser.exit()


def build_parser() -> Parser:
    """Return the parser of all commands."""
    parser = Parser(
        prog="flip7sim",
        description="Strategy research for the card games Flip 7 and Flip 7: With a Vengeance.",
        epilog=(
            "examples:\n"
            "  flip7sim simulate --player score:25 --player cards:4 --rounds 1000000\n"
            "  flip7sim sweep --policy score --from 15 --to 40 --against score:25\n"
            "  flip7sim run experiments/stay_thresholds.toml\n\n"
            "'flip7sim COMMAND --help' tells a command's options and defaults."
        ),
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print versions and exit")
    adder = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=Parser
    )
    for module in commands():
        module.register(adder)
    return parser
