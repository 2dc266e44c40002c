"""The runner of all jobs: what a class declares becomes options, a sidecar and an exit status."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Literal

import pytest

from burnqed.config import ProverSettings
from burnqed.files import UserError, input_digest, read_json, write_json
from burnqed.jobs.runner import Job, job, option, reads, writes


@job
class Count(Job):
    prover: ProverSettings
    inputs_given: list[Path] = reads("files to count")
    more: list[Path] = reads("further files", optional=True)
    kind: Literal["lines", "bytes"] = option("what is counted", "lines")
    strict: bool = option("refuse empty files", False)
    folder: Path = option("where the files are", Path("here"))
    output: Path = writes("the counts")
    note: Path | None = writes("a note", optional=True, sidecar=False)

    def run(self) -> None:
        if self.strict:
            raise UserError("nothing is counted strictly")
        write_json(self.output, len([*self.inputs_given, *self.more]))
        self.extra["counted"] = self.kind


def arguments(tmp_path: Path, *more: str) -> list[str]:
    (tmp_path / "a").write_text("x")
    return ["--inputs-given", str(tmp_path / "a"), "--output", str(tmp_path / "out.json"), *more]


def test_a_job_writes_its_output_and_its_provenance(tmp_path: Path) -> None:
    Count.main(arguments(tmp_path, "--kind", "bytes", "--seed", "7", "--note", str(tmp_path / "note")))
    assert read_json(tmp_path / "out.json") == 1
    record = read_json(tmp_path / "out.json.meta.json")
    assert record["seed"] == 7 and record["counted"] == "bytes"
    assert record["settings"]["kind"] == "bytes" and record["settings"]["prover"]["tactic_timeout"] == 10
    assert set(record["settings"]) == {"prover", "kind", "strict", "folder"} and record["settings"]["folder"] == "here"
    assert record["outputs"] == {"out.json": input_digest(tmp_path / "out.json")}
    assert record["cpu_model"] and record["dirty"] in (True, False, None)
    assert list(record["inputs"]) == [str(tmp_path / "a")]
    assert not (tmp_path / "note.meta.json").exists()


def test_the_machine_sets_its_own_settings_and_options_come_first(tmp_path: Path) -> None:
    machine = json.dumps({"device": "cpu", "settings": {"prover": {"workers": 3, "tactic_timeout": 99}}})
    found = Count.parse(arguments(tmp_path, "--machine", machine))
    assert (found.device, found.prover.workers) == ("cpu", 3)
    assert found.prover.tactic_timeout == 10  # a setting of the experiment: no machine decides it
    own = Count.parse(arguments(tmp_path, "--machine", machine, "--prover.workers", "5", "--device", "auto"))
    assert (own.device, own.prover.workers) == ("auto", 5)
    with pytest.raises(UserError, match="--machine: not the JSON of a machine"):
        Count.parse(arguments(tmp_path, "--machine", "[1]"))


def test_wrong_options_end_the_process_and_wrong_settings_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for wrong in (["--kind", "words"], ["--prover.kind", "abacus"], ["--unknown"]):
        with pytest.raises(SystemExit):
            Count.parse(arguments(tmp_path, *wrong))
    assert "invalid choice: 'words'" in capsys.readouterr().err
    with pytest.raises(UserError, match=r"--prover\.workers: "):
        Count.parse(arguments(tmp_path, "--prover.workers", "0"))


def test_a_failed_job_leaves_no_provenance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["count", *arguments(tmp_path, "--strict")])
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit) as ended:
            Count.start()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended.value.code == 1
    assert not (tmp_path / "out.json.meta.json").exists()


def test_one_process_of_several_writes_the_provenance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    Count.main(arguments(tmp_path))
    assert not (tmp_path / "out.json.meta.json").exists()
    monkeypatch.setenv("RANK", "0")
    Count.main(arguments(tmp_path))
    assert (tmp_path / "out.json.meta.json").exists()
