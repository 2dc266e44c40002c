"""Files and settings from elsewhere: no code in them runs, and what is wrong is one error, not a traceback."""

from __future__ import annotations

import csv
import io
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from burnqed.commands.estimate import read_settings
from burnqed.config import load_config
from burnqed.data.rows import read_rows
from burnqed.evaluation.stack import read_config_file
from burnqed.files import UserError, parse_json, sidecar_path
from burnqed.jobs.runner import Job
from burnqed.jobs.secrets import hide_secrets
from burnqed.jobs.sidecar import Sidecar
from burnqed.policy.loading import load_model, load_tokenizer
from burnqed.records.damage import Damage
from burnqed.records.trajectories import SCHEMA, read_results, read_steps, write_trajectories
from burnqed.report.tables import to_csv, to_markdown
from burnqed.value.embeddings import SPEC_KEY, load_vectors, read_shas, read_spec
from burnqed.value.state_map import read_map

ROOT = Path(__file__).parents[2]


def _rows(path: Path) -> None:
    pq.write_table(pa.table({"name": ["a", "b"], "statement": ["1 = 1", "2 = 2"], "other": [[1.0], [2.0]]}), path)


def _steps(path: Path) -> None:
    values = {pa.string(): "x", pa.float64(): 0.5, pa.bool_(): True}
    row = {field.name: None if field.nullable else values.get(field.type, 0) for field in SCHEMA}
    write_trajectories(path, [pa.Table.from_pylist([row] * 5, schema=SCHEMA)], [])


def _embeddings(path: Path) -> None:
    vectors = pa.array([np.zeros(4, np.float16)], type=pa.list_(pa.float16(), 4))
    table = pa.table({"state_sha": ["a"], "text_kind": ["state"], "vector": vectors})
    pq.write_table(table.replace_schema_metadata({SPEC_KEY: b'{"hidden_size": 4}'}), path)


def _map(path: Path) -> None:
    pq.write_table(pa.table({"provable": [True], "depth": [1], "components": [[0.5, 0.5]]}), path)


PARQUET: dict[str, tuple[Callable[[Path], None], Callable[[Path], object]]] = {
    "rows": (_rows, lambda path: list(read_rows(path))),
    "steps": (_steps, lambda path: (read_steps(path).num_rows, read_results(path))),
    "embeddings": (
        _embeddings,
        lambda path: (read_spec(path), read_shas(path), load_vectors(path, np.array([0]), "cpu")),
    ),
    "map": (_map, read_map),
}


@pytest.mark.parametrize("kind", PARQUET)
def test_malformed_parquet_is_one_error(kind: str, tmp_path: Path) -> None:
    make, read = PARQUET[kind]
    path = tmp_path / "x.parquet"
    make(path)
    sound = path.read_bytes()
    read(path)
    rnd = random.Random(kind)
    refused = 0
    for round_ in range(300):
        data = bytearray(sound)
        if round_ % 5 == 0:
            del data[rnd.randrange(len(data)) :]
        else:
            for _ in range(rnd.choice([1, 1, 2, 5, 20])):
                data[rnd.randrange(len(data))] = rnd.randrange(256)
        path.write_bytes(data)
        try:
            read(path)
        except UserError as error:
            assert str(path) in str(error)
            refused += 1
    assert refused > 200


