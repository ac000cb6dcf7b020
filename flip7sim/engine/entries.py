"""Addresses of the cards of Vengeance, which are compiled apart and only when they are played."""

from __future__ import annotations

from typing import Any

from flip7sim._jit import address_of
from flip7sim.engine.vengeance import brutal_bonus, settle
from flip7sim.table import VENGEANCE


def _settle(table: Any, seat: int) -> int:
    return settle(table, seat)


def _bonus(table: Any, seat: int) -> int:
    return brutal_bonus(table, seat)


def prepare(tables: Any) -> None:
    """Write the addresses of this process into a table of Vengeance.

    Parameters
    ----------
    tables : ndarray of TABLE, shape (1,)
    """
    if tables["game"][0] == VENGEANCE:
        tables["settle_address"][0] = address_of(_settle)
        if tables["brutal"][0]:
            tables["bonus_address"][0] = address_of(_bonus)
