"""The tables of exact answers: optimum, best parameters, stay set, bust chances, rule cards, race.

Everything is computed without sampling, to about 1e-12; data files hold ten digits after the point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from flip7sim.blocks import Progress
from flip7sim.exact.layout import build_layout
from flip7sim.exact.outcome import Outcome
from flip7sim.exact.probability import flip7_never_staying
from flip7sim.exact.race import Race
from flip7sim.exact.rule_card import RuleCard, rule_card
from flip7sim.exact.vengeance_layout import build_lattices
from flip7sim.rules import Rules
from flip7sim.study.exactly.exact_answers import evaluate, solve, solve_race
from flip7sim.study.exactly.exact_bust import by_hand_size, by_sum
from flip7sim.study.exactly.exact_scan import Family, Scanned, scan_family
from flip7sim.study.exactly.stay_set import stay_set

if TYPE_CHECKING:
    import pandas as pd

DIGITS: Final = 10
"""Digits after the point in data files."""
LARGE: Final = 20_000_000
"""Values of a deck's layout from which on its families are searched, not tried throughout."""
SHARES: Final = (0.99, 0.999)
"""Of the optimal value that rule cards keep at least: a short one, and one nearly as good."""
LOOKS: Final = 3
"""In a search, every so-manieth value of the first family is tried, so that it can be drawn."""


@dataclass(frozen=True, kw_only=True)
class DeckAnswers:
    """All that was computed for one deck.

    Attributes
    ----------
    rules : Rules
    solution : Solution or VengeanceSolution
    scans : list of Scanned
        Families; none for Vengeance decks with more than number cards.
    fixed : dict of str to Outcome
        Policies without a varying number.
    cards : list of RuleCard
        One for each of `SHARES`, in the base game only.
    searched : bool
        Whether the best parameters were searched for instead of trying all values.
    """

    rules: Rules
    solution: Any
    scans: list[Scanned] = field(default_factory=list)
    fixed: dict[str, Outcome] = field(default_factory=dict)
    cards: list[RuleCard] = field(default_factory=list)
    searched: bool = False

    @property
    def name(self) -> str:
        """Name of the deck for people."""
        return deck_name(self.rules)


