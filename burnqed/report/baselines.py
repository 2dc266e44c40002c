"""Published results on miniF2F test: reference lines, each with its source, budget and mode.

Step-level search is measured like ours; a whole-proof rate is another mode and says so wherever it is shown.
"miniF2F test" is not one set of statements: releases differ in some, so a line is a landmark, not a paired result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Baseline:
    """A published solve rate (percent). ``step_level``: found by search over single tactics.

    ``secondary``: the figure was read in notes on the paper and not in the paper or its authors' model card.
    """

    name: str
    rate: float
    budget: str
    step_level: bool
    source: str
    secondary: bool = False

    @property
    def text(self) -> str:
        """Return name, mode and budget, as a legend shows them."""
        return f"{self.name}: {'step-level' if self.step_level else 'WHOLE-PROOF'}, {self.budget}"

    @property
    def reference(self) -> str:
        """Return the source, marked when it is not the paper itself."""
        return f"{self.source} (secondary: figure from notes on the paper)" if self.secondary else self.source


# Budgets of step-level search are passes x candidates per expansion x expansions.
MINIF2F_TEST = [
    Baseline(
        "BFS-Prover", 70.83, "2048 x 2 x 600", True,
        "arXiv:2502.03438, table 1, and the authors' card (huggingface.co/ByteDance-Seed/BFS-Prover-V1-7B)",
    ),
    Baseline(
        "InternLM2.5-StepProver, best-first and critic", 65.9, "256 x 32 x 600", True,
        "arXiv:2410.15700v2, abstract; budget as in arXiv:2502.03438, table 1",
    ),
    Baseline("InternLM2-StepProver", 48.8, "1 x 32 x 100", True, "arXiv:2408.08152, table of results on miniF2F"),
    Baseline("InternLM2.5-StepProver, best-first", 47.3, "1 x 32 x 600", True, "arXiv:2410.15700v2", secondary=True),
    Baseline("DeepSeek-Prover-V2-7B, non-CoT", 55.5, "pass@1", False, "arXiv:2504.21801, tables 1 and 3"),
    Baseline("DeepSeek-Prover-V2-7B, CoT", 82.0, "pass@8192", False, "arXiv:2504.21801, tables 1 and 3"),
]  # fmt: skip


def baselines_for(benchmark: Mapping[str, Any]) -> list[Baseline]:
    """Return the published results on a run's benchmark; none but for the test split of miniF2F."""
    name = str(benchmark.get("name", "")).lower()
    split = str(benchmark.get("split", "")).lower()
    return MINIF2F_TEST if name.startswith("minif2f") and split == "test" else []
