"""Studies from TOML files: `run` reads one, plays it and writes its results folder."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
import time
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from flip7sim.blocks import Progress, all_cores
from flip7sim.errors import InputError, nearest
from flip7sim.files import check_folder, write_bytes, write_json
from flip7sim.versions import ENGINE_VERSION, RULES_VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EFFORTS: Final = ("quick", "normal", "full")
STUDIES: Final[dict[str, str]] = {
    "deck_carried_over": "flip7sim.study.deck_experiment",
    "compare": "flip7sim.study.compare_experiment",
    "exact_tables": "flip7sim.study.exact_tables_experiment",
    "stay_thresholds": "flip7sim.study.thresholds_experiment",
}
"""Kind of study → the module with its `Configuration` (a msgspec struct) and `play`."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """What a study hands over to be printed and written; it has computed everything.

    Attributes
    ----------
    title : str
    tables : dict of str to pandas.DataFrame
        Data files by name: each is written as Parquet and CSV.
    shown : pandas.DataFrame
        The main table for people.
    answer : str
        One sentence in plain words.
    notes : list of str
        What was assumed.
    figures : dict of str to Figure
    document : dict
        For JSON.
    further : dict of str to pandas.DataFrame
        More tables for people, by heading.
    interrupted : bool
        Whether Ctrl-C ended the study early; what is there is complete in itself.
    """

    title: str
    tables: dict[str, Any]
    shown: Any
    answer: str
    notes: list[str]
    figures: dict[str, Figure]
    document: dict[str, Any]
    further: dict[str, Any] = field(default_factory=dict)
    interrupted: bool = False


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A validated study file.

    Attributes
    ----------
    name : str
        The file's name without its ending; the results folder is called so.
    configuration : msgspec.Struct
    raw : dict
        The file's content, for the manifest.
    study : module
    """

    name: str
    configuration: Any
    raw: dict[str, Any]
    study: Any


def load_experiment(path: str | Path) -> Experiment:
    """Read and validate a study file.

    Raises
    ------
    InputError
        If the file cannot be read, is no TOML, names no known study, or has an unknown key or a
        value of a wrong type.
    """
    file = Path(path)
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {file}: {(error.strerror or '').lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file} is no TOML: {error}") from None
    kind = raw.get("study")
    if not isinstance(kind, str) or kind not in STUDIES:
        said = "names no study" if kind is None else f"names an unknown study {kind!r}"
        raise InputError(f"{file} {said}; {nearest(str(kind), STUDIES)}")
    study = import_module(STUDIES[kind])
    check_keys(raw, study.Configuration, str(file))
    try:
        configuration = msgspec.convert(raw, study.Configuration, strict=True)
    except msgspec.ValidationError as error:
        raise InputError(f"{file}: {error}") from None
    return Experiment(name=file.stem, configuration=configuration, raw=raw, study=study)


def check_keys(raw: dict[str, Any], struct: type[msgspec.Struct], where: str) -> None:
    """Refuse keys that a struct does not have, in nested structs too; suggest the nearest.

    Raises
    ------
    InputError
    """
    fields = {field.encode_name: field for field in msgspec.structs.fields(struct)}
    for key, value in raw.items():
        if key not in fields:
            raise InputError(f"{where}: unknown key {key!r}; {nearest(key, fields)}")
        kind = fields[key].type
        if isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            check_keys(value, kind, f"{where} [{key}]")


class Effort(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Rounds (or games) by effort."""

    quick: int
    normal: int
    full: int

    def of(self, effort: str) -> int:
        """Return the number for an effort."""
        return int(getattr(self, effort))


def run_experiment(
    path: str | Path,
    *,
    effort: str = "normal",
    to: str | Path | None = None,
    threads: int | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
    show: Callable[[Report], None] = lambda _: None,
) -> tuple[Report, Path]:
    """Play a study and write its results folder; ``NAME.interrupted`` after Ctrl-C.

    The folder holds Parquet, CSV, Markdown, figures, and two JSON files: `manifest.json` says
    everything on which the results depend and is the same in every run; `run.json` says when, where
    and how fast.

    Parameters
    ----------
    path : path
        A TOML file.
    effort : {"quick", "normal", "full"}
    to : path, optional
        The folder; by default ``results/NAME``, with the effort in its name unless it is normal.
    threads : int, optional
    progress : callable, optional
    show : callable, optional
        Told the report before it is written.

    Returns
    -------
    tuple of Report and pathlib.Path

    Raises
    ------
    InputError
        If the file is wrong or the folder cannot be written; before anything is played.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "two.toml")
    ...     _ = file.write_text("")
    ...     run_experiment(file)
    """
    if effort not in EFFORTS:
        raise InputError(f"unknown effort {effort!r}; {nearest(effort, EFFORTS)}")
    if to is not None and not str(to):
        raise InputError("the results folder has no name; leave it out for results/NAME")
    experiment = load_experiment(path)
    suffix = "" if effort == "normal" else f".{effort}"
    folder = Path(to) if to is not None else Path("results") / f"{experiment.name}{suffix}"
    experiment.study.check(experiment.configuration)
    check_folder(folder)
    start = time.perf_counter()
    try:
        report: Report = experiment.study.play(
            experiment.configuration, effort=effort, threads=threads, progress=progress
        )
    except BaseException:
        _remove_empty(folder)
        raise
    elapsed = time.perf_counter() - start
    show(report)
    if report.interrupted:
        # A part must not replace the whole of an earlier run.
        _remove_empty(folder)
        folder = folder.with_name(f"{folder.name}.interrupted")
    write_report(report, folder, experiment, effort, elapsed)
    return report, folder


def _remove_empty(folder: Path) -> None:
    """Remove a folder into which nothing was written."""
    with suppress(OSError):
        folder.rmdir()


def write_report(
    report: Report, folder: Path, experiment: Experiment, effort: str, elapsed: float
) -> None:
    """Write all files of a report, each whole or not at all, the manifest last."""
    from flip7sim.plots import save_figure
    from flip7sim.tables import markdown_table, write_csv, write_markdown, write_parquet

    written: list[Path] = []
    for name, frame in report.tables.items():
        written.append(write_parquet(frame, folder / f"{name}.parquet"))
        written.append(write_csv(frame, folder / f"{name}.csv"))
    further = [
        f"## {heading}\n\n{markdown_table(frame)}" for heading, frame in report.further.items()
    ]
    written.append(
        write_markdown(
            report.shown, folder / f"{experiment.name}.md", title=report.title,
            notes=[f"**{report.answer}**", *further, *report.notes],
        )
    )  # fmt: skip
    for name, figure in report.figures.items():
        written += save_figure(figure, folder / name)
    manifest = {
        "experiment": experiment.name,
        "configuration": experiment.raw,
        "effort": effort,
        "rules_version": RULES_VERSION,
        "engine_version": ENGINE_VERSION,
        "result": report.document,
        "data_sha256": {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(written)
            if path.suffix == ".csv"
        },
    }
    write_json(folder / "manifest.json", manifest)
    run = {
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "elapsed_s": round(elapsed, 3),
        "rounds_per_s": round(report.document.get("rounds_played", 0) / max(elapsed, 1e-9)),
        "cores": all_cores(),
        "machine": platform.machine(),
        "system": platform.system(),
        "python": sys.version.split()[0],
        **{name: version(name) for name in ("flip7sim", "numpy", "numba")},
    }
    write_bytes(folder / "run.json", (json.dumps(run, indent=2) + "\n").encode())
