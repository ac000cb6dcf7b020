"""The project's copies of the contract equal the original, where the original lies beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
FILES = {
    "docs/rules.md": "rules.md",
    "docs/replay.md": "replay.md",
    "docs/cli.md": "cli.md",
    "bench/rounds.c": "bench/rounds.c",
}

pytestmark = pytest.mark.skipif(
    not (SHARED / "rules.md").is_file(), reason="no ../shared with the original contract"
)


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(("copy", "original"), FILES.items())
def test_file_is_the_original(copy: str, original: str) -> None:
    assert (ROOT / copy).read_bytes() == (SHARED / original).read_bytes()


def test_scenarios_are_the_originals() -> None:
    copies, originals = files_below(ROOT / "tests/scenarios"), files_below(SHARED / "scenarios")
    assert sorted(copies) == sorted(originals)
    assert [name for name in originals if copies[name] != originals[name]] == []
