"""The legal options of Vengeance's choices (rules.md sections 5 and 6)."""

from __future__ import annotations

from typing import Any

from flip7sim._jit import helper
from flip7sim.cards import DIV2, LAST_MODIFIER, LAST_NUMBER
from flip7sim.engine.choices import add_option
from flip7sim.table import ACTIVE, BUSTED, STAYED


@helper
def is_open(table: Any, seat: int) -> bool:
    """Return whether actions may touch the seat: not busted, and not protected by having stayed."""
    status = table.status[seat]
    return status == ACTIVE or (status == STAYED and table.open_after_stay != 0)


@helper
def may_receive(table: Any, seat: int) -> bool:
    """Return whether a modifier may be given to the seat; in Brutal mode busted players too."""
    return is_open(table, seat) or (table.brutal != 0 and table.status[seat] == BUSTED)


@helper
def seat_after(table: Any, seat: int) -> int:
    """Return the next seat clockwise."""
    return seat + 1 if seat + 1 < table.n_seats else 0


@helper
def list_open(table: Any, chooser: int) -> None:
    """List the players whom an action may touch."""
    table.n_options = 0
    seat = chooser
    for _ in range(table.n_seats):
        seat = seat_after(table, seat)
        if is_open(table, seat):
            add_option(table, seat)


@helper
def list_receivers(table: Any, chooser: int) -> None:
    """List the players to whom a modifier may be given."""
    table.n_options = 0
    seat = chooser
    for _ in range(table.n_seats):
        seat = seat_after(table, seat)
        if may_receive(table, seat):
            add_option(table, seat)


@helper
def list_all(table: Any, chooser: int) -> None:
    """List every player: the Flip 7 bonus of Brutal mode."""
    table.n_options = 0
    seat = chooser
    for _ in range(table.n_seats):
        seat = seat_after(table, seat)
        add_option(table, seat)


@helper
def next_kind(kind: int) -> int:
    """Return the next kind that may lie in a Vengeance line; past the last `LAST_MODIFIER + 1`."""
    return DIV2 if kind == LAST_NUMBER else kind + 1


@helper
def list_cards(table: Any, chooser: int, own: bool) -> None:
    """List the cards in open lines, equal cards of a line once; the own line's if `own`."""
    table.n_options = 0
    seat = chooser
    for _ in range(table.n_seats - (0 if own else 1)):
        seat = seat_after(table, seat)
        if is_open(table, seat) and table.n_line[seat] > 0:
            kind = 0
            while kind <= LAST_MODIFIER:
                if table.line[seat, kind] != 0:
                    add_option(table, seat)
                    table.options[table.n_options - 1].card = kind
                kind = next_kind(kind)


@helper
def list_swaps(table: Any, chooser: int) -> None:
    """List every pair of cards in two different open lines."""
    list_cards(table, chooser, True)
    n_cards = table.n_options
    # The cards just listed, seat by seat, are read while pairs are written behind them.
    n = n_cards
    for i in range(n_cards):
        first = table.options[i]
        for j in range(i + 1, n_cards):
            second = table.options[j]
            if second.seat != first.seat:
                option = table.options[n]
                option.seat = first.seat
                option.card = first.card
                option.with_seat = second.seat
                option.with_card = second.card
                n += 1
    for i in range(n - n_cards):
        source, option = table.options[n_cards + i], table.options[i]
        option.seat = source.seat
        option.card = source.card
        option.with_seat = source.with_seat
        option.with_card = source.with_card
    table.n_options = n - n_cards
