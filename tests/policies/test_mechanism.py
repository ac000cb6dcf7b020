"""How a function becomes a policy: what is accepted, refused, compiled, and what a raise does."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import flip7sim as f7
from flip7sim import _jit
from flip7sim.engine.kernels import one_round
from flip7sim.errors import InputError
from flip7sim.policies import (
    Parameter,
    as_player,
    player,
    policies,
    stay_policy,
    targeting_policy,
)
from flip7sim.policies.compiled import jitted
from flip7sim.policies.expressions import FIELDS, HIDDEN
from flip7sim.policies.parameters import NOT_GIVEN
from flip7sim.readings import SEEN, best_rival_total, bust_probability, line_score
from flip7sim.rules import Rules
from flip7sim.table import N_ROWS, RAISED, TABLE, new_table

from_globals = 3

Deal = Callable[..., Any]
Decide = Callable[..., int]


def set_total(table, seat):
    table.total[seat] = 3
    return 1


def points_above(table, seat, floor):
    return line_score(table, seat) - floor


def first_line(table):
    return table.line[0]


def bolder(table, seat, floor=22.0, slope=0.1):
    """Stay at `floor` plus `slope` points for each point behind the leader."""
    lead = best_rival_total(table, seat) - table.total[seat]
    return line_score(table, seat) >= floor + slope * max(lead, 0)


def most_cards(table, seat):
    """The option whose player has the most number cards."""
    best, most = 0, -1
    for option in range(table.n_options):
        cards = table.n_numbers[table.options[option].seat]
        if cards > most:
            best, most = option, cards
    return best


# Every way of writing to the table, or of reading what is hidden, that a reader might try.


def item(table, seat):
    table.total[seat] = 1
    return True


def alias(table, seat):
    line = table.line[seat]
    line[0] = 1
    return True


def augmented_item(table, seat):
    table.total[seat] += 1
    return True


def augmented_alias(table, seat):
    line = table.line[seat]
    line += 1
    return True


def renamed(table, seat):
    here = table
    here.total.sort()
    return True


def filled(table, seat):
    table.total.fill(0)
    return True


def through_helper(table, seat):
    return set_total(table, seat) > 0


def through_result(table, seat):
    line = first_line(table)
    line[1] = 1
    return True


def option_record(table, seat):
    option = table.options[0]
    option.seat = 3
    return 1


def loop_over_records(table, seat):
    for option in table.options[: table.n_options]:
        option.seat += 1
    return 1


def inner_function(table, seat):
    def change(values):
        values[0] = 1

    change(table.total)
    return 1


def through_lambda(table, seat):
    totals = (lambda here: here.total)(table)
    totals[0] = 1
    return 1


def tuple_alias(table, seat):
    totals, three = table.total, 3
    totals[:] = three
    return 1


def through_list(table, seat):
    both = [table.total, table.score]
    both[0][1] = 5
    return 1


def view(table, seat):
    totals = table.total[:2].view()
    totals[0] = 2
    return 1


def late_alias(table, seat):
    for i in range(2):
        if i > 0:
            totals[0] = 1  # noqa: F821
        totals = table.total  # noqa: F841
    return 1


def walrus(table, seat):
    if (totals := table.total)[0] > 3:
        totals[0] = 1
    return 1


def copyto(table, seat):
    np.copyto(table.total, 3)
    return 1


def out_argument(table, seat):
    np.add(table.total, 1, out=table.total)
    return 1


def set_attribute(table, seat):
    table.n_active = 0
    return 1


def by_setattr(table, seat):
    setattr(table, "n_active", 0)  # noqa: B010
    return 1


def by_name(table, seat):
    table["total"][0] = 1
    return 1


def deletes(table, seat):
    del table.total
    return 1


STORES = [
    item, alias, augmented_item, augmented_alias, renamed, filled, through_helper, through_result,
    option_record, loop_over_records, inner_function, through_lambda, tuple_alias, through_list,
    view, late_alias, walrus, copyto, out_argument, set_attribute, by_setattr, by_name, deletes,
]  # fmt: skip


@pytest.mark.parametrize("function", STORES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])
def test_stores_are_refused(function: Any, compiled: bool) -> None:
    with pytest.raises(InputError, match=f"{function.__name__}.*(writes to|deletes|setattr)"):
        stay_policy(compiled=compiled)(function)


def next_cards(table, seat):
    return table.deck[0] > 3


def generator(table, seat):
    return getattr(table, "rng")[0] > 3  # noqa: B009


def by_item(table, seat):
    return table["seed"][0] > 3


@pytest.mark.parametrize("function", [next_cards, generator, by_item], ids=lambda f: f.__name__)
def test_hidden_fields_are_refused(function: Any) -> None:
    with pytest.raises(InputError, match=r"which no player can see \(line 2"):
        stay_policy(function)


READABLE = {
    "game", "n_seats", "brutal", "specials", "lucky13_pair_counts", "open_after_stay",
    "flip7_bonus", "target_score", "tie_shares", "reshuffle_each_round", "inert", "full", "n_cards",
    "round_number", "dealer", "on_turn", "dealing", "flips", "flips_before", "n_active", "active",
    "over", "flip7_seat", "winners",
    "n_cards_left", "n_discarded", "left", "discarded",
    "total", "score", "status", "held", "n_numbers", "number_sum", "modifier_sum", "n_doublers",
    "n_second_chances", "n_line", "penalty", "frozen", "line", "used",
    "ask", "card", "drawer", "chooser", "answer", "n_options", "options",
    "n_terms", "and_terms", "settling", "n_runs", "runs",
}  # fmt: skip


def test_every_field_is_hidden_or_readable() -> None:
    """Whoever adds a field to the table says here whether policies may read it."""
    assert set(FIELDS) == READABLE
    assert set(TABLE.names or ()) - READABLE == HIDDEN


def misspelt(table, seat):
    return table.totals[seat] > 3


def half_points(table, seat):
    return line_score(table, seat) * 0.5


def floor_or_float(table, seat, floor=2.0):
    if table.total[seat] > 3:
        return floor
    return 1


def helper_float(table, seat, floor=2.0):
    return points_above(table, seat, floor)


def draws(table, seat):
    return np.random.random() < 0.5  # noqa: NPY002


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (misspelt, "table.totals, which is no field; did you mean 'total'"),
        (half_points, "returns a float; a stay policy must return a bool or an int"),
        (floor_or_float, "returns a float"),
        (helper_float, "returns a float"),
        (draws, r"draws random numbers by np\.random\.random; use uniform"),
    ],
    ids=lambda f: getattr(f, "__name__", ""),
)
def test_refused_when_decorated(function: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        stay_policy(function)


def copies(table, seat):
    order = table.total[: table.n_seats].copy()
    order[0] = 3
    order.sort()
    lead = table.total[0]
    lead += 2
    counts = np.zeros(4)
    counts[seat] += table.total[seat]
    return lead > order[-1] + counts[0]


def helps_itself(table, seat, floor=2.0):
    return points_above(table, seat, floor) > from_globals


def counts_rivals(table, seat):
    n = 0
    for total in table.total[: table.n_seats]:
        n += total > table.total[seat]
    return n > 1


@pytest.mark.parametrize(
    "function", [copies, helps_itself, counts_rivals, bolder], ids=lambda f: f.__name__
)
def test_honest_functions_are_accepted(function: Any, deal: Deal, decide: Decide) -> None:
    assert decide(stay_policy(function), deal("12 11 10", "5", totals=[3, 9])) in (0, 1)


def test_the_example_of_the_manual(deal: Deal, decide: Decide) -> None:
    policy = stay_policy(bolder)
    assert (policy.name, policy.kind, policy.summary) == ("bolder", "stay", bolder.__doc__)
    assert [(p.name, p.type, p.default) for p in policy.parameters] == [
        ("floor", float, 22.0), ("slope", float, 0.1),
    ]  # fmt: skip
    table = deal("12 11", "5", totals=[0, 20])
    assert decide(policy(slope=0.2), table) == 0  # 23 against 26
    assert decide(policy(slope=0.05), table) == 1
    assert decide(policy(floor=19, slope=0.2), table) == 1
    assert policy(table, 0, slope=0.05) == policy.function(table, 0, 22.0, 0.05)
    assert player(policy(slope=0.2), targeting_policy(most_cards)).label == (
        "bolder:slope=0.2/most_cards"
    )
    table = deal("1", "5", "6 7", "8 9", ask="freeze", options=[1, 2, 3, 0])
    assert decide(player("score:25", targeting_policy(most_cards)), table) == 1


def test_parameters_are_data(deal: Deal, decide: Decide) -> None:
    """Another value, and the other kind of number, runs the same machine code."""
    policy = stay_policy(bolder)
    table = deal("12 11", "5", totals=[0, 20])
    decide(policy(slope=0.2), table)
    address = policy().address()
    code = policy.code()
    assert decide(policy(slope=0, floor=23), table) == 1
    assert decide(policy(slope=0, floor=23.5), table) == 0
    assert policy(slope=3).address() == address
    assert policy.code() is code
    if not _jit.DISABLED:
        assert len(jitted(bolder).overloads) == 1


def three_kinds(table, seat, points=20, above: bool = True, factor: float = 1):
    if above:
        return table.total[seat] + points > factor * 10
    return points == 7 and factor == 0.5


def test_types_of_parameters(deal: Deal, decide: Decide) -> None:
    policy = stay_policy(three_kinds)
    assert [p.type for p in policy.parameters] == [int, bool, float]
    table = deal("5", "")
    assert decide(policy(), table) == 1
    assert decide(policy(above=False), table) == 0
    assert decide(policy(above=False, points=7, factor=0.5), table) == 1
    for wrong in ({"points": 2.5}, {"above": 1}, {"factor": "x"}, {"factor": float("nan")},
                  {"factor": True}, {"points": 2**60}, {"factor": None}):  # fmt: skip
        with pytest.raises(InputError, match=f"{next(iter(wrong))} of three_kinds must be"):
            policy(**wrong)
    with pytest.raises(InputError, match="no parameter 'point'; did you mean 'points'"):
        policy(point=3)


@pytest.mark.parametrize("n", range(9))
def test_up_to_eight_parameters(n: int, deal: Deal, decide: Decide) -> None:
    """Each parameter comes to its own place: digits of a number."""
    names = "abcdefgh"[:n]
    digits = " + ".join(f"{name} * {10**k}" for k, name in enumerate(names)) or "0"
    scope: dict[str, Any] = {"__name__": "made_up"}
    arguments = "".join(f", {name}=0" for name in names)
    exec(f"def digits(table, seat{arguments}):\n    return {digits} == table.total[seat]", scope)
    policy = stay_policy(scope["digits"])
    values = {name: k + 1 for k, name in enumerate(names)}
    total = sum((k + 1) * 10**k for k in range(n))
    assert decide(policy(**values), deal("5", totals=[total])) == 1
    assert decide(policy(**values), deal("5", totals=[total + 1])) == 0


def nine(table, seat, a=0, b=0, c=0, d=0, e=0, f=0, g=0, h=0, i=0):
    return True


def no_seat(table):
    return True


def starred(table, seat, *more):
    return True


def test_signatures_refused() -> None:
    with pytest.raises(InputError, match="9 parameters, at most 8"):
        stay_policy(nine)
    with pytest.raises(InputError, match="must take a table and a seat"):
        stay_policy(no_seat)
    with pytest.raises(InputError, match="'more' must be an ordinary one"):
        stay_policy(starred)
    with pytest.raises(InputError, match="cannot be the name"):
        stay_policy(name="and")(bolder)
    with pytest.raises(InputError, match="must be a function"):
        stay_policy(3)  # type: ignore[call-overload]


def outside(table, seat):
    return table.total[seat + 100] > 0


def divides(table, seat):
    if table.total[seat] == 0:
        raise ValueError("nothing to share")
    return True


def illegal(table, seat):
    return 7


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])
@pytest.mark.parametrize("function", [outside, divides], ids=lambda f: f.__name__)
def test_a_raise_is_an_answer_of_its_own(
    function: Any, compiled: bool, deal: Deal, call: Callable[..., int]
) -> None:
    policy = stay_policy(compiled=compiled)(function)
    assert call(policy, deal("5", "6")) == RAISED
    if not compiled:
        error = policy.code().callback.error
        assert isinstance(error, IndexError | ValueError)


def nothing(table, seat):
    return None


def test_plain_answers_must_be_whole(deal: Deal, call: Callable[..., int]) -> None:
    policy = stay_policy(compiled=False)(nothing)
    assert call(policy, deal("5")) == RAISED
    assert "NoneType" in str(policy.code().callback.error)


def writes_cleverly(table, seat):
    vars(np)["copyto"](table.total, 3)
    return True


def test_plain_policies_see_a_read_only_table(deal: Deal, call: Callable[..., int]) -> None:
    """What the check of the source misses, the memory refuses."""
    table = deal("5", totals=[1])
    policy = stay_policy(compiled=False)(writes_cleverly)
    assert call(policy, table) == RAISED
    assert table.total[0] == 1


class Network:
    """Stands for a model that numba could not compile."""

    weights: ClassVar = {"line": 0.1, "risk": -3.0}


def learned(table, seat, bias=-1.0):
    value = Network.weights["line"] * line_score(table, seat)
    value += Network.weights["risk"] * bust_probability(table, seat, SEEN) + bias
    return value > 0


def test_plain_policies_may_be_any_python(deal: Deal, decide: Decide) -> None:
    policy = stay_policy(compiled=False)(learned)
    assert decide(policy(), deal("12 11", "")) == 1
    assert decide(policy(bias=-2.0), deal("12 11", "")) == 0


def dictionary(table, seat):
    return {"a": [1, "b"]}["c"] == table


def unknown_name(table, seat):
    return undefined_thing(table) > 3  # noqa: F821


def falls_through(table, seat):
    if table.total[seat] > 3:
        return True


def array_answer(table, seat):
    return table.total + 1


def no_float_in_sight(table, seat):
    return np.sqrt(table.total[seat])


@pytest.mark.skipif(_jit.DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("function", "message"),
    [
        (dictionary, "'dictionary' cannot be compiled: .*compiled=False runs any Python"),
        (unknown_name, "'unknown_name' cannot be compiled: .*undefined_thing"),
        (falls_through, "'falls_through' does not return an answer on every path"),
        (array_answer, r"'array_answer' returns array\(.*must return a bool or an int"),
        (no_float_in_sight, "'no_float_in_sight' returns a float"),
    ],
    ids=lambda f: getattr(f, "__name__", ""),
)
def test_what_cannot_be_compiled_is_one_clear_line(function: Any, message: str) -> None:
    policy = stay_policy(function)
    with pytest.raises(InputError, match=message) as caught:
        policy().address()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_closures_and_other_policies(deal: Deal, decide: Decide) -> None:
    for limit in (20, 25.5):
        calm = next(policy for policy in policies(kind="stay") if policy.name == "score")

        @stay_policy
        def calm_or_rich(table, seat):
            return calm(table, seat, 30.0) or table.number_sum[seat] >= limit  # noqa: B023

        assert decide(calm_or_rich, deal("12 11", "")) == (limit == 20)
        assert decide(calm_or_rich, deal("12 +10 +8", "")) == 1


def test_functions_without_source(deal: Deal, decide: Decide) -> None:
    scope: dict[str, Any] = {"__name__": "nowhere"}
    exec("def rich(table, seat):\n    return table.total[seat] > 3", scope)
    exec("def cheat(table, seat):\n    table.total[0] = 1\n    return 1", scope)
    exec("def peek(table, seat):\n    return table.deck[0] > 1", scope)
    assert decide(stay_policy(scope["rich"]), deal("5", totals=[4])) == 1
    with pytest.raises(InputError, match="without its source"):
        stay_policy(scope["cheat"])
    with pytest.raises(InputError, match=r"reads table\.deck"):
        stay_policy(scope["peek"])
    lambda_policy = stay_policy(lambda table, seat: table.total[seat] > 3, name="rich")
    assert decide(lambda_policy, deal("5", totals=[4])) == 1


def test_a_constant_array_comes_by_address(deal: Deal) -> None:
    """The provider knows the table and the parameters; the array lives as long as the player."""
    arrays = {slope: np.full(5, slope) for slope in (0.1, 0.2)}
    policy = stay_policy(constants=lambda table, floor, slope: arrays[slope])(bolder)
    table = deal("5", "6")
    who = as_player(policy(slope=0.2))
    who.install(table, 1)
    assert int(table.constants[N_ROWS]) == arrays[0.2].ctypes.data
    assert [array is arrays[0.2] for array in who.terms[0].kept.values()] == [True]
    assert not table.constants[:N_ROWS].any()
    assert not table.constants[N_ROWS + 1 :].any()
    assert int(as_player(policy()).rows(table).constants[0]) == arrays[0.1].ctypes.data


def test_pickled_by_where_it_stands() -> None:
    score = next(policy for policy in policies(kind="stay") if policy.name == "score")
    assert pickle.loads(pickle.dumps(score)) is score
    who = as_player("score:25,chance=30 or cards:3/flip_three=next")
    assert pickle.loads(pickle.dumps(who)) == who


def test_choices_ranges_and_words() -> None:
    words = Parameter("attention", int, 0, choices={"seen": 0, "own": 2})
    assert (words.value("own"), words.value(2), words.text(2)) == (2, 2, "own")
    for wrong in ("all", 1, 1.5, "2"):
        with pytest.raises(InputError, match="must be one of seen, own"):
            words.value(wrong)
    share = Parameter("p", low=0, high=1)
    for wrong in ("1.5", -0.1, "nan", "inf", "1e999", "1_0", "", "0x1", "never"):
        with pytest.raises(InputError, match="p must be a number from 0 to 1"):
            share.value(wrong)
    assert (share.value("1e-1"), share.value(".5"), share.value("1.")) == (0.1, 0.5, 1)


def test_a_user_policy_in_a_round() -> None:
    """The engine plays it, and ends the run at an answer that is none."""
    table = new_table(Rules(), 3)
    table.seed[:] = (1, 2)
    good, bad = as_player(stay_policy(bolder)), as_player(stay_policy(illegal))
    for seat in range(3):
        (bad if seat == 2 else good).install(table, seat)
    array = np.zeros(1, TABLE).view(np.recarray)
    array[0] = table
    one_round(array)
    assert array[0].error != 0
    assert (array[0].chooser, array[0].answer) == (2, 7)
    good.install(table, 2)
    array[0] = table
    one_round(array)
    assert array[0].error == 0


def run(code: str, **environment: str) -> str:
    """Run Python in a process of its own; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_importing_compiles_nothing() -> None:
    """Reading and naming policies does not even import numba's half second."""
    code = "import sys, flip7sim.policies; print('numba' in sys.modules, 'pandas' in sys.modules)"
    assert run(code) == "False False"


