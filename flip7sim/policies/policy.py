"""Policies: plain functions that the engine can ask, with parameters that are data.

Examples
--------
>>> @stay_policy
... def at_least(table, seat, points=25.0):
...     '''Stay when the numbers add up to `points`.'''
...     return table.number_sum[seat] >= points
>>> at_least(points=30).label
'at_least:points=30'
>>> at_least.parameters[0].name, at_least.kind
('points', 'stay')
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, overload

from flip7sim.cards import GAMES
from flip7sim.errors import InputError, nearest
from flip7sim.policies.check import check_function
from flip7sim.policies.parameters import RESERVED, Parameter, same_value, signature_parameters
from flip7sim.table import ASK_NAMES

KINDS: Final = ("stay", "targeting")


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """What a policy is for and what it looks at.

    Parameters
    ----------
    games : tuple of str
        Games in which it makes sense.
    asks : tuple of str
        Choices that it can make.
    looks_at : tuple of str
        What it reads: ``line``, ``lines``, ``totals``, ``seen`` (all cards seen since the last
        shuffle), ``chance`` (random numbers), ``nothing``.
    source : str
        Where the idea comes from.
    """

    games: tuple[str, ...] = GAMES
    asks: tuple[str, ...] = ASK_NAMES
    looks_at: tuple[str, ...] = ()
    source: str = ""


class Policy:
    """A policy: called with a table and a seat it answers; called with parameters it is bound.

    Made by `stay_policy` and `targeting_policy`.

    Attributes
    ----------
    kind : {"stay", "targeting"}
    name : str
    function : callable
        The plain function ``function(table, seat, ...)``, for reading and testing.
    parameters : tuple of Parameter
    metadata : Metadata
    compiled : bool
        False for plain Python.
    builtin : bool
        Whether it is one of the package's own.
    """

    def __init__(
        self,
        kind: str,
        function: Callable[..., Any],
        *,
        compiled: bool = True,
        name: str | None = None,
        parameters: Mapping[str, Parameter] | None = None,
        metadata: Metadata | None = None,
        constants: Callable[..., Any] | None = None,
    ) -> None:
        if not callable(function) or not hasattr(function, "__code__"):
            raise InputError(f"a {kind} policy must be a function, not {function!r}")
        self.kind = kind
        self.function = function
        self.name = name or function.__name__
        self.compiled = compiled
        self.builtin = (function.__module__ or "").startswith("flip7sim.")
        self.metadata = metadata or Metadata(asks=all_asks(kind))
        self.constants = constants
        self.parameters = signature_parameters(self.name, function, parameters or {})
        self.__doc__ = function.__doc__
        self.__name__ = self.name
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._code: Any = None
        if not self.builtin:
            if self.name in RESERVED or not self.name.isidentifier():
                raise InputError(f"{self.name!r} cannot be the name of a policy")
            check_function(self.name, kind, function, self.parameters)

    def __call__(self, *args: Any, **parameters: Any) -> Any:
        """Answer for ``(table, seat, ...)``; without them return the policy with bound parameters.

        Raises
        ------
        InputError
            If a parameter is unknown or its value is not legal.
        """
        if args:
            return self.function(*args, **parameters)
        return BoundPolicy(self, self._checked(parameters))

    def __repr__(self) -> str:
        """Name the policy."""
        return f"<{self.kind} policy {self.name}>"

    def __reduce__(self) -> Any:
        """Pickle by where it stands, as a function is; that must be the decorated name."""
        return _find_policy, (self.function.__module__, self.function.__qualname__)

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return (inspect.getdoc(self.function) or "").split("\n", 1)[0]

    def parameter(self, which: int | str) -> Parameter:
        """Return a parameter by position or name.

        Raises
        ------
        InputError
            If there is no such parameter.
        """
        if isinstance(which, int) and not isinstance(which, bool):
            if not 0 <= which < len(self.parameters):
                raise InputError(
                    f"policy {self.name!r} has {len(self.parameters)} parameters, "
                    f"there is no number {which + 1}"
                )
            return self.parameters[which]
        for parameter in self.parameters:
            if parameter.name == which:
                return parameter
        names = [parameter.name for parameter in self.parameters]
        hint = nearest(str(which), names) if names else "it has none"
        raise InputError(f"policy {self.name!r} has no parameter {which!r}; {hint}")

    def code(self) -> Any:
        """Return the machine code, compiled the first time (`flip7sim.policies.compiled.Code`)."""
        if self._code is None:
            from flip7sim.policies.compiled import Code

            self._code = Code(
                f"{self.function.__module__}.{self.name}" if self.builtin else self.name,
                self.function,
                tuple(parameter.compiled_type for parameter in self.parameters),
                compiled=self.compiled,
                cached=self.builtin,
            )
        return self._code

    def _checked(self, given: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
        values = {
            name: self.parameter(name).value(value, self.name) for name, value in given.items()
        }
        return tuple((p.name, values[p.name]) for p in self.parameters if p.name in values)


def _find_policy(module: str, qualname: str) -> Policy:
    import importlib

    found: Any = importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    if not isinstance(found, Policy):
        raise InputError(f"policy {qualname!r} must be decorated where {module} defines it")
    return found


class BoundPolicy:
    """A policy with values for its parameters.

    Parameters
    ----------
    policy : Policy
    given : tuple of (str, value)
        In the order of the policy's parameters; the others have their defaults.
    """

    def __init__(self, policy: Policy, given: tuple[tuple[str, float], ...]) -> None:
        self.policy = policy
        self.given = given
        self.kept: dict[int, Any] = {}
        """Constant arrays that tables point to, by address."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of the parameters that must be given and are not."""
        names = dict(self.given)
        return tuple(
            p.name for p in self.policy.parameters if p.default is None and p.name not in names
        )

    @property
    def stored(self) -> tuple[float, ...]:
        """What stands in a table for the value of each parameter."""
        given = zip(self.policy.parameters, self.values, strict=True)
        return tuple(parameter.stored(value) for parameter, value in given)

    @property
    def values(self) -> tuple[float, ...]:
        """The value of each parameter.

        Raises
        ------
        InputError
            If one must be given and is not.
        """
        if self.missing:
            first = self.policy.parameter(self.missing[0])
            raise InputError(f"policy {self.policy.name!r} needs {first.name}, {first.expected}")
        given = dict(self.given)
        return tuple(given.get(p.name, p.default) for p in self.policy.parameters)  # type: ignore[misc]

    @property
    def label(self) -> str:
        """The policy as the players' grammar writes it."""
        given = dict(self.given)
        words, in_place = [], True
        for p in self.policy.parameters:
            shown = p.name in given and (
                p.default is None or not same_value(given[p.name], p.default)
            )
            in_place = in_place and shown and p.positional
            if shown:
                text = p.text(given[p.name])
                words.append(text if in_place else f"{p.name}={text}")
        return self.policy.name + (":" + ",".join(words) if words else "")

    def with_parameter(self, which: int | str, value: object) -> BoundPolicy:
        """Return the same policy with another value of one parameter, by position or name."""
        parameter = self.policy.parameter(which)
        return self.policy(**{**dict(self.given), parameter.name: value})

    def address(self) -> int:
        """Return the address of the policy's code, compiled the first time."""
        return int(self.policy.code().address)

    def constants_address(self, table: Any) -> int:
        """Return the address of the policy's constant array for this table, 0 if it has none."""
        if self.policy.constants is None:
            return 0
        array = self.policy.constants(table, *self.values)
        address = int(array.__array_interface__["data"][0])
        self.kept[address] = array
        return address

    def __call__(self, table: Any, seat: int) -> Any:
        """Answer as the plain function does."""
        return self.policy.function(table, seat, *self.values)

    def __repr__(self) -> str:
        """Show the label."""
        return f"<{self.policy.kind} {self.label}>"

    def __eq__(self, other: object) -> bool:
        """Equal policies with equal values are equal."""
        if not isinstance(other, BoundPolicy):
            return NotImplemented
        return self.policy is other.policy and self.label == other.label

    def __hash__(self) -> int:
        """Hash of the policy and the label."""
        return hash((id(self.policy), self.label))


