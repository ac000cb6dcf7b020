"""Reading a constant array through its address, compiled and plain.

A solution is too large to be a compiled function's constant, so its address stands in the table
(``table.data``) and compiled code reads words of 8 bytes from there.
"""

from __future__ import annotations

import ctypes
from typing import Any

from flip7sim import _jit

if _jit.DISABLED:

    def read_word(address: Any, index: Any) -> int:
        """Return the int64 that stands `index` words after `address`."""
        return ctypes.c_int64.from_address(int(address) + 8 * int(index)).value

    def read_real(address: Any, index: Any) -> float:
        """Return the float64 that stands `index` words after `address`."""
        return ctypes.c_double.from_address(int(address) + 8 * int(index)).value

else:
    from numba import types
    from numba.extending import intrinsic

    def _reader(kind: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = context.get_value_type(kind)
            pointer = builder.inttoptr(args[0], word.as_pointer())
            return builder.load(builder.gep(pointer, [args[1]]))

        return codegen

    @intrinsic
    def read_word(typingctx: Any, address: Any, index: Any) -> Any:
        """Return the int64 that stands `index` words after `address`."""
        return types.int64(types.uint64, types.int64), _reader(types.int64)

    @intrinsic
    def read_real(typingctx: Any, address: Any, index: Any) -> Any:
        """Return the float64 that stands `index` words after `address`."""
        return types.float64(types.uint64, types.int64), _reader(types.float64)
