"""The errors that a user can cause, each one clear line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class Flip7Error(Exception):
    """Base class of every error that flip7sim raises on purpose."""


class InputError(Flip7Error, ValueError):
    """Something the user gave is wrong: an option, a card, a number, a file."""


class PolicyError(Flip7Error):
    """A policy gave an illegal answer or raised; names policy, seat, round and answer."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the known word nearest to `word`, or all of a short list.

    Examples
    --------
    >>> nearest("freez", ["freeze", "flip_three"])
    "did you mean 'freeze'?"
    >>> nearest("qqq", ["base", "vengeance"])
    'known: base, vengeance'
    """
    words = [str(item) for item in known]
    close = difflib.get_close_matches(str(word), words, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]!r}?"
    return "known: " + ", ".join(words)