def _decorator(kind: str, function: Callable[..., Any] | None, options: dict[str, Any]) -> Any:
    if function is not None:
        return Policy(kind, function, **options)
    return lambda given: Policy(kind, given, **options)


@overload
def stay_policy(function: Callable[..., Any], /) -> Policy: ...
@overload
def stay_policy(
    *,
    compiled: bool = True,
    name: str | None = None,
    parameters: Mapping[str, Parameter] | None = None,
    metadata: Metadata | None = None,
    constants: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Policy]: ...
def stay_policy(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Make ``function(table, seat, ...)`` a stay policy: true stays, false hits.

    The parameters after `table` and `seat` are numbers; they stand in the table, so changing one
    compiles nothing. The function is compiled when it is first used.

    Parameters
    ----------
    function : callable
        Must return a bool or an int, and not write to the table.
    compiled : bool
        False runs any Python, slowly.
    name : str, optional
        Name in the players' grammar; the function's by default.
    parameters : mapping of str to Parameter, optional
        Types, ranges and words of parameters that the signature cannot tell.
    metadata : Metadata, optional
    constants : callable, optional
        ``constants(table, *values)``, with the values of the parameters, returns a constant array
        for such a table; its address stands in ``table.constants[table.row]``.

    Raises
    ------
    InputError
        If the function writes to the table, reads what no player can see, or returns a float.

    Examples
    --------
    >>> @stay_policy
    ... def enough(table, seat, cards: int = 4):
    ...     "Stay with so many number cards."
    ...     return table.n_numbers[seat] >= cards
    >>> enough(cards=3).label
    'enough:cards=3'
    """
    return _decorator("stay", function, options)


@overload
def targeting_policy(function: Callable[..., Any], /) -> Policy: ...
@overload
def targeting_policy(
    *,
    compiled: bool = True,
    name: str | None = None,
    parameters: Mapping[str, Parameter] | None = None,
    metadata: Metadata | None = None,
    constants: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Policy]: ...
def targeting_policy(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Make ``function(table, seat, ...)`` a targeting policy.

    It returns an index into ``table.options[: table.n_options]``, the legal answers to
    ``table.ask``, listed clockwise from the chooser, whose own seat is last. Parameters and errors
    as for `stay_policy`.

    Examples
    --------
    >>> @targeting_policy
    ... def myself(table, seat):
    ...     "Take every card oneself."
    ...     return table.n_options - 1
    >>> myself.name, myself.kind
    ('myself', 'targeting')
    """
    return _decorator("targeting", function, options)


def bound(given: object, kind: str) -> BoundPolicy:
    """Return a policy or a bound policy of the wanted kind as a bound policy.

    Raises
    ------
    InputError
        If it is something else.
    """
    if isinstance(given, Policy):
        given = given()
    if not isinstance(given, BoundPolicy):
        raise InputError(f"a {kind} policy is wanted, not {given!r}")
    if given.policy.kind != kind:
        raise InputError(f"{given.policy.name!r} is a {given.policy.kind} policy, not a {kind} one")
    return given


def all_asks(kind: str) -> tuple[str, ...]:
    """Return the choices that a policy of this kind can be asked for."""
    return ASK_NAMES[:1] if kind == "stay" else ASK_NAMES[1:]
