"""`doctor`: versions, cache, and whether the numbers are what they should be."""

from __future__ import annotations

import os
import platform
import sys
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from flip7sim.blocks import all_cores
from flip7sim.versions import ENGINE_VERSION, RULES_VERSION

PACKAGES: Final = (
    "flip7sim", "numpy", "numba", "llvmlite", "pandas", "scipy", "matplotlib", "pyarrow", "msgspec",
    "tqdm", "tabulate",
)  # fmt: skip
PACKAGE: Final = Path(__file__).resolve().parents[1]
PATTERNS: Final = ("*.nbi", "*.nbc")
"""Files of numba's cache: indices and machine code."""


@dataclass(frozen=True, kw_only=True)
class CacheState:
    """Where compiled code is kept, and in what state.

    Attributes
    ----------
    folders : tuple of str
        Those that exist; the engine's first.
    files, size : int
        How many files, and their bytes.
    writeable : bool
    state : {"fresh", "stale", "empty", "off"}
        Whether the engine's kernels are there as the sources are now. Stale code is never run, it
        is compiled again.
    """

    folders: tuple[str, ...]
    files: int
    size: int
    writeable: bool
    state: str


@dataclass(frozen=True, kw_only=True)
class Block:
    """One block of the self-test.

    Attributes
    ----------
    name : str
    ok : bool
        Whether its fingerprint is the one kept for this engine version.
    """

    name: str
    ok: bool


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """The result of `doctor`.

    Attributes
    ----------
    versions : dict of str to str
    cores : int
    cache : CacheState
        Before the self-test.
    blocks : tuple of Block
    problem : str
        Why the self-test could not be made; empty otherwise.
    elapsed_s : float
        Of the self-test, compiling included.
    """

    versions: dict[str, str]
    cores: int
    cache: CacheState
    blocks: tuple[Block, ...]
    problem: str
    elapsed_s: float

    @property
    def healthy(self) -> bool:
        """Whether the self-test was passed."""
        return not self.problem and all(block.ok for block in self.blocks)

    def document(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            "healthy": self.healthy,
            "rules_version": RULES_VERSION,
            "engine_version": ENGINE_VERSION,
            "versions": self.versions,
            "cores": self.cores,
            "cache": {**vars(self.cache), "folders": list(self.cache.folders)},
            "self_test": {
                "blocks": {block.name: block.ok for block in self.blocks},
                "problem": self.problem or None,
                "elapsed_s": self.elapsed_s,
            },
        }

    def text(self) -> str:
        """Return everything for people."""
        width = max(len(name) for name in self.versions)
        lines = [f"  {name:<{width}}  {number}" for name, number in self.versions.items()]
        cache = self.cache
        writeable = "writeable" if cache.writeable else "not writeable: every start compiles anew"
        lines = [
            "versions", *lines,
            f"  {'rules':<{width}}  {RULES_VERSION}", f"  {'engine':<{width}}  {ENGINE_VERSION}",
            f"cores: {self.cores}",
            f"cache: {cache.state}, {cache.files} files, {cache.size / 1e6:.1f} MB, {writeable}",
            *(f"  {folder}" for folder in cache.folders),
        ]  # fmt: skip
        bad = [block.name for block in self.blocks if not block.ok]
        if self.problem:
            lines.append(f"self-test: {self.problem}")
        elif bad:
            lines.append(
                f"self-test: NOT the numbers of engine version {ENGINE_VERSION}: {'; '.join(bad)}"
            )
        else:
            lines.append(
                f"self-test: {len(self.blocks)} blocks of rounds and games have the numbers of "
                f"engine version {ENGINE_VERSION} ({self.elapsed_s:.1f} s)"
            )
        return "\n".join(lines)


def doctor() -> Diagnosis:
    """Look at versions and cache, and play the blocks whose numbers are known.

    Returns
    -------
    Diagnosis

    Examples
    --------
    >>> diagnosis = doctor()
    >>> diagnosis.ok, diagnosis.blocks[0].ok
    """
    from flip7sim.errors import Flip7Error
    from flip7sim.golden import BLOCKS, fingerprint, recorded

    cache = cache_state()
    start = time.perf_counter()
    blocks: list[Block] = []
    problem = ""
    try:
        kept = recorded().get(str(ENGINE_VERSION))
        if kept is None:
            problem = f"no numbers are kept for engine version {ENGINE_VERSION}"
        else:
            blocks = [
                Block(name=block.name, ok=kept.get(block.name) == fingerprint(block))
                for block in BLOCKS
            ]
    except Flip7Error as error:
        problem = str(error)
    return Diagnosis(
        versions=versions(),
        cores=all_cores(),
        cache=cache,
        blocks=tuple(blocks),
        problem=problem,
        elapsed_s=time.perf_counter() - start,
    )


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that matter."""
    out = {"python": f"{sys.version.split()[0]} ({platform.system()}, {platform.machine()})"}
    for name in PACKAGES:
        try:
            out[name] = version(name)
        except PackageNotFoundError:
            out[name] = "not installed"
    return out


def cache_state() -> CacheState:
    """Return where the engine's compiled code is kept, and whether it is as the sources are."""
    from flip7sim.engine import kernels

    caches = [
        getattr(kernel, "_cache", None) for kernel in (kernels.round_block, kernels.game_block)
    ]
    own = getattr(caches[0], "cache_path", None)
    if own is None:
        return CacheState(folders=(), files=0, size=0, writeable=False, state="off")
    folders = [Path(own), *(folder for folder in _other_folders(Path(own)))]
    files = [file for folder in folders for mark in PATTERNS for file in sorted(folder.glob(mark))]
    states = [_loaded(cache) for cache in caches]
    state = "empty" if not files or None in states else "fresh" if all(states) else "stale"
    return CacheState(
        folders=tuple(str(folder) for folder in folders),
        files=len(files),
        size=sum(file.stat().st_size for file in files),
        writeable=_writeable(Path(own)),
        state=state,
    )


def _loaded(cache: Any) -> bool | None:
    """Return whether a kernel's index is of the present sources; None where there is none."""
    index = getattr(getattr(cache, "_cache_file", None), "_index_path", None)
    if index is None or not Path(index).exists():
        return None
    # An index of other sources counts as empty.
    return bool(cache._cache_file._load_index())


def _other_folders(own: Path) -> list[Path]:
    """Return the cache folders of the package's other folders."""
    sources = sorted({file.parent for file in PACKAGE.rglob("*.py")})
    if own.name == "__pycache__" and PACKAGE in own.parents:
        found = [folder / "__pycache__" for folder in sources]
    else:
        from numba.core.caching import _CacheLocator

        locate = _CacheLocator.get_suitable_cache_subpath
        found = [own.parent / locate(str(folder / "x.py")) for folder in sources]
    return [
        folder
        for folder in found
        if folder != own and any(any(folder.glob(mark)) for mark in PATTERNS)
    ]


def _writeable(folder: Path) -> bool:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return os.access(folder, os.W_OK)
