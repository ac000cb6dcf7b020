"""One round or game played by the engine as a record says, watched at every event."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from flip7sim.callbacks import Callback
from flip7sim.policies import as_player
from flip7sim.rules import Rules
from flip7sim.runner import new_tables

Observer = Callable[[Any, int], int]


def played(
    rules: Rules,
    players: Sequence[Any],
    *,
    seed: int = 1,
    stream: int = 0,
    dealer: int | None = None,
    game: bool = False,
    observer: Observer | None = None,
) -> Any:
    """Return the table after round (or game) number `stream` of a seed."""
    from flip7sim.engine.kernels import one_game, one_round

    seated = [as_player(player) for player in players]
    tables = new_tables(rules, seated, seed)
    table = tables.view(np.recarray)[0]
    table.stream = stream
    table.dealer = stream % len(seated) if dealer is None else dealer
    callback = None
    if observer is not None:
        callback = Callback(observer)
        table.observer = callback.address
    (one_game if game else one_round)(tables)
    if callback is not None and callback.error is not None:
        raise callback.error
    return table


@pytest.fixture(scope="session")
def play() -> Callable[..., Any]:
    return played
