"""`run`: a study from a TOML file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from flip7sim.cli import options, output

if TYPE_CHECKING:
    from flip7sim.study.report import Report


def register(adder: Any) -> None:
    """Add the command."""
    parser = options.add_command(
        adder, "run", "run a study: print its answer and write its results folder", execute
    )
    parser.add_argument("file", metavar="FILE.toml")
    parser.add_argument(
        "--effort", default="normal", choices=("quick", "normal", "full"), help="default: normal"
    )
    parser.add_argument(
        "--to", metavar="FOLDER", help="default: results/NAME, with the effort unless it is normal"
    )
    options.add_threads(parser)
    options.add_json(parser)


def execute(arguments: Any) -> int:
    """Run the command."""
    from flip7sim.study.experiment import run_experiment

    with output.ProgressBar() as bar:

        def show(report: Report) -> None:
            bar.close()
            _print(report, arguments.json)

        report, folder = run_experiment(
            arguments.file, effort=arguments.effort, to=arguments.to,
            threads=arguments.threads, progress=bar, show=show,
        )  # fmt: skip
    print(f"Written to {folder}", file=sys.stderr)
    return output.finish(report.interrupted)


def _print(report: Report, as_json: bool) -> None:
    if as_json:
        output.print_json(report.document)
    else:
        output.print_table(report.shown, title=report.title)
        for heading, frame in report.further.items():
            print()
            output.print_table(frame, title=heading)
        print()
        output.print_notes([report.answer])
        print()
        output.print_notes(report.notes)
