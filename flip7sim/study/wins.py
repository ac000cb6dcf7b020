"""Who wins: shares by player and by seat, differences between players; errors over decks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flip7sim.engine import decks
from flip7sim.estimates import Estimate, Proportion, format_proportion
from flip7sim.study.clusters import ClusterSums, Share, ratio
from flip7sim.tallies import GameTallies


@dataclass(frozen=True, kw_only=True)
class PlayerWins:
    """What one player won, in all seats alike.

    Attributes
    ----------
    player : int
    policy : str
    wins : Share
        Share of games won, a shared win being a part of one.
    alone, shared : int
        Games won alone, and won with others.
    """

    player: int
    policy: str
    wins: Share
    alone: int
    shared: int

    def document(self) -> dict[str, Any]:
        """Return the player for JSON."""
        return {
            "player": self.player,
            "policy": self.policy,
            "wins": self.wins.to_json(),
            "won_alone": self.alone,
            "won_shared": self.shared,
        }


@dataclass(frozen=True, kw_only=True)
class SeatWins:
    """What the players in one seat won.

    Attributes
    ----------
    seat : int
    wins : Share
    effect : Estimate
        How much more than an equal part of the finished games; a share of all games.
    """

    seat: int
    wins: Share
    effect: Estimate

    def document(self) -> dict[str, Any]:
        """Return the seat for JSON."""
        return {"seat": self.seat, "wins": self.wins.to_json(), "effect": self.effect.to_json()}


def shown_share(share: Share) -> str:
    """Write a share and its interval; the interval of one that no deck changes is left out.

    Examples
    --------
    >>> from flip7sim.estimates import Estimate
    >>> from flip7sim.study.clusters import as_share
    >>> shown_share(as_share(Estimate(1 / 3, 0.0, 50, "equal players"), 150, 50))
    '33.33 %'
    """
    if share.se == 0.0 and share.low == share.high:
        return f"{100.0 * share.value:.4g} %"
    return format_proportion(share)


def columns(name: str, of: Estimate | Proportion) -> dict[str, Any]:
    """Return an estimate as columns of a data frame: value, error and interval."""
    return {name: of.value, f"{name}_se": of.se, f"{name}_low": of.low, f"{name}_high": of.high}


def wins_difference(tallies: GameTallies) -> Estimate:
    """Return the share of games that player 0 wins under arm 0 less that under arm 1."""
    one, other = (ClusterSums(tallies.deck_matrix(arm)) for arm in (0, 1))
    pairs = tallies.pair_matrix()
    win, game = {decks.WINS: 1}, {decks.GAMES: 1}
    return ratio(
        one.total(win) - other.total(win),
        one.total(game),
        int(pairs[0, 0] + pairs[1, 1] - 2 * pairs[0, 1]),
        one.product(win, game) - other.product(win, game),
        one.product(game, game),
        one.clusters,
        scale=tallies.unit,
    )


def decided(gap: Estimate) -> int:
    """Return 1 when a difference is above 0 for certain, -1 when below, 0 when it may be either.

    Certain at the estimate's level; nothing is certain while the error is unknown.

    Examples
    --------
    >>> decided(Estimate(0.3, 0.1, 100, "")), decided(Estimate(0.1, 0.1, 100, ""))
    (1, 0)
    """
    if gap.low > 0.0:
        return 1
    return -1 if gap.high < 0.0 else 0
