"""Snakemake finds logger plugins by the name of a top-level package; the display itself is ``burnqed.snakemake.progress``."""

from burnqed.snakemake.progress import LogHandler

__all__ = ["LogHandler"]
