"""The cards of Flip 7: With a Vengeance (rules.md section 5)."""

from __future__ import annotations

from typing import Any

from flip7sim._jit import helper, inlined, int64
from flip7sim.cards import (
    DISCARD,
    FIRST_MODIFIER,
    FLIP_FOUR,
    JUST_ONE_MORE,
    LAST_MODIFIER,
    LAST_NUMBER,
    SEVEN,
    STEAL,
    SWAP,
    UNLUCKY7,
)
from flip7sim.engine.choices import choose
from flip7sim.engine.deck import discard
from flip7sim.engine.options import (
    list_all,
    list_cards,
    list_open,
    list_receivers,
    list_swaps,
    next_kind,
)
from flip7sim.engine.runs import push_run, set_aside, sweep
from flip7sim.lines import POINTS, RANK, add_card, bust, is_illegal, remove_card
from flip7sim.table import (
    ASK_DISCARD,
    ASK_FLIP7_BONUS,
    ASK_FLIP_FOUR,
    ASK_JUST_ONE_MORE,
    ASK_MODIFIER,
    ASK_STEAL,
    ASK_SWAP,
    BUSTED,
    NO_CARD,
)


@inlined
def arrive(table: Any, seat: int, card: int) -> None:
    """Put a card into a line by whatever way; Unlucky 7 first wipes the line it comes to."""
    if card == UNLUCKY7 and table.specials != 0:
        kind = 0
        while kind <= LAST_MODIFIER:
            while table.line[seat, kind] != 0:
                remove_card(table, seat, kind)
                discard(table, seat, kind)
            kind = next_kind(kind)
    add_card(table, seat, card)


@inlined
def find_bust(table: Any, seat: int, card: int) -> None:
    """Bust a line in which the rank of the card that has just moved makes an illegal pair."""
    if card <= LAST_NUMBER and is_illegal(table, seat, RANK[card]):
        bust(table, seat)


@inlined
def find_flip7(table: Any, seat: int) -> None:
    """End the round when a line that has not busted has its seventh number."""
    if table.n_numbers[seat] >= SEVEN and table.status[seat] != BUSTED:
        sweep(table, seat)


@helper
def give_modifier(table: Any, drawer: int, card: int) -> None:
    """Let the drawer give a modifier to a player, or discard it when nobody can take it."""
    list_receivers(table, drawer)
    if table.n_options == 0:
        discard(table, drawer, card)
        return
    table.settling = card
    receiver = int64(table.options[choose(table, drawer, ASK_MODIFIER, card)].seat)
    table.settling = NO_CARD
    if table.status[receiver] == BUSTED:
        table.line[receiver, card] += 1
        table.n_line[receiver] += 1
        table.penalty[receiver] += POINTS[card]
    else:
        add_card(table, receiver, card)


@helper
def force_flips(table: Any, chooser: int, card: int) -> None:
    """Let the chooser pick who is flipped cards by Just One More or Flip Four."""
    list_open(table, chooser)
    if table.n_options == 0:
        discard(table, chooser, card)
        return
    table.settling = card
    ask = ASK_JUST_ONE_MORE if card == JUST_ONE_MORE else ASK_FLIP_FOUR
    target = int64(table.options[choose(table, chooser, ask, card)].seat)
    table.settling = NO_CARD
    push_run(table, card, target, 1 if card == JUST_ONE_MORE else 4)


@helper
def steal(table: Any, chooser: int) -> None:
    """Take a card out of another's line into the own one."""
    option = table.options[choose(table, chooser, ASK_STEAL, STEAL)]
    victim, card = int64(option.seat), int64(option.card)
    if table.over != 0:
        return
    remove_card(table, victim, card)
    # Without its `lucky13` a single 13 is left, so the victim cannot bust; it may reach no seven.
    arrive(table, chooser, card)
    find_bust(table, chooser, card)
    find_flip7(table, chooser)


@helper
def swap(table: Any, chooser: int) -> None:
    """Exchange two cards: both leave, both arrive, then busts are found, then a Flip 7."""
    option = table.options[choose(table, chooser, ASK_SWAP, SWAP)]
    one, card, two, with_card = (
        int64(option.seat), int64(option.card), int64(option.with_seat), int64(option.with_card),
    )  # fmt: skip
    if table.over != 0:
        return
    remove_card(table, one, card)
    remove_card(table, two, with_card)
    arrive(table, one, with_card)
    arrive(table, two, card)
    find_bust(table, one, with_card)
    find_bust(table, two, card)
    find_flip7(table, one)
    if table.over == 0:
        find_flip7(table, two)


@helper
def discard_card(table: Any, chooser: int) -> None:
    """Send a card of the chooser's pick from a line to the discard pile."""
    option = table.options[choose(table, chooser, ASK_DISCARD, DISCARD)]
    if table.over == 0:
        remove_card(table, int64(option.seat), int64(option.card))
        discard(table, int64(option.seat), int64(option.card))


@helper
def settle(table: Any, seat: int) -> int:
    """Settle `table.card`, flipped for `seat` in run `table.run` or, with -1, on its own."""
    card, r = table.card, table.run
    if card <= LAST_NUMBER:
        arrive(table, seat, card)
        find_bust(table, seat, card)
        find_flip7(table, seat)
        return 0
    if table.inert[card] != 0:
        discard(table, seat, card)
        return 0
    if r >= 0 and table.runs[r].action == FLIP_FOUR:
        set_aside(table, r, card)
        return 0
    if FIRST_MODIFIER <= card <= LAST_MODIFIER:
        give_modifier(table, seat, card)
        return 0
    if card == JUST_ONE_MORE or card == FLIP_FOUR:
        force_flips(table, seat, card)
        return 0
    table.n_options = 0
    if card == STEAL:
        if table.status[seat] != BUSTED:
            list_cards(table, seat, False)
    elif card == SWAP:
        list_swaps(table, seat)
    else:
        list_cards(table, seat, True)
    if table.n_options == 0:
        discard(table, seat, card)
        return 0
    table.settling = card
    if card == STEAL:
        steal(table, seat)
    elif card == SWAP:
        swap(table, seat)
    else:
        discard_card(table, seat)
    if table.settling != NO_CARD and table.error == 0:  # else a Flip 7 has swept it
        discard(table, seat, card)
        table.settling = NO_CARD
    return 0


@helper
def brutal_bonus(table: Any, seat: int) -> int:
    """Let the player who reached Flip 7 take the bonus or take it off another's round score."""
    list_all(table, seat)
    target = int64(table.options[choose(table, seat, ASK_FLIP7_BONUS, NO_CARD)].seat)
    if target == seat:
        table.score[seat] += table.flip7_bonus
    else:
        table.score[target] -= table.flip7_bonus
    return 0
