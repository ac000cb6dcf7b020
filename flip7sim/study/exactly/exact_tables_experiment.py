"""The file format of the study `exact_tables`: no rounds are played, effort says which decks."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from flip7sim.blocks import Progress
from flip7sim.errors import InputError
from flip7sim.exact.race import check_race
from flip7sim.policies import as_player
from flip7sim.rules import Rules
from flip7sim.study.exactly.exact_scan import Family
from flip7sim.study.exactly.exact_tables import exact_tables, is_evaluated
from flip7sim.study.exactly.exact_tables_shown import Presented
from flip7sim.study.exactly.player_terms import check_player
from flip7sim.study.report import EFFORTS, Report


class Decks(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Names of decks by effort: presets, or the game's own name for all its cards."""

    quick: list[str]
    normal: list[str]
    full: list[str]

    def of(self, effort: str, game: str) -> list[Rules]:
        """Return the rules of the decks for an effort.

        Raises
        ------
        InputError
            If a deck is unknown.
        """
        names: list[str] = getattr(self, effort)
        return [Rules(game=game, deck=None if name == game else name) for name in names]


class Configuration(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Keys of the TOML file; `base`, `vengeance` and `race` name decks, `race` of the base game."""

    study: str
    title: str
    families: list[Family]
    fixed: list[str]
    base: Decks
    vengeance: Decks
    race: Decks


def check(configuration: Configuration) -> None:
    """Refuse, before anything is written, what cannot be computed.

    Raises
    ------
    InputError
    """
    if not configuration.families:
        raise InputError("families must name at least one policy with a varying number")
    decks: dict[tuple[str, str], Rules] = {}
    races: dict[str, Rules] = {}
    for effort in EFFORTS:
        base = configuration.base.of(effort, "base")
        if not base:
            raise InputError(f"base.{effort} must name at least one deck")
        for rules in (*base, *configuration.vengeance.of(effort, "vengeance")):
            decks[rules.game, rules.deck_name] = rules
        races |= {rules.deck_name: rules for rules in configuration.race.of(effort, "base")}
    evaluated = [rules for rules in decks.values() if is_evaluated(rules)]
    for rules in races.values():
        check_race(rules)
    players = [as_player(spec) for spec in configuration.fixed]
    for rules in evaluated:
        for family in configuration.families:
            family.check(rules)
        for player in players:
            check_player(player, rules)


def play(
    configuration: Configuration,
    *,
    effort: str,
    threads: int | None,
    progress: Callable[[str], Progress | None],
) -> Report:
    """Compute the tables and return what is to be printed and written."""
    answers = exact_tables(
        decks=[
            *configuration.base.of(effort, "base"),
            *configuration.vengeance.of(effort, "vengeance"),
        ],
        families=configuration.families,
        fixed=configuration.fixed,
        races=configuration.race.of(effort, "base"),
        thorough=effort == "full",
        threads=threads,
        progress=progress,
    )
    frames = answers.frames()
    presented = Presented(answers, frames)
    return Report(
        title=configuration.title,
        tables=frames,
        shown=presented.shown(),
        answer=presented.answer(),
        notes=presented.notes(),
        figures={"exact_tables": presented.plot(configuration.title)},
        document=answers.document(),
        further=presented.further(),
    )
