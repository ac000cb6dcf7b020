"""A player's stay policies as the exact evaluation takes them."""

from __future__ import annotations

from typing import Final

from flip7sim.errors import InputError
from flip7sim.exact.evaluate import Term
from flip7sim.policies import Player, Policy
from flip7sim.rules import Rules
from flip7sim.table import new_table

_LINE: Final = {"nothing", "line", "totals"}
"""What policies look at that is the same whatever the deck; a lone player's total is fixed."""


def check_player(player: Player, rules: Rules) -> None:
    """Refuse a player whose stay policies cannot be evaluated exactly; nothing is solved for that.

    Parameters
    ----------
    player : Player
    rules : Rules
        Of a deck that can be solved exactly.

    Raises
    ------
    InputError
        If a policy makes no sense in the game, has no solution for the deck, or draws random
        numbers and is not `random` itself.

    Examples
    --------
    >>> from flip7sim.policies import as_player
    >>> check_player(as_player("optimal:race"), Rules(game="vengeance", deck="numbers"))
    Traceback (most recent call last):
    flip7sim.errors.InputError: the race is solved for the base game, not for vengeance
    """
    player.check_rules(rules)
    for bound in player.terms:
        if "chance" in bound.policy.metadata.looks_at and not _is_random(bound.policy):
            raise InputError(
                f"policy {bound.policy.name!r} draws random numbers; of such policies only "
                "'random' can be evaluated exactly"
            )


def _is_random(policy: Policy) -> bool:
    """Return whether a policy is `random` itself, whose chance is known."""
    return bool(policy.builtin and policy.name == "random")


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
        If `check_player` refuses the player, or a policy lacks a parameter.
    """
    check_player(player, rules)
    table = new_table(rules, 1)
    terms = []
    for joined, bound in zip((False, *player.joined_by_and), player.terms, strict=True):
        if _is_random(bound.policy):
            terms.append(Term(joined=joined, chance=float(bound.values[0])))
            continue
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
