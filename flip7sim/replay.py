"""Playing a scripted round or game on the engine and comparing what comes out (replay.md).

The one engine plays these too: the script gives it the cards, and one callback stands in every
policy row and reads the answers off the scenario.

Examples
--------
>>> outcome = replay({"game": "base", "players": 1, "dealer": 0, "draws": ["5"],
...     "decisions": [{"seat": 0, "ask": "hit_or_stay", "answer": "stay"}]})
>>> outcome.round_scores, outcome.status, outcome.lines
((5,), ('stayed',), (('5',),))
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flip7sim import strict
from flip7sim.cards import CARD_NAMES, KIND, card_names
from flip7sim.errors import Flip7Error, InputError
from flip7sim.scenario import (
    GAME_KEYS,
    ROUND_KEYS,
    Answer,
    Scenario,
    answer_json,
    as_scenario,
    swap_answer,
)
from flip7sim.table import (
    ACTIVE,
    ASK_DISCARD,
    ASK_HIT_OR_STAY,
    ASK_MODIFIER,
    ASK_NAMES,
    ASK_STEAL,
    ASK_SWAP,
    BUSTED,
    N_ROWS,
    STAYED,
    new_table,
)

_STATUS_WORDS = {ACTIVE: "active", STAYED: "stayed", BUSTED: "busted"}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came out of a round, or of a game and its last round.

    Parameters
    ----------
    round_scores, totals : tuple of int, shape (players,)
    status : tuple of str, shape (players,)
        ``"active"``, ``"stayed"``, ``"busted"`` or ``"flip7"``.
    lines : tuple of tuple of str, shape (players, …)
        The cards in front of each player, a busted one's face-down cards included.
    discard : tuple of str
        The discard pile before the lines are cleared.
    flips : int
        Cards flipped in all.
    rounds : int or None
        Rounds of the game; None for a round.
    winners : tuple of int or None
        The winning seats, none if the game ended unfinished; None for a round.
    """

    round_scores: tuple[int, ...]
    totals: tuple[int, ...]
    status: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    discard: tuple[str, ...]
    flips: int
    rounds: int | None = None
    winners: tuple[int, ...] | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as the `expect` of a scenario."""
        keys = ROUND_KEYS if self.rounds is None else GAME_KEYS
        return {key: _listed(getattr(self, key)) for key in keys}


def ask_name(table: Any) -> str:
    """Return how a scenario names what is being asked: a modifier by its card."""
    name: str = CARD_NAMES[table.card] if table.ask == ASK_MODIFIER else ASK_NAMES[table.ask]
    return name


def legal_answers(table: Any) -> list[Answer]:
    """Return the legal answers to what is being asked; the index is what the engine wants."""
    if table.ask == ASK_HIT_OR_STAY:
        return ["hit", "stay"]
    options = table.options[: table.n_options].tolist()
    if table.ask == ASK_SWAP:
        return [
            swap_answer(seat, CARD_NAMES[card], with_seat, CARD_NAMES[with_card])
            for seat, card, with_seat, with_card in options
        ]
    if table.ask in (ASK_STEAL, ASK_DISCARD):
        return [(seat, CARD_NAMES[card]) for seat, card, _, _ in options]
    return [seat for seat, _, _, _ in options]


class _Script:
    """Reads a scenario's draws and decisions to the engine; remembers why it stopped it."""

    def __init__(self, scenario: Scenario) -> None:
        self.draws = scenario.draws
        self.decisions = scenario.decisions
        self.n_drawn = 0
        self.n_decided = 0
        self.reason = ""

    def draw(self, table: Any, seat: int) -> int:
        """Return the kind of the next card, or stop the play."""
        if self.n_drawn == len(self.draws):
            return self._stop(
                f"draws missing: flip {self.n_drawn + 1}, for seat {seat}, has no card"
            )
        name = self.draws[self.n_drawn]
        kind = KIND[name]
        if table.left[kind] == 0:
            return self._stop(
                f"draws[{self.n_drawn}]: the deck holds no {name} at that moment; "
                f"it holds (card: count) {_counted(table.left)}"
            )
        self.n_drawn += 1
        return kind

    def answer(self, table: Any, seat: int) -> int:
        """Return the index of the next decision's answer, or stop the play."""
        asked, answers = ask_name(table), legal_answers(table)
        if self.n_decided == len(self.decisions):
            problem = f"decisions missing: decision {self.n_decided + 1} is {asked} of seat {seat}"
            return self._stop(problem, answers)
        where = f"decisions[{self.n_decided}]"
        decision = self.decisions[self.n_decided]
        if (decision.seat, decision.ask) != (seat, asked):
            given = f"{decision.ask} of seat {decision.seat}"
            return self._stop(f"{where}: asked is {asked} of seat {seat}, not {given}", answers)
        if decision.answer not in answers:
            given = json.dumps(answer_json(decision.answer))
            problem = f"{where}: {given} is no legal answer of seat {seat} to {asked}"
            return self._stop(problem, answers)
        self.n_decided += 1
        return answers.index(decision.answer)

    def left_over(self) -> str:
        """Return what the play did not need, or nothing."""
        left = [
            f"{key} left over: {len(given) - used} of {len(given)}, the first is {key}[{used}]"
            for key, given, used in (
                ("draws", self.draws, self.n_drawn),
                ("decisions", self.decisions, self.n_decided),
            )
            if used < len(given)
        ]
        return "; ".join(left)

    def _stop(self, problem: str, legal: Iterable[Answer] = ()) -> int:
        answers = ", ".join(json.dumps(answer_json(answer)) for answer in legal)
        self.reason = f"{problem}; legal answers: {answers}" if answers else problem
        return -1


