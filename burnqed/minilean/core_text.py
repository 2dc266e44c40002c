"""The constants and lemmas minilean knows, as text; names, order and implicitness follow Lean 4.26.

One per line: `kind name : type`. Kinds: `type`, `ctor`, `rec` (eliminators into Prop), `def`
(computes by the `eqn` lines of its name, or natively), `abbrev` (`:= value`, reducible), `let`
(`:= value`), `lemma`, `class` (a lemma that rests on classical axioms), `ext` (on `propext`).
"""

from burnqed.minilean.core_base import BASE
from burnqed.minilean.core_data import DATA
from burnqed.minilean.core_logic import LOGIC
from burnqed.minilean.core_nat import NAT

TEXT = BASE + LOGIC + NAT + DATA
