"""What the two boxes contain: card kinds, names, standard decks (rules.md sections 1 and 2).

A card *kind* is a small integer, the same in both games. Kinds of equal name are interchangeable,
so a deck is a count per kind.

Examples
--------
>>> KIND["freeze"], CARD_NAMES[KIND["x2"]], sum(DECKS["base"])
(28, 'x2', 94)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from flip7sim.errors import InputError, nearest

CARD_NAMES: Final[tuple[str, ...]] = (
    *(str(number) for number in range(14)),
    "unlucky7", "lucky13",
    "+2", "+4", "+6", "+8", "+10", "x2",
    "div2", "-2", "-4", "-6", "-8", "-10",
    "freeze", "flip_three", "second_chance",
    "just_one_more", "flip_four", "steal", "swap", "discard",
)  # fmt: skip
"""Names of the card kinds; the index is the kind."""

N_KINDS: Final = len(CARD_NAMES)
KIND: Final[dict[str, int]] = {name: kind for kind, name in enumerate(CARD_NAMES)}
"""Kind by name."""

UNLUCKY7: Final = KIND["unlucky7"]
LUCKY13: Final = KIND["lucky13"]
LAST_NUMBER: Final = LUCKY13
"""Kinds up to this one are number cards."""
X2: Final = KIND["x2"]
DIV2: Final = KIND["div2"]
FIRST_MODIFIER: Final = KIND["+2"]
LAST_BASE_MODIFIER: Final = X2
LAST_MODIFIER: Final = KIND["-10"]
FREEZE: Final = KIND["freeze"]
FLIP_THREE: Final = KIND["flip_three"]
SECOND_CHANCE: Final = KIND["second_chance"]
JUST_ONE_MORE: Final = KIND["just_one_more"]
FLIP_FOUR: Final = KIND["flip_four"]
STEAL: Final = KIND["steal"]
SWAP: Final = KIND["swap"]
DISCARD: Final = KIND["discard"]

MAX_DECK: Final = 255
"""The most cards a deck may have (rules.md section 6)."""

RANKS: Final[tuple[int, ...]] = (*range(14), 7, 13, *[0] * (N_KINDS - 16))
"""The number on a number card by kind (0 for the others)."""

MODIFIER_POINTS: Final[tuple[int, ...]] = (
    *[0] * FIRST_MODIFIER, 2, 4, 6, 8, 10, 0, 0, 2, 4, 6, 8, 10, *[0] * (N_KINDS - FREEZE),
)  # fmt: skip
"""Points that a modifier adds (base) or takes away (Vengeance), by kind; 0 for `x2` and `div2`."""

GAMES: Final[tuple[str, ...]] = ("base", "vengeance")


def _counts(cards: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(cards.get(name, 0) for name in CARD_NAMES)


_BASE_MODIFIERS: Final = ("+2", "+4", "+6", "+8", "+10", "x2")
_VENGEANCE_MODIFIERS: Final = ("div2", "-2", "-4", "-6", "-8", "-10")
_BASE_ACTIONS: Final = ("freeze", "flip_three", "second_chance")
_VENGEANCE_ACTIONS: Final = ("just_one_more", "flip_four", "swap", "steal", "discard")
_BASE_NUMBERS: Final = {str(n): max(n, 1) for n in range(13)}
_VENGEANCE_NUMBERS: Final = {
    **_BASE_NUMBERS, "7": 6, "unlucky7": 1, "13": 12, "lucky13": 1,
}  # fmt: skip

DECKS: Final[dict[str, tuple[int, ...]]] = {
    "base": _counts(
        _BASE_NUMBERS | dict.fromkeys(_BASE_MODIFIERS, 1) | dict.fromkeys(_BASE_ACTIONS, 3)
    ),
    "vengeance": _counts(
        _VENGEANCE_NUMBERS
        | dict.fromkeys(_VENGEANCE_MODIFIERS, 1)
        | dict.fromkeys(_VENGEANCE_ACTIONS, 2)
    ),
}
"""The standard deck of each game, a count per kind."""

PRESETS: Final[dict[str, dict[str, tuple[int, ...]]]] = {
    "base": {
        "numbers": _counts(_BASE_NUMBERS),
        "no-actions": _counts(_BASE_NUMBERS | dict.fromkeys(_BASE_MODIFIERS, 1)),
        "no-attacks": _counts(
            _BASE_NUMBERS | dict.fromkeys(_BASE_MODIFIERS, 1) | {"second_chance": 3}
        ),
    },
    "vengeance": {
        "numbers": _counts(_VENGEANCE_NUMBERS),
        "no-actions": _counts(_VENGEANCE_NUMBERS | dict.fromkeys(_VENGEANCE_MODIFIERS, 1)),
    },
}
"""Named decks of each game (rules.md section 6)."""

GAME_CARDS: Final[dict[str, tuple[str, ...]]] = {
    game: tuple(name for name, count in zip(CARD_NAMES, counts, strict=True) if count)
    for game, counts in DECKS.items()
}
"""The names of the cards of each game."""
SEVEN: Final = 7
"""Numbers in a line that make a Flip 7."""
N_RANKS: Final = 14
"""Ranks of numbers; the kinds below it are the plain numbers, each of its own rank."""


def card_kind(name: object, game: str | None = None) -> int:
    """Return the kind of the card called `name`.

    Parameters
    ----------
    name : object
        A card name; anything else is refused.
    game : str, optional
        If given, the card must be one of this game's.

    Raises
    ------
    InputError
        If there is no such card; the nearest name is suggested.

    Examples
    --------
    >>> card_kind("12", "base")
    12
    """
    known = CARD_NAMES if game is None else GAME_CARDS[game]
    if not isinstance(name, str) or name not in known:
        where = "" if game is None else f" in {game}"
        raise InputError(f"unknown card {name!r}{where}; {nearest(str(name), known)}")
    return KIND[name]


def card_names(counts: Iterable[int]) -> list[str]:
    """Return the cards of a count per kind as a list of names, in kind order.

    Examples
    --------
    >>> card_names([0, 1, 2])
    ['1', '2', '2']
    """
    return [CARD_NAMES[kind] for kind, count in enumerate(counts) for _ in range(int(count))]
