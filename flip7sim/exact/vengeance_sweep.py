"""Driving the compiled sweeps of the Vengeance round: before and after `unlucky7`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.exact import vengeance_carry as carrying
from flip7sim.exact import vengeance_kernels
from flip7sim.exact.outcome import Outcome
from flip7sim.exact.sweep import IllegalAnswerError, workers
from flip7sim.exact.vengeance_lattice import SIZE, SUM, ZERO
from flip7sim.exact.vengeance_layout import Lattices
from flip7sim.table import TABLE

_LANES: Final = vengeance_kernels.LANES
_CHUNK: Final = 16 * _LANES
"""Lost lines per chunk. Fixed, so that sums do not depend on the number of threads."""
_NOBODY: Final[Any] = np.zeros(1, TABLE).view(np.recarray)
_NO_COINS: Final = np.zeros(1)
_Told = Callable[[float], None]

kernels: Any = vengeance_kernels  # whose arguments are put together here from several tuples


class Ends:
    """How rounds end: filled in by the sweeps.

    Attributes
    ----------
    histogram : ndarray of float64, shape (n_scores, n_lanes)
        Chance of each score, the lowest first; busts are left out. Lanes sum up.
    figures : ndarray of float64, shape (N_FIGURES, n_lanes)
        Rows are named in `vengeance_carry`.
    """

    def __init__(self, n_scores: int, n_lanes: int = 1) -> None:
        self.histogram = np.zeros((n_scores, n_lanes))
        self.figures = np.zeros((carrying.N_FIGURES, n_lanes))

    def outcome(self, low: int) -> Outcome:
        """Return the ends as an outcome, `low` being the lowest score."""
        bust, flip7, reached = self.figures.sum(axis=1)
        histogram = self.histogram.sum(axis=1)
        histogram[-low] += bust
        return Outcome(histogram, float(bust), float(flip7), 0.0, int(reached), low)

    def add(self, part: Ends) -> None:
        """Add another's lanes."""
        self.histogram += part.histogram.sum(axis=1, keepdims=True)
        self.figures += part.figures.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class FoundRound:
    """What the sweeps of the optimal round found.

    `values` and `wiped` are those before `unlucky7`, and right after it has come. `hits` are those
    of hitting before it; nan on lines on which nobody would hit, or to which nobody would come,
    whatever followed `unlucky7`. `stays` is for decks of number cards only.
    """

    ends: Ends
    n_states: int
    hits: NDArray[np.float64]
    first_stays: NDArray[np.uint8]
    stays: NDArray[np.uint8] | None
    values: NDArray[np.float64]
    wiped: NDArray[np.float64]


