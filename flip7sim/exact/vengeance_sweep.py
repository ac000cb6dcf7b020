"""Driving the compiled sweeps of the Vengeance round: before and after `unlucky7`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import as_completed
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.exact import vengeance_kernels as kernels
from flip7sim.exact.sweep import workers
from flip7sim.exact.vengeance_lattice import ZERO_ITEM
from flip7sim.exact.vengeance_layout import Lattices

_CHUNKS: Final = 64
"""Chunks of lost lines. Fixed, so that sums do not depend on the number of threads."""


@dataclass(frozen=True)
class FoundRound:
    """What the sweeps of a round found.

    `values` and `wiped` are those of `solve_lattice` before `unlucky7`; `stays` is None for decks
    with modifiers or blanks.
    """

    histogram: NDArray[np.float64]
    bust: float
    flip7: float
    n_states: int
    first_stays: NDArray[np.uint8]
    stays: NDArray[np.uint8] | None
    values: NDArray[np.float64]
    wiped: NDArray[np.float64]


def sweep_round(
    lattices: Lattices, threads: int | None, progress: Callable[[float], None] | None
) -> FoundRound:
    """Solve the round of a deck for points and carry the chances through it.

    Parameters
    ----------
    lattices : Lattices
    threads : int or None
    progress : callable or None
        Told the finished share.
    """
    reward = np.arange(lattices.low, lattices.low + lattices.n_scores, dtype=np.float64)
    masks, counted, sums, place = lattices.first
    minus, halvings, n_bits = lattices.combos
    common: tuple[Any, ...] = (masks, counted, sums, place, lattices.item_cards, lattices.item_rank)
    after: tuple[Any, ...] = (
        minus,
        halvings,
        n_bits,
        len(lattices.modifiers),
        lattices.settings,
        reward,
    )
    small = lattices.is_playable
    wiped = np.full(lattices.shape, float(reward.max()))
    values = np.empty(lattices.shape)
    stays = np.zeros((len(masks), len(lattices.after[0])), np.uint8) if small else None
    wipes = np.zeros(lattices.shape)
    histogram = np.zeros(lattices.n_scores)
    figures = np.zeros(3)
    n_states = values.size
    with workers(threads) as pool:

        def first(name: Any, *more: Any) -> None:
            pool.submit(name, *common, *after, *more).result()

        if lattices.has_unlucky:
            # An upper bound for what follows `unlucky7` tells which lines a player may hit on.
            first(kernels.solve_first, wiped, values)
            first(
                kernels.carry_first, values, wipes, np.zeros_like(histogram), np.zeros_like(figures)
            )
            weights = np.ones(lattices.shape) if small else wipes
            n_states += _after_wipe(
                lattices, pool, weights, reward, wiped, stays, None, None, progress, 0.0
            )
        first(kernels.solve_first, wiped, values)
        wipes = np.zeros(lattices.shape)
        first(kernels.carry_first, values, wipes, histogram, figures)
        if lattices.has_unlucky:
            _after_wipe(
                lattices, pool, wipes, reward, wiped, None, histogram, figures, progress, 0.5
            )
    zero = lattices.settings[ZERO_ITEM]
    bound = (masks >> zero & 1 == 1) if zero >= 0 else np.zeros(len(masks), bool)
    worth = reward[sums - lattices.low]  # without modifiers, the only lines that are kept
    first_stays = (values[:, 0, 0] == worth) & ~bound & (masks != 0)
    return FoundRound(
        histogram, float(figures[0]), float(figures[1]), n_states,
        first_stays.astype(np.uint8), stays, values, wiped,
    )  # fmt: skip


def _after_wipe(
    lattices: Lattices,
    pool: Any,
    weights: NDArray[np.float64],
    reward: NDArray[np.float64],
    wiped: NDArray[np.float64],
    stays: NDArray[np.uint8] | None,
    histogram: NDArray[np.float64] | None,
    figures: NDArray[np.float64] | None,
    progress: Callable[[float], None] | None,
    done: float,
) -> int:
    """Solve, and with a histogram carry through, what follows `unlucky7`; count the states."""
    masks, counted, sums, place = lattices.after
    lost = np.flatnonzero(weights.any(axis=(1, 2)))
    if not len(lost):
        return 0
    # Round robin, since small lines have more to come than large ones.
    chunks = [lost[start::_CHUNKS] for start in range(min(_CHUNKS, len(lost)))]
    parts = np.zeros((len(chunks), lattices.n_scores))
    counts = np.zeros((len(chunks), 3))
    futures = [
        pool.submit(
            kernels.wiped_chunk,
            lattices.first[0][chunk], chunk, weights, masks, counted, sums, place,
            lattices.item_cards, lattices.item_rank, lattices.seven_item, lattices.points,
            lattices.halving, len(lattices.modifiers), lattices.settings, reward,
            histogram is not None, stays is not None, wiped,
            np.zeros((1, 1), np.uint8) if stays is None else stays, parts[at], counts[at],
        )
        for at, chunk in enumerate(chunks)
    ]  # fmt: skip
    for finished, future in enumerate(as_completed(futures), start=1):
        future.result()
        if progress is not None:
            progress(done + 0.5 * finished / len(futures))
    if histogram is not None and figures is not None:
        histogram += parts.sum(axis=0)
        figures += counts.sum(axis=0)
    sizes = 2 ** (len(lattices.modifiers) - lattices.combos[2])
    starts = weights.any(axis=1)
    return int((starts * sizes).sum()) * len(masks) * (lattices.n_blanks + 1)
