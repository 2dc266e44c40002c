"""Theorem indexes, proofs and searches in the forms that other provers read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from burnqed.files import UserError, atomic_dir, write_json, write_jsonl
from burnqed.prover.leanfile import header_imports, indent_tactic
from burnqed.prover.starting import declaration, lean_name
from burnqed.records.attempts import Attempt
from burnqed.records.theorems import Theorem

Form = Literal["deepseek", "goedel", "lake", "leandojo"]
LIBRARY = "Statements"
Proved = tuple[Theorem, str]


def own_name(theorem: Theorem) -> str:
    """Return the name a theorem is declared under: its own where Lean reads it, else one like it."""
    plain = re.fullmatch(r"[^\W\d][\w'!?]*(?:\.[^\W\d][\w'!?]*)*", theorem.name)
    return theorem.name if plain else lean_name(theorem)


def whole_file(theorem: Theorem, proof: str = "") -> str:
    """Return a Lean file with the theorem and its proof, `sorry` when there is none."""
    value = f"by\n{indent_tactic(proof)}\n" if proof else "by\n  sorry\n"
    header = f"{theorem.header.strip()}\n\n" if theorem.header.strip() else ""
    return header + declaration(theorem, value, own_name(theorem))


def row_of(theorem: Theorem, split: str, form: str, proof: str = "") -> dict[str, str]:
    """Return the JSON row of a theorem as DeepSeek-Prover-V1.5 has it, or Goedel-Prover-V2."""
    open_end = declaration(theorem, "by\n", own_name(theorem))
    row = {
        "name": theorem.name,
        "split": split,
        "informal_prefix": "",
        "formal_statement": open_end,
        "goal": "",
        "header": f"{theorem.header.strip()}\n\n" if theorem.header.strip() else "",
    }
    if proof:
        row["formal_proof"] = indent_tactic(proof)
    if form == "goedel":
        row |= {"lean4_code": whole_file(theorem), "problem_id": theorem.name}
    return row


def export_rows(path: Path, items: Iterable[Proved], split: str, form: str) -> int:
    """Write one JSON row per theorem; return how many."""
    rows = [row_of(theorem, split, form, proof) for theorem, proof in items]
    write_jsonl(path, rows)
    return len(rows)


def export_lake(path: Path, items: Sequence[Proved], lean: str = "") -> int:
    """Write a Lake project with a file a theorem; return how many. ``lean`` is the toolchain's version, where known."""
    modules: dict[str, Proved] = {}
    taken: set[str] = set()  # some file systems do not tell cases apart
    for theorem, proof in items:
        base = name = re.sub(r"\W", "_", lean_name(theorem), flags=re.ASCII)
        number = 1
        while name.lower() in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name.lower())
        modules[name] = (theorem, proof)
    imports = {module for theorem, _ in items for module in header_imports(theorem.header)}
    with atomic_dir(path) as folder:
        (folder / LIBRARY).mkdir()
        for name, (theorem, proof) in modules.items():
            (folder / LIBRARY / f"{name}.lean").write_text(whole_file(theorem, proof), encoding="utf-8")
        root = "".join(f"import {LIBRARY}.{name}\n" for name in modules)
        (folder / f"{LIBRARY}.lean").write_text(root, encoding="utf-8")
        (folder / "lakefile.toml").write_text(_lakefile(imports, lean), encoding="utf-8")
        if lean:
            (folder / "lean-toolchain").write_text(f"leanprover/lean4:{lean}\n", encoding="utf-8")
    return len(modules)


def _lakefile(imports: set[str], lean: str) -> str:
    text = f'name = "{LIBRARY.lower()}"\ndefaultTargets = ["{LIBRARY}"]\n\n[[lean_lib]]\nname = "{LIBRARY}"\n'
    if any(module.split(".")[0] in ("Mathlib", "Aesop", "Batteries") for module in imports):
        text += '\n[[require]]\nname = "mathlib"\nscope = "leanprover-community"\n'
        text += f'rev = "{lean}"\n' if lean else ""
    return text


def _file_path(theorem: Theorem | None) -> str:
    return theorem.file_path if theorem is not None and theorem.file_path else ""


def leandojo_rows(trajectories: Path, theorems: Mapping[str, Theorem]) -> Iterator[dict[str, object]]:
    """Yield the proofs that searches found as LeanDojo's traced theorems, a row per theorem, its first proof."""
    from burnqed.records.trajectories import iter_rows

    columns = [
        "theorem",
        "attempt",
        "kind",
        "step",
        "state",
        "tactic",
        "next_state",
        "outcome",
        "on_proof_path",
        "depth",
    ]
    paths: dict[str, dict[tuple[str, int], list[tuple[int, dict[str, object]]]]] = {}
    for row in iter_rows(trajectories, columns):
        if row["on_proof_path"] and row["outcome"] in ("ok", "proved"):
            after = "no goals" if row["outcome"] == "proved" else str(row["next_state"])
            step = {
                "tactic": row["tactic"],
                "annotated_tactic": [row["tactic"], []],
                "state_before": row["state"],
                "state_after": after,
            }
            searches = paths.setdefault(row["theorem"], {})
            searches.setdefault((row["kind"], row["attempt"]), []).append((row["depth"], step))
    for name, searches in paths.items():
        first = searches[min(searches)]
        tactics = [step for _, step in sorted(first, key=lambda item: item[0])]
        if tactics[-1]["state_after"] == "no goals":
            yield {
                "url": "",
                "commit": "",
                "file_path": _file_path(theorems.get(name)),
                "full_name": name,
                "start": [0, 0],
                "end": [0, 0],
                "traced_tactics": tactics,
            }


def export_leandojo(path: Path, trajectories: Path, theorems: Mapping[str, Theorem]) -> int:
    """Write the proofs of a trajectory file in LeanDojo's form; return how many. Raises UserError when there is none."""
    rows = list(leandojo_rows(trajectories, theorems))
    if not rows:
        raise UserError(f"{trajectories}: no proof in it; give the trajectories of an iteration (trajectories.parquet)")
    write_json(path, rows)
    return len(rows)


def proved(attempts: Iterable[Attempt]) -> list[Proved]:
    """Return theorems with their first proof."""
    found: dict[str, Proved] = {}
    for attempt in attempts:
        found.setdefault(attempt.theorem.name, (attempt.theorem, attempt.proof))
    return list(found.values())
