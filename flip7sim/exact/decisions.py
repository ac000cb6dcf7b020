"""Hit or stay in every state at many totals, kept small: equal columns of decisions are one.

A state's decisions at all totals are a column of bits. Most states share theirs with many others,
so a number for each state and the columns that occur say the same as one bit for each pair.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

_BYTE: Final = 8
_TABLE: Final = 1 << 26
"""Most places of the table by which columns are numbered anew; beyond, they are sorted."""


class Decisions:
    """Decisions, taken in total by total.

    Parameters
    ----------
    n_states : int

    Attributes
    ----------
    count : int
        Totals taken in.

    Examples
    --------
    >>> decisions = Decisions(3)
    >>> for stays in ([1, 0, 1], [0, 0, 0], [1, 1, 1]):
    ...     decisions.add(np.array(stays, np.uint8))
    >>> numbers, columns = decisions.columns()
    >>> numbers.tolist(), columns.tolist()
    ([1, 0, 1], [[4], [5]])
    """

    def __init__(self, n_states: int) -> None:
        self.count = 0
        self._numbers = np.zeros(n_states, np.int32)
        self._columns = np.zeros((1, 0), np.uint8)
        self._byte = np.zeros(n_states, np.uint8)

    def add(self, stays: NDArray[np.uint8]) -> None:
        """Take in the next total's decisions, 1 to stay, in the order of the states."""
        self._byte |= stays.reshape(-1) << np.uint8(self.count % _BYTE)
        self.count += 1
        if self.count % _BYTE == 0:
            self._numbers, self._columns = self._extended()
            self._byte[:] = 0

    def columns(self) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Return each state's column by number, and the columns.

        Returns
        -------
        numbers : ndarray of int32, shape (n_states,)
        columns : ndarray of uint8, shape (n_columns, n_bytes)
            Bit k, from the lowest of the first byte on, is the decision at the k-th total taken in.
        """
        if self.count % _BYTE == 0:
            return self._numbers, self._columns
        return self._extended()

    def _extended(self) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Return numbers and columns with the byte at hand appended."""
        keys = (self._numbers.astype(np.int64) << _BYTE) + self._byte
        size = len(self._columns) << _BYTE
        if size <= _TABLE:
            occurs = np.zeros(size, np.bool_)
            occurs[keys] = True
            found = np.flatnonzero(occurs)
            place = np.zeros(size, np.int32)
            place[found] = np.arange(len(found))
            numbers = place[keys]
        else:
            found, inverse = np.unique(keys, return_inverse=True)
            numbers = inverse.astype(np.int32)
        last = (found & 0xFF).astype(np.uint8)
        return numbers, np.column_stack([self._columns[found >> _BYTE], last])
