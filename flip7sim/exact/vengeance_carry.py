"""Compiled forward sweep over lattices of Vengeance lines: where the chances go.

Decisions come from solved values or from policies, which are asked about every state that they
reach. Lattices that differ in the cards left only, the *lanes*, are swept side by side.
"""

from __future__ import annotations

from typing import Any, Final

from flip7sim._jit import helper
from flip7sim.exact.asking import stay_chance
from flip7sim.exact.vengeance_asking import show_line
from flip7sim.exact.vengeance_lattice import (
    BLANKS,
    BONUS,
    FIXED_COUNT,
    FIXED_SUM,
    HELD,
    JUST_ONE_MORES,
    LOW,
    MUST_HIT,
    SEVENTH,
    SIZE,
    SUM,
    UNLUCKY,
    UNLUCKY_POINTS,
    ZERO,
)

FROM_VALUES: Final = 0
"""Stay where the value of the state is that of staying."""
ASKED: Final = 1
"""Ask the policies in the table about every state."""
ASKED_ONCE: Final = 2
"""The same, for policies that look at the line alone: one answer serves all lanes."""

P_BUST: Final = 0
P_FLIP7: Final = 1
N_REACHED: Final = 2
N_FIGURES: Final = 3
"""Columns of `figures`."""
UNKNOWN: Final = -1.0
"""In `known`: the policies have not been asked."""


