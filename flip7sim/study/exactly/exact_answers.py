"""`solve`, `exact`, `odds`: answers without sampling, from rules and players as users give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from flip7sim.study.conditions import RulesLike, as_rules

if TYPE_CHECKING:
    from flip7sim.exact.odds import Odds
    from flip7sim.exact.outcome import Outcome
    from flip7sim.exact.race import Race
    from flip7sim.exact.round import Solution
    from flip7sim.exact.rule_card import RuleCard
    from flip7sim.exact.vengeance import VengeanceSolution
    from flip7sim.runner import PlayerLike


def solve(
    rules: RulesLike = None, *, threads: int | None = None, progress: Any = None
) -> Solution | VengeanceSolution:
    """Solve the solitaire round: the policy with the highest expected score, from a full deck.

    Parameters
    ----------
    rules : Rules, str or mapping, optional
        The base game by default; see `exact.round` and `exact.vengeance` for what is exact.
    threads : int, optional
    progress : callable, optional
        Told the finished share.

    Returns
    -------
    Solution or VengeanceSolution

    Raises
    ------
    InputError
        If the deck cannot be solved exactly.

    Examples
    --------
    >>> f"{solve({'deck': 'numbers'}).value:.10f}"
    '18.5652176141'
    """
    table_rules = as_rules(rules)
    if table_rules.game == "vengeance":
        from flip7sim.exact.vengeance import solve_vengeance

        return solve_vengeance(table_rules, threads=threads, progress=progress)
    from flip7sim.exact.round import solve as solve_base

    return solve_base(table_rules, threads=threads, progress=progress)


def solve_race(
    rules: RulesLike = None, *, threads: int | None = None, progress: Any = None
) -> Race:
    """Find the fewest expected solitaire rounds to the target, a full deck each round.

    Raises
    ------
    InputError
        If the deck cannot be solved exactly.

    Examples
    --------
    >>> race = solve_race({"deck": "numbers", "target_score": 50})
    >>> f"{race.value:.4f}"
    '2.9267'
    """
    from flip7sim.exact.race import solve_race as solve_rules

    return solve_rules(as_rules(rules), threads=threads, progress=progress)


def rule_card(
    rules: RulesLike = None,
    *,
    share: float = 0.999,
    threads: int | None = None,
    progress: Any = None,
) -> RuleCard:
    """Find the shortest list of conditions that keeps a share of the solitaire round's value.

    See `exact.rule_card`.

    Examples
    --------
    >>> rule_card({"deck": "numbers"}, share=0.99).lines()
    ['stay at 23 or more']
    """
    from flip7sim.exact.rule_card import rule_card as find

    return find(as_rules(rules), share=share, threads=threads, progress=progress)


def evaluate(player: PlayerLike, *, rules: RulesLike = None, threads: int | None = None) -> Outcome:
    """Return how the solitaire round ends under a player's stay policy, exactly.

    Parameters
    ----------
    player : Player, str or stay policy
    rules : Rules, str or mapping, optional
        The base game by default; decks as for `solve`.
    threads : int, optional

    Returns
    -------
    Outcome
        `mean`, `sd`, `bust`, `flip7`, `histogram`.

    Raises
    ------
    InputError
        If the deck cannot be solved exactly or the policy draws random numbers.

    Examples
    --------
    >>> f"{evaluate('score:23', rules={'deck': 'numbers'}).mean:.10f}"
    '18.5212257206'
    """
    from flip7sim.exact.evaluate import evaluate as evaluate_terms
    from flip7sim.runner import checked_players
    from flip7sim.study.exactly.player_terms import player_terms

    table_rules = as_rules(rules)
    (seated,) = checked_players([player], table_rules)
    terms = player_terms(seated, table_rules)
    return evaluate_terms(table_rules, terms, label=seated.label, threads=threads)


def odds(
    line: str,
    *,
    rules: RulesLike = None,
    seen: str = "",
    exact: bool = False,
    total: int | None = None,
    rivals: Sequence[int] | None = None,
    threads: int | None = None,
) -> Odds:
    """Advise a player with this line: hit or stay, and by how much.

    See `exact.odds.odds`.

    Examples
    --------
    >>> odds("12 9 5", rules={"deck": "numbers"}).advice
    'stay'
    """
    from flip7sim.exact.odds import odds as odds_of

    return odds_of(
        as_rules(rules), line, seen, exact=exact, total=total, rivals=rivals, threads=threads
    )
