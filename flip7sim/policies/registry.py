"""The policies known by name: the package's own, and those that a user's file adds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from flip7sim.cards import GAMES
from flip7sim.errors import InputError, nearest
from flip7sim.policies.parameters import Parameter
from flip7sim.policies.policy import KINDS, Policy
from flip7sim.rules import one_of
from flip7sim.table import ASK_NAMES, GAME_ASKS

_BUILTIN: Final[list[Policy]] = []
_USERS: Final[dict[tuple[str, str], Policy]] = {}


def register_builtin(policies: Iterable[Policy]) -> None:
    """Make the package's own policies known; one name may stand for one policy a choice."""
    _BUILTIN.extend(policies)


def register(policy: Policy) -> None:
    """Make a user's policy usable by name in this process.

    Raises
    ------
    InputError
        If the package has one of the same kind and name.
    """
    if any(own.kind == policy.kind and own.name == policy.name for own in known()):
        raise InputError(
            f"{policy.name!r} is the name of a built-in {policy.kind} policy; choose another"
        )
    _USERS[policy.kind, policy.name] = policy


def forget(policy: Policy) -> None:
    """Undo `register`."""
    _USERS.pop((policy.kind, policy.name), None)


def known() -> list[Policy]:
    """Return the package's own policies."""
    if not _BUILTIN:
        from flip7sim.policies import optimal, stay, target, vengeance_target

        register_builtin(
            [*stay.POLICIES, *optimal.POLICIES, *target.POLICIES, *vengeance_target.POLICIES]
        )
    return _BUILTIN


def find(kind: str, name: str, ask: str = "hit_or_stay") -> Policy | None:
    """Return the policy of this kind and name that answers `ask`.

    Returns
    -------
    Policy or None
        None if policies of this name answer other choices only.

    Raises
    ------
    InputError
        If no policy has the name; the nearest is suggested.
    """
    if (kind, name) in _USERS:
        return _USERS[kind, name]
    named = [policy for policy in known() if policy.kind == kind and policy.name == name]
    if not named:
        names = sorted({p.name for p in (*known(), *_USERS.values()) if p.kind == kind})
        raise InputError(f"unknown {kind} policy {name!r}; {nearest(name, names)}")
    return next((policy for policy in named if ask in policy.metadata.asks), None)


def asks_of(policy: Policy) -> set[str]:
    """Return the choices that the name of a policy stands for, one policy each or one for all."""
    if not policy.builtin:
        return set(policy.metadata.asks)
    named = [own for own in known() if own.kind == policy.kind and own.name == policy.name]
    return {ask for own in named for ask in own.metadata.asks}


def policies(
    game: str | None = None, kind: str | None = None, looks_at: str | None = None
) -> list[Policy]:
    """Return the policies there are, the package's own first.

    Parameters
    ----------
    game : {"base", "vengeance"}, optional
        Only those that make sense in this game.
    kind : {"stay", "targeting"}, optional
    looks_at : str, optional
        Only those that look at this: ``line``, ``lines``, ``totals``, ``seen``, ``chance``.

    Raises
    ------
    InputError
        If a word is unknown.

    Examples
    --------
    >>> "bust" in [policy.name for policy in policies(kind="stay", looks_at="seen")]
    True
    """
    everything = [*known(), *_USERS.values()]
    if game is not None:
        one_of("game", game, GAMES)
        everything = [p for p in everything if answers(p, game)]
    if kind is not None:
        one_of("kind", kind, KINDS)
        everything = [p for p in everything if p.kind == kind]
    if looks_at is not None:
        words = sorted({word for p in everything for word in p.metadata.looks_at})
        one_of("looks_at", looks_at, words)
        everything = [p for p in everything if looks_at in p.metadata.looks_at]
    return everything


def answers(policy: Policy, game: str) -> bool:
    """Return whether a policy makes sense in a game."""
    if game not in policy.metadata.games:
        return False
    asks = ASK_NAMES[:1] if policy.kind == "stay" else GAME_ASKS[game]
    return any(ask in policy.metadata.asks for ask in asks)


def described(policy: Policy) -> dict[str, Any]:
    """Return what there is to know of a policy, ready for JSON.

    Examples
    --------
    >>> described(policies(kind="stay")[0])["parameters"][0]["name"]
    'points'
    """
    return {
        "name": policy.name,
        "kind": policy.kind,
        "summary": policy.summary,
        "games": [game for game in GAMES if answers(policy, game)],
        "asks": list(policy.metadata.asks),
        "looks_at": list(policy.metadata.looks_at),
        "source": policy.metadata.source,
        "parameters": [
            {
                "name": p.name,
                "type": p.type.__name__,
                "expected": p.expected,
                "default": _default(p),
            }
            for p in policy.parameters
        ],
    }


def _default(parameter: Parameter) -> str | None:
    """Return a default as text; None where it must be given, or follows another parameter."""
    value = parameter.default
    return None if value is None or value != value else parameter.text(value)
