"""What is known of an expression in a policy's source: the table, a number, or nothing.

The words of the check of policies (`flip7sim.policies.check`), apart from how it walks.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, Final

# Methods of arrays and functions of numpy: those that write to the array, those whose results are
# arrays of their own, those that return floats, those whose results may be the array itself.
IN_PLACE: Final = frozenset(
    {
        "sort", "fill", "partition", "put", "itemset", "resize", "setflags", "setfield",
        "byteswap",
    }
)  # fmt: skip
FRESH: Final = frozenset(
    {
        "copy", "sum", "max", "min", "mean", "argmax", "argmin", "any", "all", "tolist",
        "nonzero", "argsort", "cumsum", "prod", "std", "var", "item", "dot", "round",
        "clip", "astype", "flatten", "searchsorted", "repeat", "tobytes",
    }
)  # fmt: skip
FLOATS: Final = frozenset({"mean", "std", "var"})
NUMPY_IN_PLACE: Final = frozenset(
    {
        "copyto", "put", "place", "putmask", "fill_diagonal", "shuffle",
    }
)  # fmt: skip
NUMPY_ALIASES: Final = frozenset(
    {
        "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "ravel",
        "reshape", "transpose", "flip", "flipud", "fliplr", "atleast_1d", "atleast_2d",
        "atleast_3d", "squeeze", "expand_dims", "broadcast_to", "swapaxes", "moveaxis",
        "diagonal", "split", "array_split", "nditer", "require", "view",
    }
)  # fmt: skip
FORBIDDEN: Final = frozenset(
    {
        "setattr", "delattr", "exec", "eval", "vars", "globals", "locals", "compile",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Value:
    """What is known of an expression: whether it leads to the table, and which number it is."""

    kind: str  # table, array, record, alias (leads to the table); int, float, bool, function, any
    dtype: Any = None
    ndim: int = 0
    node: Any = None

    @property
    def leads(self) -> bool:
        """Whether a store to it would be one to the table."""
        return self.kind in ("table", "array", "record", "alias")


ANY, INT, FLOAT, BOOL = Value("any"), Value("int"), Value("float"), Value("bool")
TABLE_ITSELF, ALIAS = Value("table"), Value("alias")
BY_TYPE: Final = {float: FLOAT, int: INT, bool: BOOL}
BY_WORD: Final = {"float": FLOAT, "int": INT, "bool": BOOL}


def join(one: Value | None, other: Value) -> Value:
    """Return what is known of a name that is given both values."""
    if one is None or one == other:
        return other
    if one.leads or other.leads:
        return ALIAS
    if {one.kind, other.kind} <= {"int", "bool", "float"}:
        return FLOAT if "float" in (one.kind, other.kind) else INT
    return ANY


def of_dtype(dtype: Any) -> Value:
    """Return what is known of a field of a numpy dtype."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return Value("array", base, len(shape))
    if dtype.names:
        return Value("record", dtype)
    return FLOAT if dtype.kind == "f" else INT


def element(value: Value) -> Value:
    """Return what iterating over `value` gives."""
    if value.kind == "array":
        if value.ndim > 1:
            return Value("array", value.dtype, value.ndim - 1)
        return of_dtype(value.dtype)
    return ALIAS if value.leads else ANY


def plus(value: Value) -> Value:
    """Return what is known of a number after a sign, `abs`, `min` or `max`."""
    return INT if value.kind == "bool" else ANY if value.leads else value


def arithmetic(op: ast.operator, left: Value, right: Value) -> Value:
    """Return what is known of the result of an operator."""
    kinds = {left.kind, right.kind}
    if not kinds <= {"int", "bool", "float"}:
        return ANY
    if isinstance(op, ast.Div) or "float" in kinds:
        return FLOAT
    if kinds == {"bool"} and isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor):
        return BOOL
    return ANY if isinstance(op, ast.Pow) else INT
