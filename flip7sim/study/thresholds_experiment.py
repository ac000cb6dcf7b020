"""The file format of the study `stay_thresholds`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from flip7sim.blocks import Progress
from flip7sim.runner import checked_seed
from flip7sim.study.report import Effort, Report, rules_of
from flip7sim.study.thresholds import check_tables, stay_thresholds
from flip7sim.study.values import parameter_values


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


def check(configuration: Configuration) -> None:
    """Refuse, before anything is written, what cannot be played.

    Raises
    ------
    InputError
    """
    rules = rules_of(configuration)
    values = parameter_values(configuration.start, configuration.to, configuration.step)
    check_tables(
        rules, configuration.players, configuration.rival, configuration.policy,
        [*values, *configuration.instead],
    )  # fmt: skip
    checked_seed(configuration.seed)
    configuration.rounds.checked("rounds")


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
        # Whoever stopped the study waits for its answer, not for a figure of a part of it.
        figures={} if result.interrupted else {"stay_thresholds": result.plot(configuration.title)},
        document=result.document(),
        interrupted=result.interrupted,
    )
