"""Golden fingerprints, and what `doctor` says of them and of the cache."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flip7sim import _jit, golden
from flip7sim.checks import doctor as study
from flip7sim.cli import main
from flip7sim.errors import InputError
from flip7sim.versions import ENGINE_VERSION


def test_numbers_are_those_of_the_engine_version() -> None:
    assert golden.differences() == [], (
        "the same seed gives other numbers: this needs a new ENGINE_VERSION, a line in "
        "CHANGELOG.md, and python -m flip7sim.golden --write"
    )


def test_every_block_is_kept_and_no_other() -> None:
    assert set(golden.recorded()[str(ENGINE_VERSION)]) == {block.name for block in golden.BLOCKS}


def test_fingerprints_see_a_single_round() -> None:
    block = golden.BLOCKS[0]
    shorter = golden.Block(name="", players=block.players, count=block.count - 1)
    assert golden.fingerprint(shorter) != golden.fingerprint(block)


@pytest.fixture
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "golden.json"
    file.write_bytes(golden.FILE.read_bytes())
    monkeypatch.setattr(golden, "FILE", file)
    return file


def test_changed_numbers_need_a_new_version(
    own_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = own_file.read_bytes()
    monkeypatch.setattr(golden, "fingerprint", lambda block: "other " + block.name)
    with pytest.raises(InputError, match=f"raise ENGINE_VERSION above {ENGINE_VERSION}"):
        golden.write()
    assert own_file.read_bytes() == before
    monkeypatch.setattr(golden, "ENGINE_VERSION", ENGINE_VERSION + 1)
    assert golden.write().startswith(
        f"engine version {ENGINE_VERSION + 1}: {len(golden.BLOCKS)} of"
    )
    after = json.loads(own_file.read_text())
    assert after[str(ENGINE_VERSION)] == json.loads(before)[str(ENGINE_VERSION)]
    assert golden.differences() == []


def test_writing_again_changes_nothing(own_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = own_file.read_bytes()
    assert golden.main(["--write"]) == 0
    assert "0 of" in capsys.readouterr().out
    assert own_file.read_bytes() == before


def test_doctor_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["healthy"]
    assert all(document["self_test"]["blocks"].values())
    assert document["versions"]["numba"][0].isdigit()
    assert main(["doctor"]) == 0
    assert f"self-test: {len(golden.BLOCKS)} blocks" in capsys.readouterr().out


def test_doctor_tells_of_wrong_numbers(own_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = golden.recorded()
    kept[str(ENGINE_VERSION)]["base"] = "0" * 64
    own_file.write_text(json.dumps(kept))
    assert main(["doctor"]) == 1
    assert "NOT the numbers of engine version" in capsys.readouterr().out
    own_file.write_text("{}")
    assert main(["doctor"]) == 1
    assert "no numbers are kept" in capsys.readouterr().out
    own_file.unlink()
    assert main(["doctor"]) == 1
    assert "cannot read" in capsys.readouterr().out


@pytest.mark.skipif(_jit.DISABLED, reason="nothing is compiled")
def test_cache_is_fresh_stale_or_partial(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from flip7sim.engine import kernels

    golden.fingerprint(golden.BLOCKS[0])
    found = study.cache_state()
    assert found.state == "fresh"
    assert found.size > 0
    file = kernels.round_block._cache._cache_file
    other = kernels.game_block._cache._cache_file
    for index in (file, other):
        monkeypatch.setattr(index, "_source_stamp", ("older", "older"))
    assert study.cache_state().state == "stale"
    monkeypatch.setattr(file, "_index_path", str(tmp_path / "none.nbi"))
    assert study.cache_state().state == "partial"


def test_solved_decks_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FLIP7SIM_CACHE_DIR", str(tmp_path))
    assert study.solutions().files == 0
    folder = Path(study.solutions().folder)
    folder.mkdir()
    (folder / "round-x.solution").write_bytes(b"12345")
    found = study.solutions()
    assert (found.files, found.size) == (1, 5)
    assert found.folder.startswith(str(tmp_path))
