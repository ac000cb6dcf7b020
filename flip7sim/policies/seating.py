"""Whatever stands for a player, made one: text, policies, or a player.

Examples
--------
>>> player("score:25").label
'score:25/leader'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flip7sim.errors import InputError, nearest
from flip7sim.policies.player import TARGETING_ASKS, Player, in_order
from flip7sim.policies.policy import BoundPolicy, Policy, bound
from flip7sim.policies.spec import parse_player, parse_policy, parse_targeting


def targeting_for(name_or_policy: object, asks: Sequence[str]) -> list[tuple[str, BoundPolicy]]:
    """Return who makes each of some choices: one policy, or one name that has one for each."""
    if isinstance(name_or_policy, str):
        return [(ask, parse_policy(name_or_policy, "targeting", ask)) for ask in asks]
    policy = bound(name_or_policy, "targeting")
    return [(ask, policy) for ask in asks]


def player(
    stay: str | Policy | BoundPolicy,
    targeting: str | Policy | BoundPolicy | Mapping[str, Any] | None = None,
) -> Player:
    """Return a player from policies, or from text in the players' grammar.

    Parameters
    ----------
    stay : str, Policy or BoundPolicy
        When to stay. As text it may combine policies, and name a targeting after ``/``.
    targeting : str, Policy, BoundPolicy or mapping, optional
        Who makes the choices: one policy for all, or one by choice. `leader` by default.

    Raises
    ------
    InputError
        If a policy is unknown or of the wrong kind, or a parameter is not legal.

    Examples
    --------
    >>> player("score:28,chance=never", {"flip_three": "next"}).label
    'score:28,chance=never/flip_three=next'
    """
    if isinstance(stay, str):
        made = parse_player(stay)
        if targeting is not None and "/" in stay:
            raise InputError(f"player {stay!r} names its targeting twice")
    else:
        made = Player((bound(stay, "stay"),))
    if targeting is None:
        return made
    if isinstance(targeting, str):
        pairs, named = parse_targeting(targeting)
    elif isinstance(targeting, Mapping):
        for ask in targeting:
            if ask not in TARGETING_ASKS:
                raise InputError(f"unknown choice {ask!r}; {nearest(str(ask), TARGETING_ASKS)}")
        pairs = [pair for ask, who in targeting.items() for pair in targeting_for(who, [ask])]
        named = frozenset(targeting)
    else:
        pairs, named = targeting_for(targeting, TARGETING_ASKS), frozenset()
    return replace(made, targeting=in_order(pairs), named=named)


def as_player(given: object) -> Player:
    """Return whatever stands for a player as one: text, a policy, or a player.

    Raises
    ------
    InputError
        If it stands for none.

    Examples
    --------
    >>> as_player("cards:4 or score:30").label
    'cards:4 or score:30/leader'
    """
    if isinstance(given, Player):
        return given
    if isinstance(given, str | Policy | BoundPolicy):
        return player(given)
    raise InputError(f"a player is text such as 'score:25/leader', or a policy, not {given!r}")
