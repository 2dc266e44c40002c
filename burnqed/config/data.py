"""Settings of the data: training theorems and tactic pairs, their published sources, benchmarks."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from burnqed.config.base import Settings


class DataSettings(Settings):
    """Training theorems and tactic pairs."""

    source: Literal["minilean", "files"] = Field(
        "files", description="minilean: generate a corpus here; files: read published sets"
    )
    corpus_size: int = Field(2000, ge=50, description="minilean: theorems to generate")
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
    max_pairs: int = Field(0, ge=0, description="keep at most this many pairs, 0 = all")
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
    nested_tactics: Literal["auto", "keep", "drop"] = Field(
        "auto",
        description="extraction: tactics inside other tactics (blocks, `<;>`); auto: keep, with minilean drop",
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
        "fail", description="what to do when a training theorem is also in a benchmark"
    )


class SourceSettings(Settings):
    """One published set, under the name that `data` and `benchmarks` use."""

    repository: str = Field("", description="dataset repository on the Hub (owner/name); empty: file is a local path")
    revision: str = Field("", description="commit of the repository")
    file: str = Field(description="file in the repository, or a local file or folder")
    licence: str = Field("", description="licence of the data, as its publisher states it")
    sha256: str = Field("", description="expected SHA-256 of the file; empty = record, do not check")
    kind: Literal["file", "proofs", "project", "traced"] = Field(
        "file",
        description="file: theorems or tactic pairs; proofs: whole proofs and project: a Lean project, which the "
        "prover turns into pairs; traced: a repository that LeanDojo traced",
    )
    header: str = Field("", description="proofs: opens and options to put before a proof that brings none")


class BenchmarkSettings(Settings):
    """One held-out theorem set."""

    source: str = Field(
        description="minilean:benchmark, minilean:classical, a name of `sources`, a path, or hf://owner/name/file"
    )
    split: str = Field("test", description="split to read when the file has several")
    sha256: str = Field("", description="expected SHA-256 of the source file; empty = record, do not check")


def published_sources() -> dict[str, SourceSettings]:
    """Return the published sets that the workflow knows by name."""
    workbook = {"repository": "internlm/Lean-Workbook", "licence": "apache-2.0"}
    at = "2e066e310b2c6d2c27616927ae131f82901c8f1c"
    return {
        "lean_workbook": SourceSettings(**workbook, revision=at, file="lean_workbook.json"),
        "lean_workbook_steps": SourceSettings(**workbook, revision=at, file="wkbk_1009.parquet"),
        "lean_workbook_proofs": SourceSettings(**workbook, revision=at, file="lean_workbook.json", kind="proofs"),
        "leandojo_benchmark_4": SourceSettings(
            repository="cat-searcher/leandojo-benchmark-4-random",
            revision="8a88a90126dd900e33039562766d6b9b60c66fbf",
            file="data/train-00000-of-00001.parquet",
        ),
        "lean_github": SourceSettings(
            repository="internlm/Lean-Github",
            revision="22220a1073f959ec6fe1cee596965a8275bcc550",
            file="lean-github.parquet",
            licence="apache-2.0",
            sha256="849076288d96d06f68deb5ebcbf65aefba8939fc31b6db897225ea8df26133cb",
        ),
        "goedel_workbook_proofs": SourceSettings(
            repository="Goedel-LM/Lean-workbook-proofs",
            revision="b731852af8d8ab11498fda27bce9020738c01c59",
            file="data/train-00000-of-00001.parquet",
            licence="mit",
            sha256="24fcb50eecc2ccbcc52a58c6412c6d10edbeaa9483a97d30e207fb20ef6e2677",
            kind="proofs",
        ),
        "numinamath_lean": SourceSettings(
            repository="AI-MO/NuminaMath-LEAN",
            revision="main",
            file="data/train-00000-of-00001.parquet",
            licence="apache-2.0",
            kind="proofs",
        ),
        "minif2f_lean4": SourceSettings(
            repository="cat-searcher/minif2f-lean4",
            revision="fcf8001781ea1fa4b391d64c8ddb5ec1a64bfe74",
            file="test.jsonl",
            licence="mit",
        ),
    }
