"""A whole search job: shards, interruption, files."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from search_toys import ToyPolicy, ToyPool, ToyStack, ToyValue

from burnqed.config import SearchSettings
from burnqed.files import UserError
from burnqed.jobs import stop
from burnqed.jobs.stop import Stopped
from burnqed.records.theorems import Theorem
from burnqed.records.trajectories import (
    ROW_GROUP,
    SCHEMA,
    TheoremResult,
    merge_trajectories,
    read_results,
    read_steps,
    read_times,
    times_path,
    write_times,
    write_trajectories,
)
from burnqed.search.plan import Searches
from burnqed.search.run import run_search
from burnqed.search.shards import select_shard, shard_of

THEOREMS = [Theorem(f"count_{n}", str(n)) for n in range(3, 25)] + [Theorem("no_number", "x = x")]
SETTINGS = SearchSettings(expansions=12, candidates=4, candidates_with_head=4, concurrency=8, batch_expansions=2)


def run(output: Path, theorems: list[Theorem] = THEOREMS, timing: int = 0, **changes: object) -> list[TheoremResult]:
    settings = SETTINGS.model_copy(update={k: v for k, v in changes.items() if k in SearchSettings.model_fields})
    rest = {k: v for k, v in changes.items() if k not in SearchSettings.model_fields}
    extra: Any = rest.pop("extra", None)
    what = {name: rest.pop(name) for name in ("kind", "seed", "iteration", "proofs") if name in rest}
    parts: dict[str, Any] = {"generator": ToyPolicy(timing), "scorer": ToyValue(), "pool": ToyPool(timing=timing)}
    stack = ToyStack(search=settings, **{**parts, **rest})
    searches: dict[str, Any] = {"kind": "main", "iteration": 1, "seed": 3, **what}
    return run_search(stack, Searches(theorems, **searches), output, extra)


def test_every_theorem_has_one_result_and_its_rows(tmp_path: Path) -> None:
    output = tmp_path / "a.parquet"
    extra: dict[str, object] = {}
    results = run(output, extra=extra)
    assert results == read_results(output)
    assert [r.theorem for r in results] == sorted(t.name for t in THEOREMS)
    by_name = {r.theorem: r for r in results}
    assert by_name["no_number"].stop_reason == "start_failed"
    assert by_name["no_number"].message == "no number: x = x"
    table = read_steps(output)
    assert table.schema.remove_metadata() == SCHEMA
    counts = {r.theorem: r.tactics for r in results if r.tactics}
    names = table.column("theorem").to_pylist()
    assert {name: names.count(name) for name in set(names)} == counts
    order = list(zip(names, table.column("attempt").to_pylist(), table.column("step").to_pylist(), strict=True))
    assert order == sorted(order)
    times = read_times(output)
    assert [len(row["elapsed_ms"]) for row in times] == [r.tactics for r in results]
    assert all(row["seconds"] >= row["policy_seconds"] + row["lean_seconds"] for row in times)
    assert not (tmp_path / ".progress").exists()
    summary = extra["search"]
    assert isinstance(summary, dict)
    assert summary["proved"] == sum(r.proved for r in results) > 3
    assert summary["tactics"] == table.num_rows == sum(summary["outcomes"].values())
    unique = summary["unique_candidates_per_expansion"]
    assert 1 <= unique["min"] < unique["mean"] < unique["max"] <= 4
    assert summary["stop_reasons"]["start_failed"] == 1
    assert sum(summary["time_split"].values()) == pytest.approx(1, abs=1e-3)


def test_bytes_do_not_depend_on_timing_concurrency_or_order(tmp_path: Path) -> None:
    outputs = [tmp_path / f"{n}.parquet" for n in range(4)]
    run(outputs[0])
    run(outputs[1], timing=5, concurrency=1)
    run(outputs[2], timing=6, concurrency=100)
    run(outputs[3], random.Random(1).sample(THEOREMS, len(THEOREMS)))
    assert len({output.read_bytes() for output in outputs}) == 1


def test_one_shard_and_seven_make_the_same_file(tmp_path: Path) -> None:
    merged = []
    for shards in (1, 7):
        settings = SETTINGS.model_copy(update={"shards": shards})
        files = [tmp_path / f"{shards}-{shard}.parquet" for shard in range(shards)]
        parts = [select_shard(THEOREMS, settings, shard) for shard in range(shards)]
        assert sorted(t.name for part in parts for t in part) == sorted(t.name for t in THEOREMS)
        for shard, file in enumerate(files):
            run(file, parts[shard], timing=shard, shards=shards)
        merged.append(tmp_path / f"{shards}.parquet")
        merge_trajectories(random.Random(shards).sample(files, shards), merged[-1])
    run(tmp_path / "whole.parquet")
    assert merged[0].read_bytes() == merged[1].read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    assert [row["theorem"] for row in read_times(merged[1])] == sorted(t.name for t in THEOREMS)


def test_shards_merge_without_their_times(tmp_path: Path) -> None:
    """With results in object storage only declared files travel between machines: times do not."""
    main, noisy = tmp_path / "main.parquet", tmp_path / "noisy.parquet"
    run(main)
    run(noisy, kind="noisy")
    merge_trajectories([noisy, main], tmp_path / "with.parquet")
    times_path(main).unlink()
    merge_trajectories([noisy, main], tmp_path / "without.parquet")
    assert (tmp_path / "without.parquet").read_bytes() == (tmp_path / "with.parquet").read_bytes()
    assert {row["kind"] for row in read_times(tmp_path / "without.parquet")} == {"noisy"}


def test_kinds_and_attempts_stay_apart_in_a_merge(tmp_path: Path) -> None:
    main, noisy, merged = (tmp_path / f"{name}.parquet" for name in ("main", "noisy", "merged"))
    run(main, attempts=2, concurrency=64)
    run(noisy, kind="noisy")
    results = merge_trajectories([noisy, main], merged)
    assert len(results) == 3 * len(THEOREMS)
    assert read_results(merged) == results
    keys = [r.key for r in results]
    assert keys == sorted(set(keys))
    assert read_steps(merged).num_rows == sum(r.tactics for r in results)


def test_merge_refuses_a_search_that_two_files_hold(tmp_path: Path) -> None:
    a, b = tmp_path / "a.parquet", tmp_path / "b.parquet"
    run(a, THEOREMS[:3])
    run(b, THEOREMS[2:5])
    with pytest.raises(UserError, match=r"a\.parquet and .*b\.parquet both hold a result of count_5"):
        merge_trajectories([a, b], tmp_path / "c.parquet")
    assert not (tmp_path / "c.parquet").exists()


def test_shard_selection() -> None:
    settings = SearchSettings(shards=4)
    chosen = [t for shard in range(4) for t in select_shard(THEOREMS, settings, shard)]
    assert sorted(t.name for t in chosen) == sorted(t.name for t in THEOREMS)
    assert shard_of("count_3", 16) == int("f0919851", 16) % 16
    with pytest.raises(UserError, match=r"search\.shards is 4"):
        select_shard(THEOREMS, settings, 4)


def test_an_empty_shard_is_a_valid_file(tmp_path: Path) -> None:
    empty, full, merged = (tmp_path / f"{name}.parquet" for name in ("empty", "full", "merged"))
    assert run(empty, [], generator=None, scorer=None) == []
    assert read_steps(empty).num_rows == 0
    assert read_results(empty) == read_times(empty) == []
    run(full)
    merge_trajectories([empty, full], merged)
    assert merged.read_bytes() == full.read_bytes()


class Interrupted(ToyPolicy):
    """Asks for a stop at one of its calls, as SIGTERM would."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    async def generate(self, *arguments: object) -> list:  # type: ignore[type-arg, override]
        if len(self.calls) == self.at:
            stop._stop.set()
        return await super().generate(*arguments)  # type: ignore[arg-type]


