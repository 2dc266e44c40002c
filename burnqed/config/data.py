"""Settings of the data: training theorems and tactic pairs, their published sources, benchmarks."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from burnqed.config.base import PRESENTATION, Settings


class DataSettings(Settings):
    """Training theorems and tactic pairs."""

    source: Literal["corpus", "files"] = Field(
        "files", description="corpus: generate theorems here; files: read published sets"
    )
    corpus_size: int = Field(2000, ge=50, description="corpus: theorems to generate")
    pair_theorems: int = Field(
        0, ge=0, description="corpus: theorems whose proofs become tactic pairs, 0 = all of the training side"
    )
    pair_steps: int = Field(0, ge=0, description="corpus: longest of those proofs in steps, 0 = any")
    theorem_files: list[str] = Field(
        default_factory=lambda: ["lean_workbook"],
        description="theorem sets to search on: names of `sources`, paths, or hf://owner/name[@commit]/file",
    )
    pair_files: list[str] = Field(
        default_factory=lambda: ["leandojo_benchmark_4"],
        description="sets of tactic pairs: names of `sources`, paths, or hf://owner/name[@commit]/file",
    )
    val_fraction: float = Field(
        0.05, gt=0, lt=1, description="share of theorems whose pairs are held out for validation"
    )
    max_state_chars: int = Field(4096, ge=64, description="pairs with a longer state are dropped and counted")
    max_pairs: int = Field(30000, ge=0, description="keep at most this many pairs, 0 = all")
    trivial_share: float = Field(
        0.1, ge=0, le=1, description="share of the pairs kept whose tactic is one of trivial_tactics; 1 = all"
    )
    trivial_tactics: list[str] = Field(
        default_factory=lambda: ["rfl", "simp", "trivial", "decide", "norm_num", "ring", "omega", "aesop"],
        description="tactics that close easy goals without an argument",
    )
    drop_syntax: list[str] = Field(
        default_factory=lambda: ["lean3", "suggestion", "renamed_tactic"],
        description="kinds of tactics that the present Lean does not read (docs/data.md names them)",
    )
    nested_tactics: Literal["keep", "drop"] = Field(
        "keep", description="extraction: tactics inside other tactics (blocks, `<;>`)"
    )
    extract_timeout: float = Field(300, gt=0, description="extraction: seconds for one proof or file")
    pool_depth: int = Field(
        3, ge=1, description="theorems with a proof at least this deep go to the pool for contrastive data"
    )
    replay_theorems: int = Field(200, ge=1, description="theorems per source that validate_tactics replays")
    on_damage: Literal["stop", "skip"] = Field(
        "stop", description="what to do with a damaged row of a source: stop, or skip and count it"
    )
    max_row_mb: float = Field(8, gt=0, description="a longer row of a source counts as damaged")
    contamination: Literal["fail", "warn"] = Field(
        "fail", description="what to do when a training theorem is also in a benchmark", json_schema_extra=PRESENTATION
    )


class SourceSettings(Settings):
    """One published set, under the name that `data` and `benchmarks` use."""

    repository: str = Field(
        "",
        description="dataset repository on the Hub (owner/name) or address of a git one; empty: file is a local path",
    )
    revision: str = Field("", description="commit of the repository")
    file: str = Field(description="file or folder in the repository, or a local one")
    licence: str = Field("", description="licence of the data, as its publisher states it")
    sha256: str = Field("", description="expected SHA-256 of the file; empty = record, do not check")
    kind: Literal["file", "proofs", "project", "traced"] = Field(
        "file",
        description="file: theorems or tactic pairs; proofs: whole proofs and project: a Lean project, which the "
        "prover turns into pairs; traced: a repository that LeanDojo traced",
    )
    header: str = Field("", description="proofs: opens and options to put before a proof that brings none")
    fields: dict[str, str] = Field(
        default_factory=dict,
        description="keys of the entries by role (statement, name, header, split, answer, proof), where content does "
        "not tell; dots reach into nested objects",
    )
    exclude: str = Field("", description="pattern of the names that are left out and counted (regular expression)")
    lean: str = Field("", description="Lean version that the publisher checked the statements with, where known")
    theorems: int = Field(0, ge=0, description="statements it is known to hold, all splits together; 0 = not known")


class BenchmarkSettings(Settings):
    """One held-out theorem set."""

    source: str = Field(
        description="corpus:benchmark, corpus:classical, a name of `sources` (or its words), a path, or "
        "hf://owner/name/file"
    )
    split: str = Field("test", description="split to read when the set has several")
    max_damaged_share: float = Field(
        0.1, ge=0, le=1, description="share of unreadable entries above which the set is refused"
    )
    sha256: str = Field("", description="expected SHA-256 of the source file; empty = record, do not check")
