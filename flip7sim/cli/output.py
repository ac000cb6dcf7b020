"""What commands print: tables or JSON on standard output, progress on a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any


def print_json(document: Any) -> None:
    """Print one JSON document."""
    print(json.dumps(document, ensure_ascii=False, allow_nan=False))


def print_table(frame: Any, *, title: str | None = None, notes: list[str] | None = None) -> None:
    """Print a table with its title and notes, the notes wrapped for reading."""
    from flip7sim.tables import text_table

    print(text_table(frame, title=title))
    if notes:
        print()
        print_notes(notes)


def print_notes(notes: list[str]) -> None:
    """Print sentences, wrapped to 100 columns."""
    import textwrap

    for note in notes:
        print(textwrap.fill(note, 100))


def finish(interrupted: bool) -> int:
    """Return the exit status of a command that has printed its result."""
    if not interrupted:
        return 0
    from flip7sim.cli import leave

    print("flip7sim: interrupted, the result is of what was finished", file=sys.stderr)
    return leave(130)


class ProgressBar:
    """A progress bar on standard error where that is a terminal, nothing elsewhere."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._shown = sys.stderr.isatty()

    def __call__(self, name: str, unit: str = "round") -> Callable[[int, int], None] | None:
        """Return the progress callback of one step."""
        if not self._shown:
            return None
        from tqdm import tqdm

        self.close()
        self._bar = tqdm(
            desc=name, unit=unit, unit_scale=True, leave=False, dynamic_ncols=True, total=1
        )

        def update(done: int, total: int) -> None:
            self._bar.total = total
            self._bar.n = done
            self._bar.refresh()

        return update

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
