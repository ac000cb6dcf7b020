"""Strict reading of what users hand in as JSON: no key twice, no loose types, every error located.

Checks take the place of the value (``draws[3]``) first and return the value, so that they nest.

Examples
--------
>>> integer("players", 4, 1, 18)
4
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from flip7sim.errors import InputError, nearest


def read_json(path: str | os.PathLike[str]) -> Any:
    """Return what the JSON file at `path` holds.

    Raises
    ------
    InputError
        If it cannot be read, is not UTF-8, is no JSON, or has one key twice in an object.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise InputError(f"not UTF-8 text: byte {error.start} is {byte:#04x}") from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot read the file: {reason}") from None
    return parse_json(text)


def parse_json(text: str) -> Any:
    """Return what the JSON `text` holds; errors as in `read_json`.

    Examples
    --------
    >>> parse_json('{"seat": 0}')
    {'seat': 0}
    """
    try:
        return json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_constant)
    except InputError:
        raise
    except RecursionError:
        raise InputError("no JSON that can be read: nested too deeply") from None
    except json.JSONDecodeError as error:
        raise InputError(f"no JSON: {error}") from None
    except ValueError:
        raise InputError("no JSON that can be read: a number in it has too many digits") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            raise InputError(f"no JSON object: key {key!r} stands twice")
        out[key] = value
    return out


def _no_constant(word: str) -> Any:
    raise InputError(f"no JSON: {word} is no number there")


def mapping(where: str, value: Any, known: Iterable[str], required: Iterable[str] = ()) -> Any:
    """Return `value` if it is a mapping with no key but `known` ones and every `required` one."""
    if not isinstance(value, Mapping):
        raise InputError(f"{where} must be an object, not {value!r}")
    for key in value:
        if key not in known:
            raise InputError(f"{where}: unknown key {key!r}; {nearest(str(key), known)}")
    for key in required:
        if key not in value:
            raise InputError(f"{where}: key {key!r} is missing")
    return value


def items(where: str, value: Any, check: Callable[[str, Any], Any]) -> list[Any]:
    """Return a list of `value`'s items, each as `check` returns it."""
    if not isinstance(value, list | tuple):
        raise InputError(f"{where} must be a list, not {value!r}")
    return [check(f"{where}[{index}]", item) for index, item in enumerate(value)]


def integer(where: str, value: Any, low: int, high: int, what: str = "a whole number") -> int:
    """Return `value` if it is an int (no bool, no float) from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"{where} must be {what} from {low} to {high}, not {value!r}")
    return value


def whole(where: str, value: Any) -> int:
    """Return `value` if it is an int of any size (no bool, no float)."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{where} must be a whole number, not {value!r}")
    return value


def text(where: str, value: Any) -> str:
    """Return `value` if it is a string."""
    if not isinstance(value, str):
        raise InputError(f"{where} must be a text, not {value!r}")
    return value
