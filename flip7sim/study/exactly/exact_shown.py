"""Exact answers as tables and sentences for people; everything is computed elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from flip7sim.rules import Rules

if TYPE_CHECKING:
    from flip7sim.exact.odds import Odds
    from flip7sim.exact.outcome import Outcome
    from flip7sim.exact.race import Race
    from flip7sim.exact.round import Solution
    from flip7sim.exact.rule_card import RuleCard
    from flip7sim.exact.vengeance import VengeanceSolution

SOLITAIRE: Final = (
    "Exact, no sampling: one solitaire round from a full shuffled deck, drawn without replacement; "
    "actions fall on the player alone."
)


@dataclass(frozen=True)
class Shown:
    """A table with its title and notes."""

    title: str
    frame: Any
    notes: list[str]


def _figures(rows: Sequence[tuple[str, str]]) -> Any:
    import pandas as pd

    return pd.DataFrame(rows, columns=["figure", "value"])


def _deck(rules: Rules) -> str:
    game = "base game" if rules.game == "base" else "vengeance"
    return f"{game}, {rules.n_cards} cards ({rules.deck_name})"


def _round_rows(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return how a round ends, from a report; Vengeance has no Freeze."""
    names = {
        "mean": "expected points", "sd": "standard deviation", "bust": "P(bust)",
        "flip7": "P(Flip 7)", "frozen": "P(frozen)",
    }  # fmt: skip
    return [(name, f"{report[key]:.10f}") for key, name in names.items() if key in report]


def shown_outcome(outcome: Outcome, rules: Rules, label: str) -> Shown:
    """Return one policy's exact figures as a table."""
    rows = _round_rows(outcome.report())
    return Shown(f"{label}, {_deck(rules)}", _figures(rows), [SOLITAIRE])


def shown_solution(solution: Solution | VengeanceSolution) -> Shown:
    """Return a solved round as a table."""
    report = solution.report()
    rows = [
        *_round_rows(report),
        ("states", f"{report['n_states']:,}"),
        ("seconds to solve", f"{report['elapsed_s']:.1f}"),
    ]
    notes = [SOLITAIRE]
    if report["from_cache"]:
        notes.append("Read from the cache of solved rounds.")
    return Shown(f"Optimal play, {_deck(solution.rules)}", _figures(rows), notes)


def shown_race(race: Race) -> Shown:
    """Return the race as a table of expected rounds by total."""
    import pandas as pd

    target = race.rules.target_score
    totals = sorted({*range(0, target, max(1, target // 10)), *range(max(0, target - 10), target)})
    frame = pd.DataFrame(
        {
            "total": totals,
            "fewest expected rounds": [f"{race.rounds[t]:.6f}" for t in totals],
            "playing each round for points": [f"{race.round_optimal[t]:.6f}" for t in totals],
            "the next round scores": [f"{race.scores[t]:.3f}" for t in totals],
            "and busts, in %": [f"{100 * race.busts[t]:.1f}" for t in totals],
        }
    )
    return Shown(
        f"Alone to {target}, {_deck(race.rules)}",
        frame,
        ["Exact, no sampling: solitaire, every round from a full shuffled deck."],
    )


def card_text(card: RuleCard) -> str:
    """Return a rule card, and what it keeps, in a few lines."""
    kept = f"{100 * card.share:.3f} % of the optimal value: {card.outcome.mean:.4f} points"
    return "\n".join([*card.lines(), "", f"keeps {kept}"])


def odds_text(odds: Odds) -> str:
    """Return the advice for one hand in a few lines."""
    line = " ".join(odds.line) or "(empty)"
    out = [
        f"Line: {line}" + (f"   seen: {' '.join(odds.seen)}" if odds.seen else ""),
        f"  the next card busts with {100 * odds.bust:.2f} %, makes a Flip 7 with "
        f"{100 * odds.flip7:.2f} %",
        f"  stay:                         {odds.stay} points",
        f"  one more card, then stay:     {odds.one_more:.3f} points",
    ]
    if odds.optimal is not None:
        out.append(f"  one more card, then optimal:  {odds.optimal:.3f} points")
    forced = " (there is no choice)" if odds.must_hit else ""
    out.append(f"Advice: {odds.advice}{forced}, better by {odds.margin:.3f} points.")
    out.append(f"Basis: {odds.basis}.")
    if odds.race is not None:
        race = odds.race
        out.append(
            f"To win: {race.advice}; staying wins {100 * race.stay:.1f} %, "
            f"hitting {100 * race.hit:.1f} %."
        )
        out.append(f"Model: {race.model}.")
    return "\n".join(out)
