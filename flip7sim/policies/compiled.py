"""From a Python function to an address that the engine calls.

A policy is compiled with bounds checks and put behind a small wrapper that reads its parameters
from the table, so that changing one compiles nothing. The wrapper's code is the same for all
policies of equally many parameters; only its globals differ.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from flip7sim import _jit
from flip7sim.callbacks import Callback
from flip7sim.errors import InputError
from flip7sim.table import ROW_SHIFT, SEAT_MASK, TABLE


def _real(table: Any, row: int, k: int) -> float:
    return float(table.parameter[row, k])


def _whole(table: Any, row: int, k: int) -> int:
    return int(table.whole_parameter[row, k])


def _truth(table: Any, row: int, k: int) -> bool:
    return bool(table.whole_parameter[row, k] != 0)


_READERS: Final[dict[type, Any]] = {float: _real, int: _whole, bool: _truth}
_COMPILED_READERS: Final = {kind: _jit.inlined(reader) for kind, reader in _READERS.items()}

# Filled in per policy (`_wrapper`): the function, and the readers of its parameters.
_policy: Any = None
uint64: Any = None
_0 = _1 = _2 = _3 = _4 = _5 = _6 = _7 = _real


def _call_0(t, packed):  # type: ignore[no-untyped-def]
    return int(_policy(t, packed & SEAT_MASK))


def _call_1(t, packed):  # type: ignore[no-untyped-def]
    r = uint64(packed) >> uint64(ROW_SHIFT)
    return int(_policy(t, packed & SEAT_MASK, _0(t, r, 0)))


def _call_2(t, packed):  # type: ignore[no-untyped-def]
    r = uint64(packed) >> uint64(ROW_SHIFT)
    return int(_policy(t, packed & SEAT_MASK, _0(t, r, 0), _1(t, r, 1)))


def _call_3(t, packed):  # type: ignore[no-untyped-def]
    r = uint64(packed) >> uint64(ROW_SHIFT)
    return int(_policy(t, packed & SEAT_MASK, _0(t, r, 0), _1(t, r, 1), _2(t, r, 2)))


def _call_4(t, packed):  # type: ignore[no-untyped-def]
    r = uint64(packed) >> uint64(ROW_SHIFT)
    return int(_policy(t, packed & SEAT_MASK, _0(t, r, 0), _1(t, r, 1), _2(t, r, 2), _3(t, r, 3)))


def _call_5(t, packed):  # type: ignore[no-untyped-def]
    r = uint64(packed) >> uint64(ROW_SHIFT)
    return int(
        _policy(
            t, packed & SEAT_MASK,
            _0(t, r, 0), _1(t, r, 1), _2(t, r, 2), _3(t, r, 3),
            _4(t, r, 4),
        )
    )  # fmt: skip


def _call_6(t, packed):  # type: ignore[no-untyped-def]
    r = uint64(packed) >> uint64(ROW_SHIFT)
    return int(
        _policy(
            t, packed & SEAT_MASK,
            _0(t, r, 0), _1(t, r, 1), _2(t, r, 2), _3(t, r, 3),
            _4(t, r, 4), _5(t, r, 5),
        )
    )  # fmt: skip


def _call_7(t, packed):  # type: ignore[no-untyped-def]
    r = uint64(packed) >> uint64(ROW_SHIFT)
    return int(
        _policy(
            t, packed & SEAT_MASK,
            _0(t, r, 0), _1(t, r, 1), _2(t, r, 2), _3(t, r, 3),
            _4(t, r, 4), _5(t, r, 5), _6(t, r, 6),
        )
    )  # fmt: skip


def _call_8(t, packed):  # type: ignore[no-untyped-def]
    r = uint64(packed) >> uint64(ROW_SHIFT)
    return int(
        _policy(
            t, packed & SEAT_MASK,
            _0(t, r, 0), _1(t, r, 1), _2(t, r, 2), _3(t, r, 3),
            _4(t, r, 4), _5(t, r, 5), _6(t, r, 6), _7(t, r, 7),
        )
    )  # fmt: skip


_CALLS: Final = (
    _call_0, _call_1, _call_2, _call_3, _call_4, _call_5, _call_6, _call_7, _call_8,
)  # fmt: skip


def _wrapper(name: str, policy: Any, kinds: tuple[type, ...]) -> Callable[[Any, int], int]:
    template = _CALLS[len(kinds)]
    names: dict[str, Any] = {f"_{k}": _COMPILED_READERS[kind] for k, kind in enumerate(kinds)}
    names |= {"_policy": policy, "__name__": __name__, "uint64": np.uint64}
    names |= {"SEAT_MASK": SEAT_MASK, "ROW_SHIFT": ROW_SHIFT}
    names["__builtins__"] = template.__globals__["__builtins__"]
    wrapper = types.FunctionType(template.__code__, names, name)
    wrapper.__qualname__ = name  # numba names the cache file after it: one file a policy
    wrapper.__module__ = __name__
    return wrapper


class Code:
    """A policy's code at an address; valid as long as this object lives.

    Parameters
    ----------
    name : str
        Of the policy, for messages and for the cache.
    function : callable
        ``function(table, seat, *parameters)``.
    kinds : tuple of type
        ``float``, ``int`` or ``bool`` for each parameter.
    compiled : bool
        False runs it as plain Python.
    cached : bool
        Keep the machine code on disk; for the package's own policies.

    Attributes
    ----------
    address : int
    callback : Callback or None
        Of a plain one: knows what it raised last.

    Raises
    ------
    InputError
        If numba cannot compile the function, or its answers are no integers.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        kinds: tuple[type, ...],
        *,
        compiled: bool,
        cached: bool,
    ) -> None:
        self.callback: Callback | None = None
        self._code: Any = None
        if not compiled or _jit.DISABLED:
            self.callback = Callback(_plain(name, function, kinds))
            self.address = self.callback.address
            return
        policy = jitted(function)
        try:
            if not cached:
                answer = _jit.answer_type(policy, TABLE, kinds)
                if answer not in ("bool", "int"):
                    raise InputError(wrong_answer(name, answer))
            wrapper = _wrapper(name, policy, kinds)
            self._code = _jit.Entry(wrapper, TABLE, cached=cached, inlined=True)
        except InputError:
            raise
        except Exception as error:  # numba has many, and some are not its own
            raise InputError(
                f"policy {name!r} cannot be compiled: {compile_reason(error)}; "
                "compiled=False runs any Python, slowly"
            ) from None
        self.address = int(self._code.address)


