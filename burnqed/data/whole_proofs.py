"""Whole proofs as the field publishes them, and the files of a Lean project: what the prover makes pairs of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from burnqed.data.filters import CHEAT
from burnqed.data.rows import Row, read_rows
from burnqed.files import UserError, digest, sha256_file
from burnqed.leantext.answers import whole_proof
from burnqed.leantext.outline import strip_comments
from burnqed.records.damage import Damage

SORRY_END = re.compile(r":=\s*(?:by\s+)?sorry\s*$|:=\s*by\s*$|:=\s*$")
COLUMNS = (
    "problem_id", "full_proof", "uuid", "ground_truth_type", "formal_ground_truth", "formal_proof", "formal_statement",
    "proof", "name", "id", "lean", "header", "theorem", "statement", "source", "lean4_code", "code",
)  # fmt: skip


NAME_KEYS = ("problem_id", "uuid", "name", "id", "theorem")


@dataclass(frozen=True)
class LeanText:
    """A text for the prover: a key unique in its source, and either the text or the file that holds it."""

    key: str
    text: str = ""
    file: Path | None = None

    def digest(self) -> str:
        """Return the SHA-256 of the text."""
        return digest(self.text) if self.file is None else sha256_file(self.file)

    def read(self) -> str:
        """Return the text; raise UserError naming the file when it cannot be read."""
        if self.file is None:
            return self.text
        try:
            return self.file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{self.file}: cannot be read ({error})") from error


def project_files(folder: Path) -> list[LeanText]:
    """Return the Lean files of a project, without those of its dependencies and build folders."""
    files = sorted(
        path
        for path in folder.rglob("*.lean")
        if not any(
            part.startswith(".") or part in ("lake-packages", "build") for part in path.relative_to(folder).parts
        )
        and path.name not in ("lakefile.lean",)
    )
    if not files:
        raise UserError(f"{folder}: no Lean file in it; give the root of a Lean project")
    return [LeanText(str(path.relative_to(folder)), file=path) for path in files]


def _unfenced(text: str) -> str:
    """Return the Lean text of a model's raw answer; a text without fences and thoughts as it is."""
    return whole_proof(text) if "```" in text or "<think>" in text else text


def _put_in(statement: str, proof: str) -> str:
    """Return the declaration with its `sorry` replaced by a proof, given as a file, a term or tactics."""
    proof = _unfenced(proof)
    if not proof.strip():
        return ""
    if re.search(r"^\s*(?:theorem|lemma|example)\b", proof, re.MULTILINE):
        return proof
    head = SORRY_END.sub("", statement.rstrip()).rstrip()
    body = proof.strip("\n")
    if re.match(r"\s*by\b", body):
        return f"{head} := {body.lstrip()}"
    body = re.sub(r"^\s*:=\s*(?:by\b)?[ \t]*\n?", "", body)
    lines = [line for line in body.split("\n") if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return f"{head} := by\n" + "\n".join("  " + line[margin:] for line in lines)


def proofs_of_row(row: Row) -> tuple[list[str], str]:
    """Return the Lean texts of a row, and why there is none.

    Forms: Goedel's workbook proofs (`full_proof`), NuminaMath-LEAN (`formal_ground_truth` with the
    `ground_truth_type` complete, with_sorry or statement; `formal_proof`), Lean Workbook (`proof`, a
    list), whole files (`lean`, `lean4_code`), statement with `formal_proof`, and this project's own
    proofs. A model's raw answer in one of them is read by ``whole_proof``.
    Reasons: sorry, with_sorry, statement_only, no_proof.
    """
    statement = str(row.get("formal_statement") or "")
    header = str(row.get("header") or "")
    if isinstance(row.get("full_proof"), str):
        found, reason = [_unfenced(str(row["full_proof"]))], "no_proof"
    elif "ground_truth_type" in row or "formal_ground_truth" in row:
        # https://huggingface.co/datasets/AI-MO/NuminaMath-LEAN: only `complete` is a human proof without sorry.
        kind = str(row.get("ground_truth_type") or "")
        found = [str(row.get("formal_ground_truth") or "")] if kind == "complete" else []
        if isinstance(row.get("formal_proof"), str):
            found.append(_put_in(statement, row["formal_proof"]) if row["formal_proof"].strip() else "")
        reason = {"with_sorry": "with_sorry", "statement": "statement_only"}.get(kind, "no_proof")
    elif isinstance(row.get("proof"), list) and row.get("statement"):
        body = "\n".join("  " + line for tactic in row["proof"] for line in str(tactic).split("\n"))
        name = re.sub(r"[^\w']", "_", str(row.get("theorem") or row.get("name") or "t"))
        found, reason = [f"theorem {name} : {row['statement']} := by\n{body}\n"], "no_proof"
    elif statement and "proof" in row:
        proofs = row["proof"] if isinstance(row["proof"], list) else [row["proof"]]
        found, reason = [_put_in(statement, str(proof)) for proof in proofs if str(proof or "").strip()], "no_proof"
    elif statement and isinstance(row.get("formal_proof"), str):
        found, reason = [_put_in(statement, row["formal_proof"])], "no_proof"
    else:
        text = next((row[key] for key in ("lean", "lean4_code", "code") if isinstance(row.get(key), str)), "")
        found, reason = [_unfenced(text)], "no_proof"
    texts = [text if "import " in text or not header else f"{header}\n{text}" for text in found if text.strip()]
    whole = [text for text in dict.fromkeys(texts) if not CHEAT.search(strip_comments(text))]
    if texts and not whole:
        reason = "sorry"
    return whole, "" if whole else reason


def read_proofs(path: Path, damage: Damage, dropped: Counter[str]) -> Iterator[LeanText]:
    """Yield the proofs of a file of whole proofs; rows without a usable one are counted in ``dropped``."""
    used: Counter[str] = Counter()
    for number, (_, row) in enumerate(read_rows(path, damage, COLUMNS)):
        texts, reason = proofs_of_row(row)
        if reason:
            dropped[reason] += 1
        name = next(
            (str(row[k]) for k in ("problem_id", "uuid", "name", "id", "theorem") if row.get(k)), f"row{number}"
        )
        for text in texts:
            used[name] += 1
            yield LeanText(name if used[name] == 1 else f"{name}.{used[name]}", text)
