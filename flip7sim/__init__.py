"""flip7sim: simulated and exact answers about the card game Flip 7.

Every public name can be had from the package itself and is imported when it is first used, so that
``import flip7sim`` is cheap.

Examples
--------
>>> import flip7sim as f7
>>> f7.Rules(deck="numbers").n_cards
79
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # the same names once more, for type checkers and editors
    from flip7sim.cards import CARD_NAMES as CARD_NAMES
    from flip7sim.cards import DECKS as DECKS
    from flip7sim.cards import GAME_CARDS as GAME_CARDS
    from flip7sim.cards import GAMES as GAMES
    from flip7sim.cards import KIND as KIND
    from flip7sim.cards import PRESETS as PRESETS
    from flip7sim.cards import card_kind as card_kind
    from flip7sim.cards import card_names as card_names
    from flip7sim.errors import Flip7Error as Flip7Error
    from flip7sim.errors import InputError as InputError
    from flip7sim.errors import PolicyError as PolicyError
    from flip7sim.rules import RULES_VERSION as RULES_VERSION
    from flip7sim.rules import Rules as Rules

__version__ = "0.1.0"

_HOME: Final[dict[str, str]] = {
    "CARD_NAMES": "cards",
    "DECKS": "cards",
    "GAMES": "cards",
    "GAME_CARDS": "cards",
    "KIND": "cards",
    "PRESETS": "cards",
    "card_kind": "cards",
    "card_names": "cards",
    "Flip7Error": "errors",
    "InputError": "errors",
    "PolicyError": "errors",
    "RULES_VERSION": "rules",
    "Rules": "rules",
}
"""Public name → the module of the package that defines it."""

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """Keeps a module from hiding the public function that has its name.

    Importing the module ``flip7sim.x`` sets the package's attribute ``x`` to that module, whatever
    the public name ``x`` is.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
