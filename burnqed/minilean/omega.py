"""`omega`: looks for a certificate of linear arithmetic over Nat and Int."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from burnqed.minilean import arith
from burnqed.minilean.expr import App, Cert, Const, Expr, FVar, Pi, abstract, apps, instantiate1, lam, pi
from burnqed.minilean.kernel_arith import Certificate
from burnqed.minilean.kernel_omega import read_facts

STEP_LIMIT = 3000
# Binders of a goal become free variables from here on, far from those of any proof state.
FIRST_LOCAL = 1 << 60


def _used(certificate: Certificate, count: int) -> set[int]:
    """Which of the ``count`` given facts a certificate mentions."""
    found: set[int] = set()
    for step in certificate.steps:
        if step[0] == "comb":
            found.update(index for index, _ in step[1])
        elif step[0] == "tight":
            found.update(step[1:])
    if certificate.split is not None:
        found.add(certificate.split[0])
        for branch in certificate.split[1]:
            found |= _used(branch, count)
    return {index for index in found if index < count}


def prove(hypotheses: Sequence[tuple[Expr, Expr]], goal: Expr, check: Callable[[], None] | None = None) -> Expr | None:
    """Return a proof term of ``goal`` from (proof, proposition) pairs, or None.

    Leading binders of the goal are introduced first. The term is a `Cert` of ``used hypotheses →
    goal`` applied to the proofs, so that the kernel compares the proofs' types with the
    propositions itself. A goal that is not arithmetic is proved from contradictory hypotheses.
    Deterministic; incomplete as Lean's `omega` is (no dark or grey shadows). `check` is called between steps and may
    raise to stop the search.
    """
    binders: list[Pi] = []
    while isinstance(goal, Pi):
        x = FVar(FIRST_LOCAL + len(binders))
        binders.append(goal)
        hypotheses = [*hypotheses, (x, goal.ty)]
        goal = instantiate1(goal.body, x)
    proof = _prove(hypotheses, goal, check)
    if proof is None:
        return None
    for number in reversed(range(len(binders))):
        binder = binders[number]
        body = abstract(proof, [FIRST_LOCAL + number])
        proof = lam(binder.name, binder.ty, body, binder.info)
    return proof


def _prove(hypotheses: Sequence[tuple[Expr, Expr]], goal: Expr, check: Callable[[], None] | None) -> Expr | None:
    chosen = [pair for pair in hypotheses if not pair[1].lo and _arithmetic(pair[1])]
    for _ in range(3):
        try:
            facts, owners = read_facts([prop for _, prop in chosen], goal)
            certificate = arith.refute(facts, STEP_LIMIT, check)
        except RecursionError:
            return None
        if certificate is None:
            return None
        used = {owners[index] for index in _used(certificate, len(facts))}
        fewer = [pair for number, pair in enumerate(chosen) if number in used]
        if len(fewer) == len(chosen):
            break
        chosen = fewer
    statement = goal
    for _, prop in reversed(chosen):
        statement = pi("h", prop, statement)
    facts, _ = read_facts([], statement)
    final = arith.refute(facts, STEP_LIMIT, check)
    if final is None:
        return None
    return apps(Cert("omega", statement, (), final), *(proof for proof, _ in chosen))


_ROOTS = {"Not", "And", "Or", "Iff", "Eq", "Ne", "False"}


def _arithmetic(p: Expr) -> bool:
    """A cheap test that drops what `Reader.facts` would not understand anyway."""
    if isinstance(p, Pi):
        return not p.body.lo
    while isinstance(p, App):
        p = p.fn
    return isinstance(p, Const) and (p.name in _ROOTS or p.name.startswith(("Nat.", "Int.")))
