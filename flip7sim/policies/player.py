"""A player: when to stay, and whom to choose, ready to be seated at a table.

Examples
--------
>>> player("score:25").label
'score:25/leader'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from flip7sim.errors import InputError, nearest
from flip7sim.policies.parameters import Parameter
from flip7sim.policies.policy import BoundPolicy, Policy, bound
from flip7sim.policies.registry import asks_of, find
from flip7sim.table import (
    ASK,
    ASK_NAMES,
    BASE,
    GAME_ASKS,
    N_ROWS,
    N_TERMS,
    PLAYER,
    write_policy,
)

TARGETING_ASKS: Final = ASK_NAMES[1:]
DEFAULT_TARGETING: Final = "leader"


@dataclass(frozen=True)
class Player:
    """Stay policies joined by `and` and `or`, and a targeting policy for each choice.

    Parameters
    ----------
    terms : tuple of BoundPolicy
        The stay policies, in order.
    joined_by_and : tuple of bool
        For each term but the first, whether `and` (binds tighter) or `or` stands before it.
    targeting : tuple of (str, BoundPolicy)
        By choice; a choice that is not named is made by `leader`.

    Examples
    --------
    >>> player("bust:0.26 or cards:6 and sum:20", "next").label
    'bust:0.26 or cards:6 and sum:20/next'
    """

    terms: tuple[BoundPolicy, ...]
    joined_by_and: tuple[bool, ...] = ()
    targeting: tuple[tuple[str, BoundPolicy], ...] = ()
    named: frozenset[str] = field(default=frozenset(), compare=False)
    """Choices that the user named one by one."""

    def __post_init__(self) -> None:
        if not self.terms:
            raise InputError("a player needs a stay policy")
        if len(self.terms) > N_TERMS:
            raise InputError(
                f"a player combines at most {N_TERMS} stay policies, not {len(self.terms)}"
            )

    @property
    def label(self) -> str:
        """The player in one string, always the same for equal players."""
        stay = self.terms[0].label
        for joined, term in zip(self.joined_by_and, self.terms[1:], strict=True):
            stay += f" {'and' if joined else 'or'} {term.label}"
        labels = {ask: policy.label for ask, policy in self.targeting}
        if len(set(labels.values())) == 1 and set(labels) == asks_of(self.targeting[0][1].policy):
            return f"{stay}/{self.targeting[0][1].label}"
        pairs = [f"{ask}={label}" for ask, label in labels.items()]
        return f"{stay}/{','.join(pairs) or DEFAULT_TARGETING}"

    def policy_for(self, ask: str) -> BoundPolicy:
        """Return the targeting policy that makes a choice.

        Raises
        ------
        InputError
            If the policy named cannot make it.
        """
        given = dict(self.targeting).get(ask)
        if given is None:
            policy = find("targeting", DEFAULT_TARGETING, ask)
            if policy is None:
                raise InputError(f"targeting policy {DEFAULT_TARGETING!r} cannot choose for {ask}")
            return bound(policy, "targeting")
        return given

    def check_game(self, game: str) -> None:
        """Refuse what makes no sense in a game: choices, policies and parameters of the other.

        Raises
        ------
        InputError
        """
        for ask in sorted(self.named):
            if ask not in GAME_ASKS[game]:
                raise InputError(
                    f"player {self.label!r}: {ask} is never asked in {game}; "
                    f"{nearest(ask, GAME_ASKS[game])}"
                )
        if self.targeting and not any(ask in GAME_ASKS[game] for ask, _ in self.targeting):
            chosen = self.targeting[0][1].label
            raise InputError(f"player {self.label!r}: {chosen} makes no choice of {game}")
        for policy in [*self.terms, *(self.policy_for(ask) for ask in GAME_ASKS[game])]:
            if game not in policy.policy.metadata.games:
                raise InputError(f"player {self.label!r}: {policy.label} makes no sense in {game}")
            for name, _ in policy.given:
                games = policy.policy.parameter(name).games
                if games and game not in games:
                    raise InputError(
                        f"player {self.label!r}: {name} of {policy.policy.name} has no effect "
                        f"in {game}"
                    )

    def with_parameter(self, which: int | str, value: object, *, term: int = 0) -> Player:
        """Return the same player with another value of one parameter of a stay policy.

        Parameters
        ----------
        which : int or str
            Position, from 0, or name.
        value : number or str
        term : int
            Which of several stay policies.

        Raises
        ------
        InputError
            If there is no such parameter or the value is not legal.
        """
        if not 0 <= term < len(self.terms):
            raise InputError(f"player {self.label!r} has no stay policy number {term + 1}")
        changed = self.terms[term].with_parameter(which, value)
        return replace(self, terms=(*self.terms[:term], changed, *self.terms[term + 1 :]))

    def parameter(self, which: int | str, *, term: int = 0) -> Parameter:
        """Return the description of one parameter of a stay policy."""
        return self.terms[term].policy.parameter(which)

    def rows(self, table: Any) -> Any:
        """Return the player as a record of dtype `PLAYER`, apart from any seat.

        Policies that were never used are compiled now. The addresses are good in this process, as
        long as the player lives.

        Parameters
        ----------
        table : record
            Whose game says which choices there are.

        Raises
        ------
        InputError
            If a policy cannot be compiled, makes no sense in the game or lacks a parameter.
        """
        game = "base" if table.game == BASE else "vengeance"
        self.check_game(game)
        record = np.zeros(1, PLAYER).view(np.recarray)[0]
        record.n_terms = len(self.terms)
        record.and_terms = sum(1 << k + 1 for k, joined in enumerate(self.joined_by_and) if joined)
        policies = dict(enumerate(self.terms))
        policies |= {N_TERMS + ASK[ask]: self.policy_for(ask) for ask in GAME_ASKS[game]}
        for row, policy in policies.items():
            constants = policy.constants_address(table)
            write_policy(record, row, policy.address(), constants, policy.stored)
        return record

    def install(self, table: Any, seat: int) -> None:
        """Seat the player at a table: write the policies' addresses and parameters into it.

        Raises
        ------
        InputError
            As for `rows`.
        """
        record = self.rows(table)
        first = seat * N_ROWS
        table.n_terms[seat] = record.n_terms
        table.and_terms[seat] = record.and_terms
        table.address[first : first + N_ROWS] = record.address
        table.constants[first : first + N_ROWS] = record.constants
        table.parameter[first : first + N_ROWS] = record.parameter
        table.whole_parameter[first : first + N_ROWS] = record.whole_parameter

    def policy_at(self, row: int) -> BoundPolicy:
        """Return the policy of a row (of the player, not of the table)."""
        return self.terms[row] if row < N_TERMS else self.policy_for(ASK_NAMES[row - N_TERMS])

    def __str__(self) -> str:
        """Return the label."""
        return self.label


def targeting_for(name_or_policy: object, asks: Sequence[str]) -> list[tuple[str, BoundPolicy]]:
    """Return who makes each of some choices: one policy, or one name that has one for each."""
    if isinstance(name_or_policy, str):
        from flip7sim.policies.spec import parse_policy

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
    from flip7sim.policies.spec import parse_player, parse_targeting

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


def in_order(pairs: Sequence[tuple[str, BoundPolicy]]) -> tuple[tuple[str, BoundPolicy], ...]:
    """Return the choices in the table's order, those left to the default taken out."""
    chosen = dict(pairs)
    kept = ((ask, chosen[ask]) for ask in TARGETING_ASKS if ask in chosen)
    return tuple(
        (ask, policy) for ask, policy in kept
        if policy.policy is not find("targeting", DEFAULT_TARGETING, ask)
    )  # fmt: skip


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