def test_a_stopped_job_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("burnqed.search.scheduler.POLL_SECONDS", 0.001)
    run(tmp_path / "whole.parquet")
    output = tmp_path / "parts.parquet"
    calls, stops = 0, 0
    chance = random.Random(0)
    for _ in range(40):
        if output.exists():
            break
        policy = Interrupted(chance.randrange(10, 60))
        try:
            run(output, generator=policy, pool=ToyPool(sleep=0.002), concurrency=4)
        except Stopped:
            stops += 1
            assert not output.exists()
            assert list(tmp_path.glob(".progress/status-*")) == []
        finally:
            stop._stop.clear()
        calls += len(policy.calls)
    assert stops > 2
    assert output.read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    assert not (tmp_path / ".progress").exists()


def test_finished_searches_are_taken_over_unless_something_changed(tmp_path: Path) -> None:
    output = tmp_path / "a.parquet"

    class Broken(ToyPool):
        async def open(self, theorem: Theorem):  # type: ignore[no-untyped-def]
            if len(self.sessions) == 10:
                raise RuntimeError("the machine is on fire")
            return await super().open(theorem)

    def calls_after_a_break(**changes: object) -> int:
        with pytest.raises(RuntimeError, match="on fire"):
            run(output, pool=Broken(), concurrency=1)
        policy = ToyPolicy()
        run(output, generator=policy, **changes)
        return len(policy.calls)

    policy = ToyPolicy()
    run(output, generator=policy)
    everything = len(policy.calls)
    assert calls_after_a_break() < everything
    assert calls_after_a_break(concurrency=3) < everything
    assert calls_after_a_break(name="another") == everything
    assert calls_after_a_break(seed=4) != calls_after_a_break()
    changed = [Theorem(t.name, t.statement, header="open Nat") for t in THEOREMS]
    assert calls_after_a_break(theorems=changed) == everything


