"""Files written whole or not at all.

Every file is first written under another name in its own folder, and then renamed over the old
one, which on every system is one step. So neither an error nor Ctrl-C leaves half a file.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from pathlib import Path
from typing import Any, Final

from flip7sim.errors import InputError

_DRAFT: Final = re.compile(r"\.(?:.*\.)?(\d+)\.[0-9a-f]{8}\.tmp")
"""Name of a draft; the number is that of the process that writes it."""


def write_bytes(path: str | os.PathLike[str], content: bytes) -> Path:
    """Write a file atomically, creating its folder where needed.

    Parameters
    ----------
    path : path
        An existing file is replaced.
    content : bytes

    Returns
    -------
    pathlib.Path

    Raises
    ------
    InputError
        If the file cannot be written; the old file, if any, is as it was.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_bytes(Path(folder, "note.txt"), b"19.3").read_bytes()
    b'19.3'
    """
    target = regular_file(path)
    _make_folder(target.parent)
    draft = target.with_name(f".{target.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        try:
            # "x" never follows a link or reuses a file; the mode is the user's usual one.
            with open(draft, "xb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(draft, target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(target, error) from None
    return target


def regular_file(path: str | os.PathLike[str]) -> Path:
    """Return where a file is to be written: a link's target, never a device or a folder.

    Raises
    ------
    InputError
        If something other than a regular file stands there.
    """
    target = Path(os.path.realpath(path)) if os.path.islink(path) else Path(path)
    if target.is_dir():
        raise InputError(f"cannot write to {target}: it is a folder, not a file")
    if target.exists() and not target.is_file():
        raise InputError(f"cannot write to {target}: it is no regular file")
    return target


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write a UTF-8 text file atomically, lines ending in a line feed on every system.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    return write_bytes(path, (text.rstrip("\n") + "\n").encode())


def write_json(path: str | os.PathLike[str], document: Any) -> Path:
    """Write a JSON document atomically: keys in their given order, one indented item a line.

    Raises
    ------
    InputError
        If the file cannot be written.
    ValueError
        If the document holds nan or an infinity, which JSON has no words for.
    """
    return write_text(path, json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))


def check_folder(folder: str | os.PathLike[str]) -> Path:
    """Make sure, before the work begins, that results can be written to a folder.

    The folder is created where it does not exist, a file is written to it and removed, and drafts
    of processes that were killed are removed too.

    Raises
    ------
    InputError
        If it cannot be created or written to.
    """
    path = Path(folder)
    _make_folder(path)
    probe = path / f".{os.getpid()}.{secrets.token_hex(4)}.tmp"
    try:
        try:
            probe.touch(exist_ok=False)
        finally:
            probe.unlink(missing_ok=True)
        for draft in path.glob(".*.tmp"):
            match = _DRAFT.fullmatch(draft.name)
            if match and _is_gone(int(match[1])):
                draft.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from None
    return path


def _is_gone(process: int) -> bool:
    """Return whether a process has surely ended; only POSIX can ask without harm."""
    if os.name != "posix":
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        pass
    return False


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"cannot write to {folder}: it is a file, not a folder") from None
    except OSError as error:
        raise _unwritable(folder, error) from None


def _unwritable(path: Path, error: OSError) -> InputError:
    reason = (error.strerror or type(error).__name__).lower()
    return InputError(f"cannot write to {path}: {reason}")
