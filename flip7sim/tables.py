"""Tables for terminals, Markdown and data files; nothing is computed here.

A frame's floats are shown as they are, or by a format given for their column. Estimates belong in a
frame for people as text, written by `flip7sim.estimates.format_estimate`; in data files value and
error stand in columns of their own.
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flip7sim.estimates.digits import UNKNOWN
from flip7sim.files import write_bytes, write_text

if TYPE_CHECKING:
    import pandas as pd


def text_table(
    frame: pd.DataFrame,
    *,
    title: str | None = None,
    notes: Sequence[str] = (),
    formats: Mapping[str, str] | None = None,
) -> str:
    """Return a frame as a table for the terminal.

    Parameters
    ----------
    frame : pandas.DataFrame
        One row a line; the index is not shown.
    title : str, optional
        A line above the table.
    notes : sequence of str
        Lines below it: what was assumed, how intervals were made.
    formats : mapping of str to str, optional
        Format specifications such as ``".3f"`` by column.

    Returns
    -------
    str
        Without a final line break.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"stay at": [25, 26], "points": ["19.34 ± 0.01", "19.4 ± 0.1"]})
    >>> print(text_table(frame, title="Solitaire"))
    Solitaire
    <BLANKLINE>
      stay at        points
    ---------  ------------
           25  19.34 ± 0.01
           26    19.4 ± 0.1
    """
    table = _tabulated(frame, "simple", formats)
    parts = [title] if title else []
    return "\n\n".join([*parts, table, *(["\n".join(notes)] if notes else [])])


def markdown_table(frame: pd.DataFrame, *, formats: Mapping[str, str] | None = None) -> str:
    """Return a frame as a Markdown table, vertical bars in its cells escaped.

    Examples
    --------
    >>> import pandas as pd
    >>> print(markdown_table(pd.DataFrame({"policy": ["score:25"], "points": [19.3]})))
    | policy   |   points |
    |:---------|---------:|
    | score:25 |     19.3 |
    """
    return _tabulated(frame, "pipe", formats)


def write_markdown(
    frame: pd.DataFrame,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    notes: Sequence[str] = (),
    formats: Mapping[str, str] | None = None,
) -> Path:
    """Write a Markdown file: a heading, the table, and the notes as paragraphs.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    parts = [f"# {title}"] if title else []
    return write_text(path, "\n\n".join([*parts, markdown_table(frame, formats=formats), *notes]))


def write_csv(frame: pd.DataFrame, path: str | os.PathLike[str]) -> Path:
    """Write a CSV file: UTF-8, comma, line feed, floats with all their digits, no index.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    text: str = frame.to_csv(index=False, lineterminator="\n")
    return write_bytes(path, text.encode())


def write_parquet(
    frame: pd.DataFrame,
    path: str | os.PathLike[str],
    *,
    metadata: Mapping[str, str] | None = None,
) -> Path:
    """Write a Parquet file, without the index.

    pandas' own metadata, which names its version, is left out, so that the same table gives the
    same bytes with the same version of pyarrow.

    Parameters
    ----------
    frame : pandas.DataFrame
    path : path
    metadata : mapping of str to str, optional
        Texts to keep with the table.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(frame, preserve_index=False)
    table = table.replace_schema_metadata(dict(metadata) if metadata else None)
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return write_bytes(path, buffer.getvalue())


def _tabulated(frame: pd.DataFrame, style: str, formats: Mapping[str, str] | None) -> str:
    from tabulate import tabulate

    formats = formats or {}
    names = [str(name) for name in frame.columns]
    columns = [frame.iloc[:, place] for place in range(len(names))]
    cells = [
        [
            _cell(value, formats.get(name), text=column.dtype.kind == "O")
            for value in column.tolist()
        ]
        for name, column in zip(names, columns, strict=True)
    ]
    alignment = ["right" if _numeric(column) else "left" for column in cells]
    if style == "pipe":
        names = [_escaped(name) for name in names]
        cells = [[_escaped(cell) for cell in column] for column in cells]
    rows = [list(row) for row in zip(*cells, strict=True)]
    # Numbers come as text: tabulate would parse them and drop a last 0.
    table: str = tabulate(
        rows, headers=names, tablefmt=style, colalign=alignment, disable_numparse=True
    )
    return table


def _cell(value: Any, specification: str | None, *, text: bool) -> str:
    """Write one value: nan is an unknown number, but a missing text is an empty cell."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and not math.isfinite(value):
        if math.isnan(value):
            return "" if text else UNKNOWN
        return "∞" if value > 0 else "-∞"
    if specification is not None and not isinstance(value, str):
        return format(value, specification)
    return str(value)


def _numeric(column: Sequence[str]) -> bool:
    """Tell whether every filled cell of a column begins with a number or is unknown."""
    filled = [cell for cell in column if cell]
    begins = (cell.lstrip("+-")[:1].isdigit() or cell.startswith((UNKNOWN, "∞")) for cell in filled)
    return bool(filled) and all(begins)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
