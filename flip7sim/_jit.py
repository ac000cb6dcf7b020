"""The only module that imports numba's decorators.

numba's disk cache looks at one file only: a kernel whose helper in another file changed would go on
running the old machine code. So every cached function is stamped with a hash over all sources that
compiled code can come from: `CORE` and the folder of the function's own file. A test holds the
imports of compiled modules to these. Should numba move the internals used here, functions are
compiled without a cache.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.cgutils import alloca_once
from numba.extending import intrinsic

from flip7sim.table import RAISED, TABLE

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE: Final = Path(__file__).resolve().parent
CORE: Final = (
    "_jit.py", "cards.py", "errors.py", "rules.py", "table.py", "lines.py", "moves.py",
    "readings.py", "engine", "exact",
)  # fmt: skip
"""Files and folders of the package that compiled code anywhere may import."""
DISABLED: Final[bool] = bool(numba.config.DISABLE_JIT)
"""True where `NUMBA_DISABLE_JIT` runs kernels as plain Python."""

int64: Final[Callable[[Any], int]] = np.int64  # type: ignore[assignment]
"""The one type of the whole numbers that compiled helpers hand on: another type compiles another
copy of each (small fields of the table are of other types)."""


def _digests() -> dict[str, dict[str, bytes]]:
    found: dict[str, dict[str, bytes]] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        folder = found.setdefault(str(file.parent), {})
        folder[file.name] = hashlib.sha256(file.read_bytes()).digest()
    return found


# Read once, before anything is compiled: a source edited while the process runs must not get its
# new stamp onto code that was compiled from the old one.
_DIGESTS: Final = _digests()


@cache
def source_stamp(folder: str) -> str:
    """Return a hash over `CORE` and over the Python files in `folder`, as they were at import."""
    digest = hashlib.sha256()
    top = _DIGESTS[str(PACKAGE)]
    for name in CORE:
        if name.endswith(".py"):
            digest.update(name.encode() + top[name])
    for name in [str(PACKAGE / part) for part in CORE if not part.endswith(".py")] + [folder]:
        for file, content in _DIGESTS.get(name, {}).items():
            digest.update(file.encode() + content)
    return digest.hexdigest()


_LOCATORS: list[str] = []
try:
    from numba.core import caching as _caching

    def _stamped(base: type) -> type:
        def get_source_stamp(self: Any) -> tuple[str, str]:
            folder, name = os.path.split(os.path.abspath(self._py_file))
            own = _DIGESTS.get(folder, {}).get(name, b"")
            if Path(folder) == PACKAGE:  # a module at the top stands in no folder of its own
                folder = str(PACKAGE / "engine")
            return source_stamp(folder), own.hex()

        return type("Stamped" + base.__name__, (base,), {"get_source_stamp": get_source_stamp})

    for _name in ("UserProvidedCacheLocator", "InTreeCacheLocator", "UserWideCacheLocator"):
        _class = _stamped(getattr(_caching, _name))
        globals()[_class.__name__] = _class
        _LOCATORS.append(f"{__name__}.{_class.__name__}")
    _ = numba.config.CACHE_LOCATOR_CLASSES
except (ImportError, AttributeError):  # pragma: no cover - another numba
    _LOCATORS = []


def _forgiving(compiled: Any) -> Any:
    """Let a damaged cache be compiled anew instead of ending the program."""
    cache = compiled._cache
    load = cache.load_overload

    def load_overload(signature: Any, context: Any) -> Any:
        try:
            return load(signature, context)
        except Exception:
            with suppress(Exception):
                cache.flush()  # an empty index in place of the damaged one
            return None

    cache.load_overload = load_overload
    return compiled


def _decorated(decorate: Callable[..., Any], function: Callable[..., Any]) -> Any:
    if not _LOCATORS or DISABLED:
        return decorate(cache=False)(function)
    # The setting is process-wide, so it stands only while our own function is decorated.
    before = numba.config.CACHE_LOCATOR_CLASSES
    numba.config.CACHE_LOCATOR_CLASSES = ",".join(_LOCATORS)
    try:
        return _forgiving(decorate(cache=True)(function))
    except RuntimeError:  # no folder of the machine can hold a cache
        return decorate(cache=False)(function)
    finally:
        numba.config.CACHE_LOCATOR_CLASSES = before


# Callees take `forceinline` over from their callers unless they say otherwise.
_OPTIONS: Final[dict[str, Any]] = {"error_model": "numpy", "nogil": True, "forceinline": False}
_INLINED: Final[dict[str, Any]] = {**_OPTIONS, "forceinline": True}
# A policy that divides by zero raises, as it does in plain Python.
_CHECKED: Final[dict[str, Any]] = {**_INLINED, "boundscheck": True, "error_model": "python"}


def helper(function: F) -> F:
    """Compile a function that only other compiled functions call; their caches hold it."""
    return numba.njit(**_OPTIONS)(function)  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """Compile a helper that runs at every flip into the code of its callers."""
    return numba.njit(**_INLINED)(function)  # type: ignore[no-any-return]


def njit(function: F) -> F:
    """Compile a kernel that Python calls, cached on disk and stamped."""
    return _decorated(  # type: ignore[no-any-return]
        lambda cache: numba.njit(cache=cache, **_OPTIONS), function
    )


def njit_checked(function: F, *, cached: bool) -> F:
    """Compile a policy with bounds checks; `cached` for the package's own."""
    if cached:
        return _decorated(  # type: ignore[no-any-return]
            lambda cache: numba.njit(cache=cache, **_CHECKED), function
        )
    return numba.njit(**_CHECKED)(function)  # type: ignore[no-any-return]


