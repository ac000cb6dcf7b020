"""The rules of a table: game, options and deck, validated once (rules.md section 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from numbers import Integral
from typing import Any, Final

from flip7sim.cards import (
    CARD_NAMES,
    DECKS,
    FIRST_MODIFIER,
    GAME_CARDS,
    GAMES,
    KIND,
    LAST_NUMBER,
    MAX_DECK,
    MODIFIER_POINTS,
    PRESETS,
    RANKS,
)
from flip7sim.errors import InputError, nearest

RULES_VERSION: Final = 1
"""Version of rules.md that the engine plays."""

MAX_SEATS: Final = 18
MAX_FLIPS: Final = 2000
"""Flips in one round after which no more happen (rules.md section 3)."""
MAX_ROUNDS: Final = 1000
"""Rounds after which a game ends unfinished (rules.md section 6)."""

MAX_DOUBLERS: Final = 32
"""The most `x2` a deck may have, so that every score fits 64 bits."""

VENGEANCE_OPTIONS: Final = ("brutal", "lucky13_pair_counts", "specials", "open_after_stay")


@dataclass(frozen=True, kw_only=True)
class Rules:
    """One game's rules, frozen and validated.

    Parameters
    ----------
    game : {"base", "vengeance"}
    target_score : int
        Total that ends a game, at least 1.
    flip7_bonus : int
        Points for seven numbers, 0 to 1,000.
    reshuffle_each_round : bool
        Every round of a game starts from the full, shuffled deck.
    tie : {"play_on", "share"}
    brutal : bool
        Brutal mode (Vengeance).
    lucky13_pair_counts : {2, 1}
        How many of the seven a pair of 13s is (Vengeance).
    specials : bool
        False plays The Zero, `unlucky7` and `lucky13` as plain numbers (Vengeance).
    open_after_stay : bool
        False protects stayed players (Vengeance).
    inert : sequence of str
        Modifiers and actions that do nothing.
    deck : str or mapping of str to int, optional
        A preset's name, or counts that replace those of the standard deck.

    Raises
    ------
    InputError
        If an option is unknown, of the wrong type or range, or not one of the game's.

    Examples
    --------
    >>> rules = Rules(deck={"freeze": 0})
    >>> rules.n_cards, rules.options()
    (91, {'deck': {'freeze': 0}})
    """

    game: str = "base"
    target_score: int = 200
    flip7_bonus: int = 15
    reshuffle_each_round: bool = False
    tie: str = "play_on"
    brutal: bool = False
    lucky13_pair_counts: int = 2
    specials: bool = True
    open_after_stay: bool = True
    inert: Sequence[str] = ()
    deck: str | Mapping[str, int] | None = None
    counts: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Cards in the deck, a count per kind."""

    def __post_init__(self) -> None:
        one_of("game", self.game, GAMES)
        _integer("target_score", self.target_score, 1, 2**62)
        _integer("flip7_bonus", self.flip7_bonus, 0, 1000)
        for name in ("reshuffle_each_round", "brutal", "specials", "open_after_stay"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                raise InputError(f"option {name} must be true or false, not {value!r}")
        one_of("tie", self.tie, ("play_on", "share"))
        _integer("lucky13_pair_counts", self.lucky13_pair_counts, 1, 2)
        if self.game == "base":
            for name in VENGEANCE_OPTIONS:
                if getattr(self, name) != _DEFAULTS[name]:
                    raise InputError(f"option {name} belongs to vengeance, not to the base game")
        object.__setattr__(self, "inert", self._checked_inert())
        if isinstance(self.deck, Mapping):
            object.__setattr__(self, "deck", dict(self.deck))
        object.__setattr__(self, "counts", self._deck_counts())

    def __hash__(self) -> int:
        return hash((self.game, self.counts, tuple(self.inert), self.flip7_bonus, self.brutal))

    @classmethod
    def from_options(cls, game: str, options: Mapping[str, Any]) -> Rules:
        """Build rules from a game and a mapping of option names to values.

        Raises
        ------
        InputError
            If an option is unknown (the nearest is suggested) or its value is not legal.

        Examples
        --------
        >>> Rules.from_options("base", {"tie": "share"}).tie
        'share'
        """
        one_of("game", game, GAMES)
        for name in options:
            if name not in OPTION_NAMES:
                raise InputError(f"unknown option {name!r}; {nearest(str(name), OPTION_NAMES)}")
            if game == "base" and name in VENGEANCE_OPTIONS:
                raise InputError(f"option {name} belongs to vengeance, not to the base game")
        return cls(game=game, **options)

    @property
    def n_cards(self) -> int:
        """Number of cards in the deck."""
        return sum(self.counts)

    @property
    def deck_name(self) -> str:
        """Name of the deck: the game's, a preset's, or ``"custom"``."""
        if self.deck is None:
            return self.game
        return self.deck if isinstance(self.deck, str) else "custom"

    def options(self) -> dict[str, Any]:
        """Return the options that differ from their defaults, ready for JSON."""
        out: dict[str, Any] = {}
        for name in OPTION_NAMES:
            value = getattr(self, name)
            if value != _DEFAULTS[name]:
                out[name] = list(value) if name == "inert" else value
        return out

    def score_bounds(self) -> tuple[int, int]:
        """Return the lowest and highest round score that this deck and these options allow.

        Bounds, not always attained; for both standard games the highest is (171 and 91).
        """
        present = [kind for kind in range(LAST_NUMBER + 1) if self.counts[kind]]
        ranks = sorted({RANKS[kind] for kind in present}, reverse=True)
        best = sum(ranks[:7])
        if self.game == "vengeance" and self.specials and self.counts[KIND["lucky13"]]:
            with_pair = sorted([*ranks, 13], reverse=True)
            n_counted = 7 if self.lucky13_pair_counts == 2 else 8
            best = sum(with_pair[:n_counted])
        modifiers = sum(
            self.counts[kind] * MODIFIER_POINTS[kind]
            for kind in range(FIRST_MODIFIER, len(CARD_NAMES))
        )
        if self.game == "base":
            return 0, (best << self.counts[KIND["x2"]]) + modifiers + self.flip7_bonus
        return (-modifiers - self.flip7_bonus if self.brutal else 0), best + self.flip7_bonus

    def _checked_inert(self) -> tuple[str, ...]:
        if isinstance(self.inert, str) or not isinstance(self.inert, Sequence):
            raise InputError(f"option inert must be a list of card names, not {self.inert!r}")
        allowed = [name for name in GAME_CARDS[self.game] if KIND[name] > LAST_NUMBER]
        for name in self.inert:
            if name not in allowed:
                raise InputError(
                    f"option inert takes modifiers and actions of {self.game}, not {name!r}; "
                    f"{nearest(str(name), allowed)}"
                )
        return tuple(sorted(set(self.inert), key=KIND.__getitem__))

    def _deck_counts(self) -> tuple[int, ...]:
        if self.deck is None:
            return DECKS[self.game]
        if isinstance(self.deck, str):
            presets = PRESETS[self.game]
            if self.deck not in presets:
                raise InputError(
                    f"unknown deck {self.deck!r} in {self.game}; {nearest(self.deck, presets)}"
                )
            return presets[self.deck]
        if not isinstance(self.deck, Mapping):
            raise InputError(f"option deck must be a name or counts per card, not {self.deck!r}")
        counts = list(DECKS[self.game])
        for name, count in self.deck.items():
            if name not in GAME_CARDS[self.game]:
                raise InputError(
                    f"unknown card {name!r} in the deck of {self.game}; "
                    f"{nearest(str(name), GAME_CARDS[self.game])}"
                )
            _integer(f"deck count of {name!r}", count, 0, MAX_DECK)
            if name in ("lucky13", "unlucky7") and count > 1:
                raise InputError(f"a deck has at most one {name}, not {count}")
            counts[KIND[name]] = int(count)
        if sum(counts) > MAX_DECK:
            raise InputError(f"a deck has at most {MAX_DECK} cards, not {sum(counts)}")
        if counts[KIND["x2"]] > MAX_DOUBLERS:
            raise InputError(
                f"a deck has at most {MAX_DOUBLERS} x2 (scores must fit 64 bits), "
                f"not {counts[KIND['x2']]}"
            )
        return tuple(counts)


OPTION_NAMES: Final[tuple[str, ...]] = tuple(
    item.name for item in fields(Rules) if item.init and item.name != "game"
)
"""Every rule option, in the order of rules.md section 6."""
_DEFAULTS: Final[dict[str, Any]] = {item.name: item.default for item in fields(Rules) if item.init}


def _integer(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"{name} must be a whole number from {low} to {high}, not {value!r}")


def checked_seats(n_players: object) -> int:
    """Return a number of players.

    Raises
    ------
    InputError
        If it is not a whole number from 1 to 18.

    Examples
    --------
    >>> checked_seats(4)
    4
    """
    if isinstance(n_players, bool) or not isinstance(n_players, Integral):
        raise InputError(f"the number of players must be a whole number, not {n_players!r}")
    number = int(n_players)
    if not 1 <= number <= MAX_SEATS:
        raise InputError(f"a table has 1 to {MAX_SEATS} players, not {number}")
    return number


def checked_player_counts(players: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of players of several tables, at least one.

    Raises
    ------
    InputError
        If there is none, or a number that no table has.

    Examples
    --------
    >>> checked_player_counts([1, 2, 6])
    (1, 2, 6)
    """
    if not players:
        raise InputError("players must name at least one number of players")
    return tuple(checked_seats(n_players) for n_players in players)


def one_of(name: str, value: object, known: Sequence[str]) -> None:
    """Raise `InputError` unless `value` is one of the `known` words of the option `name`."""
    if not isinstance(value, str) or value not in known:
        raise InputError(f"unknown {name} {value!r}; {nearest(str(value), known)}")
