"""The only module that imports numba's decorators.

numba's disk cache looks at one file only: a kernel whose helper in another file changed would go on
running the old machine code. So every cached function is stamped with a hash over all sources that
compiled code can come from: `CORE` and the folder of the function's own file. A test holds the
imports of compiled modules to these. Should numba move the internals of its cache used here,
functions are compiled without one; what compiles an `Entry` cannot be done without.
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
from llvmlite import ir
from numba import types
from numba.core.caching import FunctionCache, NullCache
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.registry import cpu_target
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
unsigned: Final[Callable[[Any], int]] = np.uint64  # type: ignore[assignment]
"""An index that counts from the start alone: nothing is added to negative ones."""


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


def _forgiving(cache: Any) -> None:
    """Let a damaged cache be compiled anew instead of ending the program."""
    load = cache.load_overload

    def load_overload(signature: Any, context: Any) -> Any:
        try:
            return load(signature, context)
        except Exception:
            with suppress(Exception):
                cache.flush()  # an empty index in place of the damaged one
            return None

    cache.load_overload = load_overload


def _stamping(make: Callable[[bool], Any]) -> Any:
    """Return ``make(True)``, what has a stamped cache, or ``make(False)`` where none can be."""
    if not _LOCATORS or DISABLED:
        return make(False)
    # The setting is process-wide, so it stands only while our own cache is made.
    before = numba.config.CACHE_LOCATOR_CLASSES
    numba.config.CACHE_LOCATOR_CLASSES = ",".join(_LOCATORS)
    try:
        made = make(True)
        _forgiving(getattr(made, "_cache", made))
        return made
    except RuntimeError:  # no folder of the machine can hold a cache
        return make(False)
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
    return _stamping(  # type: ignore[no-any-return]
        lambda cached: numba.njit(cache=cached, **_OPTIONS)(function)
    )


def njit_checked(function: F, *, cached: bool) -> F:
    """Compile a policy with bounds checks; `cached` for the package's own."""
    if cached:
        return _stamping(  # type: ignore[no-any-return]
            lambda cached: numba.njit(cache=cached, **_CHECKED)(function)
        )
    return numba.njit(**_CHECKED)(function)  # type: ignore[no-any-return]


class _EntryCompiler(_FunctionCompiler):  # type: ignore[misc]
    """Compiles a function and leaves it open for more code to be put beside it."""

    def _customize_flags(self, flags: Any) -> Any:
        flags.no_cpython_wrapper = True
        flags.no_cfunc_wrapper = True
        flags.no_compile = True
        return flags


def _entry_name(code: Any) -> str:
    return "entry." + str(code.fndesc.llvm_func_name)


def _entry_module(code: Any, inlined: bool) -> Any:
    """Return code that calls a compiled function and hands on its answer in a register."""
    context = cpu_target.target_context
    described = code.fndesc
    module = context.create_module(_entry_name(code))
    callee = ir.Function(
        module,
        context.call_conv.get_function_type(described.restype, described.argtypes),
        described.llvm_func_name,
    )
    kinds = [context.get_value_type(kind) for kind in described.argtypes]
    word = context.get_value_type(described.restype)
    entry = ir.Function(module, ir.FunctionType(word, kinds), _entry_name(code))
    builder = ir.IRBuilder(entry.append_basic_block())
    status, answer = context.call_conv.call_function(
        builder,
        callee,
        described.restype,
        described.argtypes,
        entry.args,
        attrs=("alwaysinline",) if inlined else (),
    )
    with builder.if_then(status.is_error, likely=False):
        builder.ret(ir.Constant(word, RAISED))
    builder.ret(answer)
    return module


class Entry:
    """A function ``function(table, seat)`` compiled to machine code that stands at an address.

    The code is called as C does, ``int64(record pointer, int64)``, and answers in a register:
    numba's own functions write their answers to memory, and its callbacks are never inlined into
    what C calls.

    The int64 of a policy holds its seat and its row in one word (`engine.choices.packed`):
    ``word & SEAT_MASK`` and ``word >> ROW_SHIFT`` of `flip7sim.table`. Observers, scripts and the
    cards of Vengeance get the bare seat.

    Parameters
    ----------
    function : callable
        Takes a record and an int64, returns an int64. Where it raises, the answer is `RAISED`.
    record : numpy.dtype
        Of the table.
    cached : bool
        Keep the machine code on disk; for the package's own functions.
    inlined : bool
        Spare the second call, by a second copy of the code; for what is small and called often.

    Attributes
    ----------
    address : int
        Valid as long as this object lives.
    cache_hits : int
        1 where the machine code came from the disk.
    """

    def __init__(
        self, function: Callable[..., Any], record: Any, *, cached: bool, inlined: bool = False
    ) -> None:
        signature = types.int64(numba.from_dtype(record), types.int64)

        def store(cached: bool) -> Any:
            return FunctionCache(function) if cached else NullCache()

        cache = _stamping(store) if cached else store(False)
        with global_compiler_lock:
            code = cache.load_overload(signature, cpu_target.target_context)
            self.cache_hits: int = int(code is not None)
            if code is None:
                compiler = _EntryCompiler(function, cpu_target, dict(_OPTIONS), {}, Compiler)
                code = compiler.compile(signature.args, signature.return_type)
                code.library.add_ir_module(_entry_module(code, inlined))
                code.library.finalize()
                cache.save_overload(signature, code)
        self._code = code
        self.address = int(code.library.get_pointer_to_function(_entry_name(code)))


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

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            long, byte = ir.IntType(64), ir.IntType(8).as_pointer()
            kind = ir.FunctionType(long, [byte, long]).as_pointer()
            record, where, index = args
            return builder.call(
                builder.inttoptr(where, kind), [builder.bitcast(record, byte), index]
            )

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
