"""The command line (docs/cli.md)."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; those of the process by default.

    Returns
    -------
    int
        0; 1 for differences found; 2 for bad input; 130 after Ctrl-C.

    Examples
    --------
    >>> main(["--version"])  # doctest: +ELLIPSIS
    flip7sim ...
    0
    """
    from flip7sim.cli.parser import build_parser
    from flip7sim.errors import Flip7Error

    _open_streams()
    try:
        arguments = build_parser().parse_args(argv)
        status = int(arguments.execute(arguments))
        sys.stdout.flush()
        return status
    except SystemExit as stop:  # argparse: help, version, wrong usage
        return int(stop.code or 0)
    except Flip7Error as error:
        return _refuse(" ".join(str(error).split()))
    except KeyboardInterrupt as interrupt:
        # Blocks under way cannot be stopped from outside; they must not hold up the exit either.
        said = "nothing finished" if getattr(interrupt, "done", 0) == 0 else "stopped"
        print(f"\nflip7sim: interrupted, {said}", file=sys.stderr, flush=True)
        return leave(130)
    except BrokenPipeError:
        # Whoever read our output has left; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # Files that a user names are guarded where they are opened: this is our own output.
        reason = (error.strerror or type(error).__name__).lower()
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - to the end
        return _refuse(f"cannot write the output: {reason}")
    except MemoryError:
        return _refuse("not enough memory for this: take fewer values or players")
    except Exception as error:
        if os.environ.get("FLIP7SIM_DEBUG"):
            raise
        return _refuse(
            f"internal error, please report it: {type(error).__name__}: "
            f"{' '.join(str(error).split())} (FLIP7SIM_DEBUG=1 shows where)"
        )


def _open_streams() -> None:
    """Make sure that there is an output, and that it takes every character."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - to the end
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - to the end
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and (stream.encoding or "").lower() != "utf-8":
            stream.reconfigure(errors="replace")


def commands() -> list[Any]:
    """Return the modules of the commands, in the order of the help."""
    names = (
        "simulate",
        "games",
        "versus",
        "bust",
        "sweep",
        "compare",
        "run",
        "replay",
        "exact",
        "policies",
        "check_policy",
        "bench",
        "doctor",
    )
    return [import_module(f"flip7sim.cli.{name}") for name in names]


def leave(status: int) -> int:
    """End the process at once when it is a command; in a host program just return `status`."""
    sys.stdout.flush()
    sys.stderr.flush()
    program = os.path.abspath(sys.argv[0])
    module = os.path.join(os.path.dirname(os.path.dirname(__file__)), "__main__.py")
    if os.path.basename(program).removesuffix(".exe") == "flip7sim" or program == module:
        os._exit(status)
    return status


def _refuse(message: str) -> int:
    print(f"flip7sim: error: {message}", file=sys.stderr, flush=True)
    return 2
