"""The three games that are compared, and the sample of rounds and games that each is judged by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from flip7sim.blocks import Interrupted, Progress
from flip7sim.errors import InputError, nearest
from flip7sim.estimates import Estimate
from flip7sim.policies import Player
from flip7sim.rules import Rules
from flip7sim.runner import PlayerLike, checked_players
from flip7sim.study.compared.compared_figures import Figure, figures_of
from flip7sim.study.compared.seeds import derived_seed
from flip7sim.study.conditions import Conditions
from flip7sim.study.games import Games
from flip7sim.study.games import games as play_whole_games
from flip7sim.study.rounds import Simulation, simulate

COMPARED: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "Base": ("base", {}),
    "Vengeance": ("vengeance", {}),
    "Brutal": ("vengeance", {"brutal": True}),
}
"""The games compared: name → game and rule options."""
PAIRS: Final = (("Vengeance", "Base"), ("Brutal", "Base"), ("Brutal", "Vengeance"))
"""Whose figures are subtracted from whose: the second's from the first's."""
BOTH_GAMES: Final = ("target_score", "flip7_bonus", "reshuffle_each_round", "tie")
VENGEANCE_ONLY: Final = ("lucky13_pair_counts",)
COMPARE_OPTIONS: Final = (*BOTH_GAMES, *VENGEANCE_ONLY)
"""Rule options that leave the games what they are; the others are what is compared."""


@dataclass(frozen=True, kw_only=True)
class ComparedGame:
    """One game's sample.

    Attributes
    ----------
    name : str
        ``"Base"``, ``"Vengeance"`` or ``"Brutal"``.
    rounds : Simulation
        Its conditions name the sample's own seed, with which `simulate` and `games` repeat it.
    games : Games or None
        None where games were not wanted.
    """

    name: str
    rounds: Simulation
    games: Games | None

    @property
    def conditions(self) -> Conditions:
        """Rules, players and the sample's own seed."""
        return self.rounds.conditions

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """Every figure of seat 0 and of the games, by key, in the order of `FIGURES`."""
        return figures_of(self.rounds.tallies, self.games)

    def estimate(self, key: str) -> Estimate:
        """Return a figure that is an `Estimate`, the variance say."""
        found = self.figures[key]
        if not isinstance(found, Estimate):
            raise KeyError(key)
        return found


def rules_compared(options: Mapping[str, Any] | None = None) -> dict[str, Rules]:
    """Return the rules of every game compared, by name.

    Parameters
    ----------
    options : mapping of str to object, optional
        Rule options of `COMPARE_OPTIONS`; Vengeance's do not touch the base game.

    Raises
    ------
    InputError
        If an option is unknown or is one of the differences that are compared.

    Examples
    --------
    >>> rules = rules_compared({"flip7_bonus": 0})
    >>> [(name, rules[name].flip7_bonus, rules[name].brutal) for name in rules]
    [('Base', 0, False), ('Vengeance', 0, False), ('Brutal', 0, True)]
    """
    given = dict(options or {})
    for name in given:
        if name not in COMPARE_OPTIONS:
            raise InputError(
                f"option {name} cannot be set in a comparison; {nearest(name, COMPARE_OPTIONS)}"
            )
    shared = {name: value for name, value in given.items() if name in BOTH_GAMES}
    return {
        name: Rules.from_options(game, own | (given if game == "vengeance" else shared))
        for name, (game, own) in COMPARED.items()
    }


def checked_tables(players: Sequence[PlayerLike], rules: Mapping[str, Rules]) -> tuple[Player, ...]:
    """Return the players, who must be able to play every game.

    Raises
    ------
    InputError
    """
    seated: tuple[Player, ...] = ()
    for each in rules.values():
        seated = checked_players(players, each)
    return seated


def play_game_of(
    name: str,
    rules: Rules,
    players: tuple[Player, ...],
    *,
    rounds: int,
    games: int,
    seed: int,
    sample: str | None = None,
    threads: int | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
) -> ComparedGame:
    """Play one game's sample of rounds and games, with the seed of its name.

    Parameters
    ----------
    name : str
    rules : Rules
    players : tuple of Player
    rounds, games : int
        No games are played with 0; else so many, up to whole decks.
    seed : int
    sample : str, optional
        The name that the seed is derived from; the game's by default.
    threads : int, optional
    progress : callable, optional
        Returns a progress callback for a step's name.

    Raises
    ------
    blocks.Interrupted
        On Ctrl-C: an unfinished sample is none.
    """
    own, shown = derived_seed(seed, sample or name), sample or name
    simulation = simulate(
        players, rules=rules, rounds=rounds, seed=own, threads=threads, progress=progress(shown)
    )
    played = None
    if games and not simulation.interrupted:
        n = len(players)
        played = play_whole_games(
            players, rules=rules, games=n * -(-games // n), seed=own, threads=threads,
            progress=progress(f"{shown}, games"),
        )  # fmt: skip
    if simulation.interrupted or (played is not None and played.interrupted):
        raise Interrupted(None, 0)
    return ComparedGame(name=name, rounds=simulation, games=played)
