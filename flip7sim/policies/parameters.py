"""The parameters of a policy: types, defaults and ranges, read from text and written to it."""

from __future__ import annotations

import inspect
import math
import numbers
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from flip7sim.errors import InputError, nearest
from flip7sim.table import ASK_NAMES, N_PARAMETERS

RESERVED: Final = ("and", "or", *ASK_NAMES)
"""Words of the players' grammar that cannot name a policy."""
NEVER: Final = math.inf
"""The threshold that is never reached; written ``never``."""
NOT_GIVEN: Final = math.nan
"""Default of a parameter that follows another one unless it is given."""

_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_EXACT: Final = 2**53
_BEYOND: Final = 10**9
"""No line is worth so much."""
_ANNOTATIONS: Final[dict[object, type]] = {
    "float": float, float: float, "int": int, int: int, "bool": bool, bool: bool,
}  # fmt: skip
_WORDS: Final[dict[type, str]] = {float: "a number", int: "a whole number", bool: "true or false"}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a policy.

    Parameters
    ----------
    name : str
        As in the function's signature.
    type : type
        ``float``, ``int`` or ``bool``.
    default : float, int, bool or None
        None if it must be given.
    low, high : float
        Range of its values, both ends included.
    choices : mapping of str to int
        Words that stand for values; then only these are legal.
    never : bool
        Whether ``never`` (infinity) is legal.
    positional : bool
        Whether a label writes it without its name.
    games : tuple of str
        Where it has an effect; empty for everywhere.
    whole : bool
        Whether the policy asks only if whole numbers are at least this one (``>=``). Between two
        whole numbers it does the same as the upper one, which compiled code gets instead: integers
        compare faster.

    Raises
    ------
    InputError
        If `whole`, `never` or `NOT_GIVEN` is said of what is no float, or `whole` of what need not
        be given.

    Examples
    --------
    >>> Parameter("probability", float, None, 0, 1).value("0.26")
    0.26
    """

    name: str
    type: type = float
    default: float | None = None
    low: float = -math.inf
    high: float = math.inf
    choices: Mapping[str, int] = field(default_factory=dict, hash=False)
    never: bool = False
    positional: bool = False
    games: tuple[str, ...] = ()
    whole: bool = False

    def __post_init__(self) -> None:
        """Refuse what no value could stand for."""
        open_ended = self.default is not None and same_value(self.default, NOT_GIVEN)
        if self.type is not float and (self.whole or self.never or open_ended):
            raise InputError(f"parameter {self.name!r}: whole, never and NOT_GIVEN are for floats")
        if self.whole and open_ended:
            raise InputError(f"parameter {self.name!r}: whole=True is for floats that are given")

    @property
    def compiled_type(self) -> Any:
        """As what compiled code gets it."""
        return int if self.whole else self.type

    def stored(self, value: float) -> float:
        """Return what stands in the table for a value.

        Examples
        --------
        >>> Parameter("points", whole=True).stored(24.5), Parameter("factor").stored(24.5)
        (25, 24.5)
        """
        return math.ceil(min(max(value, -_BEYOND), _BEYOND)) if self.whole else value

    def value(self, given: object, where: str = "") -> float:
        """Return `given`, a number, a word or text, as a value of this parameter.

        Parameters
        ----------
        given : object
        where : str
            Named in errors, the policy say.

        Raises
        ------
        InputError
            If it is of the wrong type, not finite, out of range or no known word.
        """
        if isinstance(given, str):
            given = given.strip()
        if isinstance(given, str) and self.choices:
            if given not in self.choices:
                raise self._refused(given, where, nearest(given, self.choices))
            return self.choices[given]
        if self.never and (given == "never" or given == NEVER):
            return NEVER
        number = self._number(given, where)
        if self.choices and number not in self.choices.values():
            raise self._refused(given, where, nearest(str(given), self.choices))
        if not self.low <= number <= self.high:
            raise self._refused(given, where, "")
        return number

    def text(self, value: float) -> str:
        """Return `value` as a label writes it; `value` reads it back.

        Examples
        --------
        >>> Parameter("points").text(25.0), Parameter("points", never=True).text(NEVER)
        ('25', 'never')
        """
        for word, code in self.choices.items():
            if code == value:
                return word
        if value == NEVER:
            return "never"
        if self.type is bool:
            return "true" if value else "false"
        if float(value).is_integer() and abs(value) < _EXACT:
            return str(int(value))
        return repr(float(value))

    @property
    def expected(self) -> str:
        """What its values are, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        words = _WORDS[self.type]
        if math.isfinite(self.low) and math.isfinite(self.high):
            words += f" from {self.low:g} to {self.high:g}"
        elif math.isfinite(self.low):
            words += f" of at least {self.low:g}"
        return words + (" or never" if self.never else "")

    def _refused(self, given: object, where: str, hint: str) -> InputError:
        of = f" of {where}" if where else ""
        line = f"{self.name}{of} must be {self.expected}, not {given!r}"
        return InputError(f"{line}; {hint}" if hint else line)

    def _number(self, given: object, where: str) -> float:
        if isinstance(given, str):
            if self.type is bool:
                if given not in ("true", "false"):
                    raise self._refused(given, where, "")
                return given == "true"
            if not _NUMBER.fullmatch(given):
                raise self._refused(given, where, "")
            given = float(given) + 0.0  # no minus zero
        elif self.type is bool:
            if not isinstance(given, bool) and type(given).__name__ != "bool":
                raise self._refused(given, where, "")
            return bool(given)
        elif isinstance(given, bool) or not isinstance(given, numbers.Real):
            raise self._refused(given, where, "")
        number = float(given) + 0.0  # no minus zero
        if not math.isfinite(number):
            raise self._refused(given, where, "")
        if self.type is int:
            if not number.is_integer() or abs(number) > _EXACT:
                raise self._refused(given, where, "")
            return int(number)
        return number