@dataclass(frozen=True)
class _Sweeps:
    """The sweeps of one deck under one way to decide."""

    lattices: Lattices
    pool: ThreadPoolExecutor
    mode: int = carrying.FROM_VALUES
    coins: NDArray[np.float64] = field(default_factory=lambda: _NO_COINS)
    new_tables: Callable[[], NDArray[Any]] | None = None
    spare: list[NDArray[Any]] = field(default_factory=list)

    def _common(self, *, after: bool) -> tuple[Any, ...]:
        lattices = self.lattices
        lines = lattices.after if after else lattices.first
        return (
            lines.sets, lines.children, lattices.item_rank, lattices.scores,
            lattices.settings(after=after),
        )  # fmt: skip

    def _lane(self) -> tuple[Any, ...]:
        lattices = self.lattices
        kept = lattices.first_kept
        n_free = len(kept).bit_length() - 1
        left = np.maximum(lattices.n_cards - np.arange(lattices.most_flips + 1), 1)
        return (
            lattices.item_cards[:, None].astype(np.float64), 1.0 / left[:, None], kept,
            np.bitwise_count(kept & ~lattices.line_modifiers).astype(np.int64), n_free,
        )  # fmt: skip

    def _asking(self, run: Callable[[Any], bool]) -> None:
        """Run a kernel with a table of its own, since policies read it."""
        tables: Any = _NOBODY
        if self.new_tables is not None:
            tables = self.spare.pop() if self.spare else self.new_tables()
        if not run(tables):
            raise IllegalAnswerError(0, int(tables[0].answer))
        if self.new_tables is not None:
            self.spare.append(tables)

    def solve_first(
        self, wiped: NDArray[np.float64], values: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Solve the first lattice with what follows `unlucky7` given; return values of hitting."""
        hits = np.empty_like(values)
        kernels.solve_first(*self._common(after=False), *self._lane(), wiped, values, hits)
        return hits

    def carry_first(self, values: NDArray[np.float64], ends: Ends) -> NDArray[np.float64]:
        """Carry chances through the same; return those of `unlucky7` in each state."""
        wipes = np.zeros(self.lattices.shape)
        self._asking(
            lambda tables: kernels.carry_first(
                *self._common(after=False), *self._lane(), self.mode, values, tables, self.coins,
                self.lattices.shown, wipes, ends.histogram, ends.figures,
            )
        )  # fmt: skip
        return wipes

    def after(
        self,
        wanted: NDArray[np.bool_],
        *,
        wiped: NDArray[np.float64] | None = None,
        stays: NDArray[np.uint8] | None = None,
        weights: NDArray[np.float64] | None = None,
        ends: Ends | None = None,
        told: _Told = lambda share: None,
    ) -> None:
        """Sweep what follows `unlucky7`.

        Parameters
        ----------
        wanted : ndarray of bool, shape (n_modifier_sets, n_first_sets)
            The lines lost to `unlucky7` to do so for.
        wiped : ndarray of float64, the first lattice's shape, optional
            Where the values right after `unlucky7` are written.
        stays : ndarray of uint8, shape (n_first_sets, n_after_sets), optional
            Where it is written on which lines staying is best.
        weights : ndarray of float64, the first lattice's shape, optional
            Chances of `unlucky7` in each state, which are carried through; with `ends`.
        ends : Ends, optional
            Added to.
        told : callable
        """
        lattices, common = self.lattices, self._common(after=True)
        first_masks = lattices.first.masks
        chunks = list(_chunks(wanted))
        parts = [Ends(lattices.n_scores, _LANES) for _ in chunks]
        unused = np.zeros(lattices.shape)

        def run(at: int) -> None:
            combo, lost = chunks[at]
            modifiers = int(lattices.first_kept[combo])
            kept = lattices.kept(modifiers)
            sizes = np.bitwise_count(kept).astype(np.int64)
            self._asking(
                lambda tables: kernels.after_unlucky(
                    first_masks[lost], lost, combo, modifiers,
                    lattices.n_left_after(modifiers), unused if weights is None else weights,
                    *common, lattices.item_cards, lattices.seven_item, kept, sizes, int(sizes[-1]),
                    lattices.most_flips, self.mode == carrying.FROM_VALUES, weights is not None,
                    stays is not None, self.mode, tables, self.coins, lattices.shown,
                    unused if wiped is None else wiped,
                    np.zeros((1, 1), np.uint8) if stays is None else stays,
                    parts[at].histogram, parts[at].figures,
                )
            )  # fmt: skip

        work = np.array([len(lost) << _n_free(lattices, combo) for combo, lost in chunks])
        done = 0
        futures: list[Future[None]] = [self.pool.submit(run, at) for at in range(len(chunks))]
        try:
            for at, future in enumerate(futures):
                future.result()
                done += int(work[at])
                told(done / int(work.sum()))
        finally:
            for future in futures:
                future.cancel()
        if ends is not None:
            for part in parts:
                ends.add(part)


def _n_free(lattices: Lattices, combo: int) -> int:
    return len(lattices.modifiers) - int(lattices.first_kept[combo]).bit_count()


def _chunks(wanted: NDArray[np.bool_]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Return chunks of lost lines: the set of modifiers, and positions of sets of numbers."""
    for combo in range(len(wanted)):
        lost = np.flatnonzero(wanted[combo])
        for start in range(0, len(lost), _CHUNK):
            yield combo, lost[start : start + _CHUNK]


def _where(chances: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return the lost lines that have a chance."""
    return np.asarray(chances.any(axis=(1, 3)))


def sweep_round(
    lattices: Lattices, threads: int | None, progress: Callable[[float], None] | None
) -> FoundRound:
    """Solve the round of a deck for points and carry the chances through it.

    What follows `unlucky7` takes nearly all of the time, so it is solved and carried through in one
    go, with the chances that come of a good guess of its values. Once these are known the right
    chances are, too, and what the two differ by is carried through as well: nothing or little.

    Parameters
    ----------
    lattices : Lattices
    threads : int or None
    progress : callable or None
        Told the finished share.
    """
    lines = lattices.first
    small = lattices.is_playable
    wiped, values = np.zeros(lattices.shape), np.empty(lattices.shape)
    stays = np.zeros((len(lines), len(lattices.after)), np.uint8) if small else None
    ends = Ends(lattices.n_scores)
    n_states = values.size
    with workers(threads) as pool:
        sweeps = _Sweeps(lattices, pool)

        guessed = wiped
        if lattices.has_unlucky:
            wanted = _lines_to_hit_on(sweeps, values)
            if small:
                wanted[:] = True
            sweeps.solve_first(_guess(sweeps), values)
            guessed = sweeps.carry_first(values, Ends(lattices.n_scores))
            sweeps.after(
                wanted, wiped=wiped, stays=stays, weights=guessed, ends=ends,
                told=(lambda share: None) if progress is None else progress,
            )  # fmt: skip
            n_states += _n_states(lattices, wanted)
        hits = sweeps.solve_first(wiped, values)
        if lattices.has_unlucky:
            hits[~np.broadcast_to(wanted[:, None, :, None], hits.shape)] = np.nan
        missing = sweeps.carry_first(values, ends) - guessed
        if missing.any():
            sweeps.after(_where(missing), weights=missing, ends=ends)
    worth = lattices.scores[:, 0][lines.sets[:, SUM]] + lattices.low
    free = (lines.sets[:, ZERO] == 0) & (lines.masks != 0)
    first_stays = (values[0, 0, :, 0] == worth) & free  # the only lines that are kept
    return FoundRound(ends, n_states, hits, first_stays.astype(np.uint8), stays, values, wiped)


def _lines_to_hit_on(sweeps: _Sweeps, values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return on which lines a player may hit, by an upper bound for what follows `unlucky7`.

    Overwrites `values`.
    """
    lattices = sweeps.lattices
    most = np.full(lattices.shape, float(lattices.low + lattices.n_scores - 1))
    sweeps.solve_first(most, values)
    return _where(sweeps.carry_first(values, Ends(lattices.n_scores)))


def value_of_hitting(lattices: Lattices, threads: int | None, *, most_states: int) -> float | None:
    """Return what one more card is worth from a line on, optimal play afterwards.

    Parameters
    ----------
    lattices : Lattices
        That start with the line.
    threads : int or None
    most_states : int

    Returns
    -------
    float or None
        None if there are more states than `most_states`.
    """
    wiped, values = np.zeros(lattices.shape), np.empty(lattices.shape)
    with workers(threads) as pool:
        sweeps = _Sweeps(lattices, pool)
        if lattices.has_unlucky:
            wanted = _lines_to_hit_on(sweeps, values)
            if _n_states(lattices, wanted) > most_states:
                return None
            sweeps.after(wanted, wiped=wiped)
        return float(sweeps.solve_first(wiped, values)[0, 0, 0, 0])


def _guess(sweeps: _Sweeps) -> NDArray[np.float64]:
    """Return nearly the values right after `unlucky7`: each number lost adds what it does alone."""
    lattices = sweeps.lattices
    lines = lattices.first
    few = lines.sets[:, SIZE] <= 1
    wiped = np.zeros(lattices.shape)
    sweeps.after(np.broadcast_to(few, (len(wiped), len(few))), wiped=wiped)
    n_items = len(lattices.item_kinds)
    nothing = wiped[:, :, :1, 0]
    alone = wiped[:, :, lines.place[1 << np.arange(n_items)], 0] - nothing
    held = (lines.masks[:, None] >> np.arange(n_items) & 1).astype(np.float64)
    return np.ascontiguousarray((nothing + alone @ held.T)[..., None])


def _n_states(lattices: Lattices, wanted: NDArray[np.bool_]) -> int:
    """Return how many states the lattices after these lost lines have."""
    starts = wanted.sum(axis=1)
    sizes = [1 << _n_free(lattices, combo) for combo in range(len(starts))]
    return int(starts @ np.array(sizes)) * len(lattices.after) * (lattices.n_blanks + 1)


def carry_policies(
    lattices: Lattices,
    threads: int | None,
    new_tables: Callable[[], NDArray[Any]],
    coins: NDArray[np.float64],
    *,
    line_only: bool,
) -> Ends:
    """Return how the round ends when policies decide.

    Parameters
    ----------
    lattices : Lattices
        With all blanks.
    threads : int or None
    new_tables : callable
        Returns an array of one table with policies, for one thread's use.
    coins : ndarray of float64
        Chances of the table's random terms (`asking.stay_chance`).
    line_only : bool
        The policies look at nothing but the line, so that one answer serves all decks.

    Raises
    ------
    IllegalAnswerError
        If a policy answers neither 0 nor 1.
    """
    mode = carrying.ASKED_ONCE if line_only else carrying.ASKED
    ends = Ends(lattices.n_scores)
    with workers(threads) as pool:
        sweeps = _Sweeps(lattices, pool, mode, coins, new_tables)
        wipes = sweeps.carry_first(np.zeros((1, 1, 1, 1)), ends)
        if lattices.has_unlucky:
            sweeps.after(_where(wipes), weights=wipes, ends=ends)
    return ends