def play(scenario: Scenario, *, observer: Callable[[Any, int], int] | None = None) -> Any:
    """Play a scenario to its end.

    Parameters
    ----------
    scenario : Scenario
    observer : callable, optional
        ``observer(table, seat)``, called after each flip, decision and round with a read-only
        table; returns an int.

    Returns
    -------
    numpy.record
        The table as the last round left it, of dtype `table.TABLE`.

    Raises
    ------
    InputError
        If the play needs another flip or decision than the scenario has next, or fewer or more.
    """
    from flip7sim.callbacks import Callback
    from flip7sim.engine.kernels import one_game, one_round

    script = _Script(scenario)
    draw, answer = Callback(script.draw), Callback(script.answer)
    callbacks = [draw, answer]
    table = new_table(scenario.rules, scenario.players)
    table.dealer = scenario.dealer
    table.total[: scenario.players] = scenario.totals
    table.script = draw.address
    table.address[: scenario.players * N_ROWS] = answer.address
    table.n_terms[: scenario.players] = 1
    if observer is not None:
        callbacks.append(Callback(observer))
        table.observer = callbacks[-1].address
    (one_game if scenario.play == "game" else one_round)(table.base)
    for callback in callbacks:
        if callback.error is not None:
            raise callback.error
    if script.reason:
        raise InputError(script.reason)
    if table.error:
        raise Flip7Error(f"the engine stopped with error {table.error}")
    if script.left_over():
        raise InputError(script.left_over())
    return table


def outcome_of(scenario: Scenario, table: Any) -> Outcome:
    """Return what came out, from the table that `play` (or the engine) left."""
    seats = range(scenario.players)
    is_game = scenario.play == "game"
    # The engine adds the points of a game's rounds up; a round on its own leaves the totals.
    gained = [0 if is_game else int(table.score[seat]) for seat in seats]
    return Outcome(
        round_scores=tuple(int(table.score[seat]) for seat in seats),
        totals=tuple(int(table.total[seat]) + gained[seat] for seat in seats),
        status=tuple(_status(table, seat) for seat in seats),
        lines=tuple(tuple(card_names(table.line[seat])) for seat in seats),
        discard=tuple(card_names(table.discarded)),
        flips=int(table.flips + table.flips_before),
        rounds=int(table.round_number) + 1 if is_game else None,
        winners=tuple(seat for seat in seats if table.winners >> seat & 1) if is_game else None,
    )


