"""One hand of Vengeance: what one more card is worth, and what with optimal play after it.

It is looked up where the deck has been solved (`vengeance.solve_vengeance`); on demand the rest of
a lone player's round is solved from the line on, if that has not too many states. For decks with
Flip Four or Discard optimal play is that of the deck without actions, which is said.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import (
    CARD_NAMES,
    DISCARD,
    FLIP_FOUR,
    FREEZE,
    GAME_CARDS,
    JUST_ONE_MORE,
    KIND,
    UNLUCKY7,
)
from flip7sim.errors import InputError
from flip7sim.exact import store
from flip7sim.exact.basis import FULL_DECK, WITHOUT_ACTIONS
from flip7sim.exact.hands import Hand, line_value
from flip7sim.exact.look_ahead import one_step
from flip7sim.exact.vengeance import hits_key, vengeance_key
from flip7sim.exact.vengeance_layout import build_lattices
from flip7sim.rules import Rules

MOST_STATES: Final = 3_000_000_000
"""More states than this, some fifteen seconds of computing, are not solved for one hand."""
_KEEP_FROM: Final = 0.2
"""Seconds of computing from which on a value is kept on disk."""


@dataclass(frozen=True)
class VengeanceValues:
    """Expected points after one more card, and after optimal play following it if it is known.

    `whole` says whether that is for the deck asked about, or for the same without its actions.
    """

    one_more: float
    optimal: float | None
    whole: bool


def vengeance_values(
    rules: Rules, line: Hand, seen: Hand, left: NDArray[np.int64], threads: int | None
) -> VengeanceValues:
    """Return what hitting is worth.

    Parameters
    ----------
    rules : Rules
    line, seen : mapping of int to int
        By kind.
    left : ndarray of int64, shape (N_KINDS,)
        Cards in the deck.
    threads : int or None
    """
    whole = is_whole(rules)
    solved = rules if whole else without_actions(rules)
    others = seen if whole else {kind: n for kind, n in seen.items() if kind < FREEZE}
    optimal = _optimal(solved, line, others, threads)
    return VengeanceValues(one_more(rules, line, left), optimal, whole)


def is_whole(rules: Rules) -> bool:
    """Return whether the deck is solved as it is, without Flip Four and Discard."""
    return not any(
        rules.counts[kind] and CARD_NAMES[kind] not in rules.inert for kind in (FLIP_FOUR, DISCARD)
    )


def without_actions(rules: Rules) -> Rules:
    """Return the rules with a deck of the same numbers and modifiers alone."""
    deck = {
        name: rules.counts[KIND[name]] if KIND[name] < FREEZE else 0
        for name in GAME_CARDS["vengeance"]
    }
    return replace(rules, deck=deck)


def one_more(rules: Rules, line: Hand, left: NDArray[np.int64]) -> float:
    """Return the expected points after one more card and a stay.

    After a Just One More one more card is flipped; Flip Four and Discard count as no change. Steal
    and Swap have no legal choice for a lone player.

    Parameters
    ----------
    rules : Rules
    line : mapping of int to int
        By kind.
    left : ndarray of int64, shape (N_KINDS,)
        Cards in the deck.
    """
    value = one_step(rules, line, left)
    more = int(left[JUST_ONE_MORE])
    if not more or left.sum() < 2 or "just_one_more" in rules.inert:
        return value
    rest = left.copy()
    rest[JUST_ONE_MORE] -= 1
    gain = one_more(rules, line, rest) - line_value(line, rules)
    return value + more / float(left.sum()) * gain


def _optimal(rules: Rules, line: Hand, seen: Hand, threads: int | None) -> float | None:
    from flip7sim.exact.vengeance_sweep import value_of_hitting

    key: dict[str, Any] = {
        **vengeance_key(rules),
        "what": "vengeance-line",
        "line": {CARD_NAMES[kind]: n for kind, n in sorted(line.items())},
        "seen": {CARD_NAMES[kind]: n for kind, n in sorted(seen.items())},
    }
    found = store.load(key)
    if found is not None:
        return float(found[0]["optimal"])
    try:
        lattices = build_lattices(rules, line=line, seen=seen)
    except InputError:  # the deck could run out, or holds two modifiers of a kind
        return None
    start = time.perf_counter()
    value = value_of_hitting(lattices, threads, most_states=MOST_STATES)
    if value is not None and time.perf_counter() - start > _KEEP_FROM:
        store.save(key, {"optimal": value}, np.zeros(0, np.int64))
    return value


def solved_before(rules: Rules, line: Hand) -> tuple[float, str] | None:
    """Return the points after one more card and optimal play where the deck has been solved.

    Parameters
    ----------
    rules : Rules
    line : mapping of int to int
        By kind; without `unlucky7`, since what it discarded the line does not say.

    Returns
    -------
    tuple of (float, str) or None
        The points and how they were found; None if no solution on disk has the line.
    """
    if rules.specials and line.get(UNLUCKY7, 0):
        return None
    whole = is_whole(rules)
    solved = rules if whole else without_actions(rules)

    def locate(_: NDArray[np.int64]) -> list[int]:
        full, here = build_lattices(solved), build_lattices(solved, line=line)
        at = (here.line_modifiers, 0, full.first.place[here.line], 0)
        return [int(np.ravel_multi_index(at, full.shape))]

    found = store.read_values(hits_key(solved), locate)
    if found is None or np.isnan(found[0]):
        return None
    return float(found[0]), FULL_DECK if whole else WITHOUT_ACTIONS
