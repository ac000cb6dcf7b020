"""Driving the compiled sweeps: levels in turn, chunks of a level on all threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import KIND, N_KINDS
from flip7sim.exact import kernels
from flip7sim.exact.layout import Layout
from flip7sim.exact.outcome import Outcome

CHUNKS: Final = 64
"""Most chunks per level."""
CHUNK_VALUES: Final = 30_000
"""Values that a chunk should have at least, for threads to be worth their while. Chunks depend on
the layout alone, so sums do not depend on the number of threads."""


@contextmanager
def workers(threads: int | None) -> Iterator[ThreadPoolExecutor]:
    """Open a pool of `threads` (default: one per core)."""
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        yield pool


def _chunks(layout: Layout, level: int) -> list[tuple[int, int]]:
    start, stop = int(layout.level_start[level]), int(layout.level_start[level + 1])
    n_values = (stop - start) * len(layout.tails.states)
    n_chunks = max(1, min(CHUNKS, stop - start, n_values // CHUNK_VALUES))
    edges = np.linspace(start, stop, n_chunks + 1).astype(int)
    return [(int(first), int(last)) for first, last in pairwise(edges)]


def _settings(layout: Layout) -> NDArray[np.int64]:
    return np.array(
        [
            layout.deck.sum(),
            layout.capacity,
            layout.rules.flip7_bonus,
            layout.starts_empty,
            layout.tails.start,
        ],
        np.int64,
    )


def _all(futures: list[Future[Any]]) -> list[Any]:
    return [future.result() for future in futures]


Room = list[NDArray[np.float64]]
"""Two neighbouring levels: one with an even number, then one with an odd number."""


class Values(NamedTuple):
    """What a sweep backward found."""

    start: float
    """Value of the first hit."""
    stays: NDArray[np.uint8]
    """1 where staying is worth at least as much as hitting, shape (n_cells, n_decisions)."""
    hit: NDArray[np.float64]
    """Value of hitting, of the same shape; empty if it was not wanted."""


def solve_backward(
    layout: Layout,
    reward: NDArray[np.float64],
    pool: ThreadPoolExecutor,
    *,
    mode: int = kernels.OPTIMAL,
    keep: bool = True,
    room: Room | None = None,
    progress: Callable[[float], None] | None = None,
) -> Values:
    """Return the value of hitting in every decision state, and where to stay.

    Parameters
    ----------
    layout : Layout
    reward : ndarray of float64, shape (n_scores,)
        What ending the round with each score is worth; the expectation of it is maximised.
    pool : ThreadPoolExecutor
    mode : int
        `kernels.OPTIMAL`, or `kernels.ALWAYS_STAY` for the value of one more card only.
    keep : bool
        Return the values of all states, not of the start alone.
    room : Room, optional
        For the levels at work; one's own by default.
    progress : callable, optional
        Told the finished share of the work.
    """
    tails, slots = layout.tails.arrays(), layout.tails.slots
    n_decisions = len(layout.tails.decisions)
    # Zeros, since states that cannot be reached, the deck being empty before, are left out.
    hit = np.zeros((layout.n_cells if keep else 0, n_decisions))
    stays = np.zeros((layout.n_cells, n_decisions), np.uint8)
    buffers = new_room(layout) if room is None else room
    first_hit = np.empty((1, n_decisions))
    for level in reversed(range(len(layout.level_start) - 1)):
        values, following = buffers[level % 2], buffers[(level + 1) % 2]
        _all(
            [
                pool.submit(
                    kernels.backward,
                    first, last, level, layout.order, layout.place, layout.subset_of_mask,
                    layout.masks, layout.subset_sum, layout.subset_size, layout.duplicates,
                    layout.ranks, layout.rank_cards, layout.modifier_counts,
                    layout.modifier_in, layout.modifier_up, layout.plus, layout.doublers,
                    tails, slots, _settings(layout), reward, mode, following, values,
                    hit if keep or level else first_hit, stays,
                )
                for first, last in _chunks(layout, level)
            ]
        )  # fmt: skip
        if progress is not None:
            progress(1 - int(layout.level_start[level]) / layout.n_cells)
    if keep:
        first_hit = hit[:1]
    start = float(first_hit[0, layout.tails.decision[layout.tails.start]])
    return Values(start=start, stays=stays, hit=hit)


def new_room(layout: Layout) -> Room:
    """Return room for sweeps over a layout, which many in turn can use."""
    return _two_levels(layout, len(layout.tails.slots))


def _two_levels(layout: Layout, width: int) -> Room:
    sizes = np.diff(layout.level_start)
    return [np.empty((int(sizes[start::2].max(initial=0)), width)) for start in range(2)]


def _modifier_down(layout: Layout) -> NDArray[np.int64]:
    down = np.full_like(layout.modifier_up, -1)
    for combo, ups in enumerate(layout.modifier_up):
        for kind, up in enumerate(ups):
            if up >= 0:
                down[up, kind] = combo
    return down


class IllegalAnswerError(Exception):
    """A policy answered neither 0 nor 1; `args` holds the cell and the answer."""


Part = Callable[[int, int, int, NDArray[np.float64], NDArray[np.float64]], None]
"""From a level, its first and last cell, and where to add up: the histogram and the figures."""


def _outcome(layout: Layout, pool: ThreadPoolExecutor, part: Part) -> Outcome:
    """Return how the round ends, adding up the parts of all levels in their order."""
    histogram = np.zeros(layout.n_scores)
    figures = np.zeros(4)
    for level in range(len(layout.level_start) - 1):
        chunks = _chunks(layout, level)
        sums = np.zeros((len(chunks), layout.n_scores))
        counts = np.zeros((len(chunks), 4))
        _all(
            [
                pool.submit(part, level, first, last, sums[at], counts[at])
                for at, (first, last) in enumerate(chunks)
            ]
        )
        histogram += sums.sum(axis=0)
        figures += counts.sum(axis=0)
    bust = float(figures[kernels.P_BUST])
    histogram[0] += bust
    return Outcome(
        histogram=histogram,
        bust=bust,
        flip7=float(figures[kernels.P_FLIP7]),
        frozen=float(figures[kernels.P_FROZEN]),
        n_reached=int(figures[kernels.N_REACHED]),
    )


def carry_forward(
    layout: Layout,
    pool: ThreadPoolExecutor,
    stays: NDArray[np.uint8],
    *,
    room: Room | None = None,
    visits: NDArray[np.float64] | None = None,
) -> Outcome:
    """Return how the round ends when every decision is known.

    Parameters
    ----------
    layout : Layout
    pool : ThreadPoolExecutor
    stays : ndarray of uint8, shape (n_cells, n_decisions)
        1 to stay, as from `solve_backward`.
    room : Room, optional
        For the levels at work; one's own by default.
    visits : ndarray of float64, shape (n_cells, n_decisions), optional
        Into which the chance that each decision comes up is written.
    """
    tails, slots = layout.tails.arrays(), layout.tails.slots
    buffers = new_room(layout) if room is None else room
    down = _modifier_down(layout)

    def part(level: int, first: int, last: int, sums: Any, counts: Any) -> None:
        kernels.forward(
            first, last, level, layout.order, layout.place, layout.subset_of_mask,
            layout.masks, layout.subset_sum, layout.subset_size, layout.duplicates,
            layout.ranks, layout.rank_cards, layout.modifier_counts, layout.modifier_in,
            down, layout.plus, layout.doublers, tails, slots, _settings(layout), stays,
            buffers[(level + 1) % 2], buffers[level % 2], sums, counts,
            np.zeros((0, 0)) if visits is None else visits,
        )  # fmt: skip

    return _outcome(layout, pool, part)


def ask_forward(
    layout: Layout,
    pool: ThreadPoolExecutor,
    new_tables: Callable[[], NDArray[Any]],
    coins: NDArray[np.float64],
) -> Outcome:
    """Return how the round ends when policies decide.

    Parameters
    ----------
    layout : Layout
    pool : ThreadPoolExecutor
    new_tables : callable
        Returns an array of one table with policies, for one thread's use.
    coins : ndarray of float64
        Chances of the table's random terms (`asking.stay_chance`).

    Raises
    ------
    IllegalAnswerError
        If a policy answers neither 0 nor 1.
    """
    from flip7sim.exact.asked_kernel import forward_asked

    tails = layout.tails.arrays()
    buffers = _two_levels(layout, len(tails))
    reached = [np.zeros(len(buffer), np.int8) for buffer in buffers]
    down = _modifier_down(layout)
    inert = np.zeros(N_KINDS, np.int64)
    for name in layout.rules.inert:
        inert[KIND[name]] = 1
    spare: list[NDArray[Any]] = []

    def part(level: int, first: int, last: int, sums: Any, counts: Any) -> None:
        table = spare.pop() if spare else new_tables()
        before, here = (level + 1) % 2, level % 2
        bad = forward_asked(
            first, last, level, layout.order, layout.place, layout.subset_of_mask,
            layout.masks, layout.subset_sum, layout.subset_size, layout.duplicates,
            layout.ranks, layout.rank_cards, layout.modifiers, layout.modifier_counts,
            layout.modifier_in, down, layout.plus, layout.doublers, tails, _settings(layout),
            layout.deck, layout.line, inert, table, coins,
            buffers[before], reached[before], buffers[here], reached[here], sums, counts,
        )  # fmt: skip
        if bad >= 0:
            raise IllegalAnswerError(bad, int(table[0].answer))
        spare.append(table)

    return _outcome(layout, pool, part)