def replay(source: Scenario | Mapping[str, Any] | str | os.PathLike[str]) -> Outcome:
    """Play a scenario, given as such, as a mapping or as a file's path.

    Raises
    ------
    InputError
        If the file cannot be read or the scenario is malformed (replay.md).

    Examples
    --------
    >>> staying = {"seat": 0, "ask": "hit_or_stay", "answer": "stay"}
    >>> scenario = {"game": "base", "players": 1, "dealer": 0, "draws": ["9"]}
    >>> scenario["decisions"] = [staying]
    >>> replay(scenario).round_scores
    (9,)
    """
    scenario = as_scenario(source)
    return outcome_of(scenario, play(scenario))


def differences(scenario: Scenario, outcome: Outcome) -> list[dict[str, Any]]:
    """Return where an outcome is not what the scenario expects; only keys given are compared.

    Returns
    -------
    list of dict
        One ``{"key": …, "expected": …, "got": …}`` a difference.
    """
    got = outcome.as_json()
    return [
        {"key": key, "expected": expected, "got": got[key]}
        for key, expected in scenario.expect.items()
        if _comparable(key, expected) != _comparable(key, got[key])
    ]


def replay_files(paths: Iterable[str | os.PathLike[str]]) -> tuple[list[str], int]:
    """Replay files; a malformed one does not stop the others.

    Returns
    -------
    lines : list of str
        One JSON object a file.
    status : int
        0 when all agree, 1 when an expectation differs, 2 when a file is malformed.

    Raises
    ------
    InputError
        If there is no file at all.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> staying = {"seat": 0, "ask": "hit_or_stay", "answer": "stay"}
    >>> scenario = {"game": "base", "players": 1, "dealer": 0, "draws": ["9"]}
    >>> scenario["decisions"] = [staying]
    >>> scenario["expect"] = {"flips": 2}
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "nine.json")
    ...     _ = file.write_text(json.dumps(scenario))
    ...     lines, status = replay_files([file])
    >>> status, json.loads(lines[0])["differences"]
    (1, [{'key': 'flips', 'expected': 2, 'got': 1}])
    """
    lines, status = [], 0
    for path in paths:
        result, own_status = _replay_file(path)
        lines.append(json.dumps(result))
        status = max(status, own_status)
    if not lines:
        raise InputError("no file to replay; name at least one scenario")
    return lines, status


def _replay_file(path: str | os.PathLike[str]) -> tuple[dict[str, Any], int]:
    name = os.fspath(path)
    try:
        data = strict.read_json(path)
        if isinstance(data, dict) and isinstance(data.get("name"), str):
            name = data["name"]
        scenario = as_scenario(data)
        result = replay(scenario)
    except InputError as error:
        return {"name": name, "ok": False, "error": str(error)}, 2
    found = differences(scenario, result)
    line = {"name": name, "ok": not found, "outcome": result.as_json(), "differences": found}
    return line, 1 if found else 0


def _status(table: Any, seat: int) -> str:
    return "flip7" if seat == table.flip7_seat else _STATUS_WORDS[int(table.status[seat])]


def _listed(value: Any) -> Any:
    return [_listed(item) for item in value] if isinstance(value, tuple) else value


def _comparable(key: str, value: Any) -> Any:
    """Return a value in which only what matters differs: piles, lines and winners have no order."""
    if key == "lines":
        return [sorted(line) for line in value]
    return sorted(value) if key in ("discard", "winners") else value


def _counted(left: Any) -> str:
    names = [f"{CARD_NAMES[kind]}: {count}" for kind, count in enumerate(left) if count]
    return ", ".join(names) if names else "nothing"
