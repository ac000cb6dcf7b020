"""The kernels that Python calls: one round, one game, blocks of either with their integer tallies.

A block stops at the first illegal answer; `table.error`, `stream`, `chooser` and `answer` then say
what happened, and the number of rounds or games played before it is returned.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flip7sim._jit import helper, njit, unsigned
from flip7sim.engine.decks import add_game, close_deck
from flip7sim.engine.entries import prepare
from flip7sim.engine.play import play_game, play_round
from flip7sim.table import BUSTED, N_PARAMETERS, N_POLICIES, N_ROWS


@njit
def round_kernel(tables: Any) -> None:
    """Play one round."""
    play_round(tables[0])


@njit
def game_kernel(tables: Any) -> None:
    """Play one game."""
    play_game(tables[0])


def one_round(tables: Any) -> None:
    """Play the round that the record says (seed, stream, dealer, total), from a full deck."""
    prepare(tables)
    with np.errstate(over="ignore"):  # un-jitted 64-bit arithmetic wraps on purpose
        round_kernel(tables)


def one_game(tables: Any) -> None:
    """Play the game that the record says (seed, stream, dealer, total)."""
    prepare(tables)
    with np.errstate(over="ignore"):
        game_kernel(tables)


@helper
def seat_player(table: Any, seat: int, player: Any) -> None:
    """Let a player (a record of dtype `PLAYER`) take a seat."""
    table.n_terms[seat] = player.n_terms
    table.and_terms[seat] = player.and_terms
    first = seat * N_ROWS
    for row in range(N_POLICIES):
        if player.address[row] != 0:
            table.address[first + row] = player.address[row]
            table.constants[first + row] = player.constants[row]
            for k in range(N_PARAMETERS):
                table.parameter[first + row, k] = player.parameter[row, k]
                table.whole_parameter[first + row, k] = player.whole_parameter[row, k]


@njit
def round_block(
    tables: Any,
    arms: Any,
    first: int,
    count: int,
    low: int,
    histogram: Any,
    busts: Any,
    flip7s: Any,
    flips: Any,
    products: Any,
    scores: Any,
) -> int:
    """Play rounds `first` to ``first + count - 1``, each with every arm in seat 0.

    Parameters
    ----------
    tables : ndarray of TABLE, shape (1,)
        Seed, rules and the players of the other seats are set; totals are 0.
    arms : ndarray of PLAYER, shape (n_arms,)
        Who takes seat 0; all arms play the same rounds.
    first, count : int
        Index of the first round and number of rounds; the dealer is index modulo seats.
    low : int
        Score of the histogram's first bin.
    histogram : ndarray of int64, shape (n_arms, n_seats, n_scores)
        Rounds by score; added to, as all that follow.
    busts, flip7s : ndarray of int64, shape (n_arms, n_seats)
    flips : ndarray of int64, shape (n_arms, 2)
        Sums of flips and of their squares.
    products : ndarray of int64, shape (n_arms, n_arms)
        Sums of products of seat 0's scores between arms; the lower triangle is filled.
    scores : ndarray of int64, shape (n_arms + 1,)
        Scratch; the last entry tells which arm an illegal answer came up with.

    Returns
    -------
    int
        Rounds played with every arm.
    """
    table = tables[0]
    n_arms = arms.shape[0]
    n_seats = table.n_seats
    dealer = first % n_seats
    if n_arms == 1:
        seat_player(table, 0, arms[0])
    for i in range(count):
        table.stream = first + i
        for a in range(n_arms):
            table.dealer = dealer
            if n_arms > 1:
                seat_player(table, 0, arms[a])
            play_round(table)
            if table.error != 0:
                scores[n_arms] = a
                return i
            scores[a] = table.score[0]
            for seat in range(n_seats):
                histogram[a, seat, unsigned(table.score[seat] - low)] += 1
                busts[a, seat] += table.status[seat] == BUSTED
            if table.flip7_seat >= 0:
                flip7s[a, unsigned(table.flip7_seat)] += 1
            flips[a, 0] += table.flips
            flips[a, 1] += table.flips * table.flips
        products[0, 0] += scores[0] * scores[0]
        for a in range(1, n_arms):
            score = scores[a]
            for b in range(a + 1):
                products[a, b] += score * scores[b]
        dealer = dealer + 1 if dealer + 1 < n_seats else 0
    return count


@njit
def game_block(
    tables: Any,
    players: Any,
    first: int,
    count: int,
    wins: Any,
    rounds: Any,
    flips: Any,
    behind: Any,
    joint: Any,
    before: Any,
    unit: int,
    sums: Any,
    deck_products: Any,
    pair_products: Any,
) -> int:
    """Play games `first` to ``first + count - 1``, each with every arm.

    Game g uses the deck stream of g // n_seats, and player p sits in seat (p + g) modulo n_seats:
    every deck is played with every rotation of the seats.

    Parameters
    ----------
    tables : ndarray of TABLE, shape (1,)
    players : ndarray of PLAYER, shape (n_arms, n_seats)
    first, count : int
    wins : ndarray of int64, shape (n_arms, n_seats, n_seats, n_seats + 1)
        Games by arm, player, the player's seat, and number of winners the win is shared among
        (0 where the player did not win); added to, as all that follow.
    rounds : ndarray of int64, shape (n_arms, MAX_ROUNDS + 1)
        Finished games by number of rounds; unfinished ones stand in bin 0.
    flips : ndarray of int64, shape (n_arms, 2)
        Sums of flips and of their squares.
    behind : ndarray of int64, shape (n_arms,)
        Finished games whose winners all were below the highest total before the last round.
    joint : ndarray of int64, shape (n_arms, n_arms, n_seats + 1, n_seats + 1)
        Games by the share of player 0's win under either arm.
    before : ndarray of int64, shape (n_arms + 1,)
        Scratch; the last entry tells which arm an illegal answer came up with.
    unit : int
        What a whole win counts in the sums, so that every shared win is a whole number.
    sums : ndarray of int64, shape (n_arms, n_sums)
        Scratch of zeros: sums over the games of one deck (`engine.decks`).
    deck_products : ndarray of int64, shape (n_arms, n_sums, n_sums, 2)
    pair_products : ndarray of int64, shape (n_arms, n_arms, 2)
        Products of decks' sums, see `engine.decks.close_deck`. A block begins with a deck; a deck
        that its last games do not fill counts as a smaller one.

    Returns
    -------
    int
        Games played with every arm.
    """
    table = tables[0]
    n_arms = players.shape[0]
    n_seats = table.n_seats
    for i in range(count):
        game = first + i
        table.stream = game // n_seats
        rotation = game % n_seats
        for a in range(n_arms):
            for player in range(n_seats):
                seat_player(table, (player + rotation) % n_seats, players[a, player])
            for seat in range(n_seats):
                table.total[seat] = 0
            # With the seats the deal rotates, the first dealer is the same seat in all.
            table.dealer = n_seats - 1
            play_game(table)
            if table.error != 0:
                before[n_arms] = a
                return i
            n_winners = 0
            for seat in range(n_seats):
                n_winners += (table.winners >> seat) & 1
            for player in range(n_seats):
                seat = (player + rotation) % n_seats
                won = (table.winners >> seat) & 1
                shared = n_winners * won
                wins[a, player, seat, shared] += 1
                if player == 0:
                    before[a] = shared
            from_behind = 0
            if n_winners == 0:
                rounds[a, 0] += 1
            else:
                rounds[a, table.round_number + 1] += 1
                from_behind = _from_behind(table)
                behind[a] += from_behind
            n_flips = table.flips_before + table.flips
            add_game(
                table, sums[a], rotation, n_winners, table.round_number + 1, n_flips, from_behind,
                unit,
            )  # fmt: skip
            flips[a, 0] += n_flips
            flips[a, 1] += n_flips * n_flips
        for a in range(n_arms):
            for b in range(n_arms):
                joint[a, b, before[a], before[b]] += 1
        if rotation == n_seats - 1 or i == count - 1:
            close_deck(sums, deck_products, pair_products)
    return count


@helper
def _from_behind(table: Any) -> int:
    """Return 1 when every winner was below the highest total before the last round."""
    highest = table.total[0] - table.score[0]
    for seat in range(1, table.n_seats):
        highest = max(highest, table.total[seat] - table.score[seat])
    for seat in range(table.n_seats):
        won = (table.winners >> seat) & 1
        if won != 0 and table.total[seat] - table.score[seat] == highest:
            return 0
    return 1
