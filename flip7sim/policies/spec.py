"""The players' grammar: a player in one string.

    STAY [ / TARGETING ]
    STAY       = POLICY { or POLICY | and POLICY }     and binds tighter
    TARGETING  = POLICY  |  ask=POLICY { , ask=POLICY }
    POLICY     = name [ : value { , value | parameter=value } ]

Examples
--------
>>> parse_player("bust:0.26,own or cards:6 / leader").label
'bust:0.26,own or cards:6/leader'
"""

from __future__ import annotations

import re

from flip7sim.errors import InputError, nearest
from flip7sim.policies.player import TARGETING_ASKS, Player, in_order
from flip7sim.policies.policy import BoundPolicy
from flip7sim.policies.registry import find


def parse_player(text: str, *, partial: bool = False) -> Player:
    """Return the player that a text stands for.

    Parameters
    ----------
    text : str
    partial : bool
        Whether parameters that must be given may be missing, to be set later.

    Raises
    ------
    InputError
        If the text is not of the grammar, a policy, choice or parameter is unknown (the nearest is
        suggested), or a value is not legal.

    Examples
    --------
    >>> parse_player("bust:0.3/flip_three=next").label
    'bust:0.3/flip_three=next'
    """
    if not isinstance(text, str):
        raise InputError(f"a player is text such as 'score:25/leader', not {text!r}")
    stay, slash, targeting = text.partition("/")
    words = re.split(r"\s+(and|or)\s+", stay.strip())
    if not words[0]:
        raise InputError(f"player {text!r} has no stay policy; 'score:25/leader' is one")
    terms = tuple(parse_policy(word, "stay") for word in words[::2])
    if not partial:
        for term in terms:
            _ = term.values
    joined = tuple(word == "and" for word in words[1::2])
    if not slash:
        return Player(terms, joined)
    pairs, named = parse_targeting(targeting)
    return Player(terms, joined, in_order(pairs), named)


def parse_targeting(text: str) -> tuple[list[tuple[str, BoundPolicy]], frozenset[str]]:
    """Return who makes each choice, and the choices that were named one by one.

    Raises
    ------
    InputError
        As for `parse_player`.
    """
    if not text.strip():
        raise InputError("a targeting policy is missing after '/'")
    parts = text.split(",")
    first = parts[0].partition("=")
    if not first[1] or ":" in first[0]:
        return _for_all(text), frozenset()
    chosen: dict[str, str] = {}
    ask = ""
    for part in parts:
        name, equals, policy = (piece.strip() for piece in part.partition("="))
        if equals and ":" not in name and (name in TARGETING_ASKS or not _takes(chosen.get(ask))):
            if name not in TARGETING_ASKS:
                raise InputError(f"unknown choice {name!r}; {nearest(name, TARGETING_ASKS)}")
            if name in chosen:
                raise InputError(f"{name} is named twice in {text.strip()!r}")
            ask, chosen[name] = name, policy
        elif ask:
            chosen[ask] += "," + part
    pairs = [(ask, parse_policy(policy, "targeting", ask)) for ask, policy in chosen.items()]
    return pairs, frozenset(chosen)


def _takes(policy: str | None) -> bool:
    """Return whether a policy's text goes on with parameters."""
    return policy is not None and ":" in policy


def _for_all(text: str) -> list[tuple[str, BoundPolicy]]:
    """Return one name's policies for every choice that it can make."""
    name = text.partition(":")[0].strip()
    asks = [ask for ask in TARGETING_ASKS if find("targeting", name, ask) is not None]
    return [(ask, parse_policy(text, "targeting", ask)) for ask in asks]


def parse_policy(text: str, kind: str, ask: str = "hit_or_stay") -> BoundPolicy:
    """Return the policy of a kind that a text stands for, ``name:value,parameter=value``.

    Raises
    ------
    InputError
        As for `parse_player`.
    """
    name, colon, rest = text.partition(":")
    name = name.strip()
    policy = find(kind, name, ask)
    if policy is None:
        raise InputError(f"targeting policy {name!r} cannot choose for {ask}")
    given: dict[str, str] = {}
    values = rest.split(",") if colon else []
    named = False
    for k, word in enumerate(values):
        parameter, equals, value = (piece.strip() for piece in word.partition("="))
        if not equals:
            if named:
                raise InputError(f"{text.strip()!r}: {parameter!r} stands after a named value")
            if not policy.parameters:
                raise InputError(f"policy {name!r} takes no value, {parameter!r} was given")
            if k >= len(policy.parameters):
                raise InputError(
                    f"policy {name!r} takes {len(policy.parameters)} values, not {len(values)}"
                )
            parameter, value = policy.parameter(k).name, parameter
        named = named or bool(equals)
        if parameter in given:
            raise InputError(f"{parameter} is given twice in {text.strip()!r}")
        given[parameter] = value
    return policy(**given)