@dataclass(frozen=True, kw_only=True)
class ExactTables:
    """The answers of all decks, as data tables.

    Attributes
    ----------
    decks : list of DeckAnswers
        Of the base game first.
    races : list of Race
    """

    decks: list[DeckAnswers]
    races: list[Race]

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return the data tables by name, floats rounded to `DIGITS`."""
        import pandas as pd

        frames = {
            "optimum": pd.DataFrame([_optimum(deck) for deck in self.decks]),
            "policies": pd.DataFrame([row for deck in self.decks for row in _policies(deck)]),
            "stay_set": _by_deck([(deck.rules, stay_set(deck.solution)) for deck in self.decks]),
            "rule_cards": pd.DataFrame([row for deck in self.decks for row in _cards(deck)]),
            "race": _by_deck([(race.rules, _race(race)) for race in self.races]),
            "bust_by_hand_size": by_hand_size(),
            "bust_by_sum": by_sum(),
        }
        return {name: frame.round(DIGITS) for name, frame in frames.items()}

    def document(self) -> dict[str, Any]:
        """Return the main figures ready for JSON."""
        return {
            "decks": [
                {**_optimum(deck), "searched": deck.searched, "best": _best_values(deck)}
                for deck in self.decks
            ],
            "races": [
                {
                    **_named(race.rules),
                    "target_score": race.rules.target_score,
                    "fewest_expected_rounds": race.value,
                    "round_optimal_rounds": float(race.round_optimal[0]),
                }
                for race in self.races
            ],
            "flip7_never_staying": {
                game: str(flip7_never_staying(Rules(game=game, deck="numbers")))
                for game in ("base", "vengeance")
            },
        }


def deck_name(rules: Rules) -> str:
    """Return a deck's name for people.

    Examples
    --------
    >>> deck_name(Rules()), deck_name(Rules(game="vengeance", deck="numbers"))
    ('all 94 cards', 'Vengeance numbers')
    """
    whole = rules.deck is None
    if rules.game == "base":
        return f"all {rules.n_cards} cards" if whole else rules.deck_name
    return f"Vengeance, all {rules.n_cards} cards" if whole else f"Vengeance {rules.deck_name}"


def is_evaluated(rules: Rules) -> bool:
    """Return whether policies are evaluated for a deck: a Vengeance deck of more takes minutes.

    Raises
    ------
    InputError
        If the deck cannot be solved exactly.
    """
    if rules.game == "base":
        build_layout(rules)
        return True
    return build_lattices(rules).is_playable


def exact_tables(
    *,
    decks: Sequence[Rules],
    families: Sequence[Family],
    fixed: Sequence[str],
    races: Sequence[Rules],
    thorough: bool = False,
    threads: int | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
) -> ExactTables:
    """Compute the exact answers for some decks.

    Parameters
    ----------
    decks : sequence of Rules
        Those of the base game and of Vengeance's number cards get all tables, other Vengeance
        decks the optimum only: a policy takes minutes there.
    families : sequence of Family
        The first one is drawn.
    fixed : sequence of str
        Players without a varying number.
    races : sequence of Rules
        For which to solve the race alone.
    thorough : bool
        Try all values of the families for decks of any size; otherwise large ones (`LARGE`) are
        searched, starting from the best values of the deck before.
    threads : int, optional
    progress : callable, optional
        From a label to a function that is told evaluations, or percents, done and expected.

    Returns
    -------
    ExactTables

    Raises
    ------
    InputError
        If a deck cannot be solved exactly, or a policy cannot be evaluated exactly.
    """
    answers: list[DeckAnswers] = []
    for rules in decks:
        update = progress(deck_name(rules))
        solution = solve(rules, threads=threads)
        base = rules.game == "base"
        if not is_evaluated(rules):
            answers.append(DeckAnswers(rules=rules, solution=solution))
            continue
        searched = base and not thorough and build_layout(rules).n_values > LARGE
        expected = len(fixed) + sum(
            max(1, len(family.values()) // (8 if searched else 1)) for family in families
        )
        count = 0

        def told(update: Progress | None = update, expected: int = expected) -> None:
            nonlocal count
            count += 1
            if update is not None:
                update(min(count, expected), expected)

        known = {spec: evaluate(spec, rules=rules, threads=threads) for spec in fixed}
        scans = []
        for place, family in enumerate(families):
            near = None
            if searched:
                before = answers[-1].scans if answers else []
                near = before[place].best if before else family.values()[0]
            scans.append(
                scan_family(
                    rules, family, near=near, every=0 if place else LOOKS, threads=threads,
                    told=told,
                )
            )  # fmt: skip
        cards = [rule_card(rules, share=share, threads=threads) for share in SHARES if base]
        answers.append(
            DeckAnswers(
                rules=rules, solution=solution, scans=scans, fixed=known, cards=cards,
                searched=searched,
            )
        )  # fmt: skip
    solved = []
    for rules in races:
        update = progress(f"{deck_name(rules)}, race")

        def shared(share: float, update: Progress | None = update) -> None:
            if update is not None:
                update(round(100 * share), 100)

        solved.append(solve_race(rules, threads=threads, progress=shared))
    return ExactTables(decks=answers, races=solved)


def _named(rules: Rules) -> dict[str, Any]:
    return {"game": rules.game, "deck": rules.deck_name}


def _by_deck(parts: Sequence[tuple[Rules, pd.DataFrame]]) -> pd.DataFrame:
    import pandas as pd

    return pd.concat([frame.assign(**_named(rules)) for rules, frame in parts], ignore_index=True)[
        ["game", "deck", *parts[0][1].columns]
    ]


def _optimum(deck: DeckAnswers) -> dict[str, Any]:
    report = deck.solution.report()
    return {
        **_named(deck.rules),
        "mean": report["mean"],
        "sd": report["sd"],
        "bust": report["bust"],
        "flip7": report["flip7"],
        "frozen": report["frozen"],
        "states": report["n_states"],
    }


def _outcome(deck: DeckAnswers, policy: str, outcome: Outcome) -> dict[str, Any]:
    return {
        "player": policy,
        "mean": outcome.mean,
        "loss": deck.solution.value - outcome.mean,
        "sd": outcome.sd,
        "bust": outcome.bust,
        "flip7": outcome.flip7,
        "frozen": outcome.frozen,
    }


def _policies(deck: DeckAnswers) -> list[dict[str, Any]]:
    rows = []
    for scan in deck.scans:
        for value, outcome in scan.outcomes.items():
            rows.append(
                {
                    **_named(deck.rules),
                    "family": scan.family.policy,
                    "parameter": float(value),
                    "best": value == scan.best,
                    **_outcome(deck, scan.family.spec(value), outcome),
                }
            )
    for spec, outcome in deck.fixed.items():
        row = {**_named(deck.rules), "family": spec, "parameter": float("nan"), "best": True}
        rows.append({**row, **_outcome(deck, spec, outcome)})
    return rows


def _best_values(deck: DeckAnswers) -> dict[str, float]:
    return {scan.family.policy: scan.best for scan in deck.scans}


def _cards(deck: DeckAnswers) -> list[dict[str, Any]]:
    return [
        {
            **_named(deck.rules),
            "share_wanted": share,
            "rule": "; ".join(card.lines()),
            "conditions": card.form.n_conditions,
            "mean": card.outcome.mean,
            "share_of_optimum": card.share,
        }
        for share, card in zip(SHARES, deck.cards, strict=False)
    ]


def _race(race: Race) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(
        {
            "total": range(race.rules.target_score),
            "fewest_rounds": race.rounds,
            "rounds_playing_for_points": race.round_optimal,
            "expected_score": race.scores,
            "bust": race.busts,
        }
    )
