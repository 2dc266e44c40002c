"""Elaboration of names and applications: implicit and named arguments, projections, anonymous constructors."""

from __future__ import annotations

from burnqed.minilean.context import SYNTHETIC, LocalContext, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.elab_base import ElabBase
from burnqed.minilean.expr import (
    HAS_MVAR,
    Const,
    Expr,
    MVar,
    Pi,
    app,
    apps,
    const,
    instantiate,
    pi,
    spine,
)

STRUCTURES = {"And": ("left", "right"), "Iff": ("mp", "mpr")}
DOT_SPACES = {"Nat.lt": ("LT.lt",), "Nat.le": ("LE.le",), "Nat.dvd": ("Dvd.dvd",)}
ALIASES = {
    "true": "Bool.true",
    "false": "Bool.false",
    "not": "Bool.not",
    "and": "Bool.and",
    "or": "Bool.or",
    "xor": "Bool.xor",
    "max": "Nat.max",
    "min": "Nat.min",
}


class Applications(ElabBase):
    """Names and what they are applied to."""

    # anonymous constructors, lists

    def e_anon(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        if expected is None:
            raise TacticError("Invalid `⟨...⟩` notation: The expected type of this term could not be determined")
        x = self.m.whnf(expected)
        fn, args = spine(x)
        name = fn.name if isinstance(fn, Const) else ""
        items = list(t[1])
        if name == "True" and not items:
            return const("True.intro")
        ctor = {"And": "And.intro", "Iff": "Iff.intro", "Exists": "Exists.intro"}.get(name)
        if ctor is None:
            raise TacticError(
                "Invalid `⟨...⟩` notation: The expected type\n  "
                f"{self.text(expected, lctx)}\nis not an inductive type with one constructor"
            )
        if len(items) < 2:
            raise TacticError(
                f"Insufficient number of fields for `⟨...⟩` constructor: Constructor `{ctor}` has 2"
                f" explicit fields, but {'only ' if items else ''}{len(items)} was provided"
            )
        if len(items) > 2:
            items = [items[0], ("anon", items[1:])]
        if name == "Exists":
            w = self.check(items[0], args[0], lctx)
            want = self.m.head_beta(app(args[1], w))
            return apps(const(ctor), *args, w, self.check(items[1], want, lctx))
        a, b = args
        if name == "Iff":
            a, b = pi("a✝", args[0], args[1]), pi("a✝", args[1], args[0])
        return apps(const(ctor), *args, self.check(items[0], a, lctx), self.check(items[1], b, lctx))

    # names and applications

    def e_id(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return self.application(t, [], expected, lctx)

    def e_proj(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return self.application(t, [], expected, lctx)

    def e_dot(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return self.application(t, [], expected, lctx)

    def e_explicit(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        return self.application(t, [], expected, lctx)

    def e_app(self, t: Term, expected: Expr | None, lctx: LocalContext) -> Expr:
        f, args = t[1], list(t[2])
        while f[0] == "app":
            f, args = f[1], list(f[2]) + args
        return self.application(f, args, expected, lctx)

    def application(self, f: Term, args: list[Term], expected: Expr | None, lctx: LocalContext) -> Expr:
        while f[0] == "paren" and f[1][0] in ("id", "app", "proj", "explicit", "paren"):
            f = f[1]
        if f[0] == "app":
            return self.application(f[1], list(f[2]) + args, expected, lctx)
        explicit = False
        if f[0] == "explicit":
            explicit, f = True, ("id", f[1])
        if f[0] == "id":
            head, extra = self.resolve(f[1], lctx)
        elif f[0] == "proj":
            head, extra = self.go(f[1], None, lctx), [f[2]]
        elif f[0] == "dot":
            head, extra = self.dotted(f[1], expected, lctx), []
        elif f[0] == "lam" and args and expected is not None and (f[1][0][1] is None or f[1][0][0] == "⟨⟩"):
            head_arg = self.go(args[0], None, lctx)
            ty = pi("x", self.m.infer(head_arg), expected)
            fn = self.check(f, ty, lctx) if len(args) == 1 else self.go(f, None, lctx)
            return self.apply(fn, [("fvar", head_arg), *args[1:]], expected, lctx, False)
        else:
            head, extra = self.go(f, None, lctx), []
        for i, field in enumerate(extra):
            last = i == len(extra) - 1
            head = self.project(head, field, args if last else [], expected if last else None, lctx)
        if extra:
            return head
        return self.apply(head, args, expected, lctx, explicit)

    def resolve(self, name: str, lctx: LocalContext) -> tuple[Expr, list[str]]:
        """A local variable or constant, and the field names that follow it."""
        parts = name.split(".")
        d = lctx.find(parts[0])
        if d is not None:
            return d.fvar, parts[1:]
        for k in range(len(parts), 0, -1):
            prefix = ".".join(parts[:k])
            for full in (prefix, *(f"{o}.{prefix}" for o in self.opens)):
                if self.m.env.get(full) is not None:
                    return const(full), parts[k:]
            alias = ALIASES.get(prefix)
            if alias is not None:
                return const(alias), parts[k:]
        raise TacticError(f"Unknown identifier `{name}`" if "." not in name else f"Unknown constant `{name}`")

    def dotted(self, name: str, expected: Expr | None, lctx: LocalContext) -> Expr:
        x = expected
        while x is not None:
            while isinstance(x, Pi):
                x = x.body
            fn = spine(self.m.head_beta(x))[0]
            if isinstance(fn, Const) and self.m.env.get(f"{fn.name}.{name}") is not None:
                return const(f"{fn.name}.{name}")
            f, args = spine(x)
            x = self.m.delta(f, args)
        raise TacticError(f"Invalid dotted identifier notation: The expected type of `.{name}` could not be determined")

    def project(self, obj: Expr, field: str, args: list[Term], expected: Expr | None, lctx: LocalContext) -> Expr:
        """`obj.field args`: a structure projection or the function `T.field`."""
        obj, ty = self.saturate(obj, lctx)
        original = ty
        while True:
            fn, targs = spine(ty)
            name = fn.name if isinstance(fn, Const) else ""
            if field.isdigit():
                fields = STRUCTURES.get(name)
                if fields is not None and 1 <= int(field) <= len(fields):
                    return self.apply(
                        const(f"{name}.{fields[int(field) - 1]}"), [("fvar", obj), *args], expected, lctx, False
                    )
            elif name:
                for space in (name, *DOT_SPACES.get(name, ())):
                    full = f"{space}.{field}"
                    decl = self.m.env.get(full)
                    if decl is not None:
                        return self.method(full, decl.type, name, obj, args, expected, lctx)
            elif isinstance(ty, Pi) and self.m.env.get(f"Function.{field}") is not None:
                return self.apply(const(f"Function.{field}"), [("fvar", obj), *args], expected, lctx, False)
            nxt = self.m.delta(fn, targs)
            if nxt is None:
                shown = self.text(obj, lctx)
                raise TacticError(
                    f"Invalid field `{field}`: The environment does not contain"
                    f" `{name or 'Function'}.{field}`, so it is not possible to project the field"
                    f" `{field}` from an expression\n  {shown}\nof type\n  "
                    f"{self.text(original, lctx)}"
                )
            ty = self.m.head_beta(nxt)

    def method(
        self,
        full: str,
        t: Expr,
        space: str,
        obj: Expr,
        args: list[Term],
        expected: Expr | None,
        lctx: LocalContext,
    ) -> Expr:
        """Put `obj` at the first explicit argument whose type's head is `space`."""
        k = 0
        while isinstance(t, Pi):
            if t.info == "default":
                f, _ = spine(t.ty)
                if isinstance(f, Const) and f.name == space:
                    break
                k += 1
            t = t.body
        else:
            k = 0
        if k > len(args):
            raise TacticError(f"`{full}` needs its earlier arguments")
        new = [*args[:k], ("fvar", obj), *args[k:]]
        return self.apply(const(full), new, expected, lctx, False)

    def saturate(self, e: Expr, lctx: LocalContext) -> tuple[Expr, Expr]:
        """Fill leading implicit arguments of `e` with holes; its type is head-normalised."""
        ty = self.m.head_beta(self.m.inst(self.m.infer(e)))
        while isinstance(ty, Pi) and ty.info != "default":
            holes: list[Expr] = []
            while isinstance(ty, Pi) and ty.info != "default":
                holes.append(self.hole(lctx, instantiate(ty.ty, holes)))
                e, ty = app(e, holes[-1]), ty.body
            ty = self.m.head_beta(instantiate(ty, holes))
        return e, ty

    def apply(self, fn: Expr, args: list[Term], expected: Expr | None, lctx: LocalContext, explicit: bool) -> Expr:
        """Elaborate `fn args`, using the expected type before the arguments as Lean does."""
        ty = self.m.infer(fn)
        named = {a[1]: a[2] for a in args if a[0] == "named"}
        queue = [a for a in args if a[0] != "named"]
        todo: list[tuple[Term, MVar]] = []
        e = fn
        i = 0
        xs: list[Expr] = []  # arguments that `ty` is still to be instantiated with
        while True:
            if xs and not isinstance(ty, Pi):
                ty, xs = self.m.head_beta(instantiate(ty, xs)), []
            if not isinstance(ty, Pi):
                if not queue[i:] and not named:
                    break
                ty = self.m.whnf(ty)
                if not isinstance(ty, Pi):
                    if todo:  # the function's type may come from its arguments
                        self.arguments(todo, lctx)
                        todo = []
                        ty = self.m.whnf(self.m.inst(ty))
                    if not isinstance(ty, Pi):
                        raise TacticError(
                            f"Function expected at\n  {self.text(e, lctx)}\nbut this term has type"
                            f"\n  {self.text(ty, lctx)}"
                        )
            if ty.name in named:
                m: Expr = self.m.mvar(lctx, instantiate(ty.ty, xs))
                todo.append((named.pop(ty.name), m))  # type: ignore[arg-type]
            elif ty.info == "default" or explicit:
                if i >= len(queue):
                    break
                if queue[i][0] == "fvar":
                    m = queue[i][1]
                    actual = self.m.infer(m)
                    want = instantiate(ty.ty, xs)
                    if not self.m.unify(want, actual):
                        self.mismatch(m, actual, want, e, lctx)
                else:
                    m = self.m.mvar(lctx, instantiate(ty.ty, xs))
                    todo.append((queue[i], m))
                i += 1
            elif ty.info == "strict" and i >= len(queue):
                break
            else:
                if i >= len(queue) and expected is not None and not named:
                    x = self.m.whnf(expected)
                    if isinstance(x, Pi) and x.info != "default":
                        break
                m = self.hole(lctx, instantiate(ty.ty, xs))
            e = app(e, m)
            xs.append(m)
            ty = ty.body
        if named:
            raise TacticError(f"Invalid argument name `{next(iter(named))}`")
        ty = instantiate(ty, xs)
        if expected is not None and todo and not isinstance(self.m.head_beta(ty), MVar):
            self.m.unify(ty, expected)
        self.arguments(todo, lctx)
        return e

    def mismatch(self, m: Expr, actual: Expr, want: Expr, fn: Expr, lctx: LocalContext) -> None:
        raise TacticError(
            f"Application type mismatch: The argument\n  {self.text(m, lctx)}\nhas type\n  "
            f"{self.text(actual, lctx)}\nbut is expected to have type\n  {self.text(want, lctx)}\n"
            f"in the application\n  {self.text(app(fn, m), lctx)}"
        )

    def arguments(self, todo: list[tuple[Term, MVar]], lctx: LocalContext) -> None:
        """Elaborate arguments in order, those that need a known type last."""
        late: list[tuple[Term, MVar]] = []
        for rounds in (todo, late):
            for t, m in rounds:
                want = self.m.goals[m.id].type
                if rounds is todo and t[0] in ("lam", "anon", "by", "dot", "num", "paren"):
                    x = self.m.head_beta(self.m.inst(want))
                    if (
                        spine(x)[0].fl & HAS_MVAR
                        or t[0] == "by"
                        or (t[0] == "lam" and isinstance(x, Pi) and x.ty.fl & HAS_MVAR)
                    ):
                        late.append((t, m))
                        continue
                if t[0] == "shole" and t[1] == "_":
                    self.m.goals[m.id].kind = SYNTHETIC
                    continue
                e = self.check(t, want, lctx)
                if not self.m.unify(m, e):
                    actual = self.m.infer(e)
                    self.mismatch(e, actual, self.m.inst(m), m, lctx)
