"""The file format of the study `deck_carried_over`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from flip7sim.blocks import Progress
from flip7sim.errors import InputError
from flip7sim.runner import checked_players, checked_seed
from flip7sim.study.deck_carried_over import deck_carried_over
from flip7sim.study.report import Effort, Report, rules_of


class Configuration(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Keys of the TOML file; `options` are rule options (rules.md section 6)."""

    study: str
    title: str
    tables: list[list[str]]
    games: Effort
    game: str = "base"
    options: dict[str, Any] = {}
    seed: int = 1


def check(configuration: Configuration) -> None:
    """Refuse, before anything is written, what cannot be played.

    Raises
    ------
    InputError
    """
    rules = rules_of(configuration)
    if rules.reshuffle_each_round:
        raise InputError("option reshuffle_each_round is what this study varies: leave it out")
    if not configuration.tables:
        raise InputError("tables must name at least one table of players")
    for players in configuration.tables:
        checked_players(players, rules)
    checked_seed(configuration.seed)
    configuration.games.checked("games")


def play(
    configuration: Configuration,
    *,
    effort: str,
    threads: int | None,
    progress: Callable[[str], Progress | None],
) -> Report:
    """Play the study and return what is to be printed and written."""
    result = deck_carried_over(
        configuration.tables,
        rules=rules_of(configuration),
        games_each=configuration.games.of(effort),
        seed=configuration.seed,
        threads=threads,
        progress=progress,
    )
    return Report(
        title=configuration.title,
        tables={"length": result.frame, "wins": result.wins_frame},
        shown=result.shown,
        answer=result.answer(),
        notes=result.notes(),
        figures={"deck_carried_over": result.plot(configuration.title)},
        document=result.document(),
    )
