"""Solutions on disk: versioned, checksummed, memory-mapped, written whole or not at all.

A file holds one line of JSON and an array of 8-byte words. It is named after everything that the
solution depends on, so another deck or another solver version is another file.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

SOLVER_VERSION: Final = 4
"""Goes up whenever a solution's numbers or its layout change."""

_MAGIC: Final = b"flip7sim exact solution\n"
_ALIGNED: Final = 4096
_BLOCK: Final = 1 << 19
"""Words per checksum (4 MiB), so that single values can be read without reading everything."""


def cache_folder() -> Path:
    """Return the folder of the solutions, which need not exist.

    ``FLIP7SIM_CACHE_DIR`` if set, else the platform's folder for users' caches.
    """
    chosen = os.environ.get("FLIP7SIM_CACHE_DIR")
    if chosen:
        return Path(chosen) / "exact"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "flip7sim" / "exact"


def solution_file(key: dict[str, Any]) -> Path:
    """Return where the solution with this key is or would be.

    Parameters
    ----------
    key : dict
        All that the solution depends on, besides the solver's version.
    """
    text = json.dumps({"solver_version": SOLVER_VERSION, **key}, sort_keys=True)
    name = hashlib.sha256(text.encode()).hexdigest()[:24]
    return cache_folder() / f"{key['what']}-{name}.solution"


def save(key: dict[str, Any], summary: dict[str, Any], words: NDArray[np.int64]) -> bool:
    """Write a solution; return False where that is not possible.

    Parameters
    ----------
    key, summary : dict
        Ready for JSON.
    words : ndarray of int64, one-dimensional
    """
    path = solution_file(key)
    head = {
        "solver_version": SOLVER_VERSION,
        "key": key,
        "summary": summary,
        "n_words": len(words),
        "checksums": [_checksum(block) for block in _blocks(words)],
    }
    head["checksum"] = _head_checksum(head)
    text = _MAGIC + json.dumps(head).encode() + b"\n"
    text += b" " * (-len(text) % _ALIGNED)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(draft, "xb") as stream:
                stream.write(text)
                if len(words):
                    stream.write(words.data.cast("B"))
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError:  # a cache that cannot be written is no cache
        return False
    return True


def load(key: dict[str, Any]) -> tuple[dict[str, Any], NDArray[np.int64]] | None:
    """Return the summary and the memory-mapped words of a solution.

    Returns
    -------
    tuple or None
        None if there is none, or if the file is damaged or of another version.
    """
    found = _open(key)
    if found is None:
        return None
    head, words = found
    if [_checksum(block) for block in _blocks(words)] != head["checksums"]:
        return None
    return dict(head["summary"]), words


def read_values(
    key: dict[str, Any], locate: Callable[[NDArray[np.int64]], Sequence[int]]
) -> list[float] | None:
    """Return some values of a solution, checking only the parts of the file that they need.

    Parameters
    ----------
    key : dict
    locate : callable
        From the words, of which it may use the first 4 MiB, to the indices of the values.

    Returns
    -------
    list of float or None
        None if there is no sound solution.
    """
    found = _open(key)
    if found is None:
        return None
    head, words = found
    blocks = _blocks(words)

    def is_sound(block: int) -> bool:
        return bool(_checksum(blocks[block]) == head["checksums"][block])

    if not is_sound(0):
        return None
    indices = locate(words)
    if not all(is_sound(block) for block in {index // _BLOCK for index in indices} - {0}):
        return None
    return [float(words[index : index + 1].view(np.float64)[0]) for index in indices]


def _open(key: dict[str, Any]) -> tuple[dict[str, Any], NDArray[np.int64]] | None:
    path = solution_file(key)
    try:
        with open(path, "rb") as stream:
            if stream.read(len(_MAGIC)) != _MAGIC:
                return None
            line = stream.readline()
            head = json.loads(line)
            start = len(_MAGIC) + len(line)
            start += -start % _ALIGNED
            known = head["solver_version"] == SOLVER_VERSION and head["key"] == key
            if not known or head["checksum"] != _head_checksum(head):
                return None
            n_words = int(head["n_words"])
            words: NDArray[np.int64] = np.empty(0, np.int64)
            if n_words:  # nothing cannot be mapped
                words = np.memmap(path, np.int64, mode="r", offset=start, shape=(n_words,))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return head, words


def _blocks(words: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    return [words[start : start + _BLOCK] for start in range(0, len(words), _BLOCK)]


def _checksum(words: NDArray[np.int64]) -> str:
    return hashlib.blake2b(words.data.cast("B"), digest_size=16).hexdigest()


def _head_checksum(head: dict[str, Any]) -> str:
    rest = {name: value for name, value in head.items() if name != "checksum"}
    return hashlib.blake2b(json.dumps(rest, sort_keys=True).encode(), digest_size=16).hexdigest()
