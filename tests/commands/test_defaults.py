"""What is played where nothing is said is the same on the command line and in the library."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import pytest

import flip7sim as f7
from flip7sim.checks.policy_check import check_policies
from flip7sim.checks.yardstick import bench
from flip7sim.cli import options
from flip7sim.cli.compare import players_of
from flip7sim.cli.parser import build_parser
from flip7sim.study.compared.compare import compare
from flip7sim.study.compared.variance_sources import variance_sources

ROUNDS, GAMES = options.effort_of, lambda arguments: options.effort_of(arguments, "games")


@pytest.mark.parametrize(
    ("line", "function", "name", "read"),
    [
        ("simulate", f7.simulate, "rounds", ROUNDS),
        ("games", f7.games, "games", GAMES),
        ("bust", f7.bust, "rounds", ROUNDS),
        ("bust", f7.bust, "min_count", lambda arguments: arguments.min_count),
        ("sweep --policy score --from 1 --to 2", f7.sweep, "rounds", ROUNDS),
        ("versus a b", f7.versus, "rounds", ROUNDS),
        ("compare", compare, "rounds", ROUNDS),
        ("compare", compare, "games", lambda arguments: arguments.games),
        ("compare", compare, "players", lambda arguments: tuple(players_of(arguments))),
        ("compare", variance_sources, "rounds", ROUNDS),
        ("bench", bench, "rounds", lambda arguments: arguments.rounds),
        ("bench", bench, "runs", lambda arguments: arguments.runs),
        ("check-policy f.py", check_policies, "time_limit", lambda arguments: arguments.time_limit),
    ],
)
def test_defaults_of_command_and_function_are_equal(
    line: str, function: Callable[..., Any], name: str, read: Callable[[Any], Any]
) -> None:
    arguments = build_parser().parse_args(line.split())
    assert read(arguments) == signature(function).parameters[name].default