@pytest.mark.skipif(_jit.DISABLED, reason="nothing is compiled")
def test_built_in_policies_are_kept_on_disk(tmp_path: Path) -> None:
    """The second process loads what the first has compiled."""
    code = (
        "from flip7sim.policies import parse_player\n"
        "code = parse_player('sum:20').terms[0].policy.code()\n"
        "print(code._code.cache_hits)"
    )
    hits = [run(code, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    assert hits == ["0", "1"]


@pytest.mark.parametrize("spec", ["score:24.5", "score:24.5,chance=30.5", "sum:24.5"])
def test_thresholds_between_whole_points_are_the_next_whole_one(spec: str) -> None:
    given = f7.simulate([spec] * 3, rounds=2_000, seed=4)
    assert given.frame["mean"].equals(
        f7.simulate(
            [spec.replace(".5", "", 1).replace("24", "25")] * 3, rounds=2_000, seed=4
        ).frame["mean"]
    )
    other = f7.simulate([spec.replace("24.5", "24")] * 3, rounds=2_000, seed=4)
    assert not given.frame["mean"].equals(other.frame["mean"])


@pytest.mark.parametrize("given", [24.5, -0.5, 1e19, -1e19, 1e300])
@pytest.mark.parametrize("compiled", [True, False])
def test_a_whole_threshold_decides_as_it_would_between_whole_numbers(
    given: float, compiled: bool
) -> None:
    @stay_policy(parameters={"points": Parameter("points", whole=True)}, compiled=compiled)
    def rounded(table, seat, points):
        return table.number_sum[seat] >= points

    @stay_policy
    def as_given(table, seat, points=0.0):
        return table.number_sum[seat] >= points

    one, other = (
        f7.simulate([policy(points=given)] * 2, rounds=300, seed=5).frame
        for policy in (rounded, as_given)
    )
    assert one.drop(columns="policy").equals(other.drop(columns="policy"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": int, "whole": True},
        {"whole": True, "default": NOT_GIVEN},
        {"type": int, "never": True},
        {"type": int, "default": NOT_GIVEN},
    ],
)
def test_what_no_value_could_stand_for_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="parameter 'points': w"):
        Parameter("points", **wrong)


@pytest.mark.parametrize("default", [20.5, 2.0**60, "twenty"])
def test_a_declared_default_must_be_legal(default: Any) -> None:
    def above(table, seat, points=20):
        return table.number_sum[seat] >= points

    with pytest.raises(InputError, match="points of above must be a whole number"):
        stay_policy(parameters={"points": Parameter("points", int, default)})(above)


@pytest.mark.parametrize(
    "spec", ["score:1e300", "sum:1e300", "cards:1e19", "race:1e300,0.1", "crowd:1e20,1",
             "score:25,chance=1e19"],
)  # fmt: skip
def test_thresholds_that_no_line_reaches_are_never_reached(spec: str) -> None:
    never = f7.simulate("never", rounds=500, seed=6).frame
    if spec.startswith("score:25"):
        assert f7.simulate(spec, rounds=500, seed=6).frame["mean"][0] > never["mean"][0]
    else:
        found = f7.simulate(spec, rounds=500, seed=6).frame
        assert found.drop(columns="policy").equals(never.drop(columns="policy"))
