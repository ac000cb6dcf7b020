"""At tables with rivals a seat is found in a solution by its own line and its own used cards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from flip7sim.cards import KIND, N_KINDS
from flip7sim.exact import packed
from flip7sim.exact.layout import build_layout
from flip7sim.exact.optimal import state_index, vengeance_stays
from flip7sim.exact.tails import Tail
from flip7sim.exact.vengeance_layout import build_lattices
from flip7sim.exact.vengeance_words import pack
from flip7sim.replay import play
from flip7sim.rules import Rules
from flip7sim.scenario import as_scenario
from flip7sim.table import ASK_HIT_OR_STAY, EVENT_DECISION

SMALL = {"x2": 0, "+2": 0, "+4": 0, "+6": 0, "+8": 0, "freeze": 1}
"""One modifier, to keep the solution small."""


def tables_at_decisions(
    draws: str,
    decisions: list[tuple[int, str, Any]],
    players: int,
    game: str = "base",
    **rules: Any,
) -> list[tuple[int, Any]]:
    """Return each seat asked to hit or stay, with the table as it was; seat 0 is dealt first."""
    scenario = as_scenario(
        {
            "game": game,
            "rules": rules,
            "players": players,
            "dealer": players - 1,
            "draws": draws.split(),
            "decisions": [
                {"seat": seat, "ask": ask, "answer": answer} for seat, ask, answer in decisions
            ],
        }
    )
    seen: list[tuple[int, Any]] = []

    def look(table: Any, seat: int) -> int:
        if table.event == EVENT_DECISION and table.ask == ASK_HIT_OR_STAY:
            seen.append((seat, table.base[:1].copy().view(np.recarray)[0]))
        return 0

    play(scenario, observer=look)
    return seen


def own_states(
    draws: str, decisions: list[tuple[int, str, Any]], players: int, **rules: Any
) -> list[tuple[int, set[str], Tail]]:
    """Return seat, numbers in the line and tail of each decision, read back from the index."""
    layout = build_layout(Rules(**rules))
    words = packed.pack(layout, np.zeros((layout.n_cells, len(layout.tails.decisions))))
    found = []
    for seat, table in tables_at_decisions(draws, decisions, players, **rules):
        state = int(state_index(table, seat, np.uint64(words.ctypes.data)))
        assert state >= 0
        cell, decision = divmod(state, len(layout.tails.decisions))
        mask = int(layout.masks[cell // len(layout.plus)])
        numbers = {str(rank) for bit, rank in enumerate(layout.ranks) if mask >> bit & 1}
        tail = layout.tails.states[layout.tails.decisions[decision]]
        assert tail is not None
        found.append((seat, numbers, tail))
    return found


def test_used_second_chances_and_own_flip_threes() -> None:
    found = own_states(
        "second_chance 5 9  7 flip_three 7 12 3  flip_three 4 2 6",
        [
            (0, "hit_or_stay", "hit"),
            (1, "hit_or_stay", "hit"),
            (1, "flip_three", 0),  # the Second Chance saves from the second 7
            (2, "hit_or_stay", "hit"),
            (2, "flip_three", 2),
            (0, "hit_or_stay", "stay"),
            (1, "hit_or_stay", "stay"),
            (2, "hit_or_stay", "stay"),
        ],
        3,
        deck=SMALL,
    )
    drawn = {"drawn": 0, "held": 0, "used": 0, "flip_threes": 0, "inert": 0, "run": None}
    assert found == [
        (0, set(), Tail(**{**drawn, "drawn": 1, "held": 1})),
        (1, {"5"}, Tail(**drawn)),
        (2, {"9"}, Tail(**drawn)),
        (0, {"7", "12", "3"}, Tail(**{**drawn, "drawn": 1, "used": 1, "flip_threes": 1})),
        (1, {"5"}, Tail(**drawn)),  # the Flip Three that it gave away is not its own
        (2, {"9", "4", "2", "6"}, Tail(**{**drawn, "flip_threes": 1})),
    ]


def test_surplus_second_chances() -> None:
    """One given away is the taker's; one that nobody can take is used up by its drawer."""
    found = own_states(
        "second_chance 5  second_chance 6  second_chance",
        [
            (0, "hit_or_stay", "hit"),
            (1, "hit_or_stay", "hit"),
            (0, "hit_or_stay", "hit"),
            (1, "hit_or_stay", "stay"),
            (0, "hit_or_stay", "stay"),
        ],
        2,
        deck=SMALL,
    )
    holding = Tail(drawn=1, held=1, used=0, flip_threes=0, inert=0, run=None)
    assert [(seat, tail) for seat, _, tail in found] == [
        (0, holding),
        (1, holding),
        (0, holding),
        (1, holding),
        (0, holding._replace(drawn=2)),
    ]