def same_value(one: Any, other: Any) -> bool:
    """Return whether two values are equal, two `NOT_GIVEN` included."""
    return bool(one == other or (one != one and other != other))


def signature_parameters(
    policy: str, function: Callable[..., Any], declared: Mapping[str, Parameter]
) -> tuple[Parameter, ...]:
    """Return the parameters of a policy's function, those after the table and the seat.

    Parameters
    ----------
    policy : str
        Its name, for errors.
    function : callable
    declared : mapping of str to Parameter
        Those that the signature cannot tell.

    Raises
    ------
    InputError
        If the signature is none of a policy, or a default is not legal.
    """
    items = list(inspect.signature(function).parameters.values())
    if len(items) < 2:
        raise InputError(f"policy {policy!r} must take a table and a seat first")
    out = []
    for item in items[2:]:
        if item.kind is not item.POSITIONAL_OR_KEYWORD:
            raise InputError(f"policy {policy!r}: parameter {item.name!r} must be an ordinary one")
        default = None if item.default is item.empty else item.default
        if item.name in declared:
            out.append(declared[item.name])
            own = out[-1].default
            if own is not None and not same_value(own, NOT_GIVEN):
                out[-1].value(own, policy)
            continue
        kind = _ANNOTATIONS.get(item.annotation)
        if kind is None:
            kind = next((k for k in (bool, int) if isinstance(default, k)), float)
        out.append(Parameter(item.name, kind, default))
        if item.name in RESERVED:
            raise InputError(f"policy {policy!r}: a parameter cannot be called {item.name!r}")
        if default is not None:
            out[-1].value(default, policy)
    for name in declared:
        if name not in [parameter.name for parameter in out]:
            raise InputError(f"policy {policy!r} has no parameter {name!r}")
    if len(out) > N_PARAMETERS:
        raise InputError(f"policy {policy!r} has {len(out)} parameters, at most {N_PARAMETERS}")
    return tuple(out)
