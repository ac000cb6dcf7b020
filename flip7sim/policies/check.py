"""What a policy may do, found out from its source before it is ever run.

A policy may read what its player can see and may not write to the table. `check_function` follows
the table through the function's names, and through the helpers it calls, and refuses stores,
methods that change an array in place, and fields that no player can see. Where there is no source,
a coarser check of the bytecode stands in.
"""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import textwrap
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from flip7sim.errors import InputError, nearest
from flip7sim.policies.parameters import Parameter
from flip7sim.table import TABLE

HIDDEN: Final = frozenset(
    ("seed", "rng", "deck", "full_deck", "script", "observer", "observer_data")
    + ("address", "data", "parameter", "row")
)
"""Fields of the table that no player can see, or that are the engine's own."""
FIELDS: Final = tuple(name for name in TABLE.names or () if name not in HIDDEN)
"""Fields of the table that a policy may read."""

_IN_PLACE: Final = frozenset(
    "sort fill partition put itemset resize setflags setfield byteswap".split()
)
_FRESH: Final = frozenset(
    "copy sum max min mean argmax argmin any all tolist nonzero argsort cumsum prod std var item dot"
    " round clip astype flatten searchsorted repeat tobytes".split()
)
_FLOATS: Final = frozenset(("mean", "std", "var"))
_NUMPY_IN_PLACE: Final = frozenset("copyto put place putmask fill_diagonal shuffle".split())
_NUMPY_ALIASES: Final = frozenset(
    "asarray asanyarray ascontiguousarray asfortranarray ravel reshape transpose flip flipud fliplr"
    " atleast_1d atleast_2d atleast_3d squeeze expand_dims broadcast_to swapaxes moveaxis diagonal"
    " split array_split nditer require view".split()
)
_NO: Final = frozenset("setattr delattr exec eval vars globals locals compile".split())
_PASSES: Final = 6
_DEPTH: Final = 12


@dataclass(frozen=True)
class _Value:
    """What is known of an expression: whether it leads to the table, and which number it is."""

    kind: str  # table, array, record, alias (leads to the table); int, float, bool, function, any
    dtype: Any = None
    ndim: int = 0
    node: Any = None

    @property
    def leads(self) -> bool:
        return self.kind in ("table", "array", "record", "alias")

    @property
    def stores(self) -> bool:
        return self.leads


_ANY, _INT, _FLOAT, _BOOL = _Value("any"), _Value("int"), _Value("float"), _Value("bool")
_TABLE, _ALIAS = _Value("table"), _Value("alias")
_BY_TYPE: Final = {float: _FLOAT, int: _INT, bool: _BOOL}
_BY_WORD: Final = {"float": _FLOAT, "int": _INT, "bool": _BOOL}


def check_function(
    name: str, kind: str, function: Callable[..., Any], parameters: Sequence[Parameter]
) -> None:
    """Refuse a policy that writes to the table, reads what is hidden or returns a float.

    Parameters
    ----------
    name, kind : str
        Of the policy, for the message.
    function : callable
    parameters : sequence of Parameter
        Those after the table and the seat.

    Raises
    ------
    InputError
        With the line of the function that is wrong.
    """
    arguments = [_TABLE, _INT, *(_BY_TYPE[parameter.type] for parameter in parameters)]
    returned = _Check(name, ()).function(function, arguments)
    if returned.kind == "float":
        raise InputError(
            f"policy {name!r} returns a float; a {kind} policy must return a bool or an int"
        )


def _join(one: _Value | None, other: _Value) -> _Value:
    if one is None or one == other:
        return other
    if one.leads or other.leads:
        return _ALIAS
    if {one.kind, other.kind} <= {"int", "bool", "float"}:
        return _FLOAT if "float" in (one.kind, other.kind) else _INT
    return _ANY


