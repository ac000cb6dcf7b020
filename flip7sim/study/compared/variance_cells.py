"""The configurations between the base game and Vengeance: what can be switched on and off.

Inside Vengeance six things can each be there or not, inside the base game three, so that a
player's points can be measured in every combination. Where everything is off, both games are the
same: number cards next to cards that do nothing. That is the bridge between them.

Cards are switched off by the rule option `inert` rather than taken out, so that a hit has the same
chance to be a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

from flip7sim.blocks import Progress
from flip7sim.cards import FIRST_MODIFIER, FREEZE, GAME_CARDS, KIND
from flip7sim.estimates import Estimate, Proportion, Summary, proportion, summarise
from flip7sim.policies import Player, as_player
from flip7sim.rules import Rules
from flip7sim.runner import play_rounds
from flip7sim.study.compared.seeds import derived_seed
from flip7sim.study.conditions import Conditions

NEUTRAL_TARGETING: Final = "random"
"""How options are chosen where targeting is switched off."""

Cell = frozenset[str]
"""The factors that are on."""


@dataclass(frozen=True)
class Factor:
    """Something that is in the game or not.

    Attributes
    ----------
    key : str
    title : str
        In words, as tables name it.
    off : str
        What is played without it.
    """

    key: str
    title: str
    off: str


_MODIFIERS = Factor("modifiers", "modifiers", "do nothing (inert)")
_ACTIONS = Factor("actions", "actions", "do nothing (inert)")
_TARGETING = Factor("targeting", "stated targeting", f"all targets {NEUTRAL_TARGETING}")

FACTORS: Final[dict[str, tuple[Factor, ...]]] = {
    "base": (_MODIFIERS, _ACTIONS, _TARGETING),
    "vengeance": (
        Factor("numbers", "13s in the number deck", "none: the numbers of the base game"),
        Factor("specials", "special numbers", "plain numbers (specials = false)"),
        _MODIFIERS,
        _ACTIONS,
        Factor("open", "attacks on who stayed", "none (open_after_stay = false)"),
        _TARGETING,
    ),
}
"""The factors of each game, in the stated order in which a game is built up."""


def switched(game: str, on: Cell, options: Mapping[str, Any] | None = None) -> Rules:
    """Return the rules of a configuration.

    Parameters
    ----------
    game : {"base", "vengeance"}
    on : set of str
        Keys of the factors that are on.
    options : mapping of str to object, optional
        Other rule options, the same in all configurations.

    Examples
    --------
    >>> switched("vengeance", frozenset({"actions", "modifiers"})).options()
    {'specials': False, 'open_after_stay': False, 'deck': {'13': 0, 'lucky13': 0}}
    >>> switched("base", frozenset({"actions"})).inert
    ('+2', '+4', '+6', '+8', '+10', 'x2')
    """
    chosen: dict[str, Any] = dict(options or {})
    cards = [name for name in GAME_CARDS[game] if KIND[name] >= FIRST_MODIFIER]
    inert = []
    if "modifiers" not in on:
        inert += [name for name in cards if KIND[name] < FREEZE]
    if "actions" not in on:
        inert += [name for name in cards if KIND[name] >= FREEZE]
    if inert:
        chosen["inert"] = inert
    if game == "vengeance":
        if "specials" not in on:
            chosen["specials"] = False
            chosen.pop("lucky13_pair_counts", None)
        if "open" not in on:
            chosen["open_after_stay"] = False
        if "numbers" not in on:
            chosen["deck"] = {"13": 0, "lucky13": 0}
    return Rules.from_options(game, chosen)


def seated(players: Sequence[Player], on: Cell) -> tuple[Player, ...]:
    """Return the players, with neutral targeting where targeting is off."""
    if "targeting" in on:
        return tuple(players)
    neutral = as_player(f"score:0/{NEUTRAL_TARGETING}")
    return tuple(
        replace(player, targeting=neutral.targeting, named=frozenset()) for player in players
    )


@dataclass(frozen=True, kw_only=True)
class CellResult:
    """What seat 0 scores in one configuration.

    Attributes
    ----------
    game : str
    on : set of str
    conditions : Conditions
        With the configuration's own seed.
    rounds : int
    summary : Summary
    bust, flip7 : Proportion
    """

    game: str
    on: Cell
    conditions: Conditions
    rounds: int
    summary: Summary
    bust: Proportion
    flip7: Proportion

    @property
    def variance(self) -> Estimate:
        """Variance of points per round, in points squared."""
        return self.summary.variance

    def row(self) -> dict[str, Any]:
        """Return the configuration as a flat row of a data frame."""
        of = self.summary
        return {
            "game": self.game,
            "brutal": self.conditions.rules.brutal,
            **{factor.key: factor.key in self.on for factor in FACTORS["vengeance"]},
            "variance": of.variance.value,
            "variance_se": of.variance.se,
            "sd": of.sd.value,
            "sd_se": of.sd.se,
            "mean": of.mean.value,
            "mean_se": of.mean.se,
            "bust": self.bust.value,
            "bust_se": self.bust.se,
            "flip7": self.flip7.value,
            "flip7_se": self.flip7.se,
            "seed": self.conditions.seed,
        }


def play_cell(
    game: str,
    on: Cell,
    players: Sequence[Player],
    *,
    options: Mapping[str, Any] | None = None,
    rounds: int,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> CellResult:
    """Play one configuration, with a seed of its own.

    Parameters
    ----------
    game : {"base", "vengeance"}
    on : set of str
    players : sequence of Player
        As stated; targeting is made neutral where it is off.
    options : mapping of str to object, optional
    rounds, seed : int
    threads : int, optional
    progress : callable, optional

    Raises
    ------
    blocks.Interrupted
        On Ctrl-C.
    """
    rules, who = switched(game, on, options), seated(players, on)
    brutal = " brutal" if rules.brutal else ""
    own = derived_seed(seed, f"{game}{brutal}: {' '.join(sorted(on))}")
    tallies = play_rounds(rules, who, rounds=rounds, seed=own, threads=threads, progress=progress)
    return CellResult(
        game=game,
        on=on,
        conditions=Conditions(rules=rules, players=tuple(p.label for p in who), seed=own),
        rounds=rounds,
        summary=summarise(tallies.histogram[0, 0], tallies.low),
        bust=proportion(int(tallies.busts[0, 0]), rounds),
        flip7=proportion(int(tallies.flip7s[0, 0]), rounds),
    )


def all_cells(game: str) -> list[Cell]:
    """Return every configuration of a game, fewest factors first.

    Examples
    --------
    >>> len(all_cells("base")), len(all_cells("vengeance"))
    (8, 64)
    """
    keys = [factor.key for factor in FACTORS[game]]
    return [frozenset(on) for size in range(len(keys) + 1) for on in combinations(keys, size)]


def play_cells(
    game: str,
    players: Sequence[Player],
    *,
    options: Mapping[str, Any] | None = None,
    rounds: int,
    seed: int,
    threads: int | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
) -> dict[Cell, CellResult]:
    """Play every configuration of a game; see `play_cell`."""
    cells = all_cells(game)
    whole = progress(f"{game}, {len(cells)} configurations")

    def part(place: int) -> Progress | None:
        if whole is None:
            return None
        return lambda done, _: whole(place * rounds + done, len(cells) * rounds)

    return {
        on: play_cell(
            game, on, players, options=options, rounds=rounds, seed=seed,
            threads=threads, progress=part(place),
        )
        for place, on in enumerate(cells)
    }  # fmt: skip
