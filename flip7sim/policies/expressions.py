"""What is known of the expressions of a policy, and which of them a policy may not have."""

from __future__ import annotations

import ast
import builtins
import inspect
import types
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from flip7sim.errors import InputError, nearest
from flip7sim.policies.known import (
    ALIAS,
    ANY,
    BOOL,
    BY_TYPE,
    BY_WORD,
    FLOAT,
    FLOATS,
    FORBIDDEN,
    FRESH,
    IN_PLACE,
    INT,
    NUMPY_ALIASES,
    NUMPY_IN_PLACE,
    Value,
    arithmetic,
    element,
    join,
    of_dtype,
    plus,
)
from flip7sim.table import TABLE

HIDDEN: Final = frozenset(
    {
        "seed", "rng", "stream", "deck", "full_deck", "n_unshuffled", "script",
        "observer", "observer_data", "event", "error", "row", "run",
        "address", "constants", "parameter", "whole_parameter", "settle_address", "bonus_address",
    }
)  # fmt: skip
"""Fields of the table that no player can see, or that are the engine's own.

The stream with the seed would tell every card to come."""
FIELDS: Final = tuple(name for name in TABLE.names or () if name not in HIDDEN)
"""Fields of the table that a policy may read."""


class Expressions:
    """Follows the table through one function's expressions; `stack` holds those that led here."""

    def __init__(self, policy: str, stack: tuple[Any, ...]) -> None:
        self.policy = policy
        self.stack = stack
        self.names: dict[str, Value] = {}
        self.returned: Value | None = None
        self.refusing = False
        self.owner: Callable[..., Any] | None = None

    def refuse(self, what: str, node: Any) -> None:
        """Refuse the policy, with the line, once all that can be known of its names is known."""
        line = getattr(node, "lineno", None)
        where = f" (line {line} of its function)" if line else ""
        if self.refusing:
            raise InputError(f"policy {self.policy!r} {what}{where}")

    def store(self, target: Any, value: Value) -> None:
        """Note what a target is given; refuse one that is part of the table."""
        match target:
            case ast.Name():
                self.names[target.id] = join(self.names.get(target.id), value)
            case ast.Tuple() | ast.List():
                for item in target.elts:
                    self.store(item, element(value))
            case ast.Starred():
                self.store(target.value, ALIAS if value.leads else ANY)
            case ast.Attribute():
                if self.value(target.value).leads:
                    self.refuse(f"writes to the table: {ast.unparse(target)} = ...", target)
            case ast.Subscript():
                self.value(target.slice)
                base = self.value(target.value)
                if base.leads:
                    self.refuse(f"writes to the table: {ast.unparse(target)} = ...", target)
                elif value.leads and isinstance(target.value, ast.Name):
                    self.names[target.value.id] = ALIAS

    def iterated(self, node: Any) -> Value:
        """Return what is known of the items that a loop goes over."""
        match node:
            case ast.Call(func=ast.Name(id="range")):
                self.value(node)
                return INT
        return element(self.value(node))

    def value(self, node: Any) -> Value:
        """Return what is known of an expression, and check it."""
        match node:
            case ast.Constant():
                return BY_TYPE.get(type(node.value), ANY)
            case ast.Name():
                return self.name(node.id)
            case ast.Attribute():
                return self.attribute(self.value(node.value), node.attr, node)
            case ast.Subscript():
                return self.subscript(node)
            case ast.Call():
                return self.call(node)
            case ast.BinOp():
                return arithmetic(node.op, self.value(node.left), self.value(node.right))
            case ast.UnaryOp():
                value = self.value(node.operand)
                return BOOL if isinstance(node.op, ast.Not) else plus(value)
            case ast.BoolOp():
                return self.joined(node.values)
            case ast.IfExp():
                self.value(node.test)
                return self.joined([node.body, node.orelse])
            case ast.Compare():
                values = [self.value(item) for item in (node.left, *node.comparators)]
                return ANY if any(value.kind in ("array", "any") for value in values) else BOOL
            case ast.NamedExpr():
                value = self.value(node.value)
                self.store(node.target, value)
                return value
            case ast.Lambda():
                return Value("function", node=node)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self.comprehension(node)
            case ast.Tuple() | ast.List() | ast.Set():
                leads = [self.value(item).leads for item in node.elts]
                return ALIAS if any(leads) else ANY
            case _:
                values = [
                    self.value(child)
                    for child in ast.iter_child_nodes(node)
                    if isinstance(child, ast.expr)
                ]
                return ALIAS if any(value.leads for value in values) else ANY

    def joined(self, nodes: Sequence[Any]) -> Value:
        """Return what is known of a value that is any of several expressions'."""
        value: Value | None = None
        for node in nodes:
            value = join(value, self.value(node))
        return value or ANY

    def comprehension(self, node: Any) -> Value:
        """Return what is known of a comprehension."""
        for generator in node.generators:
            self.store(generator.target, self.iterated(generator.iter))
            for test in generator.ifs:
                self.value(test)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return ALIAS if any([self.value(part).leads for part in parts]) else ANY

    def name(self, name: str) -> Value:
        """Return what is known of a name."""
        if name in self.names:
            return self.names[name]
        found = self.resolve(ast.Name(name))
        return BY_TYPE.get(type(found), ANY)

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

    def attribute(self, base: Value, attribute: str, node: Any) -> Value:
        """Return what is known of an attribute of `base`."""
        if base.kind == "table":
            return self.field(attribute, node)
        if base.kind == "record":
            if attribute not in base.dtype.names:
                self.refuse(
                    f"reads {attribute!r} where there is none; "
                    f"{nearest(attribute, base.dtype.names)}", node
                )  # fmt: skip
                return ANY
            return of_dtype(base.dtype[attribute])
        if base.kind == "array" and attribute in ("size", "ndim"):
            return INT
        if base.kind == "array" and attribute in ("shape", "dtype"):
            return ANY
        return ALIAS if base.leads else ANY

    def field(self, name: str, node: Any) -> Value:
        """Return what is known of a field of the table; refuse what is hidden or does not exist."""
        if name in HIDDEN:
            self.refuse(f"reads table.{name}, which no player can see", node)
            return ANY
        if name not in FIELDS:
            self.refuse(f"reads table.{name}, which is no field; {nearest(name, FIELDS)}", node)
            return ANY
        return of_dtype(TABLE[name])

    def subscript(self, node: Any) -> Value:
        """Return what is known of an item or slice."""
        base = self.value(node.value)
        index = node.slice
        self.value(index)
        if base.kind == "table":
            if isinstance(index, ast.Constant) and isinstance(index.value, str):
                return self.field(index.value, node)
            self.refuse("reads the table by something else than a field's name", node)
            return ANY
        if base.kind == "record":
            return ANY
        if base.kind != "array":
            return ALIAS if base.leads else ANY
        value = base
        for item in index.elts if isinstance(index, ast.Tuple) else [index]:
            if isinstance(item, ast.Constant) and item.value in (None, ...):
                return ALIAS
            if not isinstance(item, ast.Slice):
                value = element(value)
        return value

    def call(self, node: ast.Call) -> Value:
        """Return what is known of a call's result; refuse what would write to the table."""
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
            inner = Value("function", node=node.func)
        if inner is not None and inner.kind == "function":
            return self.inner(inner, arguments)
        found = self.resolve(node.func)
        name = getattr(found, "__name__", "")
        if is_random(found):
            self.refuse(
                f"draws random numbers by {ast.unparse(node.func)}; use uniform(table, seat)", node
            )
        if leads and name in FORBIDDEN:
            self.refuse(f"calls {name} with the table", node)
        if found is getattr and arguments and arguments[0].kind == "table":
            second = node.args[1]
            if isinstance(second, ast.Constant) and isinstance(second.value, str):
                return self.field(second.value, node)
            self.refuse("reads the table by something else than a field's name", node)
        return self.outer(found, node, arguments, keywords, bool(leads))

    def method(self, base: Value, node: ast.Call) -> Value:
        """Return what is known of a method's result, of an array in the table."""
        assert isinstance(node.func, ast.Attribute)
        name = node.func.attr
        if base.kind == "table":
            self.field(name, node)
        if name in IN_PLACE:
            self.refuse(f"writes to the table: {ast.unparse(node)}", node)
        if name in ("argmax", "argmin"):
            return INT
        if name in FLOATS:
            return FLOAT
        return ANY if name in FRESH else ALIAS

    def inner(self, function: Value, arguments: Sequence[Value]) -> Value:
        """Check a function defined inside this one, which sees its names."""
        if function.node in self.stack:
            return ANY
        check = type(self)(self.policy, (*self.stack, function.node))
        check.owner = self.owner
        check.names = dict(self.names)
        for item in (*function.node.args.posonlyargs, *function.node.args.args):
            check.names.pop(item.arg, None)
        return check.body(function.node, arguments)

    def outer(
        self,
        found: Any,
        node: ast.Call,
        arguments: Sequence[Value],
        keywords: dict[str | None, Value],
        leads: bool,
    ) -> Value:
        """Return what a function from outside gives, and check it if it gets the table."""
        if found in (float, int, bool):
            return BY_TYPE[found]
        if found is len:
            return INT
        if found in (min, max, abs):
            if len(arguments) == 1 and found is not abs:
                return element(arguments[0])
            return plus(self.joined(node.args))
        module = getattr(found, "__module__", "") or ""
        name = getattr(found, "__name__", "")
        plain = getattr(found, "py_func", None) or getattr(found, "function", None) or found
        if isinstance(plain, types.FunctionType) and (module.startswith("flip7sim.")):
            return BY_WORD.get(str(plain.__annotations__.get("return")), ANY)
        if module == "math":
            return ANY if name in ("floor", "ceil", "trunc") else FLOAT
        if module.split(".")[0] == "numpy" or isinstance(found, np.ufunc):
            if leads and name in NUMPY_IN_PLACE:
                self.refuse(f"writes to the table: {ast.unparse(node)}", node)
            return ALIAS if leads and name in NUMPY_ALIASES else ANY
        if isinstance(plain, types.FunctionType):
            named = list(inspect.signature(plain).parameters)
            given = list(arguments) + [
                keywords.get(parameter, ANY) for parameter in named[len(arguments) :]
            ]
            return type(self)(self.policy, self.stack).function(plain, given)
        if found in (range, sum, round, print, isinstance, hash, id, type, divmod, pow):
            return ANY
        if leads and found in (list, tuple, sorted, set, enumerate, zip, reversed, iter):
            flat = all(v.kind == "array" and v.ndim == 1 and not v.dtype.names
                       for v in arguments if v.leads)  # fmt: skip
            return ANY if flat and found is not iter else ALIAS
        return ALIAS if leads else ANY

    def function(self, function: Callable[..., Any], arguments: Sequence[Value]) -> Value:
        """Check a function that is called with these arguments; return what it returns."""
        raise NotImplementedError

    def body(self, node: Any, arguments: Sequence[Value]) -> Value:
        """Check a function's node."""
        raise NotImplementedError


def is_random(found: Any) -> bool:
    """Return whether a function draws random numbers that the engine knows nothing of."""
    module = getattr(found, "__module__", None) or getattr(
        type(getattr(found, "__self__", None)), "__module__", ""
    )
    return str(module) in ("random", "numpy.random", "numpy.random.mtrand", "secrets")