def test_inert_cards_are_their_drawers() -> None:
    found = own_states(
        "4 freeze  8 2  flip_three 3",
        [
            (0, "hit_or_stay", "hit"),  # after which seat 1, without a line, must hit
            (0, "hit_or_stay", "hit"),
            (1, "hit_or_stay", "hit"),
            (0, "hit_or_stay", "stay"),
            (1, "hit_or_stay", "stay"),
        ],
        2,
        deck=SMALL,
        inert=["freeze", "flip_three"],
    )
    assert [(seat, tail.inert, tail.flip_threes) for seat, _, tail in found] == [
        (0, 0, 0), (0, 0, 0), (1, 1, 0), (0, 1, 0), (1, 1, 0),
    ]  # fmt: skip


def test_a_reshuffle_brings_used_cards_back() -> None:
    """Seat 0 is saved from a second 5; then the deck is empty, and both cards return."""
    deck = dict.fromkeys(["0", *map(str, range(1, 13)), "+2", "+4", "+6", "+8", "+10", "x2"], 0)
    deck |= {"5": 2, "9": 1, "second_chance": 1, "flip_three": 0, "freeze": 0}
    seen = tables_at_decisions(
        "second_chance 9  5  5  second_chance",
        [
            (0, "hit_or_stay", "hit"),
            (1, "hit_or_stay", "stay"),
            (0, "hit_or_stay", "hit"),
            (0, "hit_or_stay", "hit"),
            (0, "hit_or_stay", "stay"),
        ],
        2,
        deck=deck,
    )
    used = [int(table.used[0].sum()) for _, table in seen]
    assert used == [0, 0, 0, 2, 0]


@pytest.mark.parametrize("players", [1, 3])
def test_the_line_that_unlucky7_took(players: int) -> None:
    """Only the state after a lost 12 and 9, with a 3 since, is marked: exactly there it stays."""
    rules = Rules(game="vengeance", deck="numbers")
    lattices = build_lattices(rules)
    items = {item: at for at, item in enumerate(lattices.item_kinds)}
    first_place, after_place = lattices.first.place, lattices.after.place
    lost = first_place[1 << items[12] | 1 << items[9]]
    line = after_place[1 << items[3]]
    first = np.zeros(int(first_place.max()) + 1, np.uint8)
    after = np.zeros((len(first), int(after_place.max()) + 1), np.uint8)
    after[lost, line] = 1
    nothing = np.zeros(lattices.shape)
    words = pack(lattices, first, after, nothing, nothing)
    rivals = players - 1
    others = ["12", "9"][:rivals]
    turn = [(seat, "hit_or_stay", "stay") for seat in range(1, players)]
    seen = tables_at_decisions(
        " ".join(["12", *others, "9", "unlucky7", "3"]),
        [
            (0, "hit_or_stay", "hit"), *turn, (0, "hit_or_stay", "hit"),
            (0, "hit_or_stay", "hit"), (0, "hit_or_stay", "stay"),
        ],
        players, game="vengeance", deck="numbers",
    )  # fmt: skip
    own = [(seat, table) for seat, table in seen if seat == 0]
    stays = [bool(vengeance_stays(table, 0, np.uint64(words.ctypes.data))) for _, table in own]
    assert stays == [False, False, False, True]
    expected = np.zeros(N_KINDS, int)
    expected[[KIND["12"], KIND["9"]]] = 1
    assert own[-1][1].used[0].tolist() == expected.tolist()
    assert own[-1][1].used[1:].sum() == 0
