"""Lean's pretty printer for minilean's terms and goals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from burnqed.minilean.expr import (
    BVar,
    Cert,
    Closure,
    Const,
    Expr,
    FVar,
    Lam,
    Lit,
    MVar,
    Pi,
    Sort,
    capp,
    instantiate,
    spine,
)
from burnqed.minilean.kernel_reduce import Env
from burnqed.minilean.traverse import fvars

if TYPE_CHECKING:
    from burnqed.minilean.context import Goal, LocalContext
    from burnqed.minilean.meta import Meta

# constant -> (symbol, own precedence, left operand's, right operand's)
INFIX: dict[str, tuple[str, int, int, int]] = {
    "Iff": ("↔", 20, 21, 21),
    "Or": ("∨", 30, 31, 30),
    "And": ("∧", 35, 36, 35),
    "List.cons": ("::", 67, 68, 67),
    "List.append": ("++", 65, 65, 66),
    "Bool.and": ("&&", 35, 35, 36),
    "Bool.or": ("||", 30, 30, 31),
    "Eq": ("=", 50, 51, 51),
    "Ne": ("≠", 50, 51, 51),
    "List.Mem": ("∈", 50, 51, 51),
    "Function.comp": ("∘", 90, 91, 90),
}
for _t in ("Nat", "Int"):
    for _n, _s, _p in (("add", "+", 65), ("sub", "-", 65), ("mul", "*", 70), ("div", "/", 70), ("mod", "%", 70)):
        INFIX[f"{_t}.{_n}"] = (_s, _p, _p, _p + 1)
    for _n, _s in (("le", "≤"), ("lt", "<"), ("ge", "≥"), ("gt", ">"), ("dvd", "∣")):
        INFIX[f"{_t}.{_n}"] = (_s, 50, 51, 51)
    INFIX[f"{_t}.pow"] = ("^", 75, 76, 75)
INFIX["Nat.beq"] = ("==", 50, 51, 51)
MAX, ARG = 1024, 1024
# functions printed as projections of their first explicit argument: `n.succ`, `h.left`
_FIELD_TYPES = frozenset(("Nat", "List", "Int", "Bool"))
_SUPER = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Printer:
    """Prints terms over the names of one local context."""

    def __init__(self, env: Env, names: dict[int, str] | None = None) -> None:
        self.env = env
        self.names = dict(names or {})
        self.used = set(self.names.values())
        self.types: dict[int, Expr] = {}
        self.next_fvar = -1_000_000
        self.open = False  # whether the last text ends in an unparenthesised binder

    def text(self, e: Expr) -> str:
        self.open = False
        return self.go(e, 0)

    def _bind(self, name: str, ty: Expr, body: Expr) -> tuple[str, Expr]:
        """Open a binder: a name that captures nothing, and the body with a variable for it."""
        base = name.rstrip("✝") or "x"
        if name.endswith("✝"):
            base = name
        pick, k = base, 0
        taken = {self.names[x] for x in fvars(body) if x in self.names}
        while pick in taken or (pick != base and pick in self.used):
            k += 1
            pick = f"{base}_{k}"
        x = FVar(self.next_fvar)
        self.next_fvar -= 1
        self.names[x.id] = pick
        self.types[x.id] = ty
        return pick, instantiate(body, (x,))

    def left(self, e: Expr, prec: int, own: int = 0) -> str:
        """A left operand: one that ends in an open binder or prefix needs parentheses."""
        text = self.go(e, prec)
        fn, args = spine(e)
        if own >= 40 and isinstance(fn, Const) and fn.name in ("Not", "Bool.not") and len(args) == 1:
            self.open = False
            return f"({text})"
        if self.open:
            self.open = False
            return f"({text})"
        return text

    def lead(self, text: str, prec: int) -> str:
        """A quantifier or function: bare on the right of an operator, never as an argument."""
        self.open = prec < MAX
        return f"({text})" if prec >= MAX else text

    def paren(self, text: str, own: int, prec: int) -> str:
        if own < prec:
            self.open = False
        return f"({text})" if own < prec else text

    def go(self, e: Expr, prec: int) -> str:
        if isinstance(e, FVar):
            return self.names.get(e.id, f"_fvar.{e.id}")
        if isinstance(e, MVar):
            return self.mvar(e)
        if isinstance(e, Lit):
            return str(e.value)
        if isinstance(e, Sort):
            if e.level < 2:
                return ("Prop", "Type")[e.level]
            return self.paren(f"Type {e.level - 1}", MAX - 1, prec)
        if isinstance(e, BVar):
            return f"#{e.idx}"
        if isinstance(e, Pi):
            return self.pi(e, prec)
        if isinstance(e, Lam):
            return self.fun(e, prec)
        if isinstance(e, Cert):
            return self.paren(f"of_{e.kind} {self.go(e.prop, ARG)}", MAX - 1, prec)
        if isinstance(e, Closure):
            for i, n, _, _ in e.binders:
                self.names[i] = n
            names = " ".join(b[1] for b in e.binders)
            return self.lead(f"fun {names} => {self.go(e.body, 0)}", prec)
        return self.application(e, prec)

    def mvar(self, e: MVar) -> str:
        return f"?m.{e.id}"

    def pi(self, e: Pi, prec: int) -> str:
        if e.body.lo == 0 and e.info == "default" and self._is_arrow(e):
            left = self.left(e.ty, 26)
            return self.paren(f"{left} → {self.go(e.body, 25)}", 25, prec)
        groups: list[tuple[list[str], str, str]] = []
        cur: Expr = e
        prop = self._is_prop_pi(e)
        while isinstance(cur, Pi) and (cur.body.lo or cur.info != "default" or (not self._is_arrow(cur))):
            ty = self.go(cur.ty, 0)
            name, body = self._bind(cur.name, cur.ty, cur.body)
            if groups and groups[-1][1] == ty and groups[-1][2] == cur.info:
                groups[-1][0].append(name)
            else:
                groups.append(([name], ty, cur.info))
            cur = body
        ends = {"default": "()", "implicit": "{}", "strict": "⦃⦄", "inst": "[]"}
        texts = [f"{ends[i][0]}{' '.join(ns)} : {t}{ends[i][1]}" for ns, t, i in groups]
        self.open = False
        if prop:
            return self.lead(f"∀ {' '.join(texts)}, {self.go(cur, 0)}", prec)
        return self.paren(" → ".join([*texts, self.go(cur, 25)]), 25, prec)

    def _is_arrow(self, e: Pi) -> bool:
        """Lean prints a non-dependent ∀ over a data type as ∀ when the body is a proposition."""
        return not self._is_prop_pi(e) or self._is_prop(e.ty)

    def _is_prop(self, e: Expr) -> bool:
        """Whether `e` is a proposition, judged by its shape and its head constant's type."""
        if isinstance(e, Pi):
            return self._is_prop(e.body)
        fn, args = spine(e)
        t: Expr | None = None
        if isinstance(fn, Const):
            decl = self.env.get(fn.name)
            t = decl.type if decl else None
        elif isinstance(fn, FVar):
            t = self.fvar_type(fn.id)
        elif isinstance(fn, BVar):
            return not isinstance(e, Sort)
        if t is None:
            return not isinstance(e, (Sort, Lit, Lam))
        for _ in args:
            t = t.body if isinstance(t, Pi) else t
        if isinstance(t, BVar):
            return False
        return isinstance(t, Sort) and t.level == 0

    def fvar_type(self, i: int) -> Expr | None:
        return self.types.get(i)

    def _is_prop_pi(self, e: Pi) -> bool:
        body: Expr = e.body
        while isinstance(body, Pi):
            body = body.body
        return self._is_prop(body)

    def fun(self, e: Lam, prec: int) -> str:
        names: list[str] = []
        cur: Expr = e
        while isinstance(cur, Lam):
            name, body = self._bind(cur.name, cur.ty, cur.body)
            if cur.body.lo == 0:
                name = "x" if cur.name.endswith("✝") else name
            names.append(f"{{{name}}}" if cur.info == "implicit" else name)
            cur = body
        return self.lead(f"fun {' '.join(names)} => {self.go(cur, 0)}", prec)

    def application(self, e: Expr, prec: int) -> str:
        fn, args = spine(e)
        if isinstance(fn, Const):
            special = self.special(fn.name, args, prec)
            if special is not None:
                return special
            decl = self.env.get(fn.name)
            shown = explicit_args(decl.type, args) if decl else list(args)
            if shown is None:
                return (
                    self.paren(" ".join(["@" + fn.name, *(self.go(a, ARG) for a in args)]), MAX - 1, prec)
                    if args
                    else fn.name
                )
            if not shown:
                return fn.name
            space, _, short = fn.name.rpartition(".")
            if space in _FIELD_TYPES and self._first_is(decl.type if decl else None, space):
                obj = self.go(shown[0], ARG)
                if not isinstance(shown[0], (Lit, MVar)) and short not in ("le", "lt"):
                    rest = [self.go(a, ARG) for a in shown[1:]]
                    text = " ".join([f"{obj}.{short}", *rest])
                    return self.paren(text, MAX - 1 if rest else MAX, prec)
            text = " ".join([fn.name, *(self.go(a, ARG) for a in shown)])
            return self.paren(text, MAX - 1, prec)
        text = " ".join([self.go(fn, ARG), *(self.go(a, ARG) for a in args)])
        return self.paren(text, MAX - 1, prec) if args else text

    def _first_is(self, t: Expr | None, space: str) -> bool:
        while isinstance(t, Pi) and t.info != "default":
            t = t.body
        if not isinstance(t, Pi):
            return False
        f, _ = spine(t.ty)
        return isinstance(f, Const) and f.name == space

    def special(self, name: str, args: list[Expr], prec: int) -> str | None:
        n = len(args)
        if name in INFIX:
            sym, own, lp, rp = INFIX[name]
            ops = args[1:] if name in ("Eq", "Ne", "List.cons", "List.append", "List.Mem") else args
            if name == "List.cons" and n == 3:
                items = self.list_items(capp("List.cons", *args))
                if items is not None:
                    return "[" + ", ".join(items) + "]"
            if len(ops) == 2:
                text = f"{self.left(ops[0], lp, own)} {sym} {self.go(ops[1], rp)}"
                return self.paren(text, own, prec)
            return None
        if name == "Not" and n == 1:
            return self.paren(f"¬{self.go(args[0], 40)}", MAX, prec)
        if name == "Exists" and n == 2:
            return self.exists(args, prec)
        if name == "Int.ofNat" and n == 1:
            if isinstance(args[0], Lit):
                return str(args[0].value)
            return f"↑{self.go(args[0], MAX)}"
        if name == "Int.neg" and n == 1:
            inner = self.go(args[0], 75)
            return self.paren(f"-{' ' * inner.startswith('-')}{inner}", 75, prec)
        if name == "Bool.not" and n == 1:
            return self.paren(f"!{self.go(args[0], 40)}", MAX, prec)
        if name in ("Bool.true", "Bool.false") and n == 0:
            return name[5:]
        if name == "List.nil":
            return "[]"
        if name == "sorryAx":
            return "sorry"
        if name in ("Nat.max", "Nat.min") and n == 2:
            return self.paren(f"{name[4:]} {self.go(args[0], ARG)} {self.go(args[1], ARG)}", MAX - 1, prec)
        if name == "ite" and n == 4:
            c, a, b = (self.go(x, 0) for x in args[1:])
            return self.paren(f"if {c} then {a} else {b}", 0, prec)
        return None

    def list_items(self, e: Expr) -> list[str] | None:
        items: list[str] = []
        while True:
            f, args = spine(e)
            if not isinstance(f, Const):
                return None
            if f.name == "List.nil":
                return items
            if f.name != "List.cons" or len(args) != 3:
                return None
            items.append(self.go(args[1], 0))
            e = args[2]

    def exists(self, args: list[Expr], prec: int) -> str | None:
        if not isinstance(args[1], Lam):
            return None
        names: list[str] = []
        cur: Expr = args[1]
        while isinstance(cur, Lam):
            name, body = self._bind(cur.name, cur.ty, cur.body)
            names.append(name)
            f, more = spine(body)
            if isinstance(f, Const) and f.name == "Exists" and len(more) == 2:
                if isinstance(more[1], Lam):
                    cur = more[1]
                    continue
            return self.lead(f"∃ {' '.join(names)}, {self.go(body, 0)}", prec)
        return None


