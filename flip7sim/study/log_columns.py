"""From the words that `observers.log` notes to the columns of Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from flip7sim.cards import CARD_NAMES
from flip7sim.observers import log
from flip7sim.table import ASK_NAMES, NO_SEAT

STATUSES: Final = ("active", "stayed", "busted", "flip7")
_FLIP7: Final = 3


def _words() -> Any:
    import pyarrow as pa

    return pa.dictionary(pa.int8(), pa.string())


def round_schema(n_seats: int) -> Any:
    """Return the columns of a file of rounds."""
    import pyarrow as pa

    columns = [
        ("round", pa.int64()), ("dealer", pa.int8()), ("flips", pa.int16()), ("flip7", pa.int8()),
    ]  # fmt: skip
    for seat in range(n_seats):
        columns += [(f"score_{seat}", pa.int32()), (f"status_{seat}", _words())]
    return pa.schema(columns)


def decision_schema() -> Any:
    """Return the columns of a file of decisions."""
    import pyarrow as pa

    return pa.schema(
        [
            ("round", pa.int64()), ("flips", pa.int16()), ("seat", pa.int8()), ("ask", _words()),
            ("card", _words()), ("answer", pa.int16()), ("choice", _words()),
            ("target_card", _words()), ("with_seat", pa.int8()), ("with_card", _words()),
            ("line_score", pa.int32()), ("bust_probability", pa.float64()),
        ]
    )  # fmt: skip


def _named(values: Any, names: Sequence[str], absent: Any = None) -> Any:
    """Return a column of words by index; where `absent` holds there is none."""
    import pyarrow as pa

    index = np.where(absent, 0, values) if absent is not None else values
    return pa.DictionaryArray.from_arrays(
        pa.array(index.astype(np.int8), mask=absent), pa.array(list(names))
    )


def round_columns(first: int, rows: Any, n_seats: int) -> list[Any]:
    """Return the columns of rounds, the first of which has index `first`."""
    import pyarrow as pa

    index = np.arange(first, first + len(rows), dtype=np.int64)
    flip7 = rows[:, 1]
    columns = [
        pa.array(index),
        pa.array((index % n_seats).astype(np.int8)),
        pa.array(rows[:, 0].astype(np.int16)),
        pa.array(flip7.astype(np.int8), mask=flip7 < 0),
    ]
    for seat in range(n_seats):
        status = rows[:, log.ROUND_COLUMNS + n_seats + seat]
        columns += [
            pa.array(rows[:, log.ROUND_COLUMNS + seat].astype(np.int32)),
            _named(np.where(flip7 == seat, _FLIP7, status), STATUSES),
        ]
    return columns


def decision_columns(rows: Any) -> list[Any]:
    """Return the columns of decisions."""
    import pyarrow as pa

    ask, answer, seat = rows[:, 3], rows[:, 5], rows[:, 6]
    stays = ask == 0
    choices = ("hit", "stay", *(str(seat) for seat in range(18)))
    with_seat = rows[:, 8]
    return [
        pa.array(rows[:, 0]),
        pa.array(rows[:, 1].astype(np.int16)),
        pa.array(rows[:, 2].astype(np.int8)),
        _named(ask, ASK_NAMES),
        _card(rows[:, 4]),
        pa.array(answer.astype(np.int16)),
        _named(np.where(stays, answer, seat + 2), choices),
        _card(rows[:, 7]),
        pa.array(np.where(with_seat == NO_SEAT, 0, with_seat).astype(np.int8),
                 mask=with_seat == NO_SEAT),
        _card(rows[:, 9]),
        pa.array(rows[:, 10].astype(np.int32)),
        pa.array(np.ascontiguousarray(rows[:, 11]).view(np.float64)),
    ]  # fmt: skip


def _card(kinds: Any) -> Any:
    return _named(kinds, CARD_NAMES, kinds >= len(CARD_NAMES))
