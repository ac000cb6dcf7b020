"""A table laid out by hand, and a policy asked at it, compiled and plain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from flip7sim.callbacks import call_at
from flip7sim.cards import DIV2, FIRST_MODIFIER, KIND, LAST_NUMBER, MODIFIER_POINTS, RANKS, X2
from flip7sim.policies import as_player
from flip7sim.rules import Rules
from flip7sim.table import (
    ACTIVE,
    ASK,
    ASK_HIT_OR_STAY,
    BUSTED,
    N_ROWS,
    N_TERMS,
    NO_CARD,
    NO_SEAT,
    STAYED,
    new_table,
)

STATUS = {"": ACTIVE, "stayed": STAYED, "busted": BUSTED}

Option = int | tuple[int, str] | tuple[int, str, int, str]


def lay(table: Any, seat: int, kind: int) -> None:
    """Put a card in front of a seat."""
    table.line[seat, kind] += 1
    table.n_line[seat] += 1
    table.left[kind] -= 1
    table.n_cards_left -= 1
    if kind <= LAST_NUMBER:
        rank = RANKS[kind]
        paired = rank == 13 and table.held[seat] >> 13 & 1 and table.lucky13_pair_counts == 1
        table.n_numbers[seat] += 0 if paired else 1
        table.held[seat] |= 1 << rank
        table.number_sum[seat] += rank
    elif kind in (X2, DIV2):
        table.n_doublers[seat] += 1
    elif kind >= FIRST_MODIFIER and MODIFIER_POINTS[kind]:
        table.modifier_sum[seat] += MODIFIER_POINTS[kind]
    else:
        table.n_second_chances[seat] += 1


def write_options(table: Any, options: Sequence[Option]) -> None:
    """List the legal answers: seats, or (seat, card), or (seat, card, seat, card)."""
    table.n_options = len(options)
    for k, option in enumerate(options):
        seat, card, other, with_card = NO_SEAT, NO_CARD, NO_SEAT, NO_CARD
        match option:
            case int():
                seat = option
            case (seat, name):
                card = KIND[name]
            case (seat, name, other, with_name):
                card, with_card = KIND[name], KIND[with_name]
        table.options[k] = (seat, card, other, with_card)


@pytest.fixture
def deal() -> Callable[..., Any]:
    """Lay out a table: a text per seat, cards by name and perhaps `stayed` or `busted`."""

    def laid_out(
        *lines: str,
        totals: Sequence[int] = (),
        seen: str = "",
        ask: str = "hit_or_stay",
        chooser: int = 0,
        card: str = "",
        options: Sequence[Option] = (),
        **rules: Any,
    ) -> Any:
        table = new_table(Rules(**rules), len(lines))
        for seat, text in enumerate(lines):
            words = text.split()
            status = next((STATUS[word] for word in words if word in STATUS), ACTIVE)
            table.status[seat] = status
            for word in words:
                if word not in STATUS:
                    lay(table, seat, KIND[word])
        table.n_active = sum(table.status[: len(lines)] == ACTIVE)
        for name in seen.split():
            table.left[KIND[name]] -= 1
            table.discarded[KIND[name]] += 1
            table.n_cards_left -= 1
            table.n_discarded += 1
        for seat, total in enumerate(totals):
            table.total[seat] = total
        table.ask = ASK[ask]
        table.chooser = chooser
        table.card = KIND[card] if card else NO_CARD
        if options:
            write_options(table, options)
        return table

    return laid_out


@pytest.fixture
def decide() -> Callable[..., int]:
    """Ask a player at a table; compiled and plain must agree and leave the table as it was."""

    def decision(player: object, table: Any, seat: int = 0) -> int:
        who = as_player(player)
        assert len(who.terms) == 1
        who.install(table, seat)
        stays = table.ask == ASK_HIT_OR_STAY
        row = 0 if stays else N_TERMS + int(table.ask)
        table.row = seat * N_ROWS + row
        before = table.tobytes()
        policy = who.policy_at(row)
        answer = call_at(int(table.address[table.row]), table, seat)
        plain = policy(table, seat)
        assert isinstance(plain, bool | int | np.bool_ | np.integer)
        assert int(plain) == answer
        assert call_at(int(table.address[table.row]), table, seat) == answer
        assert table.tobytes() == before
        return answer

    return decision


@pytest.fixture
def call() -> Callable[..., int]:
    """Call a stay policy's address at a table, whatever it answers."""

    def called(policy: object, table: Any, seat: int = 0) -> int:
        who = as_player(policy)
        who.install(table, seat)
        table.row = seat * N_ROWS
        return call_at(int(table.address[table.row]), table, seat)

    return called
