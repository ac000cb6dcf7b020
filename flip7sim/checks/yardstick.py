"""`bench`: the engine's speed as a ratio to plain C doing the same work (bench/rounds.c).

Machines are noisy, so absolute times say little: both programs are run in turn, and the median of
the pairs' ratios is what counts.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from flip7sim.blocks import Progress
from flip7sim.errors import InputError
from flip7sim.policies import Player, as_player, load_policy_file, player
from flip7sim.rules import Rules
from flip7sim.runner import checked_count, play_rounds
from flip7sim.study import defaults

if TYPE_CHECKING:
    import pandas as pd

SEATS: Final = 4
SPEC: Final = "score:25/leader"
BLOCK: Final = 250_000


@dataclass(frozen=True, kw_only=True)
class Pairing:
    """One way of playing the yardstick's work, run in turn with C.

    Attributes
    ----------
    name : str
    rates : tuple of float
        Our rounds per second, run by run.
    yardstick : tuple of float
        C's in the run beside it; empty without gcc.
    wanted : str
    """

    name: str
    rates: tuple[float, ...]
    yardstick: tuple[float, ...]
    wanted: str

    @property
    def ratio(self) -> float | None:
        """Median of the runs' ratios; None without gcc."""
        if not self.yardstick:
            return None
        pairs = zip(self.rates, self.yardstick, strict=True)
        return statistics.median(ours / theirs for ours, theirs in pairs)


@dataclass(frozen=True, kw_only=True)
class Bench:
    """The result of `bench`."""

    rounds: int
    pairings: tuple[Pairing, ...]

    @property
    def shown(self) -> pd.DataFrame:
        """One row a way of playing."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "played by": pairing.name,
                    "million rounds/s": f"{statistics.median(pairing.rates) / 1e6:.2f}",
                    "C": f"{statistics.median(pairing.yardstick) / 1e6:.2f}"
                    if pairing.yardstick
                    else "",
                    "ratio": "" if pairing.ratio is None else f"{pairing.ratio:.2f}",
                    "wanted": pairing.wanted,
                }
                for pairing in self.pairings
            ]
        )

    def document(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            "rounds": self.rounds,
            "pairings": [
                {
                    "name": pairing.name,
                    "rounds_per_s": list(pairing.rates),
                    "yardstick_rounds_per_s": list(pairing.yardstick),
                    "ratio": pairing.ratio,
                }
                for pairing in self.pairings
            ],
        }

    def notes(self) -> list[str]:
        """Return what was measured, in sentences."""
        if self.pairings[0].yardstick:
            return [
                f"Base game, {SEATS} seats, {SPEC} in each, {self.rounds:,} rounds a run with full "
                f"tallies; bench/rounds.c (gcc -O3 -march=native) in turn with it, "
                f"{len(self.pairings[0].rates)} runs each; medians, the ratio run by run."
            ]
        return [
            "Without gcc or bench/rounds.c there is no yardstick to compare with: run it in a "
            "checkout of the project on a machine with gcc."
        ]


def bench(
    *,
    rounds: int = defaults.BENCH_ROUNDS,
    runs: int = defaults.BENCH_RUNS,
    progress: Progress | None = None,
) -> Bench:
    """Measure rounds per second, in turn with the yardstick in C where gcc exists.

    Parameters
    ----------
    rounds, runs : int
        Rounds of each run; runs of each way of playing.
    progress : callable, optional

    Returns
    -------
    Bench

    Raises
    ------
    InputError
        If a number is wrong.
    """
    rounds = checked_count("rounds", rounds)
    if not 1 <= runs <= 1000:
        raise InputError(f"runs must be from 1 to 1000, not {runs}")
    folder = bench_folder()
    with tempfile.TemporaryDirectory() as scratch:
        program = None if folder is None else compiled(folder / "rounds.c", Path(scratch))
        ways: list[tuple[str, Player, int, str]] = [
            ("built-in policies", as_player(SPEC), 1, "1.0, at least 0.8")
        ]
        if folder is not None:
            stay, target = load_policy_file(folder / "user_policies.py")
            ways.append(("a user's policies", player(stay(points=25), target), 1, "at least 0.7"))
        ways.append(("built-in, two threads", as_player(SPEC), 2, "at least 0.9"))
        found = []
        fill_cache()
        for k, (name, who, threads, wanted) in enumerate(ways):
            ours, theirs = [], []
            play(who, threads, 1000)  # policies are compiled before the clock starts
            for run in range(runs):
                if program is not None:
                    theirs.append(sum(rates_of([program] * threads, rounds)))
                ours.append(play(who, threads, rounds * threads))
                if progress is not None:
                    progress(k * runs + run + 1, len(ways) * runs)
            found.append(
                Pairing(name=name, rates=tuple(ours), yardstick=tuple(theirs), wanted=wanted)
            )
    return Bench(rounds=rounds, pairings=tuple(found))


def fill_cache() -> None:
    """Compile the engine in another process: it is measured as it runs from its cache.

    That is how it runs in every process but a user's first; code that was compiled in the same
    process lies elsewhere in memory, and is up to a tenth slower.
    """
    command = [sys.executable, "-m", "flip7sim", "simulate", "--rounds", "10"]
    subprocess.run([*command, "--player", SPEC], capture_output=True, check=True)


def play(who: Player, threads: int, rounds: int) -> float:
    """Return our rounds per second."""
    start = time.perf_counter()
    play_rounds(Rules(), [who] * SEATS, rounds=rounds, seed=1, threads=threads, block=BLOCK)
    return rounds / (time.perf_counter() - start)


def rates_of(programs: Sequence[Path], rounds: int) -> list[float]:
    """Return the rounds per second of copies of the C program that run at the same time."""
    started = [
        subprocess.Popen([str(program), str(rounds)], stdout=subprocess.PIPE)
        for program in programs
    ]
    return [float(json.loads(process.communicate()[0])["rounds_per_s"]) for process in started]


def bench_folder() -> Path | None:
    """Return the checkout's folder ``bench``, or None in an installed package."""
    for root in (Path.cwd(), Path(__file__).resolve().parents[2]):
        if (root / "bench" / "rounds.c").is_file():
            return root / "bench"
    return None


def compiled(source: Path, folder: Path) -> Path | None:
    """Return the compiled yardstick, or None without gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    program = folder / "rounds"
    command = [gcc, "-O3", "-march=native", "-o", str(program), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InputError(f"gcc cannot compile {source}: {done.stderr.strip().splitlines()[0]}")
    return program
