"""What every policy must do: answer legally, the same again, and leave the table alone.

The tables are those of real rounds: an observer copies the table at every decision, and each policy
is asked what it would have answered there, compiled and plain.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import numpy as np
import pytest

from flip7sim.callbacks import Callback, view_at
from flip7sim.engine.kernels import one_round
from flip7sim.policies import Policy, as_player, described, policies
from flip7sim.policies.check import check_function
from flip7sim.rules import Rules
from flip7sim.table import (
    ASK_NAMES,
    EVENT_DECISION,
    GAME_ASKS,
    N_ROWS,
    N_TERMS,
    TABLE,
    new_table,
)

N_SEATS = 4
PER_ASK = 6
"""Tables kept for each choice."""

# Policies with a table of constants (`optimal`) need a solved deck: tests/exact holds them.
ALL = [policy for policy in policies() if policy.builtin and policy.constants is None]
REQUIRED = {"points": 22.5, "cards": 3.0, "probability": 0.3, "factor": 0.2}


def bound(policy: Policy) -> Any:
    """Return a policy with values for what it must be given."""
    needed = [p.name for p in policy.parameters if p.default is None]
    return policy(**{name: REQUIRED[name] for name in needed})


@cache
def decisions(game: str, brutal: bool) -> dict[str, list[Any]]:
    """Return copies of tables at which real choices were made, by choice."""
    found: dict[str, list[Any]] = {ask: [] for ask in (ASK_NAMES[0], *GAME_ASKS[game])}
    arrays = np.zeros(1, TABLE).view(np.recarray)

    def observe(table: Any, seat: int) -> int:
        if table.event == EVENT_DECISION:
            kept = found[ASK_NAMES[int(table.ask)]]
            if len(kept) < PER_ASK and int(table.flips) > len(kept):
                copy = np.zeros(1, TABLE).view(np.recarray)
                copy[0] = view_at(arrays.ctypes.data)
                kept.append(copy[0])
        return 0

    many = {"second_chance": 9} if game == "base" else dict.fromkeys(
        ("swap", "steal", "discard", "flip_four", "just_one_more"), 4
    )  # fmt: skip
    table = new_table(Rules(game=game, deck=many, **({"brutal": True} if brutal else {})), N_SEATS)
    players = [as_player(f"score:{24 + 9 * seat}/random") for seat in range(N_SEATS)]
    for seat, player in enumerate(players):
        player.install(table, seat)
        table.total[seat] = 7 * seat
    observer = Callback(observe)
    table.observer = observer.address
    arrays[0] = table
    asks = [ask for ask in found if brutal or ask != "flip7_bonus"]
    for stream in range(3000):
        arrays["stream"] = stream
        one_round(arrays)
        assert observer.error is None
        if all(len(found[ask]) == PER_ASK for ask in asks):
            break
    assert all(len(found[ask]) == PER_ASK for ask in asks)
    return found


def name_of(policy: Policy) -> str:
    return f"{policy.kind}-{policy.name}-{policy.metadata.games[0]}"


@pytest.mark.parametrize("policy", ALL, ids=name_of)
@pytest.mark.parametrize("mode", ["base", "vengeance", "brutal"])
def test_legal_repeatable_and_reading_only(policy: Policy, mode: str, decide: Any) -> None:
    game = "base" if mode == "base" else "vengeance"
    if game not in policy.metadata.games:
        assert not set(GAME_ASKS[game]) & set(policy.metadata.asks) or policy.kind == "stay"
        return
    asked = 0
    for ask, tables in decisions(game, mode == "brutal").items():
        if ask not in policy.metadata.asks:
            continue
        for table in tables:
            seat = int(table.chooser)
            if policy.kind == "stay":
                player = as_player(bound(policy))
            else:
                player = as_player(f"never/{policy.name}")
            answer = decide(player, table, seat)
            limit = 2 if policy.kind == "stay" else int(table.n_options)
            assert 0 <= answer < limit
            asked += 1
    assert asked


@pytest.mark.parametrize("policy", ALL, ids=name_of)
def test_held_to_the_users_rules(policy: Policy) -> None:
    """The package's own policies pass the check that users' policies must pass."""
    assert policy.builtin
    check_function(policy.name, policy.kind, policy.function, policy.parameters)


@pytest.mark.parametrize("policy", ALL, ids=name_of)
def test_described(policy: Policy) -> None:
    known = described(policy)
    assert known["summary"].endswith(".") or "\n" in (inspect.getdoc(policy.function) or "")
    assert known["source"]
    assert known["looks_at"]
    assert known["games"]
    assert (inspect.getdoc(policy.function) or "")[0].isupper()
    for parameter in policy.parameters:
        assert parameter.expected


@pytest.mark.parametrize("game", ["base", "vengeance"])
def test_every_name_covers_every_choice_of_its_game(game: str) -> None:
    for name in {policy.name for policy in policies(game, "targeting")}:
        covered = [
            ask for policy in policies(game, "targeting") if policy.name == name
            for ask in policy.metadata.asks if ask in GAME_ASKS[game]
        ]  # fmt: skip
        assert sorted(covered) == sorted(GAME_ASKS[game]), name


def shipped(game: str, kind: str) -> list[Policy]:
    """Return the package's own policies, whatever other tests have registered."""
    return [policy for policy in policies(game, kind) if policy.builtin]


def test_what_there_is() -> None:
    """The names of cli.md."""
    stay = {
        "score", "sum", "cards", "bust", "gain", "race", "crowd", "never", "always", "random",
        "optimal",
    }  # fmt: skip
    both = {
        "leader", "leader_total", "biggest_line", "weakest", "risky", "safe", "self_if_good",
        "next", "random",
    }  # fmt: skip
    own = {"greedy", "spread", "bust", "polite"}
    assert stay <= {policy.name for policy in policies(kind="stay")}
    assert {policy.name for policy in shipped("base", "targeting")} == both
    assert {policy.name for policy in shipped("vengeance", "targeting")} == both | own
    totals = {policy.name for policy in policies(kind="stay", looks_at="totals")}
    assert {"race", "optimal"} <= totals


def test_rows_are_where_the_engine_looks() -> None:
    table = new_table(Rules(), 2)
    player = as_player("bust:0.3 or cards:3 and never/next")
    player.install(table, 1)
    assert table.n_terms[1] == 3
    assert table.and_terms[1] == 0b100
    assert list(table.parameter[N_ROWS, :2]) == [0.3, 0]
    assert table.parameter[N_ROWS + 1, 0] == 3
    filled = [row - N_ROWS for row in range(N_ROWS, 2 * N_ROWS) if table.address[row]]
    assert filled == [0, 1, 2, N_TERMS + 1, N_TERMS + 2, N_TERMS + 3]
    assert not table.address[:N_ROWS].any()
