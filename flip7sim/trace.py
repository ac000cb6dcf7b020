"""Recording a simulated round or game as a scenario (replay.md).

A trace plays exactly the round of that index of `simulate`, or the game of that index of `games`,
with an observer that notes every flip and every choice. Replayed, it comes out the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from flip7sim.cards import CARD_NAMES
from flip7sim.replay import ask_name, legal_answers, outcome_of
from flip7sim.rules import Rules
from flip7sim.scenario import Decision, Scenario
from flip7sim.strict import integer
from flip7sim.table import EVENT_DECISION, EVENT_FLIP

if TYPE_CHECKING:
    from flip7sim.policies import Player
    from flip7sim.runner import PlayerLike

MAX_INDEX = 10**12
"""The largest index of a round or game."""


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
    players: Sequence[PlayerLike],
    *,
    rules: Rules | None = None,
    seed: int = 1,
    round_index: int = 0,
) -> Scenario:
    """Play one round of `simulate` and return it as a scenario.

    Parameters
    ----------
    players : sequence of Player, str or stay policy
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
    InputError
        If a player, the seed or the index is not legal.
    PolicyError
        If a policy raises or its answer is not legal.

    Examples
    --------
    >>> scenario = trace_round(["score:20", "score:30"], seed=7)
    >>> scenario.draws[:3], scenario.expect["round_scores"]
    (('5', '+10', '7'), [31, 35])
    """
    from flip7sim.runner import checked_players

    rules = rules or Rules()
    seated = checked_players(players, rules)
    index = integer("round", round_index, 0, MAX_INDEX)
    return _recorded(rules, seated, seed, "round", index)


def trace_game(
    players: Sequence[PlayerLike],
    *,
    rules: Rules | None = None,
    seed: int = 1,
    game_index: int = 0,
) -> Scenario:
    """Play one game of `games` and return it as a scenario.

    In game g of n players, player p sits in seat (p + g) modulo n; the scenario's name lists the
    players by seat. Parameters and errors are those of `trace_round`.

    Examples
    --------
    >>> game = trace_game(["score:20", "score:30"], rules=Rules(target_score=40), seed=7)
    >>> game.play, game.expect["totals"], game.expect["winners"]
    ('game', [38, 65], [1])
    """
    from flip7sim.runner import checked_players

    rules = rules or Rules()
    seated = checked_players(players, rules)
    index = integer("game", game_index, 0, MAX_INDEX)
    shift = index % len(seated)
    by_seat = seated[len(seated) - shift :] + seated[: len(seated) - shift]
    return _recorded(rules, by_seat, seed, "game", index)


def _recorded(
    rules: Rules, players: tuple[Player, ...], seed: int, play: str, index: int
) -> Scenario:
    """Play round or game `index` with the players by seat."""
    from flip7sim.callbacks import Callback
    from flip7sim.engine.kernels import one_game, one_round
    from flip7sim.runner import checked_seed, new_tables, policy_error

    n_seats = len(players)
    tables = new_tables(rules, players, checked_seed(seed))
    table = tables[0]
    recorder = Recorder()
    observer = Callback(recorder)
    table.observer = observer.address
    # The same streams and dealers as in `round_block` and `game_block` of the engine.
    table.stream = index if play == "round" else index // n_seats
    dealer = index % n_seats if play == "round" else n_seats - 1
    table.dealer = dealer
    (one_round if play == "round" else one_game)(tables)
    if observer.error is not None:
        raise observer.error
    if table.error:
        raise policy_error(table, players, f"{play} {index}")
    scenario = Scenario(
        name=f"{play} {index}, seed {seed}: " + ", ".join(player.label for player in players),
        rules=rules,
        players=n_seats,
        dealer=dealer,
        totals=(0,) * n_seats,
        play=play,
        draws=tuple(recorder.draws),
        decisions=tuple(recorder.decisions),
    )
    return replace(scenario, expect=outcome_of(scenario, table).as_json())
