"""The file format of the study `stay_thresholds`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from flip7sim.blocks import Progress
from flip7sim.policies import as_player
from flip7sim.rules import Rules
from flip7sim.study.experiment import Effort, Report
from flip7sim.study.sweep import parameter_values
from flip7sim.study.thresholds import stay_thresholds


class Configuration(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Keys of the TOML file; `options` are rule options (rules.md section 6)."""

    study: str
    title: str
    players: list[int]
    rival: str
    policy: str
    start: float = msgspec.field(name="from")
    to: float
    step: float
    rounds: Effort
    instead: list[float] = []
    game: str = "base"
    options: dict[str, Any] = {}
    seed: int = 1


def rules_of(configuration: Configuration) -> Rules:
    """Return the rules that the file names."""
    return Rules.from_options(configuration.game, configuration.options)


def check(configuration: Configuration) -> None:
    """Refuse, before anything is written, what cannot be played.

    Raises
    ------
    InputError
    """
    rules = rules_of(configuration)
    as_player(configuration.rival).check_game(rules.game)
    parameter_values(configuration.start, configuration.to, configuration.step)


def play(
    configuration: Configuration,
    *,
    effort: str,
    threads: int | None,
    progress: Callable[[str], Progress | None],
) -> Report:
    """Play the study and return what is to be printed and written."""
    result = stay_thresholds(
        rules=rules_of(configuration),
        players=configuration.players,
        rival=configuration.rival,
        policy=configuration.policy,
        values=parameter_values(configuration.start, configuration.to, configuration.step),
        instead=configuration.instead,
        rounds=configuration.rounds.of(effort),
        seed=configuration.seed,
        threads=threads,
        progress=progress,
    )
    return Report(
        title=configuration.title,
        tables={"thresholds": result.frame, "curves": result.curve_frame},
        shown=result.shown,
        answer=result.answer(),
        notes=result.notes(),
        figures={"stay_thresholds": result.plot(configuration.title)},
        document=result.document(),
    )
