"""The words that say how an adviser's figures were found."""

from __future__ import annotations

from typing import Final

FULL_DECK: Final = "exact, from the solution of the full deck"
ONE_STEP_SEEN: Final = (
    "one step of look-ahead: the next card from what is left, then play as from the full deck"
)
CARDS_SEEN: Final = "exact, the round solved from this line without the cards seen"
FROM_LINE: Final = "exact, the round solved from this line"
ONE_STEP: Final = "one card of look-ahead; actions count as no change"
"""In the base game, and only where no Flip Three is left."""
ONE_STEP_VENGEANCE: Final = "one card of look-ahead; flip_four and discard count as no change"
"""Just One More is counted; Steal and Swap need a second player, so they change nothing."""
WITHOUT_ACTIONS: Final = (
    "optimal play is exact for the deck without its actions; in one more card flip_four and "
    "discard count as no change"
)
