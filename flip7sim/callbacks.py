"""Plain Python functions that the compiled engine can call by address.

Examples
--------
>>> callback = Callback(lambda table, seat: int(table.n_seats) + seat)
>>> callback.address > 0
True
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from flip7sim import _jit
from flip7sim.table import RAISED, ROW_SHIFT, SEAT_MASK, TABLE

_SIGNATURE: Final = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
"""How `_jit.call_address` calls: the answer; the table, the seat."""
_WORD: Final = 2**64


def call_at(address: int, table: Any, seat: int) -> int:
    """Call what stands at `address` as the engine does; `RAISED` where it raises."""
    packed = seat | int(table.row) << ROW_SHIFT
    if _jit.DISABLED:
        return int(_jit.FUNCTIONS[address](table, packed))
    return int(_SIGNATURE(address)(table.__array_interface__["data"][0], packed))


def view_at(pointer: int, *, writeable: bool = False) -> Any:
    """Return the table that stands at `pointer` as a record; writing to it raises by default."""
    buffer = (ctypes.c_char * TABLE.itemsize).from_address(pointer)
    array = np.frombuffer(memoryview(buffer), TABLE)
    array.flags.writeable = writeable
    return array.view(np.recarray)[0]


class Callback:
    """An address behind which a Python function stands.

    Parameters
    ----------
    function : callable
        ``function(table, seat)``, returns an int; it sees the table as a read-only record.

    Attributes
    ----------
    address : int
        To be put into the table; valid as long as this object lives.
    error : BaseException or None
        What the function raised the last time it raised.
    """

    def __init__(self, function: Callable[[Any, int], int]) -> None:
        self.function = function
        self.error: BaseException | None = None
        self._views: dict[int, Any] = {}
        if _jit.DISABLED:
            self.address = id(self)
            _jit.FUNCTIONS[self.address] = self._plain
        else:
            self._pointer = _SIGNATURE(self._called)
            self.address = ctypes.cast(self._pointer, ctypes.c_void_p).value or 0

    def _called(self, pointer: int, seat: int) -> int:
        table = self._views.get(pointer)
        if table is None:
            table = self._views[pointer] = view_at(pointer)
        return self._answer(table, seat)

    def _plain(self, table: Any, seat: int) -> int:
        return self._called(table.__array_interface__["data"][0], seat)

    def _answer(self, table: Any, seat: int) -> int:
        try:
            answer = int(self.function(table, int(seat) & SEAT_MASK))
        except BaseException as error:
            self.error = error
            return RAISED
        # What does not fit 64 bits is no legal answer either; it must not wrap round to one.
        return answer if -_WORD // 2 < answer < _WORD // 2 else -1
