"""The file format of the study `compare`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from flip7sim.blocks import Progress
from flip7sim.rules import checked_player_counts
from flip7sim.runner import checked_seed
from flip7sim.study.compared import variance_tables
from flip7sim.study.compared.compare import compare
from flip7sim.study.compared.compared_games import checked_tables, rules_compared
from flip7sim.study.compared.own_best import compare_at_best
from flip7sim.study.compared.variance_sources import variance_sources
from flip7sim.study.report import Effort, Report
from flip7sim.study.values import parameter_values


class Thresholds(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where each game's own best threshold is looked for, and with how many players."""

    players: list[int]
    start: float = msgspec.field(name="from")
    to: float
    step: float
    sweep_rounds: Effort
    rounds: Effort
    games: Effort


class Sources(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Rounds of every configuration between base and Vengeance."""

    rounds: Effort


class Configuration(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Keys of the TOML file; `options` are rule options of all games (rules.md section 6)."""

    study: str
    title: str
    players: int
    player: str
    rounds: Effort
    games: Effort
    thresholds: Thresholds
    sources: Sources
    options: dict[str, Any] = {}
    seed: int = 1


def check(configuration: Configuration) -> None:
    """Refuse, before anything is written, what cannot be played.

    Raises
    ------
    InputError
    """
    span = configuration.thresholds
    checked_player_counts([configuration.players])
    checked_player_counts(span.players)
    rules = rules_compared(configuration.options)
    (player,) = checked_tables([configuration.player], rules)
    for value in parameter_values(span.start, span.to, span.step):
        player.with_parameter(0, value)
    checked_seed(configuration.seed)
    configuration.rounds.checked("rounds")
    configuration.games.checked("games", or_none=True)
    span.sweep_rounds.checked("thresholds.sweep_rounds")
    span.rounds.checked("thresholds.rounds")
    span.games.checked("thresholds.games", or_none=True)
    configuration.sources.rounds.checked("sources.rounds")


def play(
    configuration: Configuration,
    *,
    effort: str,
    threads: int | None,
    progress: Callable[[str], Progress | None],
) -> Report:
    """Play the study and return what is to be printed and written."""
    players = [configuration.player] * configuration.players
    options, seed, title = configuration.options, configuration.seed, configuration.title
    span = configuration.thresholds
    comparison = compare(
        players, options=options, rounds=configuration.rounds.of(effort),
        games=configuration.games.of(effort), seed=seed, threads=threads, progress=progress,
    )  # fmt: skip
    if comparison.interrupted:
        raise KeyboardInterrupt
    best = compare_at_best(
        span.players, parameter_values(span.start, span.to, span.step),
        policy=configuration.player, options=options, rounds=span.rounds.of(effort),
        sweep_rounds=span.sweep_rounds.of(effort), games=span.games.of(effort), seed=seed,
        threads=threads, progress=progress,
    )  # fmt: skip
    sources = variance_sources(
        players, options=options, rounds=configuration.sources.rounds.of(effort), seed=seed,
        threads=threads, progress=progress,
    )  # fmt: skip
    of_sources = variance_tables.notes(sources)
    played = 3 * comparison.rounds + best.rounds_played + sources.rounds_played
    return Report(
        title=title,
        tables={
            "figures": comparison.frame,
            "own_best": best.frame,
            "variance_changes": sources.changes_frame,
            "variance_interactions": sources.interactions_frame,
            "variance_configurations": sources.cells_frame,
        },
        shown=comparison.shown,
        further={
            "Differences": comparison.differences_shown,
            "Every seat at the game's own best threshold": best.shown,
            "Every seat at the game's own best threshold, other figures": best.more_shown,
            "From base to Vengeance, one thing at a time": variance_tables.ladder_shown(sources),
            "What each change does to the variance": variance_tables.changes_shown(sources),
            "Interactions in Vengeance": variance_tables.interactions_shown(sources),
        },
        answer=f"{comparison.answer()} {best.answer()} {sources.answer()}",
        notes=[
            *comparison.notes(),
            f"Own best thresholds: {best.notes()[0]} {best.notes()[1]}",
            f"Where the variance comes from: {of_sources[0]}",
            *of_sources[2:],
        ],
        figures={
            "points": comparison.plot(title),
            "own_best": best.plot("Variance at each game's own best threshold"),
            "ladder": variance_tables.plot_ladder(
                sources, "From base to Vengeance, one thing at a time"
            ),
            "variance_changes": variance_tables.plot(
                sources, "Where the variance of Vengeance comes from"
            ),
        },
        document={
            "rounds_played": played,
            "comparison": comparison.document(),
            "own_best": best.document(),
            "sources": sources.document(),
        },
    )