class Entry:
    """A function ``function(table, seat)`` compiled to machine code that stands at an address.

    The code is called the way numba's functions call each other, ``int32(pointer to the answer,
    pointer to an exception, record pointer, int64)``, without any wrapper between.

    The int64 of a policy holds its seat and its row in one word (`engine.choices.packed`):
    ``word & SEAT_MASK`` and ``word >> ROW_SHIFT`` of `flip7sim.table`. Observers, scripts and the
    cards of Vengeance get the bare seat.

    Parameters
    ----------
    function : callable
        Takes a record and an int64, returns an int64.
    record : numpy.dtype
        Of the table.
    cached : bool
        Keep the machine code on disk; for the package's own functions.

    Attributes
    ----------
    address : int
        Valid as long as this object lives.
    cache_hits : int
        1 where the machine code came from the disk.
    """

    def __init__(self, function: Callable[..., Any], record: Any, *, cached: bool) -> None:
        signature = types.int64(numba.from_dtype(record), types.int64)

        def decorate(cache: bool) -> Any:
            return numba.njit(
                cache=cache, no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS
            )

        compiled = _decorated(decorate, function) if cached else decorate(False)(function)
        compiled.compile(signature)
        self.cache_hits: int = sum(compiled.stats.cache_hits.values())
        self._code = compiled.overloads[signature.args]
        self.address = int(
            self._code.library.get_pointer_to_function(self._code.fndesc.llvm_func_name)
        )


_ENTRIES: Final[list[Entry]] = []
"""Those of `address_of`, whose machine code must stay."""


@cache
def address_of(function: Callable[[Any, int], int]) -> int:
    """Return the address of one of the package's own functions, good in this process.

    It is compiled the first time it is asked for; see `Entry` for how it is called.
    """
    if DISABLED:
        FUNCTIONS[id(function)] = function
        return id(function)
    entry = Entry(function, TABLE, cached=True)
    _ENTRIES.append(entry)
    return entry.address


