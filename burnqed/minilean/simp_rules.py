"""Simp's rule sets: core lemmas tagged `@[simp]`, and rules made from hypotheses and terms."""

from __future__ import annotations

from collections.abc import Iterable

from burnqed.minilean.context import EMPTY, LocalContext
from burnqed.minilean.expr import (
    PROP,
    App,
    Binder,
    Const,
    Expr,
    FVar,
    Lit,
    MVar,
    Pi,
    app,
    capp,
    const,
    debug,
    instantiate,
    spine,
)
from burnqed.minilean.meta import Meta
from burnqed.minilean.traverse import subterms

# `if_true` and `if_false` stand for the simproc `reduceIte`
ALWAYS = ("eq_self", "iff_self", "not_true_eq_false", "not_false_eq_true", "if_true", "if_false")
SIMP_SET = (
    "ne_eq and_self and_true true_and and_false false_and or_self or_true true_or or_false false_or"
    " ite_self iff_true true_iff iff_false false_iff implies_true true_implies false_implies imp_self"
    " and_not_self not_and_self not_and not_or and_imp imp_false Classical.not_not Classical.not_imp"
    " not_exists exists_and_left exists_and_right exists_eq exists_eq' exists_eq_left forall_eq"
    " forall_eq' forall_exists_index iff_not_self not_not_em"
    " Nat.add_zero Nat.zero_add Nat.mul_zero Nat.zero_mul Nat.mul_one Nat.one_mul Nat.sub_self"
    " Nat.sub_zero Nat.zero_sub Nat.add_sub_cancel Nat.add_sub_cancel_left Nat.pow_zero Nat.pow_one"
    " Nat.one_pow Nat.pred_succ Nat.pred_zero Nat.mod_self Nat.zero_mod Nat.mod_one Nat.zero_div"
    " Nat.div_one Nat.succ_eq_add_one Nat.add_one_sub_one"
    " Nat.add_right_cancel_iff Nat.add_left_cancel_iff Nat.add_right_eq_self"
    " Nat.add_eq_zero_iff Nat.mul_eq_zero Nat.le_zero_eq Nat.not_le Nat.not_lt Nat.le_refl"
    " Nat.zero_le Nat.lt_irrefl Nat.not_lt_zero Nat.lt_add_one Nat.le_add_right Nat.le_add_left"
    " Nat.zero_lt_succ Nat.add_one_ne_zero Nat.zero_ne_add_one Nat.le_succ"
    " Nat.add_le_add_iff_left Nat.add_le_add_iff_right Nat.add_lt_add_iff_left"
    " Nat.add_lt_add_iff_right Nat.dvd_refl Nat.dvd_mul_right Nat.dvd_mul_left Nat.dvd_zero"
    " Nat.mul_mod_right Nat.mul_mod_left Nat.add_mul_mod_self_left Nat.mod_mod"
    " Bool.not_not Bool.and_self Bool.or_self"
    " List.nil_append List.append_nil List.cons_append List.append_assoc List.length_nil"
    " List.length_cons List.length_append List.length_reverse List.length_map List.map_nil"
    " List.map_cons List.map_append List.reverse_nil List.reverse_cons List.reverse_append"
    " List.reverse_reverse List.cons_ne_nil"
    " Int.add_zero Int.zero_add Int.mul_one Int.one_mul Int.mul_zero Int.zero_mul Int.neg_neg"
    " Int.sub_self Int.sub_zero Int.add_left_neg Int.add_right_neg Int.add_sub_cancel"
    " Int.sub_add_cancel Int.le_refl Int.lt_irrefl"
).split()


class Rule:
    """A proof of `∀ …, p`, read as a left-to-right equation; `origin` is the hypothesis it comes from."""

    __slots__ = ("name", "proof", "type", "reverse", "origin")

    def __init__(self, name: str, proof: Expr, type: Expr, reverse: bool = False, origin: int = 0) -> None:
        self.name, self.proof, self.type, self.reverse, self.origin = name, proof, type, reverse, origin


