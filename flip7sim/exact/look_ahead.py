"""One step of look-ahead: the next card from the cards that are left, then a known value.

With cards seen, what comes after the next card is taken from the solution of the full deck, as if
they were still in it. So their effect on the next card is exact and that on later ones is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import (
    CARD_NAMES,
    FIRST_MODIFIER,
    FLIP_THREE,
    FREEZE,
    LAST_MODIFIER,
    LAST_NUMBER,
    N_KINDS,
    SECOND_CHANCE,
    SEVEN,
    UNLUCKY7,
)
from flip7sim.errors import InputError
from flip7sim.exact import packed, store
from flip7sim.exact.hands import Hand, after_card, line_value
from flip7sim.exact.probability import busts, counted_numbers
from flip7sim.exact.round import Solution, rules_key, solve
from flip7sim.rules import Rules

State = tuple[Hand, dict[str, int]]
"""A line, and what else `packed.line_state` has to know."""


def one_step(rules: Rules, line: Mapping[int, int], left: NDArray[np.int64]) -> float:
    """Return the expected points after one more card, when actions and inert cards change nothing.

    Parameters
    ----------
    rules : Rules
        Of either game.
    line : mapping of int to int
        By kind.
    left : ndarray of int64, shape (N_KINDS,)
        Cards in the deck.
    """
    value = sum(
        int(left[kind]) * points_after(rules, line, int(kind)) for kind in np.flatnonzero(left)
    )
    return value / float(left.sum())


def points_after(rules: Rules, line: Mapping[int, int], kind: int) -> int:
    """Return what a line is worth after a card; actions and inert cards change nothing.

    Examples
    --------
    >>> [points_after(Rules(), {12: 1, 5: 1}, kind) for kind in (12, 3)]
    [0, 20]
    """
    stay = line_value(line, rules)
    if kind <= LAST_NUMBER:
        if busts(rules, line, kind):
            return stay if line.get(SECOND_CHANCE, 0) else 0
        longer = after_card(line, kind, rules)
        if counted_numbers(rules, line, kind) >= SEVEN:
            # A Zero that is one of the seven costs nothing any more.
            without_zero = {card: count for card, count in longer.items() if card}
            return line_value(without_zero, rules) + rules.flip7_bonus
        return line_value(longer, rules)
    if FIRST_MODIFIER <= kind <= LAST_MODIFIER and CARD_NAMES[kind] not in rules.inert:
        return line_value(after_card(line, kind, rules), rules)
    return stay


def full_deck(rules: Rules, line: Hand, threads: int | None) -> tuple[float, float]:
    """Return the points after one more card, then staying or optimal play, from the full deck."""
    here: list[State] = [(line, {})]
    (one_more,) = _values("one-more", rules, here, threads)
    (optimal,) = _values("round", rules, here, threads)
    return one_more, optimal


def cards_seen(
    rules: Rules, line: Hand, left: NDArray[np.int64], threads: int | None
) -> tuple[float, float]:
    """Return the same two with cards seen, by one step of look-ahead.

    Parameters
    ----------
    rules : Rules
        Of the base game, with a full deck that can be solved exactly.
    line : mapping of int to int
        By kind.
    left : ndarray of int64, shape (N_KINDS,)
        Cards in the deck.
    threads : int or None
        For a solution that is not cached.
    """
    full = np.array([rules.counts[kind] - line.get(kind, 0) for kind in range(N_KINDS)], np.int64)
    kinds = [int(kind) for kind in np.flatnonzero(full) if not _is_flip_three(rules, int(kind))]
    stays = {kind: float(points_after(rules, line, kind)) for kind in kinds}
    going_on = {kind: state for kind in kinds if (state := _state_after(rules, line, kind))}
    one_more, optimal = full_deck(rules, line, threads)
    hits = _values("round", rules, list(going_on.values()), threads)
    best = stays | {kind: max(stays[kind], hit) for kind, hit in zip(going_on, hits, strict=True)}

    def mixed(after: dict[int, float], from_full: float) -> float:
        threes = int(full.sum()) - sum(int(full[kind]) for kind in kinds)
        value = sum(int(left[kind]) * after[kind] for kind in kinds)
        if threes:  # what a Flip Three is worth is the rest of the full deck's value
            rest = from_full * int(full.sum()) - sum(
                int(full[kind]) * after[kind] for kind in kinds
            )
            value += int(left[FLIP_THREE]) * rest / threes
        return value / int(left.sum())

    return mixed(stays, one_more), mixed(best, optimal)


def vengeance_numbers(
    rules: Rules, line: Hand, left: NDArray[np.int64], threads: int | None
) -> float | None:
    """Return the points after one more card and optimal play in Vengeance, where they are known.

    Parameters
    ----------
    rules : Rules
        Of Vengeance; the solutions of decks of number cards hold what is looked up.
    line : mapping of int to int
        By kind. What it has lost to `unlucky7` it does not say, so with that card it has no value.
    left : ndarray of int64, shape (N_KINDS,)
        Cards in the deck. After the next one, play goes on as from the full deck.
    threads : int or None
        For a solution that is not cached.
    """
    # These load the compiler, which the base game can do without.
    from flip7sim.exact import vengeance_words as head
    from flip7sim.exact.vengeance import solve_vengeance, vengeance_key
    from flip7sim.exact.vengeance_layout import build_lattices

    if rules.specials and line.get(UNLUCKY7, 0):
        return None
    try:
        if not build_lattices(rules).is_playable:
            return None
    except InputError:
        return None
    ended, going_on = 0.0, []
    for kind in (int(kind) for kind in np.flatnonzero(left[: LAST_NUMBER + 1])):
        if busts(rules, line, kind):
            continue
        if counted_numbers(rules, line, kind) >= SEVEN:
            ended += int(left[kind]) * points_after(rules, line, kind)
        else:
            going_on.append(kind)

    def locate(words: NDArray[np.int64]) -> list[int]:
        item = words[head.WORD_ITEM_AT :][:N_KINDS]
        mask = sum(1 << int(item[kind]) for kind in line if item[kind] >= 0)
        indices = []
        for kind in going_on:
            wiped = rules.specials and kind == UNLUCKY7
            longer = mask if wiped else mask | 1 << int(item[kind])
            values = words[head.WORD_WIPED_AT if wiped else head.WORD_VALUES_AT]
            indices.append(int(values + words[words[head.WORD_FIRST_PLACE] + longer]))
        return indices

    found = store.read_values(vengeance_key(rules), locate)
    if found is None:
        words = solve_vengeance(rules, threads=threads).words
        found = [float(words[at : at + 1].view(np.float64)[0]) for at in locate(words)]
    ended += sum(int(left[kind]) * value for kind, value in zip(going_on, found, strict=True))
    return ended / int(left.sum())


def solve_one_more(rules: Rules, threads: int | None = None) -> NDArray[np.int64]:
    """Return the value of one more card, then staying, in every state, packed and cached.

    Parameters
    ----------
    rules : Rules
        As for `round.solve`.
    threads : int, optional

    Returns
    -------
    ndarray of int64
        Words as made by `packed.pack`.
    """
    from flip7sim.exact import kernels, sweep
    from flip7sim.exact.layout import build_layout
    from flip7sim.exact.round import points

    layout = build_layout(rules)
    with sweep.workers(threads) as pool:
        values = sweep.solve_backward(layout, points(layout), pool, mode=kernels.ALWAYS_STAY)
    words = packed.pack(layout, values.hit)
    store.save({"what": "one-more", **rules_key(rules)}, {}, words)
    return words


def _is_flip_three(rules: Rules, kind: int) -> bool:
    return kind == FLIP_THREE and CARD_NAMES[kind] not in rules.inert


def _state_after(rules: Rules, line: Hand, kind: int) -> State | None:
    """Return the state after a card that is no Flip Three; None if the round is over."""
    if CARD_NAMES[kind] in rules.inert:
        return line, {"inert": 1}
    if kind == FREEZE:
        return None
    if kind == SECOND_CHANCE:
        return (line, {"surplus": 1}) if line.get(kind, 0) else ({**line, kind: 1}, {})
    if kind <= LAST_NUMBER:
        if busts(rules, line, kind):
            without = {card: count for card, count in line.items() if card != SECOND_CHANCE}
            return (without, {"used": 1}) if line.get(SECOND_CHANCE, 0) else None
        if counted_numbers(rules, line, kind) >= SEVEN:
            return None
    return after_card(line, kind, rules), {}


def _values(what: str, rules: Rules, states: list[State], threads: int | None) -> list[float]:
    """Return the values of hitting in the full deck's solution, computed where it is not cached."""

    def locate(words: NDArray[np.int64]) -> list[int]:
        return [int(words[packed.WORD_VALUES_AT]) + at for at in places(words)]

    def places(words: NDArray[np.int64]) -> list[int]:
        return [
            packed.line_state(
                words, np.array([line.get(kind, 0) for kind in range(N_KINDS)], np.int64), **spent
            )
            for line, spent in states
        ]

    found = store.read_values({"what": what, **rules_key(rules)}, locate)
    if found is not None:
        return found
    solution: Any = (
        solve(rules, threads=threads) if what == "round" else solve_one_more(rules, threads)
    )
    words = solution.words if isinstance(solution, Solution) else solution
    return [float(value) for value in packed.values(words).ravel()[places(words)]]
