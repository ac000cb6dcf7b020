"""Recording a simulated round or game as a scenario (replay.md).

A trace plays exactly the round of that index of `simulate`, or the game of that index of `games`,
with an observer that notes every flip and every choice. Replayed, it comes out the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from flip7sim.cards import CARD_NAMES
from flip7sim.errors import PolicyError
from flip7sim.replay import ask_name, legal_answers, outcome_of
from flip7sim.rules import Rules
from flip7sim.scenario import Decision, Scenario
from flip7sim.table import ERROR_RAISED, EVENT_DECISION, EVENT_FLIP, new_table


class Seated(Protocol):
    """A player who can take a seat (`flip7sim.policies`)."""

    @property
    def label(self) -> str:
        """The player in one string."""

    def install(self, table: Any, seat: int) -> None:
        """Write the player's policies into the rows of the seat."""


class Recorder:
    """Notes what an observer of a table is told.

    Attributes
    ----------
    draws : list of str
        Card names in the order flipped.
    decisions : list of Decision
    """

    def __init__(self) -> None:
        self.draws: list[str] = []
        self.decisions: list[Decision] = []

    def __call__(self, table: Any, seat: int) -> int:
        """Note a flip or a decision; the observer of a table."""
        if table.event == EVENT_FLIP:
            self.draws.append(CARD_NAMES[table.card])
        elif table.event == EVENT_DECISION:
            answer = legal_answers(table)[table.answer]
            self.decisions.append(Decision(seat, ask_name(table), answer))
        return 0


def trace_round(
    players: Sequence[Seated], *, rules: Rules | None = None, seed: int = 1, round_index: int = 0
) -> Scenario:
    """Play one round of `simulate` and return it as a scenario.

    Parameters
    ----------
    players : sequence of Player
        In seat order.
    rules : Rules, optional
        The base game's by default.
    seed : int
    round_index : int
        Which of the seed's rounds; the deal moves left from one to the next.

    Returns
    -------
    Scenario
        With all that came out as its `expect`.

    Raises
    ------
    PolicyError
        If a policy raises or its answer is not legal.
    """
    table = _table(rules or Rules(), players, seed)
    table.stream = round_index
    table.dealer = round_index % len(players)
    return _recorded(table, rules or Rules(), players, "round", f"round {round_index}, seed {seed}")


def trace_game(
    players: Sequence[Seated], *, rules: Rules | None = None, seed: int = 1, game_index: int = 0
) -> Scenario:
    """Play one game of `games` and return it as a scenario.

    In game g of n players, player p sits in seat (p + g) modulo n; the scenario's name lists the
    players by seat. Parameters and errors are those of `trace_round`.
    """
    shift = game_index % len(players)
    seated = [*players[len(players) - shift :], *players[: len(players) - shift]]
    table = _table(rules or Rules(), seated, seed)
    table.stream = game_index // len(players)
    table.dealer = len(players) - 1
    return _recorded(table, rules or Rules(), seated, "game", f"game {game_index}, seed {seed}")


def _table(rules: Rules, players: Sequence[Seated], seed: int) -> Any:
    from flip7sim.engine.rng import seed_words

    table = new_table(rules, len(players))
    table.seed[:] = seed_words(seed)
    for seat, player in enumerate(players):
        player.install(table, seat)
    return table


def _recorded(
    table: Any, rules: Rules, players: Sequence[Seated], play: str, where: str
) -> Scenario:
    from flip7sim.callbacks import Callback
    from flip7sim.engine.kernels import one_game, one_round

    recorder = Recorder()
    observer = Callback(recorder)
    table.observer = observer.address
    dealer = int(table.dealer)
    (one_game if play == "game" else one_round)(table.base)
    if observer.error is not None:
        raise observer.error
    if table.error:
        raise PolicyError(_complaint(table, players, where))
    scenario = Scenario(
        name=f"{where}: " + ", ".join(player.label for player in players),
        rules=rules,
        players=len(players),
        dealer=dealer,
        totals=(0,) * len(players),
        play=play,
        draws=tuple(recorder.draws),
        decisions=tuple(recorder.decisions),
    )
    return replace(scenario, expect=outcome_of(scenario, table).as_json())


def _complaint(table: Any, players: Sequence[Seated], where: str) -> str:
    seat = int(table.chooser)
    what = "raised" if table.error == ERROR_RAISED else f"answered {int(table.answer)}"
    return (
        f"{players[seat].label}, seat {seat}, {where}: {what} when asked {ask_name(table)}; "
        f"legal are 0 to {int(table.n_options) - 1}"
    )
