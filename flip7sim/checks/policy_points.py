"""Asking a policy at real decision points: is it legal, repeatable, the same compiled and plain."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from flip7sim.callbacks import Callback, call_at, view_at
from flip7sim.cards import card_names
from flip7sim.policies import BoundPolicy, as_player
from flip7sim.rules import Rules
from flip7sim.runner import new_tables
from flip7sim.table import (
    ASK_HIT_OR_STAY,
    ASK_NAMES,
    EVENT_DECISION,
    GAME_ASKS,
    N_ROWS,
    N_TERMS,
    RAISED,
    TABLE,
    write_policy,
)

ENOUGH: Final = 1_500
"""Decision points of one kind of choice that are looked at, per table."""
MOST_GAMES: Final = 400
KEPT: Final = 24
"""Decision points kept to measure speed at."""
WAYS: Final = ("random:0.2/random", "cards:3/random", "never/random", "score:25/random")
"""Who plays the games: they lead to all kinds of situations."""


@dataclass
class Points:
    """What came out at the decision points.

    Attributes
    ----------
    asked : Counter of str
        Decision points by choice.
    illegal, unsteady, wrote, unequal : list of str
        What went wrong, the first of each kind; empty where nothing did.
    kept : list of (ndarray of TABLE, int)
        Some points, with the seat.
    """

    asked: Counter[str] = field(default_factory=Counter)
    illegal: list[str] = field(default_factory=list)
    unsteady: list[str] = field(default_factory=list)
    wrote: list[str] = field(default_factory=list)
    unequal: list[str] = field(default_factory=list)
    kept: list[tuple[Any, int]] = field(default_factory=list)


def tables_of(games: Sequence[str]) -> Iterator[tuple[Rules, int]]:
    """Yield rules and numbers of players at which a policy of these games is asked."""
    for game in games:
        for n_seats in (2, 4, 7):
            yield Rules(game=game), n_seats
            if game == "vengeance":
                yield Rules(game=game, brutal=True), n_seats
        if game == "base":  # a second one in hand is rare: here it is not
            yield Rules(deck={"second_chance": 12}), 5


def asks_of(policy: BoundPolicy, game: str) -> list[str]:
    """Return the choices that a policy can be asked for in a game."""
    if policy.policy.kind == "stay":
        return [ASK_NAMES[ASK_HIT_OR_STAY]]
    return [ask for ask in GAME_ASKS[game] if ask in policy.policy.metadata.asks]


def prepared(policy: BoundPolicy, tables: Any, seat: int, ask: int) -> None:
    """Write a policy's parameters into the row that asks it."""
    table = tables.view(np.recarray)[0]
    row = seat * N_ROWS + (0 if ask == ASK_HIT_OR_STAY else N_TERMS + ask)
    table.row = row
    write_policy(table, row, policy.address(), policy.constants_address(table), policy.stored)


class Prober:
    """Watches games and asks a policy wherever it could be asked; the observer of a table."""

    def __init__(self, policy: BoundPolicy, points: Points, asks: Sequence[str]) -> None:
        self.policy = policy
        self.points = points
        self.asks = frozenset(asks)
        self.seen: Counter[str] = Counter()

    @property
    def satisfied(self) -> bool:
        """Whether every choice came up often enough."""
        return all(self.seen[ask] >= ENOUGH for ask in self.asks)

    def __call__(self, table: Any, seat: int) -> int:
        """Look at an event."""
        if table.event != EVENT_DECISION:
            return 0
        ask = ASK_NAMES[table.ask]
        if ask in self.asks and self.seen[ask] < ENOUGH:
            self.seen[ask] += 1
            tables = np.zeros(1, TABLE)
            tables[0] = table
            self.probe(tables, seat, ask)
        return 0

    def ask(self, table: Any, seat: int) -> int:
        """Return the policy's answer at a table prepared for it."""
        return call_at(self.policy.address(), table, seat)

    def probe(self, tables: Any, seat: int, ask: str) -> None:
        """Ask at one decision point."""
        table, points = tables.view(np.recarray)[0], self.points
        prepared(self.policy, tables, seat, int(table.ask))
        points.asked[ask] += 1
        before = tables.tobytes()
        answer = self.ask(table, seat)
        again = self.ask(table, seat)
        where = describe(table, seat, ask)
        if tables.tobytes() != before:
            points.wrote.append(f"changes the table: {where}")
        if again != answer:
            points.unsteady.append(f"answers {said(answer)}, then {said(again)}: {where}")
        if not 0 <= answer < table.n_options:
            legal = "0 (hit) or 1 (stay)" if ask == "hit_or_stay" else f"0 to {table.n_options - 1}"
            points.illegal.append(
                f"answers {said(answer)}{self._cause(answer)}, legal is {legal}: {where}"
            )
        elif self.policy.policy.code().callback is None:
            plain = self._plain(tables, seat)
            if plain != answer:
                points.unequal.append(f"compiled {answer}, as plain Python {plain}: {where}")
        if len(points.kept) < KEPT and points.asked[ask] % 7 == 1:
            points.kept.append((tables, seat))

    def _cause(self, answer: int) -> str:
        callback = self.policy.policy.code().callback
        if answer != RAISED:
            return ""
        if callback is None:
            return self._raised()
        return "" if callback.error is None else f" ({_named(callback.error)})"

    def _raised(self) -> str:
        """Compiled code does not say what it raised."""
        return " (an exception, an index out of bounds say)"

    def _plain(self, tables: Any, seat: int) -> int | str:
        view = view_at(tables.__array_interface__["data"][0])
        try:
            return int(self.policy(view, seat))
        except Exception as error:
            return _named(error)


def _named(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"


def said(answer: int) -> str:
    """Return an answer in words."""
    return "nothing, it raised" if answer == RAISED else str(answer)


def describe(table: Any, seat: int, ask: str) -> str:
    """Return a decision point in words, so that it can be understood and laid out again."""
    game = ("base", "brutal vengeance" if table.brutal else "vengeance")[int(table.game)]
    line = " ".join(card_names(table.line[seat])) or "nothing"
    return (
        f"asked {ask} in seat {seat} of {int(table.n_seats)}, {game}, line {line}, "
        f"{int(table.n_options)} options, game {int(table.stream)} round {int(table.round_number)}"
    )


def probe(policy: BoundPolicy, games: Sequence[str], *, seconds: float) -> Points:
    """Ask a policy at real decision points of games of all kinds.

    Parameters
    ----------
    policy : BoundPolicy
    games : sequence of str
    seconds : float
        After which no more games are begun.

    Returns
    -------
    Points
    """
    from flip7sim.engine.kernels import one_game

    points = Points()
    setups = list(tables_of(games))
    for k, (rules, n_seats) in enumerate(setups):
        asks = asks_of(policy, rules.game)
        if not rules.brutal:
            asks = [ask for ask in asks if ask != "flip7_bonus"]
        prober = Prober(policy, points, asks)
        observer = Callback(prober)
        players = [as_player(WAYS[(seat + k) % len(WAYS)]) for seat in range(n_seats)]
        tables = new_tables(rules, players, seed=7)
        table = tables.view(np.recarray)[0]
        table.observer = observer.address
        deadline = time.perf_counter() + seconds / len(setups)
        for game in range(MOST_GAMES):
            if prober.satisfied or time.perf_counter() > deadline:
                break
            table.stream = game
            table.dealer = n_seats - 1
            table.total[:] = 0
            one_game(tables)
            if observer.error is not None:
                raise observer.error
    return points
