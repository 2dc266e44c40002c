"""Snakemake finds logger plugins by module name; the display itself is ``burnqed.snakemake.progress``."""

from burnqed.snakemake.progress import LogHandler

__all__ = ["LogHandler"]