def test_a_damaged_piece_is_searched_again(tmp_path: Path) -> None:
    output = tmp_path / "a.parquet"

    class Vandal(ToyPool):
        async def open(self, theorem: Theorem):  # type: ignore[no-untyped-def]
            if len(self.sessions) == 10:
                for number, piece in enumerate(sorted(tmp_path.glob(".progress/a.parquet/*/*.piece"))):
                    data = bytearray(piece.read_bytes())
                    data[len(data) // 3] ^= 0xFF
                    piece.write_bytes(data if number % 2 else data[: number * 20])
                raise RuntimeError
            return await super().open(theorem)

    with pytest.raises(RuntimeError):
        run(output, pool=Vandal())
    run(output)
    run(tmp_path / "whole.parquet")
    assert output.read_bytes() == (tmp_path / "whole.parquet").read_bytes()


def test_concurrency_bounds_the_open_sessions(tmp_path: Path) -> None:
    pool = ToyPool()
    run(tmp_path / "a.parquet", pool=pool, concurrency=5)
    assert pool.most_open == 5
    assert pool.open_sessions == 0
    assert pool.closed


class Closing(ToyPolicy):
    """Can be closed only once, in the loop it worked in."""

    def __init__(self) -> None:
        super().__init__()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.closed = 0

    async def generate(self, *arguments: object) -> list:  # type: ignore[type-arg, override]
        self.loop = asyncio.get_running_loop()
        return await super().generate(*arguments)  # type: ignore[arg-type]

    async def close(self) -> None:
        self.closed += 1
        assert self.loop in (None, asyncio.get_running_loop())


def test_backends_are_closed_once_in_their_own_loop(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(ToyPool):
        async def open(self, theorem: Theorem):  # type: ignore[no-untyped-def]
            raise RuntimeError("no")

    kept, used, unused, failed = Closing(), Closing(), Closing(), Closing()
    run(tmp_path / "kept.parquet", generator=kept)
    run(tmp_path / "used.parquet", generator=used, owned=True)
    run(tmp_path / "unused.parquet", [], generator=unused, owned=True)
    with pytest.raises(RuntimeError, match="no"):
        run(tmp_path / "failed.parquet", generator=failed, owned=True, pool=Broken())
    assert [policy.closed for policy in (kept, used, unused, failed)] == [0, 1, 1, 1]
    assert "not closed cleanly" not in caplog.text


def test_status_file_counts(tmp_path: Path) -> None:
    seen: list[dict[str, int]] = []

    class Watcher(ToyPool):
        async def open(self, theorem: Theorem):  # type: ignore[no-untyped-def]
            seen.append(json.loads((tmp_path / ".progress/status-a.parquet.json").read_text()))
            return await super().open(theorem)

    run(tmp_path / "a.parquet", pool=Watcher())
    counts = {"done", "total", "proved", "newest"}
    assert {frozenset(status) - {"policy_busy", "value_busy", "workers"} for status in seen} == {frozenset(counts)}
    assert seen[0] == {"done": 0, "total": len(THEOREMS), "proved": 0, "newest": []}


def test_damaged_files_are_named(tmp_path: Path) -> None:
    whole = tmp_path / "whole.parquet"
    run(whole)
    data = whole.read_bytes()
    for name, content in (("short", data[: len(data) // 2]), ("empty", b""), ("text", b"hello, world")):
        file = tmp_path / f"{name}.parquet"
        file.write_bytes(content)
        for read in (read_steps, read_results):
            said = "not a trajectory file; give" if name == "text" else "damaged.*is it the file you meant"
            with pytest.raises(UserError, match=rf"{name}\.parquet: {said}"):
                read(file)
    with pytest.raises(UserError, match=r"absent\.parquet: no such file"):
        read_steps(tmp_path / "absent.parquet")
    with pytest.raises(UserError, match="no column nonsense"):
        read_steps(whole, ["nonsense"])


def big_file(path: Path) -> list[str]:
    """Write a file of three row groups with incompressible text; return the theorems' names."""
    names = [f"t{number}" for number in range(6)]
    chance = random.Random(0)
    rows = ROW_GROUP // 2
    tables, results = [], []
    for name in names:
        column: dict[str, object] = {}
        for field in SCHEMA:
            column[field.name] = [False if field.type == "bool" else (0 if field.type != "string" else "")] * rows
        column["theorem"] = [name] * rows
        column["kind"] = ["main"] * rows
        column["step"] = list(range(rows))
        column["state"] = [chance.randbytes(8).hex() for _ in range(rows)]
        tables.append(pa.table(column, schema=SCHEMA))
        results.append(TheoremResult(name, 0, False, [], 1, rows, 1, 0, "expansions", "", 0))
    write_trajectories(path, tables, results)
    write_times(path, [{"theorem": name, "kind": "main", "attempt": 0, "elapsed_ms": []} for name in names])
    return names


def test_one_damaged_row_group_is_told(tmp_path: Path) -> None:
    path = tmp_path / "big.parquet"
    big_file(path)
    file = pq.ParquetFile(path)
    assert file.num_row_groups == 3
    state = SCHEMA.get_field_index("state")
    damaged = bytearray(path.read_bytes())
    damaged[file.metadata.row_group(1).column(state).data_page_offset + 5000] ^= 0xFF
    path.write_bytes(damaged)
    with pytest.raises(UserError, match=r"big\.parquet: damaged"):
        read_steps(path)
    with pytest.raises(UserError, match=r"big\.parquet: damaged"):
        merge_trajectories([path], tmp_path / "merged.parquet")
    assert times_path(path).name == "big.parquet.times.jsonl"


JOB = """
import sys
from pathlib import Path
sys.path.insert(0, {here!r})
from search_toys import ToyPool
from burnqed.jobs.stop import exit_status
from test_search_run import run

def main():
    run(Path(sys.argv[1]), pool=ToyPool(timing=int(sys.argv[2]), sleep=0.004))

sys.exit(exit_status(main))
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_job_killed_at_any_moment_ends_in_the_same_file(tmp_path: Path, how: signal.Signals) -> None:
    whole, output = tmp_path / "whole.parquet", tmp_path / "out" / "killed.parquet"
    run(whole)
    here = Path(__file__).parent
    job = JOB.format(here=str(here))
    environment = {**os.environ, "PYTHONPATH": str(here.parents[1])}
    chance = random.Random(int(how))
    kills = 0
    for round_ in range(60):
        process = subprocess.Popen(
            [sys.executable, "-c", job, str(output), str(round_)], env=environment, stderr=subprocess.DEVNULL
        )
        try:
            code = process.wait(timeout=0.45 + 0.25 * chance.random() if kills < 6 else 300)
        except subprocess.TimeoutExpired:
            kills += 1
            process.send_signal(how)
            code = process.wait(timeout=300)
        assert not output.exists() or output.read_bytes() == whole.read_bytes()
        if code == 0:
            break
    assert kills
    assert output.read_bytes() == whole.read_bytes()
    assert [row["theorem"] for row in read_times(output)] == sorted(t.name for t in THEOREMS)
    assert not (output.parent / ".progress").exists()
