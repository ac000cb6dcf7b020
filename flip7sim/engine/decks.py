"""Sums over the games that were played with one deck, and their products.

In `games` every deck is played with every rotation of the seats, so games of one deck are not
independent, but decks are. Errors need, for each deck, the sums over its games, and of these the
products between each other, added up over the decks. Products can be large: they are kept as two
integers, of which the high one counts 2**30.
"""

from __future__ import annotations

from typing import Any, Final

from flip7sim._jit import helper

DECKS: Final = 0
"""1 for every deck: its products are the sums themselves."""
GAMES: Final = 1
FINISHED: Final = 2
"""Games that somebody won."""
ROUNDS: Final = 3
"""Rounds of finished games."""
ROUNDS_SQUARED: Final = 4
FLIPS: Final = 5
BEHIND: Final = 6
"""Games won from behind."""
WINS: Final = 7
"""Wins by player, then wins by seat, in units (a shared win is a part of one)."""

LIMB: Final = 30
"""Bits of the low integer of a product."""
_LOW: Final = (1 << LIMB) - 1


def n_sums(n_seats: int) -> int:
    """Return how many sums a deck has."""
    return WINS + 2 * n_seats


@helper
def add_game(
    table: Any, sums: Any, rotation: int, n_winners: int, n_rounds: int, n_flips: int,
    behind: int, unit: int,
) -> None:  # fmt: skip
    """Add a game to its deck's sums, an array of int64 of shape (n_sums,).

    `unit` stands for a whole win; winners share it.
    """
    sums[DECKS] = 1
    sums[GAMES] += 1
    sums[FLIPS] += n_flips
    if n_winners == 0:
        return
    sums[FINISHED] += 1
    sums[ROUNDS] += n_rounds
    sums[ROUNDS_SQUARED] += n_rounds * n_rounds
    sums[BEHIND] += behind
    n_seats = table.n_seats
    share = unit // n_winners
    for seat in range(n_seats):
        if (table.winners >> seat) & 1 != 0:
            player = seat - rotation if seat >= rotation else seat - rotation + n_seats
            sums[WINS + player] += share
            sums[WINS + n_seats + seat] += share


@helper
def close_deck(sums: Any, products: Any, pairs: Any) -> None:
    """Add a deck's products to the tallies and clear its sums.

    Parameters
    ----------
    sums : ndarray of int64, shape (n_arms, n_sums)
    products : ndarray of int64, shape (n_arms, n_sums, n_sums, 2)
        Low and high integers; the lower triangle is filled.
    pairs : ndarray of int64, shape (n_arms, n_arms, 2)
        The same for player 0's wins between arms, filled wholly.
    """
    n_arms, n = sums.shape
    for a in range(n_arms):
        for i in range(n):
            if sums[a, i] != 0:
                for j in range(i + 1):
                    product = sums[a, i] * sums[a, j]
                    products[a, i, j, 0] += product & _LOW
                    products[a, i, j, 1] += product >> LIMB
        for b in range(n_arms):
            product = sums[a, WINS] * sums[b, WINS]
            pairs[a, b, 0] += product & _LOW
            pairs[a, b, 1] += product >> LIMB
    for a in range(n_arms):
        for i in range(n):
            sums[a, i] = 0
