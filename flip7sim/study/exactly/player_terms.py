"""A player's stay policies as the exact evaluation takes them."""

from __future__ import annotations

from typing import Final

from flip7sim.errors import InputError
from flip7sim.exact.evaluate import Term
from flip7sim.policies import Player
from flip7sim.rules import Rules
from flip7sim.table import new_table

_LINE: Final = {"nothing", "line", "totals"}
"""What policies look at that is the same whatever the deck; a lone player's total is fixed."""


def player_terms(player: Player, rules: Rules) -> list[Term]:
    """Return a player's stay policies as terms.

    Parameters
    ----------
    player : Player
        Keep it while the terms are in use: it holds the policies' code.
    rules : Rules

    Raises
    ------
    InputError
        If a policy makes no sense in the game, lacks a parameter, or draws random numbers and is
        not `random` itself.
    """
    player.check_game(rules.game)
    table = new_table(rules, 1)
    terms = []
    for joined, bound in zip((False, *player.joined_by_and), player.terms, strict=True):
        if bound.policy.builtin and bound.policy.name == "random":
            terms.append(Term(joined=joined, chance=float(bound.values[0])))
            continue
        if "chance" in bound.policy.metadata.looks_at:
            raise InputError(
                f"policy {bound.policy.name!r} draws random numbers; of such policies only "
                "'random' can be evaluated exactly"
            )
        constants = bound.constants_address(table)
        # With a solution at hand even the line's owner's used cards are read off the deck.
        line_only = bound.policy.builtin and not constants
        terms.append(
            Term(
                address=bound.address(),
                parameters=[float(value) for value in bound.stored],
                constants=constants,
                joined=joined,
                line_only=line_only and set(bound.policy.metadata.looks_at) <= _LINE,
            )
        )
    return terms
