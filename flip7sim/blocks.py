"""Work in blocks over threads or any executor, with progress and a clean answer to Ctrl-C.

A block is a run of consecutive indices (rounds or games). Blocks are handed out in order, so what
is finished when work is interrupted is a beginning: the same as a shorter run would have given.
The size of blocks changes nothing in the result.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from typing import Any, Final, Protocol, TypeVar

from flip7sim.errors import InputError

T = TypeVar("T", covariant=True)

TARGET_SECONDS: Final = 0.15
"""How long a block should take: short enough for progress and Ctrl-C."""
PATIENCE_SECONDS: Final = 0.6
"""How long, after Ctrl-C, blocks under way may take to finish."""
FIRST_BLOCK: Final = 64

Progress = Callable[[int, int], None]
"""Called with what is done and the whole, in rounds or games."""


class Task(Protocol[T]):
    """What plays a block and returns its tallies; picklable for executors of processes."""

    def __call__(self, first: int, count: int) -> T:
        """Play indices `first` to ``first + count - 1``."""
        ...


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, carrying what was finished: the sum of the first `done` and nothing else.

    Attributes
    ----------
    tallies : object or None
    done : int
    """

    def __init__(self, tallies: Any, done: int) -> None:
        super().__init__("interrupted")
        self.tallies = tallies
        self.done = done


def all_cores() -> int:
    """Return the number of cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # pragma: no cover - not Linux
        return os.cpu_count() or 1


def checked_threads(threads: int | None) -> int:
    """Return a number of threads, all cores for None.

    Raises
    ------
    InputError
        If it is not a positive whole number.
    """
    if threads is None:
        return all_cores()
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024:
        raise InputError(f"threads must be a whole number from 1 to 1024, not {threads!r}")
    return threads


def _timed(task: Task[T], first: int, count: int) -> tuple[T, float]:
    start = time.perf_counter()
    result = task(first, count)
    return result, time.perf_counter() - start


def run_blocks(
    task: Task[Any],
    nothing: Any,
    first: int,
    total: int,
    *,
    threads: int | None = None,
    block: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Any:
    """Play `total` indices from `first` on in blocks and return the sum of their tallies.

    Parameters
    ----------
    task : Task
    nothing : tallies
        The tallies of no rounds, to which the blocks' are added.
    first, total : int
    threads : int, optional
        All cores by default; with an executor, how many blocks are under way at once.
    block : int, optional
        Size of a block; by default what takes about 0.15 s.
    executor : concurrent.futures.Executor, optional
        Used instead of threads of our own, and not shut down.
    progress : callable, optional

    Returns
    -------
    tallies

    Raises
    ------
    Interrupted
        On Ctrl-C, with what is finished.
    Exception
        What the earliest failing block raised.
    """
    n_threads = checked_threads(threads)
    own = executor is None
    pool = executor if executor is not None else ThreadPoolExecutor(n_threads)
    size = block or FIRST_BLOCK
    under_way: deque[tuple[Future[tuple[Any, float]], int]] = deque()
    tallies, done, handed_out = nothing, 0, 0
    try:
        while done < total:
            # Until the first block is back (it may compile), its duration tells nothing.
            wanted = 2 * n_threads if done or block else 1
            while handed_out < total and len(under_way) < wanted:
                count = min(size, total - handed_out)
                under_way.append((pool.submit(_timed, task, first + handed_out, count), count))
                handed_out += count
            future, count = under_way[0]
            while not future.done():
                wait([future], timeout=0.1)
            result, seconds = future.result()
            under_way.popleft()
            tallies = tallies + result
            done += count
            if block is None:
                ideal = int(count * TARGET_SECONDS / max(seconds, 1e-6))
                size = max(1, min(ideal, 8 * size))
            if progress is not None:
                progress(done, total)
    except KeyboardInterrupt:
        for future, _ in under_way:
            future.cancel()
        tallies, done = _finish(under_way, tallies, done)
        raise Interrupted(tallies if done else None, done) from None
    except BaseException:
        for future, _ in under_way:
            future.cancel()
        raise
    finally:
        if own:
            pool.shutdown(wait=False, cancel_futures=True)
    return tallies


def _finish(
    under_way: deque[tuple[Future[tuple[Any, float]], int]], tallies: Any, done: int
) -> tuple[Any, int]:
    """Add the blocks that finish in time, as long as none before them is missing."""
    deadline = time.perf_counter() + PATIENCE_SECONDS
    while under_way:
        future, count = under_way.popleft()
        try:
            wait([future], timeout=max(0.0, deadline - time.perf_counter()))
        except KeyboardInterrupt:
            break
        if future.cancelled() or not future.done() or future.exception() is not None:
            break
        tallies, done = tallies + future.result()[0], done + count
    return tallies, done