def test_hostile_rows_are_errors_of_their_place(tmp_path: Path) -> None:
    hostile = [
        '{"name": ' + "9" * 6000 + "}",
        "[" * 100_000,
        '{"name": "\\ud800"}',
        "null",
        "[1]",
        '{"a',
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text('{"name": "a", "statement": "True"}\n' + "\n".join(hostile) + '\n{"name": "b"}\n')
    damage = Damage("skip")
    assert [row["name"] for _, row in read_rows(path, damage)] == ["a", "b"]
    assert damage.count == len(hostile)
    assert all(f"rows.jsonl:{2 + at}:" in text for at, text in enumerate(damage.examples))
    for text in hostile:
        index = tmp_path / "index.json"
        index.write_text('{"theorems": [{"name": "a"}, ' + text + "]}")
        with pytest.raises(UserError, match=r"index\.json"):
            list(read_rows(index))


TAGS = (
    "!!python/object/apply:os.system ['touch MARK']",
    "!!python/object/new:os.system ['touch MARK']",
    "!!python/name:os.system",
    "!!python/object:object {}",
    "!!python/module:os",
)


@pytest.mark.parametrize("tag", TAGS)
def test_yaml_runs_no_code(tag: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    path = tmp_path / "x.yaml"
    path.write_text(f"search: {tag.replace('MARK', str(mark))}\n")
    for read in (read_config_file, lambda file: read_settings([file], "")):
        with pytest.raises(UserError, match=r"x\.yaml: not readable as YAML"):
            read(path)
    assert not mark.exists()


def test_snakemake_runs_no_code_of_a_configuration(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    path = tmp_path / "x.yaml"
    path.write_text(f"search: {TAGS[0].replace('MARK', str(mark))}\n")
    command = [sys.executable, "-m", "snakemake", "-n", "-d", str(tmp_path), "-s", str(ROOT / "Snakefile")]
    done = subprocess.run([*command, "--configfile", str(path)], capture_output=True, text=True, timeout=600)
    assert done.returncode != 0
    assert not mark.exists()


EVIL = """
import pathlib
pathlib.Path(__file__).with_name("mark").touch()
from transformers import LlamaConfig as Config, LlamaForCausalLM as Model, PreTrainedTokenizerFast as Tokenizer
"""


def test_code_of_a_model_is_refused_not_asked_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" * 9))
    (tmp_path / "evil.py").write_text(EVIL)
    auto = {"AutoConfig": "evil.Config", "AutoModel": "evil.Model", "AutoModelForCausalLM": "evil.Model"}
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "evil", "auto_map": auto}))
    (tmp_path / "tokenizer.json").write_text("{}")
    tokenizer = {"tokenizer_class": "Evil", "auto_map": {"AutoTokenizer": ["evil.Tokenizer", "evil.Tokenizer"]}}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(tokenizer))
    loads: list[Callable[[], Any]] = [
        lambda: load_model(tmp_path, "float32", "cpu"),
        lambda: load_model(tmp_path, "float32", "cpu", head=False),
        lambda: load_tokenizer(tmp_path),
    ]
    for load in loads:
        with pytest.raises(UserError, match="cannot be read"):
            load()
    assert not (tmp_path / "mark").exists()
    assert sys.stdin.tell() == 0


FORMULAS = ["=1+1", "+cmd|'/c calc'!A0", "-2+3", "@SUM(A1)", "\t=1", '=HYPERLINK("http://x")']
FINE = ["a", "-", "-0.5", "+3", "-1,000", "+2.5 %", "foo-bar", "", "⊢ p"]


def test_no_cell_of_a_table_is_a_formula() -> None:
    rows: list[dict[str, object]] = [{"name": text, "rate": -0.5} for text in (*FORMULAS, *FINE)]
    found = [row["name"] for row in csv.DictReader(io.StringIO(to_csv(rows), newline=""))]
    assert found == [f"'{text}" for text in FORMULAS] + FINE
    assert to_csv([{"rate": -0.5}]) == "rate\n-0.5\n"
    assert to_csv([{"name": "a\r=1"}]) == "name\na =1\n"


def test_a_cell_of_a_markdown_table_stays_one() -> None:
    assert (
        to_markdown([{"a": "x | y\n<b>z</b>", "b": 1}])
        == "| a | b |\n| --- | --- |\n| x \\| y &lt;b&gt;z&lt;/b&gt; | 1 |\n"
    )


SECRET = "hf_AbCdEfGhIjKlMnOp"


@pytest.mark.parametrize(
    "name", ["HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "BURNQED_SERVER_KEY", "DB_PASSWORD"]
)
def test_keys_get_into_no_log_and_no_sidecar(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import logging

    monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("SHORT_KEY", "a")
    log = tmp_path / "job.log"
    Job.parse(["--log", str(log)]).begin()
    try:
        try:
            raise ValueError(f"401 for https://x/?token={SECRET}")
        except ValueError:
            logging.getLogger("burnqed").exception("asking with %s failed", SECRET)
    finally:
        Job.parse([]).begin()
    for text in (log.read_text(), capsys.readouterr().err):
        assert SECRET not in text
        assert "asking with *** failed" in text
        assert "token=***" in text
    with Sidecar([tmp_path / "x.json"], settings={"url": f"https://{SECRET}@x"}, extra={"said": SECRET}):
        pass
    record = sidecar_path(tmp_path / "x.json").read_text()
    assert SECRET not in record
    assert parse_json(record)["said"] == "***"
    assert hide_secrets("a b") == "a b"


@pytest.mark.parametrize("url", [f"http://user:{SECRET}@host/v1", f"http://host/v1?api_key={SECRET}"])
def test_a_url_with_a_key_is_refused_without_repeating_it(url: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"policy\.server_url: a URL with a user, a password or a key") as caught:
        load_config({"policy": {"server_url": url}})
    assert SECRET not in str(caught.value)
