"""Playing rounds and games in blocks: players take their seats, kernels play, tallies come back.

Nothing here depends on how work is spread: round (or game) i is a function of the rules, the
players, the seed and i.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any, Final

import numpy as np

from flip7sim.blocks import Interrupted, Progress, run_blocks
from flip7sim.errors import InputError, PolicyError
from flip7sim.policies import Player, as_player
from flip7sim.rules import Rules, checked_seats
from flip7sim.table import (
    ASK_NAMES,
    ERROR_RAISED,
    N_ROWS,
    N_TERMS,
    PLAYER,
    TABLE,
    new_table,
)
from flip7sim.tallies import GameTallies, RoundTallies

MAX_COUNT: Final = 10**12
"""The most rounds or games of one run."""

PlayerLike = Player | str | Any
"""A player, its SPEC (cli.md), or a stay policy."""


def checked_count(name: str, value: object) -> int:
    """Return a number of rounds or games.

    Raises
    ------
    InputError
        If it is not a whole number from 1 to 10**12.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InputError(f"{name} must be a whole number, not {value!r}")
    if not 1 <= value <= MAX_COUNT:
        raise InputError(f"{name} must be from 1 to {MAX_COUNT}, not {value}")
    return int(value)


def checked_seed(seed: object) -> int:
    """Return a seed.

    Raises
    ------
    InputError
        If it is not a whole number from 0 on.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed must be a whole number from 0 on, not {seed!r}")
    return int(seed)


def checked_players(players: Sequence[PlayerLike], rules: Rules) -> tuple[Player, ...]:
    """Return 1 to 18 players who can play the game.

    Raises
    ------
    InputError
        If there are none or too many, or a specification is wrong.
    """
    if isinstance(players, str) or not isinstance(players, Sequence):
        players = [players]
    checked_seats(len(players))
    if rules.n_cards == 0:
        raise InputError("the deck has no card")
    seated = tuple(as_player(player) for player in players)
    for player in seated:
        player.check_rules(rules)
    return seated


def new_tables(rules: Rules, players: Sequence[Player], seed: int) -> Any:
    """Return a table in an array of shape (1,) as kernels take it, players seated."""
    from flip7sim.engine.entries import prepare
    from flip7sim.engine.rng import seed_words

    # Un-jitted kernels reach fields as attributes, which only records of a recarray have.
    tables = np.zeros(1, TABLE).view(np.recarray)
    tables[0] = new_table(rules, len(players))
    table = tables[0]
    table.seed[:] = seed_words(seed)
    for seat, player in enumerate(players):
        player.install(table, seat)
    prepare(tables)
    return tables


def player_records(players: Sequence[Player], tables: Any) -> Any:
    """Return the players' policies by address, an array of dtype PLAYER.

    The addresses are good in this process, as long as the players live.
    """
    records = np.zeros(len(players), PLAYER).view(np.recarray)
    for k, player in enumerate(players):
        records[k] = player.rows(tables[0])
    return records


def policy_error(
    table: Any, players: Sequence[Player], where: str, *, rotation: int = 0
) -> PolicyError:
    """Return the error that says which policy answered what, in which seat and round.

    Parameters
    ----------
    table : record
        In error.
    players : sequence of Player
        By player; player p sits in seat p + `rotation`.
    where : str
        Which round or game it was.
    """
    seat = int(table.chooser)
    player = players[(seat - rotation) % len(players)]
    row = int(table.row) - seat * N_ROWS
    ask = "hit_or_stay" if row < N_TERMS else ASK_NAMES[row - N_TERMS]
    policy = player.policy_at(row)
    where = f"policy {policy.label!r} in seat {seat}, {where}, asked {ask!r}"
    if int(table.error) == ERROR_RAISED:
        callback = policy.policy.code().callback
        cause = None if callback is None else callback.error
        said = "an exception" if cause is None else f"{type(cause).__name__}: {cause}"
        error = PolicyError(f"{where}: raised {said}")
        error.__cause__ = cause
        return error
    legal = "0 (hit) or 1 (stay)" if row < N_TERMS else f"0 to {int(table.n_options) - 1}"
    return PolicyError(f"{where}: illegal answer {int(table.answer)}, legal is {legal}")


class _Task:
    """What rounds and games have in common: a table a thread."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules = rules
        self.seed = seed
        self._local: Any = threading.local()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_local"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._local = threading.local()

    def _tables(self, players: Sequence[Player]) -> Any:
        if not hasattr(self._local, "tables"):
            self._local.tables = new_tables(self.rules, players, self.seed)
        return self._local.tables


class RoundTask(_Task):
    """Plays blocks of independent rounds (a `blocks.Task`).

    Parameters
    ----------
    rules : Rules
    players : sequence of Player
        In seat order; seat 0's place is taken by each of the arms.
    arms : sequence of Player
    seed : int
    """

    def __init__(
        self, rules: Rules, players: Sequence[Player], arms: Sequence[Player], seed: int
    ) -> None:
        super().__init__(rules, seed)
        self.players = tuple(players)
        self.arms = tuple(arms)

    def __call__(self, first: int, count: int) -> RoundTallies:
        """Play rounds `first` to ``first + count - 1`` with every arm.

        Raises
        ------
        PolicyError
            If a policy's answer is not legal.
        """
        from flip7sim.engine.kernels import round_block

        tables = self._tables(self.players)
        if not hasattr(self._local, "arms"):
            self._local.arms = player_records(self.arms, tables)
        tally = RoundTallies.empty(self.rules, len(self.players), len(self.arms))
        scratch = np.zeros(len(self.arms) + 1, np.int64)
        with np.errstate(over="ignore"):  # un-jitted 64-bit arithmetic wraps on purpose
            played = round_block(
                tables, self._local.arms, first, count, tally.low, tally.histogram, tally.busts,
                tally.flip7s, tally.flips, tally.products, scratch,
            )  # fmt: skip
        if played < count:
            players = (self.arms[int(scratch[-1])], *self.players[1:])
            raise policy_error(tables[0], players, f"round {first + played}")
        lower = tally.products
        products = lower + np.tril(lower, -1).T
        return RoundTallies(**{**vars(tally), "rounds": count, "products": products})


