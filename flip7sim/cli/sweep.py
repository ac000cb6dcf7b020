"""`sweep`: one parameter over a range."""

from __future__ import annotations

from typing import Any

from flip7sim.cli import options, output
from flip7sim.errors import InputError
from flip7sim.study import defaults


def register(adder: Any) -> None:
    """Add the command."""
    parser = options.add_command(
        adder, "sweep", "one parameter of seat 0's policy over a range, on the same rounds", execute
    )
    parser.add_argument(
        "--policy", metavar="NAME|SPEC", required=True, help="whose parameter varies"
    )
    number = options.real_number
    parser.add_argument("--from", dest="start", metavar="A", type=number, required=True)
    parser.add_argument("--to", dest="stop", metavar="B", type=number, required=True)
    parser.add_argument("--step", metavar="S", type=number, default=1.0, help="default: 1")
    parser.add_argument(
        "--parameter", metavar="K", default="1",
        help="the K-th parameter varies (from 1), or the one of that name; default: the first",
    )  # fmt: skip
    options.add_against(parser)
    options.add_rules(parser)
    options.add_effort(parser, default=defaults.SWEEP_ROUNDS)
    options.add_json(parser)


def parameter_of(text: str) -> int | str:
    """Read which parameter varies: a position from 1, or a name."""
    if text.isidentifier():
        return text
    if text.isdecimal() and len(text) < 10 and int(text) >= 1:
        return int(text) - 1
    raise InputError(f"--parameter takes a position from 1 or a name, not {text!r}")


def execute(arguments: Any) -> int:
    """Run the command."""
    rules = options.rules_of(arguments)
    rivals = options.rivals_of(arguments)
    parameter = parameter_of(arguments.parameter)

    from flip7sim.study.sweep import sweep
    from flip7sim.study.values import parameter_values

    values = parameter_values(arguments.start, arguments.stop, arguments.step)
    with output.ProgressBar() as bar:
        result = sweep(
            arguments.policy, values, against=rivals, parameter=parameter, rules=rules,
            rounds=options.effort_of(arguments), until_se=arguments.until_se,
            seed=arguments.seed, threads=arguments.threads, progress=bar("sweep"),
        )  # fmt: skip
    if arguments.json:
        output.print_json(result.document())
    else:
        output.print_table(result.shown, notes=[result.answer(), *result.notes()])
    return output.finish(result.interrupted)
