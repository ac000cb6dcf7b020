"""Policies from a user's file."""

from __future__ import annotations

import hashlib
import sys
from contextlib import redirect_stdout
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from flip7sim.errors import InputError
from flip7sim.policies import registry
from flip7sim.policies.policy import Policy


def load_policy_file(path: str | Path) -> list[Policy]:
    r"""Run a Python file and make the policies that it defines usable by name.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    list of Policy
        In the order of the file.

    Raises
    ------
    InputError
        If the file cannot be read or run, defines no policy, or takes a built-in's name; then
        none of its policies is registered.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> text = "import flip7sim as f7\n@f7.stay_policy\ndef timid(table, seat):\n"
    >>> text += "    'Stay with two cards.'\n    return table.n_line[seat] > 1\n"
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "timid.py")
    ...     _ = file.write_text(text)
    ...     [policy.name for policy in load_policy_file(file)]
    ['timid']
    """
    file = Path(path)
    if not file.is_file():
        raise InputError(f"policy file {str(path)!r}: there is no such file")
    name = "flip7sim_policies_" + hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError(f"policy file {str(path)!r} must end in .py")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        with redirect_stdout(sys.stderr):  # standard output is for results
            spec.loader.exec_module(module)
    except InputError as error:
        raise InputError(f"policy file {str(path)!r}: {error}") from None
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        raise InputError(f"policy file {str(path)!r}{line}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        line = _line(error, file)
        raise InputError(
            f"policy file {str(path)!r}{line}: {type(error).__name__}: {_first(error)}"
        ) from None
    found = [
        value for value in dict.fromkeys(map(_policy, vars(module).values()))
        if value is not None and value.function.__module__ == name
    ]  # fmt: skip
    if not found:
        raise InputError(
            f"policy file {str(path)!r} defines no policy; "
            "decorate a function with @stay_policy or @targeting_policy"
        )
    done: list[Policy] = []
    for policy in found:
        try:
            registry.register(policy)
        except InputError as error:
            for other in done:
                registry.forget(other)
            raise InputError(f"policy file {str(path)!r}: {error}") from None
        done.append(policy)
    return found


def _policy(value: object) -> Policy | None:
    return value if isinstance(value, Policy) else None


def _first(error: BaseException) -> str:
    return str(error).split("\n", 1)[0]


def _line(error: BaseException, file: Path) -> str:
    trace, line = error.__traceback__, ""
    while trace is not None:
        if (
            Path(trace.tb_frame.f_code.co_filename) == file.absolute()
            or Path(trace.tb_frame.f_code.co_filename) == file
        ):
            line = f", line {trace.tb_lineno}"
        trace = trace.tb_next
    return line
