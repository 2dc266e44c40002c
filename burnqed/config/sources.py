"""The published sets that the workflow knows by name, and names in words: `miniF2F v2c test`.

Commit, licence, Lean version and size as their publishers state them. Without a SHA-256 the file
could not be looked up: the digest of what is read stands in data/report.json.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from burnqed.config.data import SourceSettings

GITHUB = "https://github.com/"
_WORKBOOK: dict[str, Any] = {
    "repository": "internlm/Lean-Workbook",
    "revision": "2e066e310b2c6d2c27616927ae131f82901c8f1c",
    "licence": "apache-2.0",
}
_DEEPSEEK: dict[str, Any] = {
    "repository": f"{GITHUB}deepseek-ai/DeepSeek-Prover-V1.5",
    "revision": "2c4ba9119eef74d0d611f494261b2c5bae98c69a",
    "licence": "mit",
    "lean": "v4.9.0-rc1",
}
_GOEDEL: dict[str, Any] = {
    "repository": f"{GITHUB}Goedel-LM/Goedel-Prover-V2",
    "revision": "2e9036e118464aa96a8bebaf9f5b9d091aa3585c",
    "licence": "apache-2.0",
    "lean": "v4.9.0",
}
_MINIF2F_V2: dict[str, Any] = {
    "repository": f"{GITHUB}roozbeh-yz/miniF2F_v2",
    "revision": "0492ceae4275794c3661b466a7effe4abd6e1237",
    "theorems": 488,
    "lean": "v4.9.0-rc1",
}
_TRAINING: dict[str, SourceSettings] = {
    "lean_workbook": SourceSettings(**_WORKBOOK, file="lean_workbook.json"),
    "lean_workbook_steps": SourceSettings(**_WORKBOOK, file="wkbk_1009.parquet"),
    # The prover makes pairs of them.
    "lean_workbook_proofs": SourceSettings(**_WORKBOOK, file="lean_workbook.json", kind="proofs"),
    # The random split's training part; its page states no licence (Mathlib's text: apache-2.0).
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
    # Whole proofs; commit and SHA-256 as displague/corollary-abstractions recorded them in
    # data_sources/manifest.json.
    "goedel_workbook_proofs": SourceSettings(
        repository="Goedel-LM/Lean-workbook-proofs",
        revision="b731852af8d8ab11498fda27bce9020738c01c59",
        file="data/train-00000-of-00001.parquet",
        licence="mit",
        sha256="24fcb50eecc2ccbcc52a58c6412c6d10edbeaa9483a97d30e207fb20ef6e2677",
        kind="proofs",
    ),
    # Whole proofs; main, because its commit could not be looked up: pin the one that data/report.json names after the
    # first download.
    "numinamath_lean": SourceSettings(
        repository="AI-MO/NuminaMath-LEAN",
        revision="main",
        file="data/train-00000-of-00001.parquet",
        licence="apache-2.0",
        lean="v4.15.0",
        kind="proofs",
    ),
}
_BENCHMARKS: dict[str, SourceSettings] = {
    "minif2f_lean4": SourceSettings(
        repository="cat-searcher/minif2f-lean4",
        revision="fcf8001781ea1fa4b391d64c8ddb5ec1a64bfe74",
        file="test.jsonl",
        licence="mit",
    ),
    # DeepSeek-Prover-V1.5's, what most papers report.
    "minif2f_v1": SourceSettings(
        **_DEEPSEEK,
        file="datasets/minif2f.jsonl",
        theorems=488,
        sha256="d6654c88476ff14db19d57dea25bd955a240525fb52171e460f89d98f83d7dd5",
    ),
    # Test only; 10 statements differ from minif2f_v1.
    "minif2f_goedel_v2": SourceSettings(
        **_GOEDEL,
        file="dataset/minif2f.jsonl",
        theorems=244,
        sha256="47ca505cd60a503a77165e84bbf34c662f9a8c650d09fc33fb4c000179eee8f3",
    ),
    # Licence not stated; SHA-256 could not be looked up.
    "minif2f_v2s": SourceSettings(**_MINIF2F_V2, file="datasets/miniF2F_v2s.jsonl"),
    # Licence not stated; SHA-256 could not be looked up; asks for answers too.
    "minif2f_v2c": SourceSettings(**_MINIF2F_V2, file="datasets/miniF2F_v2c.jsonl"),
    # Corrected; 12 variants left out; imports FormalConjectures.
    "minif2f_deepmind": SourceSettings(
        repository=f"{GITHUB}google-deepmind/miniF2F",
        revision="f0a20e14c1eeccd859d51bb4c2b3ee487889c303",
        file="MiniF2F",
        licence="apache-2.0",
        lean="v4.27.0",
        theorems=488,
        exclude=r"\.variants\.",
    ),
    # One file a theorem.
    "minif2f_yangky11": SourceSettings(
        repository=f"{GITHUB}yangky11/miniF2F-lean4",
        revision="5746b7d6c47855ce1294bed87329618ff7f1bc31",
        file="MiniF2F",
        licence="mit",
        lean="v4.24.0",
        theorems=488,
    ),
    # Of InternLM's searches.
    "minif2f_internlm": SourceSettings(
        repository=f"{GITHUB}InternLM/InternLM-Math",
        revision="eaead17b7b95670f0592f5b818080fb6762f3fdf",
        file="minif2f/data/minif2f-lean4.7.0.jsonl",
        licence="apache-2.0",
        lean="v4.7.0",
        theorems=488,
        sha256="86754954947d24832abe573686844ccf968b7f657717fa5447e59a2b484fcdd9",
    ),
    # Split anew: train 392, valid 48, test 48.
    "minif2f_harmonic": SourceSettings(
        repository=f"{GITHUB}harmonic-ai/datasets",
        revision="d3143cb7b8b5636d4829d5b8b88b48850217e8f8",
        file="minif2f",
        licence="mit",
        theorems=488,
    ),
    "proofnet_v1": SourceSettings(
        **_DEEPSEEK,
        file="datasets/proofnet.jsonl",
        theorems=371,
        sha256="4a4d4fd69f45d6180830f12a73adb8a7e04915f651f3fa44a2877082fe252132",
    ),
    "proofnet_lean4": SourceSettings(
        repository=f"{GITHUB}rahul3613/ProofNet-lean4",
        revision="6deae98b38954dadf732746d023e8be65c56f246",
        file="formal",
        licence="mit",
        lean="v4.20.0",
        theorems=374,
    ),
    "proofnet_sharp": SourceSettings(
        # The authors' own PAug/ProofNetSharp on the Hub, whose commit could not be looked up, as a pinned copy holds it.
        repository=f"{GITHUB}marcusm117/ProofNet-Verified",
        revision="1ecc1243f96b9ab68bfeaa213568bfe8dec33eb3",
        file="data/proofnet#/proofnet#.jsonl",
        lean="v4.16.0-rc2",
        theorems=371,
        sha256="e4b22713e56942ba5114875ebfad2314b4ce2eca548d07f0770ebd98532fccd4",
    ),
    "proofnet_verified": SourceSettings(
        repository=f"{GITHUB}marcusm117/ProofNet-Verified",
        revision="1ecc1243f96b9ab68bfeaa213568bfe8dec33eb3",
        file="data/proofnet-verified.jsonl",
        licence="apache-2.0",
        lean="v4.28.0",
        theorems=367,
        sha256="381f4a06548a4ff6d9b923633c94a97b9c70f41033e13023aae31e1161b7f142",
    ),
    # 346 answers are filled in from the comments after them.
    "putnambench": SourceSettings(
        repository=f"{GITHUB}trishullab/PutnamBench",
        revision="3c9b9268ebd132d482938b8e9d242dd71fc1ebc0",
        file="lean4/src",
        licence="apache-2.0",
        lean="v4.27.0",
        theorems=672,
    ),
    # With the answers given.
    "combibench": SourceSettings(
        repository=f"{GITHUB}MoonshotAI/CombiBench",
        revision="84063de0347b3c3abfd4bf724b040dfb2f06dcdb",
        file="lean/CombiBench/with_solution",
        licence="mit",
        lean="v4.24.0",
        theorems=101,
    ),
    # Commit, file, licence and Lean version could not be looked up: pin the commit that data/report.json names.
    "formalmath_all": SourceSettings(repository="SphereLab/FormalMATH-All", revision="main", file=".", theorems=5560),
    "formalmath_lite": SourceSettings(repository="SphereLab/FormalMATH-Lite", revision="main", file=".", theorems=425),
    "matholympiadbench": SourceSettings(
        **_GOEDEL,
        file="dataset/MOBench.jsonl",
        theorems=360,
        sha256="f286b8942a7b9517be103139d2240adaeabbc1e5f195eb2817aacf9109b1bb95",
    ),
    # 551 problems; needs its own project.
    "compfiles": SourceSettings(
        repository=f"{GITHUB}dwrensha/compfiles",
        revision="8a363976ab59fef22acc2d3926430aeb14cecdcc",
        file="Compfiles",
        licence="apache-2.0",
        lean="v4.34.0-rc1",
    ),
    # Needs its own project; statements that ask for an answer are counted apart.
    "formal_conjectures": SourceSettings(
        repository=f"{GITHUB}google-deepmind/formal-conjectures",
        revision="488aade228ec37880b8fec178c173c07d279bb53",
        file="FormalConjectures",
        licence="apache-2.0",
        lean="v4.27.0",
    ),
}


def published_sources() -> dict[str, SourceSettings]:
    """Return the published sets by name: those for training, then the benchmarks."""
    return {**_TRAINING, **_BENCHMARKS}


class AmbiguousName(ValueError):
    """Words that several named sources answer to; the message lists them."""


_SPLITS = {
    "test": "test",
    "valid": "valid",
    "validation": "valid",
    "val": "valid",
    "train": "train",
    "training": "train",
}


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower().replace("#", "sharp"))


def describe(name: str, source: SourceSettings) -> str:
    """Return a source in a few words: its name, where it is from, Lean version and size as far as known."""
    facts = [f"{source.repository.removeprefix(GITHUB)}@{source.revision[:7]}" if source.repository else source.file]
    facts += [f"Lean {source.lean.removeprefix('v')}"] if source.lean else []
    facts += [f"{source.theorems} statements"] if source.theorems else []
    return f"{name} ({', '.join(facts)})"


def find_source(text: str, sources: Mapping[str, SourceSettings]) -> tuple[str, str]:
    """Return the named source that a text means, and the split among its words ("" for none).

    A source's own name always means it; so do its words in any case (`ProofNet# valid`,
    `miniF2F v2c`). The name is "" when the text means no source. Raises AmbiguousName when the words
    fit several, with the list of them: results on different versions of a set do not compare.
    """
    if text in sources:
        return text, ""
    if "/" in text or ":" in text or Path(text).exists():
        return "", ""
    words = re.findall(r"[\w#]+", text)
    splits = [_SPLITS[word.lower()] for word in words if word.lower() in _SPLITS]
    wanted = _letters("".join(word for word in words if word.lower() not in _SPLITS))
    exact = [name for name in sources if _letters(name) == wanted]
    fitting = exact or [name for name in sources if wanted and _letters(name).startswith(wanted)]
    if len(fitting) > 1:
        listed = "; ".join(describe(name, sources[name]) for name in fitting)
        raise AmbiguousName(f"'{text}' is not one set; name one of these sources: {listed}")
    return (fitting[0] if fitting else ""), (splits[0] if len(set(splits)) == 1 else "")
