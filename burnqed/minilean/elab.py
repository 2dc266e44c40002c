"""The elaborator: parsed terms to typed expressions with metavariables."""

from __future__ import annotations

from burnqed.minilean.elab_apply import Applications
from burnqed.minilean.elab_binders import Binders
from burnqed.minilean.elab_compound import Compounds
from burnqed.minilean.elab_operators import Operators


class Elab(Binders, Operators, Applications, Compounds):
    """Elaborates terms into one metavariable context. `holes` collects `?_` in order."""
