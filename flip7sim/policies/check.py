"""What a policy may do, found out from its source before it is ever run.

A policy may read what its player can see and may not write to the table. `check_function` follows
the table through the function's names, and through the helpers it calls, and refuses stores,
methods that change an array in place, and fields that no player can see. Where there is no source,
a coarser check of the bytecode stands in.
"""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
import types
from collections.abc import Callable, Sequence
from typing import Any, Final

from flip7sim.errors import InputError
from flip7sim.policies.expressions import HIDDEN, Expressions
from flip7sim.policies.known import (
    ANY,
    BY_TYPE,
    IN_PLACE,
    INT,
    TABLE_ITSELF,
    Value,
    arithmetic,
    join,
)
from flip7sim.policies.parameters import Parameter

_PASSES: Final = 6
_DEPTH: Final = 12


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
    arguments = [TABLE_ITSELF, INT, *(BY_TYPE[parameter.type] for parameter in parameters)]
    returned = _Check(name, ()).function(function, arguments)
    if returned.kind == "float":
        raise InputError(
            f"policy {name!r} returns a float; a {kind} policy must return a bool or an int"
        )


class _Check(Expressions):
    """Follows the table through one function's statements."""

    def function(self, function: Callable[..., Any], arguments: Sequence[Value]) -> Value:
        """Check a function that is called with these arguments; return what it returns."""
        if function in self.stack or len(self.stack) > _DEPTH:
            return ANY
        self.stack = (*self.stack, function)
        self.owner = function
        node = _source(function)
        if node is None:
            self.bytecode(function.__code__)
            return ANY
        return self.body(node, arguments)

    def body(self, node: Any, arguments: Sequence[Value]) -> Value:
        """Check a function's node; go over it until what is known of its names is stable."""
        names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
        for k, name in enumerate(names):
            self.names[name] = join(
                self.names.get(name), arguments[k] if k < len(arguments) else ANY
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
        return self.returned or ANY

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
                    held = self.names.get(node.target.id, ANY)
                    if held.leads:
                        self.refuse(f"writes to the table through {node.target.id!r}", node)
                    self.store(node.target, arithmetic(node.op, held, change))
                else:
                    self.store(node.target, change)
            case ast.For():
                self.store(node.target, self.iterated(node.iter))
                self.statements([*node.body, *node.orelse])
            case ast.Return():
                value = ANY if node.value is None else self.value(node.value)
                self.returned = join(self.returned, value)
            case ast.FunctionDef():
                self.names[node.name] = Value("function", node=node)
            case ast.Delete():
                for target in node.targets:
                    match target:
                        case ast.Attribute() | ast.Subscript() if self.value(target.value).leads:
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
                    else:
                        self.statement(child)

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
        for method in sorted(IN_PLACE & set(code.co_names)):
            self.refuse(f"calls .{method}(), which may write to the table", None)


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
