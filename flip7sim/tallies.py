"""Integer tallies of simulated rounds and games; merging is addition, exact in any order.

Examples
--------
>>> from flip7sim.rules import Rules
>>> one = RoundTallies.empty(Rules(), n_seats=4)
>>> (one + one).histogram.shape
(1, 4, 172)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from flip7sim.engine.decks import LIMB, n_sums
from flip7sim.errors import InputError
from flip7sim.rules import MAX_ROUNDS, Rules

Integers = NDArray[np.int64]

MAX_SCORES: Final = 200_000
"""The most different round scores that tallies keep apart."""


class _Sum:
    """Addition of all array and count fields."""

    _same: tuple[str, ...] = ()

    def __add__(self, other: Self) -> Self:
        values: dict[str, Any] = {}
        for item in fields(self):  # type: ignore[arg-type]
            mine, theirs = getattr(self, item.name), getattr(other, item.name)
            if item.name in self._same:
                if mine != theirs:
                    raise ValueError(f"tallies of different {item.name} cannot be added")
                values[item.name] = mine
            else:
                values[item.name] = mine + theirs
        return type(self)(**values)


@dataclass(frozen=True, kw_only=True, eq=False)
class RoundTallies(_Sum):
    """What is kept of rounds.

    Attributes
    ----------
    rounds : int
    low : int
        Score of the histogram's first bin.
    histogram : ndarray of int64, shape (n_arms, n_seats, n_scores)
        Rounds by score.
    busts, flip7s : ndarray of int64, shape (n_arms, n_seats)
    flips : ndarray of int64, shape (n_arms, 2)
        Sums of flips per round and of their squares.
    products : ndarray of int64, shape (n_arms, n_arms)
        Sums of products of seat 0's scores under two arms in the same round; symmetric.
    """

    rounds: int
    low: int
    histogram: Integers
    busts: Integers
    flip7s: Integers
    flips: Integers
    products: Integers

    _same = ("low",)

    @classmethod
    def empty(cls, rules: Rules, n_seats: int, n_arms: int = 1) -> RoundTallies:
        """Return tallies of no rounds.

        Raises
        ------
        InputError
            If the deck allows more different scores than tallies keep apart.
        """
        low, high = rules.score_bounds()
        if high - low >= MAX_SCORES:
            raise InputError(
                f"with this deck a round can score {high}; simulations keep scores up to "
                f"{MAX_SCORES} apart: take fewer x2"
            )
        return cls(
            rounds=0,
            low=low,
            histogram=np.zeros((n_arms, n_seats, high - low + 1), np.int64),
            busts=np.zeros((n_arms, n_seats), np.int64),
            flip7s=np.zeros((n_arms, n_seats), np.int64),
            flips=np.zeros((n_arms, 2), np.int64),
            products=np.zeros((n_arms, n_arms), np.int64),
        )

    @property
    def scores(self) -> Integers:
        """Scores of the histogram's bins, shape (n_scores,)."""
        return np.arange(self.low, self.low + self.histogram.shape[2], dtype=np.int64)

    @property
    def sums(self) -> Integers:
        """Sums of scores, shape (n_arms, n_seats)."""
        return self.histogram @ self.scores


@dataclass(frozen=True, kw_only=True, eq=False)
class GameTallies(_Sum):
    """What is kept of games.

    Attributes
    ----------
    games : int
    wins : ndarray of int64, shape (n_arms, n_players, n_seats, n_seats + 1)
        Games by player, the seat the player had, and the number of players who shared the win
        (0 where the player did not win).
    rounds : ndarray of int64, shape (n_arms, MAX_ROUNDS + 1)
        Finished games by number of rounds; unfinished ones in bin 0.
    flips : ndarray of int64, shape (n_arms, 2)
        Sums of flips per game and of their squares.
    behind : ndarray of int64, shape (n_arms,)
        Games won from behind: every winner below the highest total before the last round.
    joint : ndarray of int64, shape (n_arms, n_arms, n_seats + 1, n_seats + 1)
        Games by the share of player 0's win under two arms on the same decks.
    unit : int
        What a whole win counts in the products.
    deck_products : ndarray of int64, shape (n_arms, n_sums, n_sums, 2)
        Products of the sums over a deck's games, added up over the decks, as low and high integers
        (`engine.decks`); the lower triangle is filled.
    pair_products : ndarray of int64, shape (n_arms, n_arms, 2)
        The same for player 0's wins between two arms.
    """

    games: int
    wins: Integers
    rounds: Integers
    flips: Integers
    behind: Integers
    joint: Integers
    unit: int
    deck_products: Integers
    pair_products: Integers

    _same = ("unit",)

    @classmethod
    def empty(cls, n_seats: int, n_arms: int = 1, *, shared: bool = False) -> GameTallies:
        """Return tallies of no games; `shared` where several players may share a win."""
        shares, n = n_seats + 1, n_sums(n_seats)
        return cls(
            games=0,
            wins=np.zeros((n_arms, n_seats, n_seats, shares), np.int64),
            rounds=np.zeros((n_arms, MAX_ROUNDS + 1), np.int64),
            flips=np.zeros((n_arms, 2), np.int64),
            behind=np.zeros(n_arms, np.int64),
            joint=np.zeros((n_arms, n_arms, shares, shares), np.int64),
            unit=math.lcm(*range(1, shares)) if shared else 1,
            deck_products=np.zeros((n_arms, n, n, 2), np.int64),
            pair_products=np.zeros((n_arms, n_arms, 2), np.int64),
        )

    def deck_matrix(self, arm: int = 0) -> Any:
        """Return an arm's products as Python's integers, shape (n_sums, n_sums), symmetric."""
        lower = whole_products(self.deck_products[arm])
        return np.tril(lower) + np.tril(lower, -1).T

    def pair_matrix(self) -> Any:
        """Return the products of player 0's wins between arms as Python's integers."""
        return whole_products(self.pair_products)


def whole_products(limbs: Integers) -> Any:
    """Return products kept as low and high integers (last axis) as Python's integers."""
    return limbs[..., 0].astype(object) + (limbs[..., 1].astype(object) << LIMB)