def explicit_args(t: Expr, args: Sequence[Expr]) -> list[Expr] | None:
    """The arguments Lean shows; None when an explicit one would come before a hidden rest."""
    out: list[Expr] = []
    for a in args:
        if not isinstance(t, Pi):
            out.append(a)
            continue
        if t.info == "default":
            out.append(a)
        t = t.body
    return out


def context_names(lctx: LocalContext) -> dict[int, str]:
    """Printed names: inaccessible and shadowed hypotheses carry `✝`, older ones an index."""
    names: dict[int, str] = {}
    seen: set[str] = set()
    dagger: dict[str, int] = {}
    for d in reversed(list(lctx.decls.values())):
        if not d.hygienic and d.name not in seen:
            names[d.id] = d.name
            seen.add(d.name)
            continue
        k = dagger.get(d.name, 0)
        dagger[d.name] = k + 1
        names[d.id] = d.name + "✝" + (str(k).translate(_SUPER) if k else "")
        seen.add(d.name)
    return names


class GoalPrinter(Printer):
    """Prints over a goal's context, whose types tell arrows from quantifiers."""

    def __init__(self, meta: Meta, lctx: LocalContext) -> None:
        super().__init__(meta.env, context_names(lctx))
        self.lctx = lctx
        self.meta = meta

    def mvar(self, e: MVar) -> str:
        goal = self.meta.goals.get(e.id)
        return f"?{goal.tag}" if goal is not None and goal.tag else f"?m.{e.id}"

    def fvar_type(self, i: int) -> Expr | None:
        d = self.lctx.decls.get(i)
        return d.type if d is not None else self.types.get(i)


