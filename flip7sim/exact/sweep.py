"""Driving the compiled sweeps: levels in turn, chunks of a level on all threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import KIND, N_KINDS
from flip7sim.exact import kernels
from flip7sim.exact.layout import Layout
from flip7sim.exact.outcome import Outcome
from flip7sim.table import TABLE

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


def solve_backward(
    layout: Layout,
    reward: NDArray[np.float64],
    pool: ThreadPoolExecutor,
    *,
    mode: int = kernels.OPTIMAL,
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.float64]:
    """Return the value of hitting in every decision state.

    Parameters
    ----------
    layout : Layout
    reward : ndarray of float64, shape (n_scores,)
        What ending the round with each score is worth; the expectation of it is maximised.
    pool : ThreadPoolExecutor
    mode : int
        `kernels.OPTIMAL`, or `kernels.ALWAYS_STAY` for the value of one more card only.
    progress : callable, optional
        Told the finished share of the work.

    Returns
    -------
    ndarray of float64, shape (n_cells, n_decisions)
    """
    tails = layout.tails.arrays()
    hit = np.empty((layout.n_cells, len(layout.tails.decisions)))
    widest = int(np.diff(layout.level_start).max())
    buffers = [np.empty((widest, len(tails))) for _ in range(2)]
    n_levels = len(layout.level_start) - 1
    for level in reversed(range(n_levels)):
        values, following = buffers[level % 2], buffers[(level + 1) % 2]
        _all(
            [
                pool.submit(
                    kernels.backward,
                    first, last, level, layout.order, layout.place, layout.subset_of_mask,
                    layout.masks, layout.subset_sum, layout.subset_size, layout.duplicates,
                    layout.ranks, layout.rank_cards, layout.modifier_counts,
                    layout.modifier_in, layout.modifier_up, layout.plus, layout.doublers,
                    tails, _settings(layout), reward, mode, following, values, hit,
                )
                for first, last in _chunks(layout, level)
            ]
        )  # fmt: skip
        if progress is not None:
            progress(1 - int(layout.level_start[level]) / layout.n_cells)
    return hit


def _modifier_down(layout: Layout) -> NDArray[np.int64]:
    down = np.full_like(layout.modifier_up, -1)
    for combo, ups in enumerate(layout.modifier_up):
        for kind, up in enumerate(ups):
            if up >= 0:
                down[up, kind] = combo
    return down


class IllegalAnswerError(Exception):
    """A policy answered neither 0 nor 1; `args` holds the cell and the answer."""


def carry_forward(
    layout: Layout,
    pool: ThreadPoolExecutor,
    *,
    reward: NDArray[np.float64] | None = None,
    hit: NDArray[np.float64] | None = None,
    new_tables: Callable[[], NDArray[Any]] | None = None,
    coins: NDArray[np.float64] | None = None,
    visits: NDArray[np.float64] | None = None,
) -> Outcome:
    """Return how the round ends when every decision is made by values or by policies.

    Parameters
    ----------
    layout : Layout
    pool : ThreadPoolExecutor
    reward, hit : ndarray of float64
        As in and from `solve_backward`; stay where the reward is at least the value of hitting.
    new_tables : callable, optional
        Instead: returns an array of one table with policies, for one thread's use.
    coins : ndarray of float64
        Chances of the table's random terms (`asking.stay_chance`).
    visits : ndarray of float64, shape (n_cells, n_decisions), optional
        Zeros, into which the chance that each decision comes up is written.

    Raises
    ------
    IllegalAnswerError
        If a policy answers neither 0 nor 1.
    """
    tails = layout.tails.arrays()
    widest = int(np.diff(layout.level_start).max())
    buffers = [np.empty((widest, len(tails))) for _ in range(2)]
    reached = [np.zeros(widest, np.int8) for _ in range(2)]
    down = _modifier_down(layout)
    asked = new_tables is not None
    inert = np.zeros(N_KINDS, np.int64)
    for name in layout.rules.inert:
        inert[KIND[name]] = 1
    spare: list[NDArray[Any]] = []
    nobody: Any = np.zeros(1, TABLE).view(np.recarray)
    histogram = np.zeros(layout.n_scores)
    figures = np.zeros(4)

    def one(level: int, first: int, last: int, at: int, sums: Any, counts: Any) -> None:
        table = nobody
        if new_tables is not None:
            table = spare.pop() if spare else new_tables()
        bad = kernels.forward(
            first, last, level, layout.order, layout.place, layout.subset_of_mask,
            layout.masks, layout.subset_sum, layout.subset_size, layout.duplicates,
            layout.ranks, layout.rank_cards, layout.modifiers, layout.modifier_counts,
            layout.modifier_in, down, layout.plus, layout.doublers, tails, _settings(layout),
            layout.deck, layout.line, inert, kernels.ASKED if asked else kernels.FROM_VALUES,
            np.zeros(1) if reward is None else reward,
            np.zeros((1, 1)) if hit is None else hit,
            table, np.zeros(1) if coins is None else coins,
            buffers[(level + 1) % 2], reached[(level + 1) % 2], buffers[level % 2],
            reached[level % 2], sums[at], counts[at],
            np.zeros((0, 0)) if visits is None else visits,
        )  # fmt: skip
        if bad >= 0:
            raise IllegalAnswerError(bad, int(table[0].answer))
        if asked:
            spare.append(table)

    for level in range(len(layout.level_start) - 1):
        chunks = _chunks(layout, level)
        sums = np.zeros((len(chunks), layout.n_scores))
        counts = np.zeros((len(chunks), 4))
        _all(
            [
                pool.submit(one, level, first, last, at, sums, counts)
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
