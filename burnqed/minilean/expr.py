"""Immutable expressions of minilean's type theory, locally nameless and shared.

Bound variables are de Bruijn indices (`BVar`), free ones are numbered (`FVar`). Nodes are interned
in a bounded table, so equal terms are usually identical; equality falls back to structure and
ignores binder names. Universe levels are plain integers: `Sort(0)` is `Prop`, `Sort(1)` is `Type`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

HAS_FVAR = 1
HAS_MVAR = 2
HAS_SORRY = 4
_TABLE_LIMIT = 100_000
_table: dict[tuple[Any, ...], Any] = {}
_apps: dict[tuple[int, int], Any] = {}
DEFAULT = "default"


class Expr:
    """A term. `lo` is one more than the largest loose bound variable, `fl` the flags above."""

    __slots__ = ("h", "lo", "fl")
    h: int
    lo: int
    fl: int

    def __hash__(self) -> int:
        return self.h

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Expr) and same(self, other))

    def __repr__(self) -> str:
        return debug(self)


class BVar(Expr):
    __slots__ = ("idx",)

    def __init__(self, idx: int) -> None:
        self.idx, self.h, self.lo, self.fl = idx, hash((1, idx)), idx + 1, 0


class FVar(Expr):
    __slots__ = ("id",)

    def __init__(self, id: int) -> None:
        self.id, self.h, self.lo, self.fl = id, hash((2, id)), 0, HAS_FVAR


class MVar(Expr):
    __slots__ = ("id",)

    def __init__(self, id: int) -> None:
        self.id, self.h, self.lo, self.fl = id, hash((3, id)), 0, HAS_MVAR


class Const(Expr):
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name, self.h, self.lo = name, hash((4, name)), 0
        self.fl = HAS_SORRY if name == "sorryAx" else 0


class Sort(Expr):
    __slots__ = ("level",)

    def __init__(self, level: int) -> None:
        self.level, self.h, self.lo, self.fl = level, hash((5, level)), 0, 0


class Lit(Expr):
    """A natural number literal."""

    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value, self.h, self.lo, self.fl = value, hash((6, value)), 0, 0


class App(Expr):
    __slots__ = ("fn", "arg")

    def __init__(self, fn: Expr, arg: Expr) -> None:
        self.fn, self.arg = fn, arg
        self.h = hash((7, fn.h, arg.h))
        self.lo = fn.lo if fn.lo > arg.lo else arg.lo
        self.fl = fn.fl | arg.fl


class Binder(Expr):
    __slots__ = ("name", "ty", "body", "info")
    name: str
    ty: Expr
    body: Expr
    info: str

    def __init__(self, name: str, ty: Expr, body: Expr, info: str) -> None:
        self.name, self.ty, self.body, self.info = name, ty, body, info
        self.h = hash((8 if type(self) is Lam else 9, ty.h, body.h))
        self.lo = max(ty.lo, body.lo - 1, 0)
        self.fl = ty.fl | body.fl


class Lam(Binder):
    __slots__ = ()


class Pi(Binder):
    __slots__ = ()


class Cert(Expr):
    """Proof of `prop` from the proofs `hyps` by `data`, which a trusted checker of `kind` replays.

    `data` holds plain numbers, strings and tuples, never expressions, so that renaming and
    abstraction of `prop` and `hyps` leave it valid.
    """

    __slots__ = ("kind", "prop", "hyps", "data")

    def __init__(self, kind: str, prop: Expr, hyps: tuple[Expr, ...], data: object) -> None:
        self.kind, self.prop, self.hyps, self.data = kind, prop, hyps, data
        self.h = hash((10, kind, prop.h, tuple(p.h for p in hyps)))
        self.lo = max([prop.lo, *(p.lo for p in hyps)])
        self.fl = prop.fl
        for p in hyps:
            self.fl |= p.fl


class Closure(Expr):
    """`fun fvars => body` whose abstraction waits until `body` has no metavariables left.

    Tactics leave these in assignments; instantiating metavariables turns them into `Lam`; the
    kernel refuses them. `binders` are (fvar id, name, type, info).
    """

    __slots__ = ("binders", "body")

    def __init__(self, binders: tuple[tuple[int, str, Expr, str], ...], body: Expr) -> None:
        self.binders, self.body = binders, body
        self.h = hash((11, tuple(b[0] for b in binders), body.h))
        self.lo = body.lo
        self.fl = body.fl | HAS_MVAR


def app(fn: Expr, arg: Expr) -> App:
    key = (id(fn), id(arg))
    e = _apps.get(key)
    if e is None:
        if len(_apps) > _TABLE_LIMIT:
            _apps.clear()
        e = _apps[key] = App(fn, arg)
    return e


def lam(name: str, ty: Expr, body: Expr, info: str = DEFAULT) -> Lam:
    key = (8, name, id(ty), id(body), info)
    e = _table.get(key)
    if e is None:
        if len(_table) > _TABLE_LIMIT:
            _table.clear()
        e = _table[key] = Lam(name, ty, body, info)
    return e


def pi(name: str, ty: Expr, body: Expr, info: str = DEFAULT) -> Pi:
    key = (9, name, id(ty), id(body), info)
    e = _table.get(key)
    if e is None:
        if len(_table) > _TABLE_LIMIT:
            _table.clear()
        e = _table[key] = Pi(name, ty, body, info)
    return e


_atoms: dict[tuple[int, Any], Any] = {}


def const(name: str) -> Const:
    e = _atoms.get((4, name))
    if e is None:
        e = _atoms[(4, name)] = Const(name)
    return e


def bvar(idx: int) -> BVar:
    e = _atoms.get((1, idx))
    if e is None:
        e = _atoms[(1, idx)] = BVar(idx)
    return e


def lit(value: int) -> Lit:
    if value > 256:
        return Lit(value)
    e = _atoms.get((6, value))
    if e is None:
        e = _atoms[(6, value)] = Lit(value)
    return e


PROP = Sort(0)
TYPE = Sort(1)
NAT = const("Nat")
INT = const("Int")


def sort(level: int) -> Sort:
    return PROP if level == 0 else TYPE if level == 1 else Sort(level)


def same(a: Expr, b: Expr) -> bool:
    """Structural equality up to binder names."""
    while True:
        if a is b:
            return True
        if a.h != b.h or type(a) is not type(b):
            return False
        if isinstance(a, App):
            assert isinstance(b, App)
            if not same(a.arg, b.arg):
                return False
            a, b = a.fn, b.fn
        elif isinstance(a, Binder):
            assert isinstance(b, Binder)
            if not same(a.ty, b.ty):
                return False
            a, b = a.body, b.body
        elif isinstance(a, (FVar, MVar)):
            assert isinstance(b, (FVar, MVar))
            return a.id == b.id
        elif isinstance(a, BVar):
            assert isinstance(b, BVar)
            return a.idx == b.idx
        elif isinstance(a, Const):
            assert isinstance(b, Const)
            return a.name == b.name
        elif isinstance(a, Lit):
            assert isinstance(b, Lit)
            return a.value == b.value
        elif isinstance(a, Sort):
            assert isinstance(b, Sort)
            return a.level == b.level
        elif isinstance(a, Cert):
            assert isinstance(b, Cert)
            return (
                a.kind == b.kind
                and len(a.hyps) == len(b.hyps)
                and same(a.prop, b.prop)
                and all(same(x, y) for x, y in zip(a.hyps, b.hyps, strict=True))
                and a.data == b.data
            )
        else:
            assert isinstance(a, Closure) and isinstance(b, Closure)
            return a.binders == b.binders and same(a.body, b.body)


def apps(fn: Expr, *args: Expr) -> Expr:
    """`fn` applied to `args`, left to right."""
    for arg in args:
        fn = app(fn, arg)
    return fn


def capp(name: str, *args: Expr) -> Expr:
    """The constant `name` applied to `args`."""
    return apps(const(name), *args)


def spine(e: Expr) -> tuple[Expr, list[Expr]]:
    """The head of an application and its arguments, left to right."""
    args: list[Expr] = []
    while isinstance(e, App):
        args.append(e.arg)
        e = e.fn
    args.reverse()
    return e, args


def instantiate(body: Expr, args: Sequence[Expr]) -> Expr:
    """Replace the loose variables 0..n-1 of `body` by `args` reversed: `BVar(0)` is `args[-1]`.

    The arguments must have no loose bound variables.
    """
    if body.lo == 0 or not args:
        return body
    if type(body) is BVar and body.idx < len(args):
        return args[-1 - body.idx]
    return _instantiate(body, 0, args, len(args), {})


# The walks are functions of the module: nested ones that call themselves would be garbage in a cycle after each use.
def _instantiate(e: Expr, off: int, args: Sequence[Expr], n: int, memo: dict[tuple[int, int], Expr]) -> Expr:
    """`e` has variables that are loose beyond `off`; the callers see to that, as most terms have none."""
    kind = type(e)
    if kind is BVar:
        i = e.idx - off  # type: ignore[attr-defined]
        return args[n - 1 - i] if i < n else bvar(i + off - n)
    key = (id(e), off)
    r = memo.get(key)
    if r is not None:
        return r
    if kind is App:
        late: list[Expr] = []
        r = e
        while type(r) is App and r.lo > off:  # the whole spine at once
            late.append(r.arg)
            r = r.fn
        if r.lo > off:
            r = _instantiate(r, off, args, n, memo)
        for a in reversed(late):
            if a.lo > off:  # nearly always a variable
                i = a.idx - off if type(a) is BVar else n
                a = args[n - 1 - i] if i < n else _instantiate(a, off, args, n, memo)
            r = app(r, a)
    elif kind is Lam or kind is Pi:
        assert isinstance(e, Binder)
        t, b = e.ty, e.body
        t = _instantiate(t, off, args, n, memo) if t.lo > off else t
        b = _instantiate(b, off + 1, args, n, memo) if b.lo > off + 1 else b
        r = (lam if kind is Lam else pi)(e.name, t, b, e.info)
    else:
        assert isinstance(e, Cert)
        hyps = tuple(_instantiate(p, off, args, n, memo) if p.lo > off else p for p in e.hyps)
        r = Cert(e.kind, _instantiate(e.prop, off, args, n, memo) if e.prop.lo > off else e.prop, hyps, e.data)
    memo[key] = r
    return r


def instantiate1(body: Expr, arg: Expr) -> Expr:
    return instantiate(body, (arg,)) if body.lo else body


def abstract(e: Expr, ids: Sequence[int]) -> Expr:
    """Replace the free variables `ids` by bound ones: the last id becomes `BVar(0)`."""
    if not e.fl & HAS_FVAR or not ids:
        return e
    n = len(ids)
    return _abstract(e, 0, {x: n - 1 - i for i, x in enumerate(ids)}, {})


def _abstract(e: Expr, off: int, pos: dict[int, int], memo: dict[tuple[int, int], Expr]) -> Expr:
    """`e` has free variables; the callers see to that."""
    kind = type(e)
    if kind is FVar:
        i = pos.get(e.id)  # type: ignore[attr-defined]
        return e if i is None else bvar(i + off)
    key = (id(e), off)
    r = memo.get(key)
    if r is not None:
        return r
    if kind is App:
        f, a = e.fn, e.arg  # type: ignore[attr-defined]
        x = _abstract(f, off, pos, memo) if f.fl & HAS_FVAR else f
        y = _abstract(a, off, pos, memo) if a.fl & HAS_FVAR else a
        r = e if x is f and y is a else app(x, y)
    elif kind is Lam or kind is Pi:
        assert isinstance(e, Binder)
        t, b = e.ty, e.body
        t = _abstract(t, off, pos, memo) if t.fl & HAS_FVAR else t
        b = _abstract(b, off + 1, pos, memo) if b.fl & HAS_FVAR else b
        r = (lam if kind is Lam else pi)(e.name, t, b, e.info)
    elif kind is Cert:
        assert isinstance(e, Cert)
        hyps = tuple(_abstract(p, off, pos, memo) if p.fl & HAS_FVAR else p for p in e.hyps)
        r = Cert(e.kind, _abstract(e.prop, off, pos, memo) if e.prop.fl & HAS_FVAR else e.prop, hyps, e.data)
    else:
        r = e
    memo[key] = r
    return r


def debug(e: Expr) -> str:
    """An unambiguous text for error traces and tests; never shown to users."""
    if isinstance(e, BVar):
        return f"#{e.idx}"
    if isinstance(e, FVar):
        return f"${e.id}"
    if isinstance(e, MVar):
        return f"?{e.id}"
    if isinstance(e, Const):
        return e.name
    if isinstance(e, Lit):
        return str(e.value)
    if isinstance(e, Sort):
        return f"Sort {e.level}"
    if isinstance(e, App):
        f, args = spine(e)
        return f"({debug(f)} {' '.join(map(debug, args))})"
    if isinstance(e, Binder):
        return f"({'λ' if isinstance(e, Lam) else 'Π'} {e.name}:{debug(e.ty)}. {debug(e.body)})"
    if isinstance(e, Cert):
        return f"(cert {e.kind} {debug(e.prop)})"
    assert isinstance(e, Closure)
    return f"(closure {[b[0] for b in e.binders]} {debug(e.body)})"
