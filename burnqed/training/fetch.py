"""Fetching the pretrained base model."""

from __future__ import annotations

import logging
from pathlib import Path

from burnqed.files import UserError, atomic_dir
from burnqed.policy.loading import check_model_dir

logger = logging.getLogger(__name__)
PATTERNS = ["*.safetensors", "*.safetensors.index.json", "*.json", "*.model", "*.txt", "*.jinja"]


def fetch_model(repository: str, revision: str, output: Path) -> str:
    """Link the files of a model into a folder; return where they are (a snapshot names its commit).

    ``repository`` is a local folder, or a repository of the Hugging Face hub, fetched into its
    usual cache. Raises UserError when it cannot be fetched or holds no safetensors model.
    """
    source = Path(repository).expanduser()
    if not source.is_dir():
        source = _snapshot(repository, revision)
    check_model_dir(source)
    if not any(source.glob("*.safetensors")):
        raise UserError(
            f"model.repository: {source} holds no *.safetensors weights; convert the model to safetensors first"
        )
    with atomic_dir(output) as folder:
        for file in sorted(source.iterdir()):
            if file.is_file() and any(file.match(pattern) for pattern in PATTERNS):
                (folder / file.name).symlink_to(file.resolve())
    logger.info("base model: %s", source)
    return str(source)


def _snapshot(repository: str, revision: str) -> Path:
    from huggingface_hub import snapshot_download

    if revision == "main":
        logger.warning("model.revision is 'main', which moves; pin a commit for a run that can be repeated")
    try:
        return Path(snapshot_download(repository, revision=revision, allow_patterns=PATTERNS))
    except Exception as error:
        raise UserError(
            f"model.repository: '{repository}' at revision '{revision}' cannot be fetched "
            f"({type(error).__name__}: {error}); check the "
            "name and the network, or set it to a local model folder"
        ) from error
