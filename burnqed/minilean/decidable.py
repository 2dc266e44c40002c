"""Which propositions Lean core finds a `Decidable` instance for, without reducing definitions."""

from __future__ import annotations

from burnqed.minilean.expr import NAT, BVar, Const, Expr, Pi, instantiate1, spine
from burnqed.minilean.meta import Meta


def is_decidable(m: Meta, p: Expr) -> bool:
    """Whether instances of core decide `p`, free variables or not."""
    p = m.head_beta(m.inst(p))
    if isinstance(p, Pi):
        if p.body.lo == 0:
            return m.is_prop(p.ty) and is_decidable(m, p.ty) and is_decidable(m, p.body)
        x = m.fvar(p.name, p.ty).fvar
        if p.ty == Const("Bool"):
            return is_decidable(m, instantiate1(p.body, x))
        if p.ty != NAT or not isinstance(p.body, Pi) or p.body.body.lo > 1:
            return False
        fn, args = spine(p.body.ty)
        bounded = isinstance(fn, Const) and fn.name == "Nat.lt" and args[0] == BVar(0) and args[1].lo == 0
        inner = instantiate1(p.body, x)
        assert isinstance(inner, Pi)
        return bounded and inner.body.lo == 0 and is_decidable(m, inner.body)
    fn, args = spine(p)
    if not isinstance(fn, Const):
        return False
    if fn.name in ("True", "False"):
        return True
    if fn.name in ("And", "Or", "Iff", "Not"):
        return all(is_decidable(m, a) for a in args)
    if fn.name in ("Eq", "Ne"):
        head, parameters = spine(m.whnf(args[0]))
        while isinstance(head, Const) and head.name == "List":
            head, parameters = spine(m.whnf(parameters[0]))
        return isinstance(head, Const) and head.name in ("Nat", "Int", "Bool")
    kind, _, name = fn.name.partition(".")
    return kind in ("Nat", "Int") and name in ("le", "lt", "ge", "gt", "dvd") and len(args) == 2