def show(env: Env, e: Expr) -> str:
    """Text of a closed term."""
    return Printer(env).text(e)


def show_in(meta: Meta, lctx: LocalContext, e: Expr) -> str:
    """Text of a term over a local context."""
    return GoalPrinter(meta, lctx).text(meta.inst(e))


def goal_text(meta: Meta, goal: Goal) -> str:
    """Lean's own text of a goal: case tag, hypotheses of equal type grouped, target."""
    p = GoalPrinter(meta, goal.lctx)
    lines: list[str] = [f"case {goal.tag}"] if goal.tag else []
    group: list[str] = []
    last = ""
    for d in goal.lctx.decls.values():
        t = p.text(meta.inst(d.type))
        if group and t == last:
            group.append(p.names[d.id])
            continue
        if group:
            lines.append(f"{' '.join(group)} : {last}")
        group, last = [p.names[d.id]], t
    if group:
        lines.append(f"{' '.join(group)} : {last}")
    lines.append(("| " if goal.fragment == "conv" else "⊢ ") + p.text(shown_target(meta, goal)))
    return "\n".join(lines)


def shown_target(meta: Meta, goal: Goal) -> Expr:
    """What is printed as a goal's target: of a `conv` goal the term that is being rewritten."""
    target = meta.inst(goal.type)
    return spine(target)[1][1] if goal.fragment == "conv" else target


def state_text(meta: Meta, goals: Sequence[Goal]) -> str:
    return "\n\n".join(goal_text(meta, g) for g in goals)
