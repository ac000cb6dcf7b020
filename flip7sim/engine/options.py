"""The legal options of Vengeance's choices (rules.md sections 5 and 6)."""

from __future__ import annotations

from typing import Any

from flip7sim._jit import helper, int64
from flip7sim.cards import DIV2, LAST_MODIFIER, LAST_NUMBER, MAX_DECK
from flip7sim.engine.choices import add_option
from flip7sim.table import ACTIVE, BUSTED, MAX_OPTIONS, NO_CARD, NO_SEAT, STAYED


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
    append_cards(table, chooser, own)


@helper
def append_cards(table: Any, chooser: int, own: bool) -> None:
    """List cards as `list_cards` does, behind the options that are there."""
    n = table.n_options
    seat = chooser
    for _ in range(table.n_seats - (0 if own else 1)):
        seat = seat_after(table, seat)
        if is_open(table, seat) and table.n_line[seat] > 0:
            kind = int64(0)
            while kind <= LAST_MODIFIER:
                if table.line[seat, kind] != 0:
                    option = table.options[n]
                    option.seat = seat
                    option.card = kind
                    option.with_seat = NO_SEAT
                    option.with_card = NO_CARD
                    n += 1
                kind = next_kind(kind)
    table.n_options = n


@helper
def list_swaps(table: Any, chooser: int) -> None:
    """List every pair of cards in two different open lines."""
    # The single cards stand at the far end, where no pair will, while the pairs are written.
    table.n_options = MAX_OPTIONS - MAX_DECK
    append_cards(table, chooser, True)
    first, end = MAX_OPTIONS - MAX_DECK, table.n_options
    n = 0
    for i in range(first, end):
        one = table.options[i]
        for j in range(i + 1, end):
            other = table.options[j]
            option = table.options[n]
            option.seat = one.seat
            option.card = one.card
            option.with_seat = other.seat
            option.with_card = other.card
            n += other.seat != one.seat
    table.n_options = n