def equation(proof: Expr, ty: Expr) -> tuple[Expr, Expr, Expr, Expr] | None:
    """(type, lhs, rhs, proof of lhs = rhs) that simp makes of a proposition."""
    fn, args = spine(ty)
    name = fn.name if isinstance(fn, Const) else ""
    if name == "Eq" and len(args) == 3:
        return args[0], args[1], args[2], proof
    if name == "Iff":
        return PROP, args[0], args[1], capp("propext", args[0], args[1], proof)
    if name == "Not":
        return PROP, args[0], const("False"), capp("eq_false", args[0], proof)
    if name == "Ne":
        p = capp("Eq", *args)
        return PROP, p, const("False"), capp("eq_false", p, proof)
    if name in ("True", "And"):
        return None
    return PROP, ty, const("True"), capp("eq_true", ty, proof)


def open_rule(m: Meta, rule: Rule, lctx: LocalContext) -> tuple[Expr, Expr, list[MVar]]:
    """The rule with fresh metavariables for its arguments: proof, proposition, arguments."""
    proof, ty = rule.proof, rule.type
    holes: list[MVar] = []
    while isinstance(ty, Pi):
        xs: list[Expr] = []
        while isinstance(ty, Pi):
            x = m.mvar(lctx, instantiate(ty.ty, xs))
            xs.append(x)
            holes.append(x)
            proof, ty = app(proof, x), ty.body
        ty = m.head_beta(instantiate(ty, xs))
    return proof, ty, holes


def split_rules(rule: Rule) -> list[Rule]:
    """A conjunction (under no binders) is two rules."""
    fn, args = spine(rule.type)
    if isinstance(fn, Const) and fn.name == "And" and len(args) == 2:
        left = Rule(rule.name, capp("And.left", *args, rule.proof), args[0], False, rule.origin)
        right = Rule(rule.name, capp("And.right", *args, rule.proof), args[1], False, rule.origin)
        return [*split_rules(left), *split_rules(right)]
    return [rule]


def key_of(e: Expr) -> tuple[object, int] | None:
    """Index key of a left-hand side: head and number of arguments; None matches anything."""
    fn, args = spine(e)
    if isinstance(fn, Const):
        return fn.name, len(args)
    if isinstance(fn, FVar):
        return fn.id, len(args)
    if isinstance(fn, Lit):
        return "lit", 0
    if isinstance(fn, Pi):
        return "pi", 0
    return None


class RuleSet:
    """Rules by the head of their left-hand side."""

    def __init__(self) -> None:
        self.by_key: dict[tuple[object, int], list[Rule]] = {}

    def copy(self) -> RuleSet:
        new = RuleSet()
        new.by_key = {k: list(v) for k, v in self.by_key.items()}
        return new

    def add(self, m: Meta, rule: Rule) -> bool:
        ok = False
        for r in split_rules(rule):
            scratch = m.copy(m.budget)
            proof, ty, _ = open_rule(scratch, r, EMPTY)
            eq = equation(proof, ty)
            if eq is None:
                continue
            key = key_of(eq[2] if r.reverse else eq[1])
            if key is not None:
                self.by_key.setdefault(key, []).append(r)
                ok = True
        return ok

    def find(self, e: Expr) -> Iterable[Rule]:
        key = key_of(e)
        return self.by_key.get(key, ()) if key is not None else ()


_default: dict[int, RuleSet] = {}


def default_rules(m: Meta, full: bool) -> RuleSet:
    """The core simp set, or the few rules that `simp only` keeps; made once per kind."""
    hit = _default.get(full)
    if hit is None:
        hit = RuleSet()
        for name in (*ALWAYS, *(SIMP_SET if full else ())):
            decl = m.env.get(name)
            assert decl is not None, name
            hit.add(m, Rule(name, const(name), decl.type))
        _default[full] = hit
    return hit.copy()


def order_key(e: Expr) -> tuple[int, str]:
    """A total order on terms for permutative rules: by size, then by text."""
    return sum(1 for _ in subterms(e)), debug(e)


def permutative(a: Expr, b: Expr) -> bool:
    """Whether the sides differ by a renaming of metavariables only, such as `x + y = y + x`."""
    pairs: dict[int, int] = {}

    def go(x: Expr, y: Expr) -> bool:
        if isinstance(x, MVar) and isinstance(y, MVar):
            return pairs.setdefault(x.id, y.id) == y.id
        if isinstance(x, App) and isinstance(y, App):
            return go(x.fn, y.fn) and go(x.arg, y.arg)
        if isinstance(x, Binder) and type(x) is type(y):
            assert isinstance(y, Binder)
            return go(x.ty, y.ty) and go(x.body, y.body)
        return x == y

    return go(a, b) and len(set(pairs.values())) == len(pairs)
