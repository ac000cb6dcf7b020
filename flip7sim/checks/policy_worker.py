"""The process in which `check-policy` tries a user's policy: it may crash or never return.

It writes one JSON object a line: ``{"stage": …}`` before each step, so that whoever waits knows
where it stopped, and at the end ``{"result": …}`` or ``{"refused": …}``.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any, Final

import numpy as np

from flip7sim.checks.policy_points import Points, asks_of, probe
from flip7sim.errors import InputError, PolicyError
from flip7sim.policies import BoundPolicy, Parameter, Player, Policy, load_policy_file, player
from flip7sim.policies.registry import answers
from flip7sim.rules import Rules
from flip7sim.runner import play_rounds
from flip7sim.tallies import RoundTallies

SEATS: Final = 4
ROUNDS: Final = 3_000
PLAIN_ROUNDS: Final = 150
SPEED_SECONDS: Final = 0.5
TURNS: Final = 7
YARDSTICK: Final = "score:25/leader"

Stage = Callable[[str], None]


def value_of(parameter: Parameter) -> Any:
    """Return a value to try a parameter with that has no default."""
    if parameter.choices:
        return next(iter(parameter.choices.values()))
    if parameter.type is bool:
        return False
    return parameter.type(min(max(1, parameter.low), parameter.high))


def bound_for_trial(policy: Policy) -> BoundPolicy:
    """Return a policy with its defaults, and values for what has none."""
    given = {p.name: value_of(p) for p in policy.parameters if p.default is None}
    bound: BoundPolicy = policy(**given)
    return bound


def seated(policy: BoundPolicy, game: str) -> Player:
    """Return a player who asks the policy for all that it can be asked for."""
    if policy.policy.kind == "stay":
        return player(policy)
    return player("score:25", {ask: policy for ask in asks_of(policy, game)})


def plain_copy(policy: BoundPolicy) -> BoundPolicy:
    """Return the same policy as plain Python."""
    of = policy.policy
    copy = Policy(
        of.kind, of.function, compiled=False, name=of.name,
        parameters={p.name: p for p in of.parameters}, metadata=of.metadata, constants=of.constants,
    )  # fmt: skip
    return BoundPolicy(copy, policy.given)


def digest(tallies: RoundTallies) -> str:
    """Return a fingerprint of tallies."""
    state = hashlib.sha256()
    for array in (tallies.histogram, tallies.busts, tallies.flip7s, tallies.flips):
        state.update(np.ascontiguousarray(array).tobytes())
    return state.hexdigest()[:16]


def played(rules: Rules, who: Player, rounds: int, block: int | None = None) -> RoundTallies:
    """Play rounds in which every seat is the same player."""
    return play_rounds(rules, [who] * SEATS, rounds=rounds, seed=7, threads=1, block=block)


def examine(policy: Policy, *, seconds: float, stage: Stage) -> dict[str, Any]:
    """Try a policy in every way and return what was found, ready for JSON."""
    checks: list[dict[str, Any]] = []
    result: dict[str, Any] = {"name": policy.name, "kind": policy.kind, "checks": checks}

    def note(check: str, ok: bool, detail: str) -> bool:
        checks.append({"check": check, "ok": ok, "detail": detail})
        return ok

    games = [game for game in ("base", "vengeance") if answers(policy, game)]
    result |= {"games": games, "compiled": policy.compiled}
    stage("compiling")
    start = time.perf_counter()
    bound = bound_for_trial(policy)
    result["tried_as"] = bound.label
    try:
        bound.address()
    except InputError as error:
        note("compiles", False, str(error))
        return result
    took = time.perf_counter() - start
    if policy.compiled:
        note("compiles", True, f"in {took:.1f} s, with bounds checks")
    stage("asking it at decision points")
    points = probe(bound, games, seconds=seconds)
    result["asked"] = dict(sorted(points.asked.items()))
    if not _judge_points(points, bound, note):
        return result
    stage("playing rounds with it")
    try:
        _judge_play(bound, games, note, stage)
    except PolicyError as error:
        note("plays", False, str(error))
        return result
    stage("measuring its speed")
    result["speed"] = speed(bound, games[0], points)
    return result


def _judge_points(points: Points, bound: BoundPolicy, note: Callable[..., bool]) -> bool:
    total = sum(points.asked.values())
    kinds = ", ".join(f"{ask} {n:,}" for ask, n in sorted(points.asked.items()))
    found = f"{total:,} decision points ({kinds})"

    def verdict(check: str, problems: list[str], good: str) -> bool:
        if not problems:
            return note(check, True, good)
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        return note(check, False, problems[0] + more)

    out = [
        verdict("legal", points.illegal, f"every answer at {found}"),
        verdict("repeatable", points.unsteady, "asked twice, it answers the same"),
        verdict("reads only", points.wrote, "the table is as it was, byte for byte"),
    ]
    if bound.policy.compiled:
        out.append(verdict("same as plain Python", points.unequal, "compiled and plain agree"))
    return all(out)


def _judge_play(
    bound: BoundPolicy, games: list[str], note: Callable[..., bool], stage: Stage
) -> None:
    compiled = bound.policy.compiled
    rounds = ROUNDS if compiled else PLAIN_ROUNDS
    told = []
    for game in games:
        who, rules = seated(bound, game), Rules(game=game)
        one, two = (digest(played(rules, who, rounds, block)) for block in (None, 37))
        if one != two:
            note("same seed, same rounds", False, f"two runs of {game} differ: {one}, {two}")
            return
        told.append(f"{game} {one}")
    note("same seed, same rounds", True, f"{rounds:,} rounds twice: {', '.join(told)}")
    if compiled:
        stage("playing rounds with it as plain Python")
        for game in games:
            rules = Rules(game=game)
            ways = (bound, plain_copy(bound))
            one, two = (digest(played(rules, seated(way, game), PLAIN_ROUNDS)) for way in ways)
            if one != two:
                note("same rounds as plain Python", False, f"{game}: {one} compiled, {two} plain")
                return
        note("same rounds as plain Python", True, f"{PLAIN_ROUNDS} rounds a game")


def speed(bound: BoundPolicy, game: str, points: Points) -> dict[str, float]:
    """Return rounds per second, those of the built-in policies, and nanoseconds per decision."""
    from flip7sim.observers.timing import ask_often

    rules = Rules(game=game)
    rates = _rates(rules, seated(bound, game), player(YARDSTICK))
    times = 2_000 if bound.policy.compiled else 20
    address = np.uint64(bound.address())
    for tables, seat in points.kept:
        ask_often(tables, address, seat, 1)
    start = time.perf_counter()
    for tables, seat in points.kept:
        ask_often(tables, address, seat, times)
    elapsed = time.perf_counter() - start
    per_decision = 1e9 * elapsed / max(times * len(points.kept), 1)
    return {
        "rounds_per_s": rates[0],
        "yardstick_rounds_per_s": rates[1],
        "ns_per_decision": per_decision,
    }


def _rates(rules: Rules, who: Player, yardstick: Player) -> tuple[float, float]:
    """Return the rounds per second of both, played in turn: machines are noisy.

    The yardstick's is its median, the other's that times the median of the turns' ratios.
    """
    sizes = []
    for one in (who, yardstick):
        played(rules, one, 50)  # compiled before the clock starts
        rounds, elapsed = 100, 0.0
        while elapsed < SPEED_SECONDS / TURNS:
            elapsed = _timed(rules, one, rounds)
            rounds *= 4
        sizes.append(rounds // 4)
    turns = [(_rate(rules, who, sizes[0]), _rate(rules, yardstick, sizes[1])) for _ in range(TURNS)]
    base = median(other for _, other in turns)
    return base * median(one / other for one, other in turns), base


def _rate(rules: Rules, who: Player, rounds: int) -> float:
    return rounds / _timed(rules, who, rounds)


def _timed(rules: Rules, who: Player, rounds: int) -> float:
    start = time.perf_counter()
    played(rules, who, rounds)
    return time.perf_counter() - start


def main(arguments: list[str]) -> None:
    """List the policies of a file, or examine one: ``FILE [INDEX SECONDS]``."""
    # What the user's code prints must not come between the lines of the report.
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(message: dict[str, Any]) -> None:
        print(json.dumps(message, allow_nan=False), file=report, flush=True)

    say({"stage": "running the file"})
    try:
        found = load_policy_file(arguments[0])
        if len(arguments) == 1:
            say({"result": [{"name": p.name, "kind": p.kind} for p in found]})
            return
        policy = found[int(arguments[1])]
        result = examine(
            policy, seconds=float(arguments[2]), stage=lambda name: say({"stage": name})
        )
        say({"result": result})
    except InputError as error:
        # Raised by a decorator while the file ran: the policy itself is refused.
        unsound = isinstance(error.__context__, InputError)
        say({"refused": str(error), "unsound": unsound})


if __name__ == "__main__":
    main(sys.argv[1:])
