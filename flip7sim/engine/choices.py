"""Asking a player: legal options are listed, the policy answers an index, which is checked.

Options stand clockwise from the seat after the chooser, the chooser last, so that a policy which
takes the first of equals treats equal players equally. A single option is not asked.
"""

from __future__ import annotations

from typing import Any

from flip7sim._jit import call_address, helper, inlined, int64, trailing_zeros
from flip7sim.table import (
    ASK_HIT_OR_STAY,
    ERROR_ANSWER,
    ERROR_RAISED,
    EVENT_DECISION,
    N_ROWS,
    N_TERMS,
    NO_CARD,
    NO_SEAT,
    RAISED,
    ROW_SHIFT,
)


@inlined
def packed(seat: int, row: int) -> int:
    """Return seat and policy row in one number: in a register it is there sooner than in memory."""
    return seat | (row << ROW_SHIFT)


@helper
def refuse(table: Any, chooser: int, answer: int) -> None:
    """End the run because of an answer that is not legal."""
    table.error = ERROR_RAISED if answer == RAISED else ERROR_ANSWER
    table.answer = answer
    table.chooser = chooser
    table.over = 1


@helper
def decided(table: Any, chooser: int, answer: int) -> None:
    """Tell the observer of a decision."""
    table.answer = answer
    table.event = EVENT_DECISION
    call_address(table, table.observer, chooser)


@helper
def add_option(table: Any, seat: int) -> None:
    """List a seat as a legal answer."""
    option = table.options[table.n_options]
    option.seat = seat
    option.card = NO_CARD
    option.with_seat = NO_SEAT
    option.with_card = NO_CARD
    table.n_options += 1


@inlined
def next_seat(pool: int, seat: int) -> int:
    """Return the next seat clockwise of those whose bit is set in `pool`, at least one."""
    beyond = pool & (int64(-2) << seat)
    return trailing_zeros(beyond if beyond != 0 else pool)


@helper
def list_active(table: Any, chooser: int) -> None:
    """List every active player."""
    table.n_options = 0
    seat = chooser
    for _ in range(table.n_active):
        seat = next_seat(table.active, seat)
        add_option(table, seat)


@helper
def choose(table: Any, chooser: int, ask: int, card: int) -> int:
    """Return the chooser's answer to `ask` about `card`: an index into the listed options.

    With an illegal answer the table is over and in error; the index returned is then 0.
    """
    if table.n_options == 1:
        return 0
    table.ask = ask
    table.card = card
    table.chooser = chooser
    row = chooser * N_ROWS + N_TERMS + ask
    table.row = row
    answer = call_address(table, table.address[row], packed(chooser, row))
    if answer < 0 or answer >= table.n_options:
        refuse(table, chooser, answer)
        return 0
    if table.observer != 0:
        decided(table, chooser, answer)
    return answer


@helper
def _combined(table: Any, seat: int) -> int:
    """Return the answer of several stay policies: `or` of groups joined by `and`."""
    group = 1
    for term in range(table.n_terms[seat]):
        joined = (table.and_terms[seat] >> term) & 1
        if joined == 0:
            if term > 0 and group == 1:
                return 1
            group = 1
        if group == 1:
            row = seat * N_ROWS + term
            table.row = row
            answer = call_address(table, table.address[row], packed(seat, row))
            if answer < 0 or answer > 1:
                return answer
            group = answer
    return group


@inlined
def wants_to_stay(table: Any, seat: int) -> bool:
    """Ask a player on turn to hit or stay."""
    table.ask = ASK_HIT_OR_STAY
    table.chooser = seat
    table.n_options = 2
    if table.n_terms[seat] == 1:
        row = seat * N_ROWS
        table.row = row
        answer = call_address(table, table.address[row], packed(seat, row))
    else:
        answer = _combined(table, seat)
    if answer < 0 or answer > 1:
        refuse(table, seat, answer)
        return True
    if table.observer != 0:
        decided(table, seat, answer)
    return answer == 1