def wrong_answer(name: str, answer: str) -> str:
    """Return the line that says that a policy's answers are of the wrong type."""
    if answer == "float":
        return f"policy {name!r} returns a float; it must return a bool or an int"
    if answer == "none" or answer.startswith("Optional"):
        return f"policy {name!r} does not return an answer on every path"
    return f"policy {name!r} returns {answer}; it must return a bool or an int"


def _plain(
    name: str, function: Callable[..., Any], kinds: tuple[type, ...]
) -> Callable[[Any, int], int]:
    def call(table: Any, seat: int) -> int:
        given = (_READERS[kind](table, table.row, k) for k, kind in enumerate(kinds))
        answer = function(table, seat, *given)
        if type(answer).__name__ not in ("bool", "bool_") and not hasattr(answer, "__index__"):
            raise TypeError(wrong_answer(name, type(answer).__name__))
        return int(answer)

    return call


_jitted: dict[Callable[..., Any], Any] = {}


def jitted(function: Callable[..., Any]) -> Any:
    """Return `function` compiled, and with it the plain functions and policies that it calls."""
    if function in _jitted:
        return _jitted[function]
    _jitted[function] = function  # until it is done, for functions that call each other
    globals_ = dict(function.__globals__)
    for name in _names(function.__code__):
        if name in globals_:
            globals_[name] = _callable(globals_[name], function)
    closure = function.__closure__ and tuple(
        types.CellType(_callable(_contents(cell), function)) for cell in function.__closure__
    )
    copy = types.FunctionType(
        function.__code__, globals_, function.__name__, function.__defaults__, closure
    )
    copy.__qualname__ = function.__qualname__
    copy.__module__ = function.__module__
    _jitted[function] = _jit.njit_checked(copy, cached=False)
    return _jitted[function]


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # a name that is not bound yet
        return None


def _names(code: types.CodeType) -> set[str]:
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _callable(value: Any, caller: Callable[..., Any]) -> Any:
    plain = getattr(value, "function", value)  # a policy stands for its function
    if isinstance(plain, types.FunctionType) and plain is not caller:
        if plain is value and (plain.__module__ or "").split(".")[0] in ("numpy", "math"):
            return value
        return jitted(plain)
    return value


def compile_reason(error: Exception) -> str:
    """Return the line of numba's message that says what is wrong, and where."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    skip = ("Failed in", "During:", "- Resolution", "raised from", "Traceback", "This error")
    telling = [line for line in lines if not line.startswith(skip)]
    where = next((line for line in lines if line.startswith("File ")), "")
    match = re.search(r"line (\d+)", where)
    reason = telling[0] if telling else "numba does not say why"
    reason = reason if len(reason) <= 200 else reason[:197] + "..."
    return f"{reason} (line {match[1]})" if match else reason
