"""How much is played where nothing is said: read by the studies and by the command line alike.

Nothing is imported here, so that a command's `--help` stays cheap.
"""

from __future__ import annotations

from typing import Final

ROUNDS: Final = 1_000_000
"""Of `simulate`, `bust` and `versus`."""
SWEEP_ROUNDS: Final = 200_000
"""Of each value."""
GAMES: Final = 100_000
"""Of `games` and `versus`."""
COMPARE_ROUNDS: Final = 200_000
"""Of each game, and of each configuration between them: altogether some half a minute."""
COMPARE_GAMES: Final = 40_000
COMPARE_PLAYER: Final = "score:25"
COMPARE_PLAYERS: Final = 4
MIN_COUNT: Final = 100
"""Situations with fewer decisions are left out of `bust`'s tables."""
BENCH_ROUNDS: Final = 2_000_000
BENCH_RUNS: Final = 7
CHECK_SECONDS: Final = 120.0
"""Time that `check-policy` gives each policy, compiling included."""
