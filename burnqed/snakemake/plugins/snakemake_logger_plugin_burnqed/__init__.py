"""The logger plugin `burnqed`: Snakemake finds it by the name of this top-level package."""

from burnqed.snakemake.progress import LogHandler

__all__ = ["LogHandler"]