def _of_dtype(dtype: Any) -> _Value:
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return _Value("array", base, len(shape))
    if dtype.names:
        return _Value("record", dtype)
    return _FLOAT if dtype.kind == "f" else _INT


def _element(value: _Value) -> _Value:
    """Return what iterating over `value` gives."""
    if value.kind == "array":
        if value.ndim > 1:
            return _Value("array", value.dtype, value.ndim - 1)
        return _of_dtype(value.dtype)
    return _ALIAS if value.leads else _ANY


class _Check:
    """Follows the table through one function; `stack` holds those that led here."""

    def __init__(self, policy: str, stack: tuple[Any, ...]) -> None:
        self.policy = policy
        self.stack = stack
        self.names: dict[str, _Value] = {}
        self.returned: _Value | None = None
        self.refusing = False
        self.owner: Callable[..., Any] | None = None

    def function(self, function: Callable[..., Any], arguments: Sequence[_Value]) -> _Value:
        """Check a function that is called with these arguments; return what it returns."""
        if function in self.stack or len(self.stack) > _DEPTH:
            return _ANY
        self.stack = (*self.stack, function)
        self.owner = function
        node = _source(function)
        if node is None:
            self.bytecode(function.__code__)
            return _ANY
        self.first_line = function.__code__.co_firstlineno
        return self.body(node, arguments)

    def body(self, node: Any, arguments: Sequence[_Value]) -> _Value:
        """Check a function's node; go over it until what is known of its names is stable."""
        names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
        for k, name in enumerate(names):
            self.names[name] = _join(
                self.names.get(name), arguments[k] if k < len(arguments) else _ANY
            )
        statements = node.body if isinstance(node.body, list) else [ast.Return(node.body)]
        for _ in range(_PASSES):
            before = dict(self.names)
            self.returned = None
            self.statements(statements)
            if self.names == before:
                break
        self.refusing = True
        self.returned = None
        self.statements(statements)
        return self.returned or _ANY

    def refuse(self, what: str, node: Any) -> None:
        line = getattr(node, "lineno", None)
        where = f" (line {line} of its function)" if line else ""
        if self.refusing:
            raise InputError(f"policy {self.policy!r} {what}{where}")

    def statements(self, nodes: Sequence[Any]) -> None:
        for node in nodes:
            self.statement(node)

    def statement(self, node: Any) -> None:
        match node:
            case ast.Assign():
                value = self.value(node.value)
                for target in node.targets:
                    self.store(target, value)
            case ast.AnnAssign():
                if node.value is not None:
                    self.store(node.target, self.value(node.value))
            case ast.AugAssign():
                change = self.value(node.value)
                if isinstance(node.target, ast.Name):
                    held = self.names.get(node.target.id, _ANY)
                    if held.leads:
                        self.refuse(f"writes to the table through {node.target.id!r}", node)
                    self.store(node.target, _arithmetic(node.op, held, change))
                else:
                    self.store(node.target, change)
            case ast.For():
                self.store(node.target, self.iterated(node.iter))
                self.statements([*node.body, *node.orelse])
            case ast.Return():
                value = _ANY if node.value is None else self.value(node.value)
                self.returned = _join(self.returned, value)
            case ast.FunctionDef():
                self.names[node.name] = _Value("function", node=node)
            case ast.Delete():
                for target in node.targets:
                    if not isinstance(target, ast.Name) and self.value(target.value).leads:
                        self.refuse("deletes from the table", target)
            case ast.With():
                for item in node.items:
                    value = self.value(item.context_expr)
                    if item.optional_vars is not None:
                        self.store(item.optional_vars, value)
                self.statements(node.body)
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.value(child)
                    elif isinstance(child, ast.stmt):
                        self.statement(child)
                    else:
                        self.statement(child)

    def store(self, target: Any, value: _Value) -> None:
        match target:
            case ast.Name():
                self.names[target.id] = _join(self.names.get(target.id), value)
            case ast.Tuple() | ast.List():
                for item in target.elts:
                    self.store(item, _element(value))
            case ast.Starred():
                self.store(target.value, _ALIAS if value.leads else _ANY)
            case ast.Attribute():
                if self.value(target.value).leads:
                    self.refuse(f"writes to the table: {ast.unparse(target)} = ...", target)
            case ast.Subscript():
                self.value(target.slice)
                base = self.value(target.value)
                if base.leads:
                    self.refuse(f"writes to the table: {ast.unparse(target)} = ...", target)
                elif value.leads and isinstance(target.value, ast.Name):
                    self.names[target.value.id] = _ALIAS

    def iterated(self, node: Any) -> _Value:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
            self.value(node)
            return _INT
        return _element(self.value(node))

    def value(self, node: Any) -> _Value:
        """Return what is known of an expression, and check it."""
        match node:
            case ast.Constant():
                return _BY_TYPE.get(type(node.value), _ANY)
            case ast.Name():
                return self.name(node.id)
            case ast.Attribute():
                return self.attribute(self.value(node.value), node.attr, node)
            case ast.Subscript():
                return self.subscript(node)
            case ast.Call():
                return self.call(node)
            case ast.BinOp():
                return _arithmetic(node.op, self.value(node.left), self.value(node.right))
            case ast.UnaryOp():
                value = self.value(node.operand)
                return _BOOL if isinstance(node.op, ast.Not) else _plus(value)
            case ast.BoolOp():
                return self.joined(node.values)
            case ast.IfExp():
                self.value(node.test)
                return self.joined([node.body, node.orelse])
            case ast.Compare():
                values = [self.value(item) for item in (node.left, *node.comparators)]
                return _ANY if any(value.kind in ("array", "any") for value in values) else _BOOL
            case ast.NamedExpr():
                value = self.value(node.value)
                self.store(node.target, value)
                return value
            case ast.Lambda():
                return _Value("function", node=node)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self.comprehension(node)
            case ast.Tuple() | ast.List() | ast.Set():
                leads = [self.value(item).leads for item in node.elts]
                return _ALIAS if any(leads) else _ANY
            case _:
                values = [
                    self.value(child)
                    for child in ast.iter_child_nodes(node)
                    if isinstance(child, ast.expr)
                ]
                return _ALIAS if any(value.leads for value in values) else _ANY

    def joined(self, nodes: Sequence[Any]) -> _Value:
        value: _Value | None = None
        for node in nodes:
            value = _join(value, self.value(node))
        return value or _ANY

    def comprehension(self, node: Any) -> _Value:
        for generator in node.generators:
            self.store(generator.target, self.iterated(generator.iter))
            for test in generator.ifs:
                self.value(test)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return _ALIAS if any([self.value(part).leads for part in parts]) else _ANY

    def name(self, name: str) -> _Value:
        if name in self.names:
            return self.names[name]
        found = self.resolve(ast.Name(name))
        return _BY_TYPE.get(type(found), _ANY)

    def resolve(self, node: Any) -> Any:
        """Return the object that a dotted name outside the function stands for, or None."""
        if isinstance(node, ast.Attribute):
            base = self.resolve(node.value)
            return getattr(base, node.attr, None) if isinstance(base, types.ModuleType) else None
        if not isinstance(node, ast.Name) or node.id in self.names or self.owner is None:
            return None
        free = dict(zip(self.owner.__code__.co_freevars, self.owner.__closure__ or (), strict=True))
        if node.id in free:
            try:
                return free[node.id].cell_contents
            except ValueError:
                return None
        return self.owner.__globals__.get(node.id, getattr(builtins, node.id, None))

    def attribute(self, base: _Value, attribute: str, node: Any) -> _Value:
        if base.kind == "table":
            return self.field(attribute, node)
        if base.kind == "record":
            if attribute not in base.dtype.names:
                self.refuse(
                    f"reads {attribute!r} where there is none; "
                    f"{nearest(attribute, base.dtype.names)}", node
                )  # fmt: skip
                return _ANY
            return _of_dtype(base.dtype[attribute])
        if base.kind == "array" and attribute in ("size", "ndim"):
            return _INT
        if base.kind == "array" and attribute in ("shape", "dtype"):
            return _ANY
        return _ALIAS if base.leads else _ANY

    def field(self, name: str, node: Any) -> _Value:
        if name in HIDDEN:
            self.refuse(f"reads table.{name}, which no player can see", node)
            return _ANY
        if name not in FIELDS:
            self.refuse(f"reads table.{name}, which is no field; {nearest(name, FIELDS)}", node)
            return _ANY
        return _of_dtype(TABLE[name])

    def subscript(self, node: Any) -> _Value:
        base = self.value(node.value)
        index = node.slice
        self.value(index)
        if base.kind == "table":
            if isinstance(index, ast.Constant) and isinstance(index.value, str):
                return self.field(index.value, node)
            self.refuse("reads the table by something else than a field's name", node)
            return _ANY
        if base.kind == "record":
            return _ANY
        if base.kind != "array":
            return _ALIAS if base.leads else _ANY
        value = base
        for item in index.elts if isinstance(index, ast.Tuple) else [index]:
            if isinstance(item, ast.Constant) and item.value in (None, ...):
                return _ALIAS
            if not isinstance(item, ast.Slice):
                value = _element(value)
        return value

    def call(self, node: ast.Call) -> _Value:
        arguments = [self.value(item) for item in node.args]
        keywords = {item.arg: self.value(item.value) for item in node.keywords}
        leads = [value for value in (*arguments, *keywords.values()) if value.leads]
        if "out" in keywords and keywords["out"].leads:
            self.refuse(f"writes to the table: {ast.unparse(node)}", node)
        if isinstance(node.func, ast.Attribute) and self.resolve(node.func) is None:
            base = self.value(node.func.value)
            if base.leads:
                return self.method(base, node)
        inner = self.names.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if isinstance(node.func, ast.Lambda):
            inner = _Value("function", node=node.func)
        if inner is not None and inner.kind == "function":
            return self.inner(inner, arguments)
        found = self.resolve(node.func)
        name = getattr(found, "__name__", "")
        if _is_random(found):
            self.refuse(
                f"draws random numbers by {ast.unparse(node.func)}; use uniform(table, seat)", node
            )
        if leads and name in _NO:
            self.refuse(f"calls {name} with the table", node)
        if found is getattr and arguments and arguments[0].kind == "table":
            second = node.args[1]
            if isinstance(second, ast.Constant) and isinstance(second.value, str):
                return self.field(second.value, node)
            self.refuse("reads the table by something else than a field's name", node)
        return self.outer(found, node, arguments, keywords, bool(leads))

    def method(self, base: _Value, node: ast.Call) -> _Value:
        assert isinstance(node.func, ast.Attribute)
        name = node.func.attr
        if base.kind == "table":
            self.field(name, node)
        if name in _IN_PLACE:
            self.refuse(f"writes to the table: {ast.unparse(node)}", node)
        if name in ("argmax", "argmin"):
            return _INT
        if name in _FLOATS:
            return _FLOAT
        return _ANY if name in _FRESH else _ALIAS

    def inner(self, function: _Value, arguments: Sequence[_Value]) -> _Value:
        """Check a function defined inside this one, which sees its names."""
        if function.node in self.stack:
            return _ANY
        check = _Check(self.policy, (*self.stack, function.node))
        check.owner = self.owner
        check.names = dict(self.names)
        for item in (*function.node.args.posonlyargs, *function.node.args.args):
            check.names.pop(item.arg, None)
        return check.body(function.node, arguments)

    def outer(
        self,
        found: Any,
        node: ast.Call,
        arguments: Sequence[_Value],
        keywords: dict[str | None, _Value],
        leads: bool,
    ) -> _Value:
        """Return what a function from outside gives, and check it if it gets the table."""
        if found in (float, int, bool):
            return _BY_TYPE[found]
        if found is len:
            return _INT
        if found in (min, max, abs):
            if len(arguments) == 1 and found is not abs:
                return _element(arguments[0])
            return _plus(self.joined(node.args))
        module = getattr(found, "__module__", "") or ""
        name = getattr(found, "__name__", "")
        plain = getattr(found, "py_func", None) or getattr(found, "function", None) or found
        if isinstance(plain, types.FunctionType) and (module.startswith("flip7sim.")):
            return _BY_WORD.get(str(plain.__annotations__.get("return")), _ANY)
        if module == "math":
            return _ANY if name in ("floor", "ceil", "trunc") else _FLOAT
        if module.split(".")[0] == "numpy" or isinstance(found, np.ufunc):
            if leads and name in _NUMPY_IN_PLACE:
                self.refuse(f"writes to the table: {ast.unparse(node)}", node)
            return _ALIAS if leads and name in _NUMPY_ALIASES else _ANY
        if isinstance(plain, types.FunctionType):
            named = list(inspect.signature(plain).parameters)
            given = list(arguments) + [
                keywords.get(parameter, _ANY) for parameter in named[len(arguments) :]
            ]
            return _Check(self.policy, self.stack).function(plain, given)
        if found in (range, sum, round, print, isinstance, hash, id, type, divmod, pow):
            return _ANY
        if leads and found in (list, tuple, sorted, set, enumerate, zip, reversed, iter):
            flat = all(v.kind == "array" and v.ndim == 1 and not v.dtype.names
                       for v in arguments if v.leads)  # fmt: skip
            return _ANY if flat and found is not iter else _ALIAS
        return _ALIAS if leads else _ANY

    def bytecode(self, code: types.CodeType) -> None:
        """Check a function whose source is not to be had."""
        self.refusing = True
        for hidden in sorted(HIDDEN & set(code.co_names)):
            self.refuse(f"reads table.{hidden}, which no player can see", None)
        for instruction in dis.get_instructions(code):
            if instruction.opname.startswith(("STORE_ATTR", "STORE_SUBSCR", "DELETE_ATTR",
                                              "DELETE_SUBSCR", "STORE_SLICE")):  # fmt: skip
                self.refuse(
                    "stores into an array or object, and without its source nobody can tell "
                    "whether that is the table; define it in a file or notebook", None
                )  # fmt: skip
        for method in sorted(_IN_PLACE & set(code.co_names)):
            self.refuse(f"calls .{method}(), which may write to the table", None)


def _plus(value: _Value) -> _Value:
    return _INT if value.kind == "bool" else _ANY if value.leads else value


def _arithmetic(op: ast.operator, left: _Value, right: _Value) -> _Value:
    kinds = {left.kind, right.kind}
    if not kinds <= {"int", "bool", "float"}:
        return _ANY
    if isinstance(op, ast.Div) or "float" in kinds:
        return _FLOAT
    if kinds == {"bool"} and isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor):
        return _BOOL
    return _ANY if isinstance(op, ast.Pow) else _INT


def _is_random(found: Any) -> bool:
    module = getattr(found, "__module__", None) or getattr(
        type(getattr(found, "__self__", None)), "__module__", ""
    )
    return str(module) in ("random", "numpy.random", "numpy.random.mtrand", "secrets")


def _source(function: Callable[..., Any]) -> Any:
    """Return the node of a function's definition, or None where it cannot be had."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    wanted = function.__name__
    found = [
        node for node in ast.walk(tree)
        if (isinstance(node, ast.FunctionDef) and node.name == wanted)
        or (isinstance(node, ast.Lambda) and wanted == "<lambda>")
    ]  # fmt: skip
    return found[0] if len(found) == 1 or (found and wanted != "<lambda>") else None
