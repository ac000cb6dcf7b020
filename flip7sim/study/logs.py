"""Files written while `simulate` plays: one row a round, one row a decision, as Parquet.

Rows stand in the order of rounds, in row groups of a fixed number of rounds, so the same seed gives
the same bytes whatever the threads. A file appears under its name when it is whole: after Ctrl-C
with the rounds that were finished, after an error not at all.

Rounds: `round`, `dealer`, `flips`, `flip7` (the seat, null for nobody), and for each seat
`score_S` and `status_S` (``active``, ``stayed``, ``busted`` or ``flip7``).

Decisions, those with two or more legal answers: `round`, `flips` (before it), `seat`, `ask`, `card`
(what is being settled; null for hit or stay), `answer` (index), `choice` (``hit``, ``stay``, or the
seat chosen), `target_card`, `with_seat`, `with_card` (steal, discard, swap), `line_score` (points
of the own line) and `bust_probability` (of the next card, by all cards seen).
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import numpy as np

from flip7sim.blocks import Interrupted, Progress, run_blocks
from flip7sim.errors import InputError
from flip7sim.files import check_folder, regular_file
from flip7sim.observers import attach, log
from flip7sim.policies import Player
from flip7sim.rules import Rules
from flip7sim.runner import RoundTask
from flip7sim.study.log_columns import (
    decision_columns,
    decision_schema,
    round_columns,
    round_schema,
)
from flip7sim.tallies import RoundTallies

MAX_LOGGED_ROUNDS: Final = 20_000_000
"""The most rounds of one file."""
MAX_DECISIONS: Final = 1_000_000
"""Decisions after which a decision log ends."""
GROUP: Final = 16_384
"""Rounds of a row group."""
BLOCK: Final = 1_024


@dataclass(frozen=True, kw_only=True)
class LoggedTallies:
    """Tallies of rounds with the rows noted of them, in order.

    Attributes
    ----------
    tallies : RoundTallies
    rounds, decisions : tuple of ndarray of int64
        As `observers.log` lays them out, a block each.
    """

    tallies: RoundTallies
    rounds: tuple[Any, ...] = ()
    decisions: tuple[Any, ...] = ()

    def __add__(self, other: LoggedTallies) -> LoggedTallies:
        """Add tallies and append rows."""
        return LoggedTallies(
            tallies=self.tallies + other.tallies,
            rounds=self.rounds + other.rounds,
            decisions=self.decisions + other.decisions,
        )


class LoggedTask(RoundTask):
    """Plays blocks of rounds and notes them (a `blocks.Task`).

    Parameters
    ----------
    rules, players, seed
        As for `runner.RoundTask`.
    rounds, decisions : bool
        What is noted.
    """

    def __init__(
        self, rules: Rules, players: Sequence[Player], seed: int, *, rounds: bool, decisions: bool
    ) -> None:
        super().__init__(rules, players, players[:1], seed)
        self.rounds = rounds
        self.decisions = decisions

    def __call__(self, first: int, count: int) -> LoggedTallies:  # type: ignore[override]
        """Play rounds `first` to ``first + count - 1``."""
        n_seats = len(self.players)
        room = 8 * count * n_seats if self.decisions else 0
        while True:
            words = log.new_words(count if self.rounds else 0, n_seats, room)
            attach(self._tables(self.players), log.observe, words)
            tallies = super().__call__(first, count)
            if int(words[3]) <= room:
                break
            room = int(words[3])  # rounds are what they were: now all decisions have room
        return LoggedTallies(
            tallies=tallies,
            rounds=(log.round_rows(words, n_seats),) if self.rounds else (),
            decisions=(log.decision_rows(words),) if self.decisions else (),
        )


@dataclass
class _File:
    """A Parquet file being written under another name in its own folder."""

    path: Path
    schema: Any
    draft: Path = field(init=False)
    writer: Any = field(init=False)

    def __post_init__(self) -> None:
        import pyarrow.parquet as pq

        self.path = regular_file(self.path)
        if self.path.suffix != ".parquet":
            raise InputError(f"{self.path}: rounds and decisions are written as FILE.parquet")
        check_folder(self.path.parent)
        name = f".{self.path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp"
        self.draft = self.path.with_name(name)
        self.writer = self._guarded(
            lambda: pq.ParquetWriter(self.draft, self.schema, compression="zstd")
        )

    def write(self, columns: Sequence[Any]) -> None:
        import pyarrow as pa

        table = pa.Table.from_arrays(list(columns), schema=self.schema)
        self._guarded(lambda: self.writer.write_table(table, row_group_size=max(len(table), 1)))

    def close(self, *, keep: bool) -> None:
        try:
            self._guarded(self.writer.close)
            if keep:
                self._guarded(lambda: os.replace(self.draft, self.path))
        finally:
            self.draft.unlink(missing_ok=True)

    def _guarded(self, action: Callable[[], Any]) -> Any:
        try:
            return action()
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise InputError(f"cannot write to {self.path}: {reason}") from None


class SimulationLog:
    """Plays rounds as `runner.play_rounds` does and writes them to files; a context manager.

    Parameters
    ----------
    rules : Rules
    players : sequence of Player
    seed : int
    most : int
        The most rounds that will be played.
    rounds, decisions : path, optional
        The files to write.

    Raises
    ------
    InputError
        If a file cannot be written, or `most` rounds are too many for one.

    Attributes
    ----------
    n_decisions : int
        Decisions written.
    full : bool
        Whether the decision log has ended before the rounds did.
    """

    def __init__(
        self,
        rules: Rules,
        players: Sequence[Player],
        seed: int,
        *,
        most: int,
        rounds: str | os.PathLike[str] | None = None,
        decisions: str | os.PathLike[str] | None = None,
    ) -> None:
        self.rules, self.players, self.seed = rules, tuple(players), seed
        self.n_decisions = 0
        self.full = False
        self._rounds: _File | None = None
        self._decisions: _File | None = None
        if rounds is not None and most > MAX_LOGGED_ROUNDS:
            raise InputError(
                f"a file holds at most {MAX_LOGGED_ROUNDS:,} rounds, not {most:,}: play fewer"
            )
        if rounds is not None and decisions is not None and _same(rounds, decisions):
            raise InputError(f"rounds and decisions cannot both be written to {rounds}")
        try:
            if rounds is not None:
                self._rounds = _File(Path(rounds), round_schema(len(players)))
            if decisions is not None:
                self._decisions = _File(Path(decisions), decision_schema())
        except BaseException:
            self._close(keep=False)
            raise

    def play(
        self,
        first: int,
        count: int,
        *,
        threads: int | None = None,
        executor: Executor | None = None,
        progress: Progress | None = None,
    ) -> RoundTallies:
        """Play rounds `first` to ``first + count - 1``, write them and return their tallies.

        Raises
        ------
        PolicyError
        InputError
            If a file cannot be written.
        blocks.Interrupted
            On Ctrl-C; what was finished is written.
        """
        tallies = RoundTallies.empty(self.rules, len(self.players))
        done = 0
        while done < count:
            start = first + done
            size = min(count - done, GROUP - start % GROUP)
            try:
                played = self._group(start, size, threads, executor, _after(progress, done, count))
            except Interrupted as interrupt:
                if interrupt.tallies is not None:
                    self._write(start, interrupt.tallies)
                    tallies = tallies + interrupt.tallies.tallies
                    done += interrupt.done
                raise Interrupted(tallies if done else None, done) from None
            self._write(start, played)
            tallies = tallies + played.tallies
            done += size
        return tallies

    def _group(
        self, first: int, count: int, threads: int | None, executor: Executor | None,
        progress: Progress | None,
    ) -> LoggedTallies:  # fmt: skip
        task = LoggedTask(
            self.rules, self.players, self.seed,
            rounds=self._rounds is not None,
            decisions=self._decisions is not None and not self.full,
        )  # fmt: skip
        nothing = LoggedTallies(tallies=RoundTallies.empty(self.rules, len(self.players)))
        played: LoggedTallies = run_blocks(
            task, nothing, first, count,
            threads=threads, block=BLOCK, executor=executor, progress=progress,
        )  # fmt: skip
        return played

    def _write(self, first: int, played: LoggedTallies) -> None:
        if self._rounds is not None and played.rounds:
            rows = np.concatenate(played.rounds)
            self._rounds.write(round_columns(first, rows, len(self.players)))
        if self._decisions is not None and played.decisions:
            rows = np.concatenate(played.decisions)
            room = MAX_DECISIONS - self.n_decisions
            self.full = len(rows) >= room
            self._decisions.write(decision_columns(rows[:room]))
            self.n_decisions += min(len(rows), room)

    def written(self) -> tuple[str, ...]:
        """Return what was written, a sentence a file."""
        out = []
        if self._rounds is not None:
            out.append(f"Rounds written to {self._rounds.path}.")
        if self._decisions is not None:
            tail = f"; the log ends after {MAX_DECISIONS:,}" if self.full else ""
            out.append(f"{self.n_decisions:,} decisions written to {self._decisions.path}{tail}.")
        return tuple(out)

    def _close(self, *, keep: bool) -> None:
        for file in (self._rounds, self._decisions):
            if file is not None:
                file.close(keep=keep)

    def __enter__(self) -> SimulationLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._close(keep=error is None)


def _same(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    return Path(one).resolve() == Path(other).resolve()


def _after(progress: Progress | None, before: int, count: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, _: progress(before + done, count)
