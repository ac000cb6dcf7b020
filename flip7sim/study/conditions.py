"""What a result was computed under: it goes with every table, document and figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flip7sim.errors import InputError
from flip7sim.rules import Rules
from flip7sim.versions import ENGINE_VERSION, RULES_VERSION

INDEPENDENT_ROUNDS = (
    "Independent rounds, each from a full shuffled deck, the dealer moving left, all totals 0."
)
"""The convention of all published tables, and of `simulate` and `sweep`."""

RulesLike = Rules | str | Mapping[str, Any] | None
"""Rules, a game's name, a mapping of options with ``"game"``, or None for the base game."""


def as_rules(rules: RulesLike) -> Rules:
    """Return rules from what a caller may give.

    Raises
    ------
    InputError
        If it is nothing of that.

    Examples
    --------
    >>> as_rules("vengeance").n_cards, as_rules({"deck": "numbers"}).n_cards
    (108, 79)
    """
    if rules is None:
        return Rules()
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        return Rules.from_options(rules, {})
    if isinstance(rules, Mapping):
        options = dict(rules)
        return Rules.from_options(options.pop("game", "base"), options)
    raise InputError(f"rules must be Rules, a game's name or a mapping, not {rules!r}")


def rules_document(rules: Rules) -> dict[str, Any]:
    """Return game, options, deck and versions for JSON: what every document begins with."""
    options = rules.options()
    options.pop("deck", None)
    return {
        "game": rules.game,
        "options": options,
        "deck": rules.deck if rules.deck is not None else rules.game,
        "rules_version": RULES_VERSION,
        "engine_version": ENGINE_VERSION,
    }


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Game, options, players and seed of a result.

    Parameters
    ----------
    rules : Rules
    players : tuple of str
        Labels in seat order.
    seed : int
    """

    rules: Rules
    players: tuple[str, ...]
    seed: int

    def document(self) -> dict[str, Any]:
        """Return the conditions for JSON."""
        return {"seed": self.seed, **rules_document(self.rules)}

    def sentence(self) -> str:
        """Return game, deck, options and seed in one line."""
        parts = ["Base game" if self.rules.game == "base" else "Flip 7: With a Vengeance"]
        options = self.rules.options()
        deck = options.pop("deck", None)
        if deck is not None:
            name = deck if isinstance(deck, str) else "custom"
            parts.append(f"deck {name} ({self.rules.n_cards} cards)")
        parts += [f"{name} = {value}" for name, value in options.items()]
        return ", ".join([*parts, f"seed {self.seed}"]) + "."


def players_line(labels: Sequence[str]) -> str:
    """Return a table's players in one line, equal neighbours counted.

    Examples
    --------
    >>> players_line(["cards:3/next", "score:25/leader", "score:25/leader"])
    'cards:3/next, 2 × score:25/leader'
    """
    parts: list[tuple[str, int]] = []
    for label in labels:
        if parts and parts[-1][0] == label:
            parts[-1] = (label, parts[-1][1] + 1)
        else:
            parts.append((label, 1))
    return ", ".join(label if n == 1 else f"{n} × {label}" for label, n in parts)


def spans(values: Sequence[float]) -> str:
    """Return ascending values in words, neighbouring whole numbers as a span.

    Examples
    --------
    >>> spans([22, 23, 24, 27, 29, 30]), spans([25])
    ('22 to 24, 27, 29, 30', '25')
    """
    runs: list[list[float]] = []
    for value in values:
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    parts = []
    for run in runs:
        if len(run) > 2:
            parts.append(f"{run[0]:g} to {run[-1]:g}")
        else:
            parts += [f"{value:g}" for value in run]
    return ", ".join(parts)