def answer_type(function: Any, record: Any, parameters: tuple[type, ...]) -> str:
    """Compile a jitted policy and return the name of the type of its answers.

    Parameters
    ----------
    function : dispatcher
        Made by `njit_checked`.
    record : numpy.dtype
        Of the table.
    parameters : tuple of type
        ``int``, ``float`` or ``bool`` for each parameter after the table and the seat.

    Returns
    -------
    {"bool", "int", "float", ...}
        For other types numba's own name.
    """
    kinds = {bool: types.boolean, int: types.int64, float: types.float64}
    arguments = (
        numba.from_dtype(record), types.int64, *(kinds[parameter] for parameter in parameters),
    )  # fmt: skip
    function.compile(arguments)
    answer = types.unliteral(function.overloads[arguments].signature.return_type)
    for name, family in (("bool", types.Boolean), ("int", types.Integer), ("float", types.Float)):
        if isinstance(answer, family):
            return name
    return str(answer)


def trailing_zeros(word: Any) -> int:
    """Return the index of the lowest bit that is set in a positive word."""
    return int(word & -word).bit_length() - 1


FUNCTIONS: dict[int, Callable[[Any, int], int]] = {}
"""Functions by address, for runs without compilation."""


if DISABLED:

    def call_address(table: Any, address: Any, word: Any) -> int:
        """Call the function registered at `address` with the table and what `Entry` says."""
        return FUNCTIONS[int(address)](table, int(word))

else:

    @intrinsic
    def trailing_zeros(typingctx: Any, word: Any) -> Any:
        """Return the index of the lowest bit that is set in a positive word."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), codegen

    @intrinsic
    def call_address(typingctx: Any, table: Any, address: Any, word: Any) -> Any:
        """Call the `Entry` at `address`; where it raises, `RAISED` is the answer.

        `word` is seat and row in one for policies, the bare seat for all others.
        """
        from llvmlite import ir

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            long, byte = ir.IntType(64), ir.IntType(8).as_pointer()
            answer, exception = alloca_once(builder, long), alloca_once(builder, byte)
            kind = ir.FunctionType(
                ir.IntType(32), [answer.type, exception.type, byte, long]
            ).as_pointer()
            record, where, index = args
            status = builder.call(
                builder.inttoptr(where, kind),
                [answer, exception, builder.bitcast(record, byte), index],
            )
            fine = builder.icmp_signed("==", status, ir.Constant(status.type, 0))
            return builder.select(fine, builder.load(answer), ir.Constant(long, RAISED))

        return types.int64(table, types.uint64, types.int64), codegen


if DISABLED:

    def read_word(address: Any, index: Any) -> int:
        """Return the int64 that stands `index` words of 8 bytes after `address`."""
        return ctypes.c_int64.from_address(int(address) + 8 * int(index)).value

    def write_word(address: Any, index: Any, value: Any) -> None:
        """Write an int64 or a float64 to the place `index` words of 8 bytes after `address`."""
        real = isinstance(value, float)
        kind = ctypes.c_double if real else ctypes.c_int64
        kind.from_address(int(address) + 8 * int(index)).value = (
            float(value) if real else int(value)
        )

else:

    @intrinsic
    def read_word(typingctx: Any, address: Any, index: Any) -> Any:
        """Return the int64 that stands `index` words of 8 bytes after `address`."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = context.get_value_type(types.int64)
            pointer = builder.inttoptr(args[0], word.as_pointer())
            return builder.load(builder.gep(pointer, [args[1]]))

        return types.int64(types.uint64, types.int64), codegen

    @intrinsic
    def write_word(typingctx: Any, address: Any, index: Any, value: Any) -> Any:
        """Write an int64 or a float64 to the place `index` words of 8 bytes after `address`."""
        kind = types.float64 if isinstance(value, types.Float) else types.int64

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = builder.inttoptr(args[0], context.get_value_type(kind).as_pointer())
            builder.store(args[2], builder.gep(pointer, [args[1]]))
            return context.get_dummy_value()

        return types.void(types.uint64, types.int64, kind), codegen
