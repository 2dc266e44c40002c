"""`burnqed publish`: a finished run to share: its model with a card, its proofs as a Lake project, and its records.

Everything is written into a folder first; only with a repository's name, and without ``--dry-run``, is the model's
folder uploaded.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from burnqed.commands.card import card, proofs_of
from burnqed.data.exporting import export_lake
from burnqed.files import UserError, atomic_dir, read_json, sha256_file, sidecar_path, write_json, write_text
from burnqed.jobs.secrets import hide_secrets
from burnqed.policy.adapted import read_adapted
from burnqed.records.evaluations import read_eval
from burnqed.records.theorems import Theorem
from burnqed.report.run import Run
from burnqed.training.merge import merge_adapter
from burnqed.words import counted

RECORDS = (
    "summary.json", "report.html", "report.md", ".run.json", "data/report.json", "data/theorems.json",
    "data/benchmarks/*.json", "baseline/eval/**/*.json", "iter_*/eval/**/*.json", "iter_*/gate.json",
    "iter_*/proofs.jsonl", "iter_*/proofs.lean", "iter_*/*.meta.json", "base/*.meta.json", "tables/*.csv", "figures/*.svg",
)  # fmt: skip
CONTEXT = "https://w3id.org/ro/crate/1.1/context"


def run_of(results: Path) -> Run:
    """Return a finished run; raise UserError when it has no summary or no trained model."""
    run = Run(results, results / "summary.json")
    if run.labels()[-1] == "baseline":
        raise UserError(f"{results}: nothing is trained yet; run an iteration first (`snakemake iter_0_eval`)")
    return run


def write_model(run: Run, folder: Path, licence: str) -> None:
    """Write the model's folder: weights and tokenizer, the energy head, the summary, and the card as README.md."""
    home = run.results / run.labels()[-1]
    if not (home / "model" / "config.json").is_file():
        raise UserError(f"{home / 'model'}: no finished model; make it again (`snakemake {home / 'model'}`)")
    with atomic_dir(folder) as partial:
        _copy_whole_model(home / "model", partial)
        if (home / "ebm" / "config.json").is_file():
            shutil.copytree(home / "ebm", partial / "energy_head", dirs_exist_ok=True)
        write_json(partial / "summary.json", run.summary)
        write_text(partial / "README.md", card(run, licence))


def _copy_whole_model(model: Path, folder: Path) -> None:
    """Copy a model folder; one whose adapter is kept beside the base is merged, and the result checked."""
    adapted = read_adapted(model)
    if adapted is None:
        shutil.copytree(model, folder, dirs_exist_ok=True)
    else:
        merge_adapter(adapted.base, adapted.adapter, folder / "merged")
        for file in (folder / "merged").iterdir():
            file.replace(folder / file.name)
        (folder / "merged").rmdir()


def write_proofs(run: Run, folder: Path) -> int:
    """Write the re-checked proofs of training theorems and of the benchmark as a Lake project; return how many."""
    label = run.labels()[-1]
    evaluation = read_eval(run.eval_path(next(model for model in run.models if model["label"] == label)))
    imports = evaluation["settings"].get("prover", {}).get("imports", [])
    lines = "".join(f"import {name}\n" for name in imports)
    rows = proofs_of(run.results, int(label.removeprefix("iter_")) + 1)
    items = []
    for row in rows:
        header = str(row.get("header", ""))
        whole = header if header.lstrip().startswith("import ") else f"{lines}\n{header}".strip()
        items.append((Theorem(name=row["theorem"], statement=row["statement"], header=whole), "\n".join(row["proof"])))
    return export_lake(folder, items, _lean(run.results, label))


def _lean(results: Path, label: str) -> str:
    """Return the version of Lean that the re-check recorded, as a toolchain names it; "" when none was."""
    path = sidecar_path(results / label / "proofs.jsonl")
    found = str(read_json(path).get("verification", {}).get("lean", "")) if path.exists() else ""
    return f"v{found}" if found and found[0].isdigit() else found


def _records(results: Path) -> Iterator[Path]:
    seen: set[Path] = set()
    for pattern in RECORDS:
        for path in sorted(results.glob(pattern)):
            beside = sidecar_path(path)
            for one in (path, beside) if beside.exists() else (path,):
                if one.is_file() and one not in seen and ".progress" not in one.parts:
                    seen.add(one)
                    yield one


def write_crate(run: Run, folder: Path, licence: str) -> int:
    """Write the run's records as an RO-Crate (version 1.1): what is needed to check it, without weights; return how many."""
    with atomic_dir(folder) as partial:
        parts = []
        for path in _records(run.results):
            name = str(path.relative_to(run.results)).removeprefix(".")
            target = partial / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            if path.suffix in (".json", ".md"):
                target.write_text(hide_secrets(target.read_text(encoding="utf-8")), encoding="utf-8")
            parts.append(
                {"@id": name, "@type": "File", "contentSize": str(target.stat().st_size), "sha256": sha256_file(target)}
            )
        made = time.strftime("%Y-%m-%d", time.gmtime((run.results / "summary.json").stat().st_mtime))
        root: dict[str, object] = {
            "@id": "./",
            "@type": "Dataset",
            "name": f"burn-qed run {run.results.name}",
            "description": "Records of a run: settings, theorems, evaluations, gates, proofs and their provenance.",
            "datePublished": made,
            "hasPart": [{"@id": part["@id"]} for part in parts],
        }
        if licence:
            root["license"] = licence
        about = {
            "@id": "ro-crate-metadata.json",
            "@type": "CreativeWork",
            "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
            "about": {"@id": "./"},
        }
        text = json.dumps({"@context": CONTEXT, "@graph": [about, root, *parts]}, indent=2, ensure_ascii=False)
        (partial / "ro-crate-metadata.json").write_text(text + "\n", encoding="utf-8")
    return len(parts)


def publish(results: Path, output: Path, *, repository: str = "", dry_run: bool = False, licence: str = "") -> int:
    """Write all three folders, say what is in them, and upload the model; return the exit status.

    Raises UserError when the run is not finished, and when the upload is refused.
    """
    if not dry_run and not repository:
        raise UserError("give --repo OWNER/NAME to upload to, or --dry-run to write the folders only")
    run = run_of(results)
    model, proofs, crate = (output / name for name in ("model", "proofs", "crate"))
    write_model(run, model, licence)
    count, files = write_proofs(run, proofs), write_crate(run, crate, licence)
    size = sum(path.stat().st_size for path in model.rglob("*") if path.is_file())
    print(f"{model}: model, card and summary, {size / 1e6:.1f} MB")
    print(f"{proofs}: {counted(count, 'proof')} as a Lake project (`lake build` there)")
    print(f"{crate}: {counted(files, 'record')} as an RO-Crate")
    if dry_run:
        print(f"dry run: nothing was uploaded{f' to {repository}' if repository else ''}")
        return 0
    print(_upload(repository, model))
    return 0


def _upload(repository: str, folder: Path) -> str:
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, LocalTokenNotFoundError

    try:
        api = HfApi()
        api.create_repo(repository, exist_ok=True, private=True)
        return str(api.upload_folder(repo_id=repository, folder_path=folder, commit_message="Model of a burn-qed run"))
    except (HfHubHTTPError, LocalTokenNotFoundError, OSError, ValueError) as error:
        raise UserError(f"--repo {repository}: {error}; log in with `hf auth login`, or use --dry-run") from error
