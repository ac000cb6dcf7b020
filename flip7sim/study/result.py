"""What results of studies have in common: how they show themselves."""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

WIDTH = 100
"""Columns of wrapped sentences."""


class Result:
    """A result that prints as its command does: a table, what it comes to, how it was found.

    Examples
    --------
    >>> import flip7sim as f7
    >>> print(f7.simulate("score:25", rounds=1000, seed=1))  # doctest: +ELLIPSIS
      seat  policy ...
    """

    @property
    def shown(self) -> pd.DataFrame:
        """The table in figures as they are printed."""
        raise NotImplementedError

    def notes(self) -> list[str]:
        """Return how it was found, in sentences."""
        raise NotImplementedError

    def answer(self) -> str:
        """Return what it comes to; nothing where the table says it all."""
        return ""

    def __repr__(self) -> str:
        """Return table, answer and notes as text."""
        from flip7sim.tables import text_table

        answer = textwrap.fill(self.answer(), WIDTH)
        notes = "\n".join(textwrap.fill(note, WIDTH) for note in self.notes())
        return "\n\n".join(part for part in (text_table(self.shown), answer, notes) if part)

    def _repr_html_(self) -> str:
        """Return the same for notebooks."""
        answer = f"<p><b>{html.escape(self.answer())}</b></p>" if self.answer() else ""
        notes = "<br>".join(html.escape(note) for note in self.notes())
        return f"{self.shown.to_html(index=False)}{answer}<p><small>{notes}</small></p>"
