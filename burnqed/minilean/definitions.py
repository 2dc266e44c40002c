"""Constants that a user adds: definitions and proved facts, each checked by the kernel first."""

from __future__ import annotations

from collections.abc import Sequence

from burnqed.minilean.budget import Budget
from burnqed.minilean.context import EMPTY, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.elab import Elab
from burnqed.minilean.elab_apply import ALIASES
from burnqed.minilean.engine import axioms_of, rests_on_sorry
from burnqed.minilean.environment import FileEnv
from burnqed.minilean.expr import HAS_MVAR, PROP, Expr
from burnqed.minilean.kernel import Kernel
from burnqed.minilean.kernel_reduce import Decl, KernelError
from burnqed.minilean.meta import Meta
from burnqed.minilean.runner import Runner
from burnqed.minilean.traverse import consts


def declared(env: FileEnv, name: str) -> bool:
    """Whether `name` is taken; short names of the library such as `true` are."""
    return env.get(name) is not None or name in ALIASES


def define(
    env: FileEnv,
    name: str,
    type: Term | None,
    value: Term,
    budget: Budget,
    opens: Sequence[str] = (),
    fact: bool = False,
) -> Decl:
    """Add `name : type := value` to `env`, as a definition that unfolds or, with `fact`, as a theorem.

    Without `type` the value's own type is taken. A definition may not mention itself. The value
    `sorry` makes a constant that nothing is known about and that rests on `sorryAx`. Raises
    `TacticError` when it does not elaborate, the kernel refuses it, or the name is taken.
    """
    if declared(env, name):
        raise TacticError(f"`{name}` has already been declared")
    meta = Meta(env, budget)
    elab = Elab(meta, Runner(meta, [], opens).run_nested, opens)
    want = elab.type(type, EMPTY) if type is not None else None
    if value == ("sorry",) and want is not None and not fact:
        decl = Decl(name, want, "opaque", axioms=frozenset({"sorryAx"}))
        _check_type(env, want)
        env.local[name] = decl
        return decl
    e = elab.term(value, want, EMPTY)
    t = meta.inst(want if want is not None else meta.infer(e))
    if (e.fl | t.fl) & HAS_MVAR:
        raise TacticError("don't know how to synthesize placeholder")
    try:
        kernel = Kernel(env, budget)
        kernel.check(e, t)
        if fact and kernel.whnf(kernel.infer(t)) != PROP:
            raise TacticError(f"type of theorem `{name}` is not a proposition")
    except KernelError as error:
        raise TacticError(f"(kernel) {error}") from None
    axioms = axioms_of(env, e) | axioms_of(env, t)
    if rests_on_sorry(meta, e):
        axioms.add("sorryAx")
    heights = [d.height for d in map(env.get, consts(e)) if d is not None]
    kind, shown = ("theorem", None) if fact else ("def", e)
    env.local[name] = decl = Decl(name, t, kind, shown, False, max(heights, default=0) + 1, frozenset(axioms))
    return decl


def _check_type(env: FileEnv, type: Expr) -> None:
    try:
        Kernel(env).sort_of(type)
    except KernelError as error:
        raise TacticError(f"(kernel) {error}") from None