class GameTask(_Task):
    """Plays blocks of decks (a `blocks.Task`), every deck with every rotation of the seats.

    Parameters
    ----------
    rules : Rules
    arms : sequence of sequences of Player
        Whole tables of players, all played on the same decks.
    seed : int
    games : int
        Index behind the last game: the last deck may lack some rotations.
    """

    def __init__(
        self, rules: Rules, arms: Sequence[Sequence[Player]], seed: int, games: int
    ) -> None:
        super().__init__(rules, seed)
        self.arms = tuple(tuple(arm) for arm in arms)
        self.games = games

    def empty(self) -> GameTallies:
        """Return tallies of no games."""
        shared = self.rules.tie == "share"
        return GameTallies.empty(len(self.arms[0]), len(self.arms), shared=shared)

    def __call__(self, first: int, count: int) -> GameTallies:
        """Play the games of decks `first` to ``first + count - 1`` with every arm.

        Raises
        ------
        PolicyError
            If a policy's answer is not legal.
        """
        from flip7sim.engine.kernels import game_block

        n_seats, n_arms = len(self.arms[0]), len(self.arms)
        tables = self._tables(self.arms[0])
        if not hasattr(self._local, "players"):
            records = [player_records(arm, tables) for arm in self.arms]
            self._local.players = np.stack(records).view(np.recarray)
        tally = self.empty()
        scratch = np.zeros(n_arms + 1, np.int64)
        sums = np.zeros(tally.deck_products.shape[:2], np.int64)
        start = first * n_seats
        games = min((first + count) * n_seats, self.games) - start
        with np.errstate(over="ignore"):
            played = game_block(
                tables, self._local.players, start, games, tally.wins, tally.rounds, tally.flips,
                tally.behind, tally.joint, scratch, tally.unit, sums, tally.deck_products,
                tally.pair_products,
            )  # fmt: skip
        if played < games:
            arm = self.arms[int(scratch[-1])]
            game = start + played
            raise policy_error(tables[0], arm, f"game {game}", rotation=game % n_seats)
        return GameTallies(**{**vars(tally), "games": games})


def play_rounds(
    rules: Rules,
    players: Sequence[Player],
    *,
    rounds: int,
    seed: int,
    arms: Sequence[Player] | None = None,
    first: int = 0,
    threads: int | None = None,
    block: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> RoundTallies:
    """Play independent rounds, each from a full shuffled deck, the dealer moving left.

    Parameters
    ----------
    rules : Rules
    players : sequence of Player
        In seat order.
    rounds, seed : int
    arms : sequence of Player, optional
        Who takes seat 0 in turn, all on the same rounds; by default the first player alone.
    first : int
        Index of the first round.
    threads, block, executor, progress
        See `blocks.run_blocks`; they change nothing in the result.

    Returns
    -------
    RoundTallies

    Raises
    ------
    PolicyError
        If a policy's answer is not legal.
    blocks.Interrupted
        On Ctrl-C.
    """
    arms = (players[0],) if arms is None else tuple(arms)
    nothing = RoundTallies.empty(rules, len(players), len(arms))
    highest = max(abs(nothing.low), int(nothing.scores[-1]))
    if rounds * highest * highest >= 2**62:
        raise InputError(f"{rounds} rounds of up to {highest} points are too many to tally")
    task = RoundTask(rules, players, arms, seed)
    tallies: RoundTallies = run_blocks(
        task, nothing, first, rounds,
        threads=threads, block=block, executor=executor, progress=progress,
    )  # fmt: skip
    return tallies


def play_games(
    rules: Rules,
    arms: Sequence[Sequence[Player]],
    *,
    games: int,
    seed: int,
    first: int = 0,
    threads: int | None = None,
    block: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> GameTallies:
    """Play games, every deck with every rotation of the seats; see `GameTask` and `play_rounds`.

    Parameters
    ----------
    rules : Rules
    arms : sequence of sequences of Player
        Whole tables of players, all played on the same decks.
    games, seed : int
    first : int
        Index of the first game, a multiple of the number of seats: the first of its deck.
    threads, block, executor, progress
        As for `play_rounds`; `block` counts decks.

    Returns
    -------
    GameTallies

    Raises
    ------
    PolicyError
        If a policy's answer is not legal.
    blocks.Interrupted
        On Ctrl-C; its `done` counts games.
    """
    n_seats = len(arms[0])
    if first % n_seats:
        raise ValueError(f"game {first} is not the first of its deck")
    task = GameTask(rules, arms, seed, first + games)
    try:
        tallies: GameTallies = run_blocks(
            task, task.empty(), first // n_seats, -(-games // n_seats),
            threads=threads, block=block, executor=executor,
            progress=None if progress is None else in_games(progress, n_seats, games),
        )  # fmt: skip
    except Interrupted as interrupt:
        done = 0 if interrupt.tallies is None else interrupt.tallies.games
        raise Interrupted(interrupt.tallies, done) from None
    return tallies


def in_games(progress: Progress, n_seats: int, games: int) -> Progress:
    """Return a progress callback that takes decks and tells games."""
    return lambda done, _: progress(min(done * n_seats, games), games)
