"""The cards of the base game (rules.md section 4)."""

from __future__ import annotations

from typing import Any

from flip7sim._jit import helper, inlined, int64
from flip7sim.cards import FLIP_THREE, FREEZE, LAST_MODIFIER, LAST_NUMBER, SECOND_CHANCE, SEVEN
from flip7sim.engine.choices import add_option, choose, list_active, next_seat
from flip7sim.engine.deck import discard
from flip7sim.engine.runs import push_run, set_aside, sweep
from flip7sim.lines import add_card, bust, stay
from flip7sim.table import ACTIVE, ASK_FLIP_THREE, ASK_FREEZE, ASK_SECOND_CHANCE, NO_CARD


@inlined
def take_number(table: Any, seat: int, card: int) -> None:
    """Put a number into the line: Second Chance saves from a duplicate, seven end the round."""
    held = table.held[seat]
    if (held >> card) & 1 == 0:
        table.held[seat] = held | (int64(1) << card)
        table.line[seat, card] += 1
        table.n_line[seat] += 1
        table.number_sum[seat] += card
        table.n_numbers[seat] += 1
        if table.n_numbers[seat] == SEVEN:
            sweep(table, seat)
    elif table.n_second_chances[seat] != 0:
        table.n_second_chances[seat] = 0
        table.line[seat, SECOND_CHANCE] -= 1
        table.n_line[seat] -= 1
        discard(table, seat, card)
        discard(table, seat, SECOND_CHANCE)
    else:
        table.line[seat, card] += 1
        table.n_line[seat] += 1
        bust(table, seat)


@helper
def take_second_chance(table: Any, seat: int) -> None:
    """Keep the first Second Chance, give a surplus one away, discard it if nobody can take it."""
    taker = seat
    if table.n_second_chances[seat] != 0:
        table.n_options = 0
        other = seat
        for _ in range(table.n_active):
            other = next_seat(table.active, other)
            if table.n_second_chances[other] == 0:
                add_option(table, other)
        if table.n_options == 0:
            discard(table, seat, SECOND_CHANCE)
            return
        table.settling = SECOND_CHANCE
        taker = int64(table.options[choose(table, seat, ASK_SECOND_CHANCE, SECOND_CHANCE)].seat)
        table.settling = NO_CARD
    table.n_second_chances[taker] = 1
    table.line[taker, SECOND_CHANCE] += 1
    table.n_line[taker] += 1


@helper
def choose_target(table: Any, chooser: int, card: int) -> int:
    """Return the active player whom the chooser picks for a Freeze or Flip Three."""
    list_active(table, chooser)
    ask = ASK_FREEZE if card == FREEZE else ASK_FLIP_THREE
    return int64(table.options[choose(table, chooser, ask, card)].seat)


@helper
def act(table: Any, card: int, target: int) -> None:
    """Let a Freeze or Flip Three take effect; without an active target it is discarded."""
    if table.status[target] != ACTIVE:
        discard(table, target, card)
    elif card == FREEZE:
        table.frozen[target] = 1
        stay(table, target)
    else:
        push_run(table, FLIP_THREE, target, 3)


@inlined
def settle(table: Any, seat: int, card: int, r: int) -> None:
    """Settle a card just flipped for `seat`, in run `r` or, with -1, on its own."""
    if card <= LAST_NUMBER:
        take_number(table, seat, card)
    elif table.inert[card] != 0:
        discard(table, seat, card)
    elif card <= LAST_MODIFIER:
        add_card(table, seat, card)
    elif card == SECOND_CHANCE:
        take_second_chance(table, seat)
    elif r >= 0:
        set_aside(table, r, card)
    else:
        table.settling = card
        target = choose_target(table, seat, card)
        table.settling = NO_CARD
        if table.over == 0:
            act(table, card, target)


@helper
def assign_all(table: Any, r: int) -> None:
    """Let the target of run `r` assign every card set aside, before any takes effect."""
    run = table.runs[r]
    for k in range(int64(run.n_aside)):
        run.assigned[k] = choose_target(table, int64(run.target), int64(run.aside[k]))
        if table.over != 0:
            return


@helper
def settle_next_aside(table: Any, r: int) -> None:
    """Let the next assigned card of run `r` take effect."""
    run = table.runs[r]
    k = int64(run.next_aside)
    run.next_aside += 1
    act(table, int64(run.aside[k]), int64(run.assigned[k]))
