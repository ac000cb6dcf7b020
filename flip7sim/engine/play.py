"""Deal, turns, rounds and games, the same for both games (rules.md section 3)."""

from __future__ import annotations

from typing import Any, Final

from flip7sim._jit import call_address, helper, inlined, int64, unsigned
from flip7sim.cards import JUST_ONE_MORE, LAST_NUMBER
from flip7sim.engine import base
from flip7sim.engine.choices import next_seat, wants_to_stay
from flip7sim.engine.deck import can_flip, discard_round, fill_deck, flip
from flip7sim.engine.rng import seed_stream
from flip7sim.engine.runs import discard_action, drop_run
from flip7sim.lines import clear_lines, holds_zero, round_score, stay
from flip7sim.rules import MAX_ROUNDS
from flip7sim.table import BASE, BUSTED, EVENT_ROUND, NO_CARD, SEATS_AT_ONCE

NO_RUN: Final = int64(-1)
"""Run of a card that no forced run has flipped."""

_base_settle = base.settle
_base_assign_all = base.assign_all
_base_settle_next_aside = base.settle_next_aside


@inlined
def start_round(table: Any) -> None:
    """Clear the seats for a new round; deck and discard pile stay as they are."""
    for first in range(0, table.n_seats, SEATS_AT_ONCE):
        clear_lines(table, unsigned(first))
    table.n_active = table.n_seats
    table.active = (int64(1) << table.n_seats) - 1
    table.flips = 0
    table.over = 0
    table.flip7_seat = -1
    table.n_runs = 0
    table.settling = NO_CARD


@inlined
def settle(table: Any, seat: int, card: int, r: int) -> None:
    """Settle a card by the rules of the table's game.

    Vengeance's cards stand behind an address: compiled apart, they cost the base game nothing.
    """
    if table.game == BASE:
        _base_settle(table, seat, card, r)
    else:
        table.card = card
        table.run = r
        call_address(table, table.settle_address, seat)


@helper
def step_run(table: Any) -> None:
    """Take one step of the innermost forced run: a flip, its end, or a card set aside."""
    r = table.n_runs - 1
    run = table.runs[r]
    seat = int64(run.target)
    if run.flips_left > 0:
        while run.flips_left > 0 and table.n_runs == r + 1:
            if not can_flip(table, seat):
                run.flips_left = 0
                return
            card = flip(table, seat)
            run.flips_left -= 1
            if run.action == JUST_ONE_MORE:
                discard_action(table, r)
            settle(table, seat, card, r)
            if table.over == 0 and table.status[seat] == BUSTED and table.n_runs == r + 1:
                drop_run(table)
    elif run.flipping != 0:
        run.flipping = 0
        discard_action(table, r)
        if run.action == JUST_ONE_MORE:
            stay(table, seat)
        elif table.game == BASE:
            _base_assign_all(table, r)
    elif run.next_aside < run.n_aside:
        if table.game == BASE:
            _base_settle_next_aside(table, r)
        else:
            card = int64(run.aside[run.next_aside])
            run.next_aside += 1
            settle(table, seat, card, NO_RUN)
    else:
        table.n_runs = r


@inlined
def play_cards(table: Any) -> None:
    """Deal, then let the active players hit or stay in turn, until the round is over.

    The deal flips one card for every player who is active when their turn comes; it and the turns
    go round the table alike.
    """
    seat = table.dealer
    undealt = table.active
    table.dealing = 1
    while table.active != 0 and table.over == 0:
        dealing = (table.active & undealt) != 0
        seat = next_seat(table.active, seat)
        table.on_turn = seat
        if dealing:
            undealt &= ~(int64(1) << seat)
        else:
            table.dealing = 0
            if may_stay(table, seat) and wants_to_stay(table, seat):
                stay(table, seat)
                continue
        if can_flip(table, seat):
            card = flip(table, seat)
            settle(table, seat, card, NO_RUN)
            if card > LAST_NUMBER:  # numbers force nobody to flip
                while table.n_runs > 0 and table.over == 0:
                    step_run(table)
        elif not dealing:
            stay(table, seat)
    table.dealing = 0


@inlined
def may_stay(table: Any, seat: int) -> bool:
    """Return whether a player on turn has the choice: not with an empty line, nor with The Zero."""
    return table.n_line[seat] != 0 and not holds_zero(table, seat)


@inlined
def score_round(table: Any) -> None:
    """Score every line as it lies, and the Flip 7."""
    for seat in range(table.n_seats):
        table.score[seat] = round_score(table, seat)
    seat = table.flip7_seat
    if seat >= 0:
        if table.brutal != 0:
            call_address(table, table.bonus_address, seat)
        else:
            table.score[seat] += table.flip7_bonus


@helper
def play_dealt_round(table: Any) -> None:
    """Play a round with deck, dealer and totals as they are; `score` holds its points."""
    start_round(table)
    play_cards(table)
    if table.error == 0:
        score_round(table)
        if table.observer != 0 and table.error == 0:
            table.event = EVENT_ROUND
            call_address(table, table.observer, table.dealer)


@helper
def play_round(table: Any) -> None:
    """Play one round from a full deck, shuffled by the table's stream."""
    fill_deck(table)
    seed_stream(table)
    table.flips_before = 0
    table.round_number = 0
    play_dealt_round(table)


@helper
def find_winners(table: Any) -> int:
    """Return the winners as a bit mask, 0 while the game goes on."""
    highest = table.total[0]
    mask = int64(1)
    for seat in range(1, table.n_seats):
        if table.total[seat] > highest:
            highest = table.total[seat]
            mask = int64(1) << seat
        elif table.total[seat] == highest:
            mask |= int64(1) << seat
    if highest < table.target_score:
        return 0
    if (mask & (mask - 1)) != 0 and table.tie_shares == 0:
        return 0
    return mask


@helper
def play_game(table: Any) -> None:
    """Play a game from the totals and the dealer that the table has.

    Afterwards `winners`, `total`, `round_number` (of the last round) and, with `flips` of the
    last round, `flips_before` tell what happened. After 1,000 rounds a game ends without a winner.
    """
    fill_deck(table)
    seed_stream(table)
    table.flips_before = 0
    table.winners = 0
    for round_number in range(MAX_ROUNDS):
        table.round_number = round_number
        if round_number > 0:
            table.flips_before += table.flips
            table.dealer = table.dealer + 1 if table.dealer + 1 < table.n_seats else 0
            if table.reshuffle_each_round != 0:
                fill_deck(table)
            else:
                discard_round(table)
        play_dealt_round(table)
        if table.error != 0:
            return
        for seat in range(table.n_seats):
            table.total[seat] += table.score[seat]
        table.winners = find_winners(table)
        if table.winners != 0:
            return