@helper
def carry_lattice(
    sets: Any, children: Any, item_rank: Any, scores: Any, settings: Any, cards: Any, share: Any,
    same: Any, kept: Any, n_bits: Any, n_modifiers: int, mode: int, values: Any, table: Any,
    coins: Any, shown: Any, lost: Any, lost_combo: int, known: Any, chances: Any, wipes: Any,
    histogram: Any, figures: Any, rooms: Any,
) -> bool:  # fmt: skip
    """Carry the chances of being in each state through some lattices side by side.

    Parameters
    ----------
    sets, children, item_rank, scores, settings, cards, share, kept, n_bits, n_modifiers
        As for `solve_lattice`.
    same : ndarray of float64, shape (n_lanes,)
        Cards in the deck that bust the start.
    mode : int
        `FROM_VALUES`, `ASKED` or `ASKED_ONCE`.
    values : ndarray of float64
        From `solve_lattice`.
    table : record
        With the policies.
    coins : ndarray of float64
        Chances of random terms (`asking.stay_chance`).
    shown : tuple of ndarray
        What `show_line` needs to know of the deck.
    lost : ndarray of int64, shape (n_lanes,)
        Set of items that `unlucky7` discarded, -1 before it.
    lost_combo : int
        Set of modifiers that it discarded.
    known : ndarray of float64, shape (2**n_modifiers, n_blanks + 1, n_sets)
        Answers of policies that look at the line alone, `UNKNOWN` until asked.
    chances : ndarray of float64, shape (2**n_modifiers, n_blanks + 1, n_sets, n_lanes)
        In: the chances of the lattice's starts, zeros elsewhere. Out: zeros.
    wipes : ndarray of float64, same shape
        Chance that `unlucky7` arrives in each state, added to while it is in the deck.
    histogram : ndarray of float64, shape (n_scores, n_lanes)
        Chance of each score without busts, the lowest score first, added to.
    figures : ndarray of float64, shape (N_FIGURES, n_lanes)
        Added to.
    rooms : ndarray of float64, shape (4, n_lanes)
        Room to work in.

    Returns
    -------
    bool
        False if a policy gave an illegal answer, which then stands in ``table.answer``.
    """
    n_lanes, low = cards.shape[1], settings[LOW]
    stays, flow, one, ending = rooms[0], rooms[1], rooms[2], rooms[3]
    blanks, jom = settings[BLANKS], settings[JUST_ONE_MORES]
    for combo in range(1 << n_modifiers):
        held = kept[combo]
        for blank in range(blanks + 1):
            layer = chances[combo, blank]
            for at in range(sets.shape[0]):
                reached = 0
                for lane in range(n_lanes):
                    reached += int(layer[at, lane] != 0.0)
                if reached == 0:
                    continue
                total = settings[FIXED_SUM] + sets[at, SUM]
                zero = sets[at, ZERO] == 1
                score = -low if zero else scores[total, held]
                must = zero or (settings[MUST_HIT] == 1 and at == 0 and combo == 0)
                for lane in range(n_lanes):
                    stays[lane] = 0.0
                if mode == FROM_VALUES and not must:
                    for lane in range(n_lanes):
                        if values[combo, blank, at, lane] == score + low:
                            stays[lane] = 1.0
                elif not must:
                    for lane in range(n_lanes):
                        if layer[at, lane] == 0.0:
                            continue
                        answer = known[combo, blank, at] if mode == ASKED_ONCE else UNKNOWN
                        if answer == UNKNOWN:
                            show_line(
                                table, sets[at], held, blank, settings[FIXED_COUNT], lost[lane],
                                lost_combo, shown,
                            )  # fmt: skip
                            answer = stay_chance(table, coins)
                            if answer < 0.0:
                                return False
                            if mode == ASKED_ONCE:
                                known[combo, blank, at] = answer
                        stays[lane] = answer
                drawn = sets[at, SIZE] + n_bits[combo] + blank
                for lane in range(n_lanes):
                    chance = layer[at, lane]
                    layer[at, lane] = 0.0
                    figures[N_REACHED, lane] += float(int(chance != 0.0))
                    histogram[score, lane] += chance * stays[lane]
                    flow[lane] = chance * (1.0 - stays[lane]) * share[drawn, lane]
                for lane in range(n_lanes):
                    ending[lane] = flow[lane]
                if jom > 0:
                    _one_more(flow, share, drawn, jom, one, ending)
                for item in range(children.shape[1]):
                    child = children[at, item]
                    if child >= 0:
                        for lane in range(n_lanes):
                            layer[child, lane] += flow[lane] * cards[item, lane]
                        if jom > 0:
                            end = scores[total + item_rank[item], held]
                            if sets[child, ZERO] == 1:
                                end = -low
                            for lane in range(n_lanes):
                                histogram[end, lane] += one[lane] * cards[item, lane]
                    elif child == HELD:
                        for lane in range(n_lanes):
                            figures[P_BUST, lane] += ending[lane] * (cards[item, lane] - 1.0)
                    elif child == SEVENTH:
                        end = scores[total + item_rank[item], held] + settings[BONUS]
                        for lane in range(n_lanes):
                            ended = ending[lane] * cards[item, lane]
                            histogram[end, lane] += ended
                            figures[P_FLIP7, lane] += ended
                for lane in range(n_lanes):
                    figures[P_BUST, lane] += ending[lane] * same[lane]
                for bit in range(n_modifiers):
                    if not combo >> bit & 1:
                        more = chances[combo | 1 << bit, blank]
                        end = -low if zero else scores[total, kept[combo | 1 << bit]]
                        for lane in range(n_lanes):
                            more[at, lane] += flow[lane]
                        if jom > 0:
                            for lane in range(n_lanes):
                                histogram[end, lane] += one[lane]
                if settings[UNLUCKY] == 1:
                    for lane in range(n_lanes):
                        wipes[combo, blank, at, lane] += flow[lane]
                    if jom > 0:
                        for lane in range(n_lanes):
                            histogram[scores[UNLUCKY_POINTS, 0], lane] += one[lane]
                if blank < blanks:
                    more = chances[combo, blank + 1]
                    for lane in range(n_lanes):
                        more[at, lane] += flow[lane] * (blanks - blank)
                    if jom > 0:
                        for lane in range(n_lanes):
                            histogram[score, lane] += one[lane] * (blanks - blank)
    return True


@helper
def _one_more(flow: Any, share: Any, drawn: int, jom: int, one: Any, ending: Any) -> None:
    """Write into `one` the flow of the flips that end the turn, and into `ending` all flips'."""
    for lane in range(flow.shape[0]):
        one[lane] = 0.0
        waiting = flow[lane] * jom
        for already in range(jom):
            here = waiting * share[drawn + already + 1, lane]
            one[lane] += here
            waiting = here * (jom - already - 1)
        ending[lane] = flow[lane] + one[lane]
