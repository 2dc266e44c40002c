"""The environment: Lean 4.26 core's constants of the fragment, elaborated on first use."""

from __future__ import annotations

from burnqed.minilean.budget import Budget
from burnqed.minilean.context import EMPTY
from burnqed.minilean.core_text import TEXT
from burnqed.minilean.elab import Elab
from burnqed.minilean.expr import Expr, Pi, bvar, capp, const, lam, spine
from burnqed.minilean.kernel_reduce import Decl
from burnqed.minilean.meta import Meta
from burnqed.minilean.tactic_syntax import parse_term

CLASSICAL = frozenset(("propext", "Classical.choice", "Quot.sound"))
PROPEXT = frozenset(("propext",))
_KIND = {
    "type": "inductive",
    "ctor": "ctor",
    "rec": "rec",
    "def": "def",
    "abbrev": "def",
    "let": "def",
    "lemma": "theorem",
    "class": "theorem",
    "ext": "theorem",
    "axiom": "axiom",
}


class Library:
    """Core constants by name. Types are parsed and elaborated when first asked for."""

    def __init__(self) -> None:
        self._source: dict[str, tuple[str, str]] = {}
        self._equations: dict[str, list[str]] = {}
        self._decls: dict[str, Decl | None] = {}
        for line in TEXT.splitlines():
            kind, _, rest = line.partition(" ")
            name, _, body = rest.partition(" : ")
            if kind == "eqn":
                self._equations.setdefault(name, []).append(body)
            elif kind:
                self._source[name] = (kind, body)

    def names(self) -> list[str]:
        return list(self._source)

    def get(self, name: str) -> Decl | None:
        """The declaration of `name`, or None."""
        decl = self._decls.get(name)
        if decl is None and name in self._source:
            decl = self._load(name)
        return decl

    def _load(self, name: str) -> Decl:
        kind, text = self._source[name]
        text, _, value = text.partition(" := ")
        decl = Decl(name, self._type(text), _KIND[kind], reducible=kind == "abbrev")
        self._decls[name] = decl
        if kind == "class":
            decl.axioms = CLASSICAL
        elif kind == "ext":
            decl.axioms = frozenset(("Quot.sound",)) if name == "funext" else PROPEXT
        elif kind == "axiom":
            decl.axioms = frozenset((name,))
        if value:
            decl.value = self._value(value, decl.type)
            decl.height = 3
        if name in self._equations:
            decl.height = _HEIGHTS.get(name, 2)
            decl.rules = tuple(self._rule(name, text) for text in self._equations[name])
        return decl

    def _type(self, text: str) -> Expr:
        return Elab(Meta(self, Budget())).type(parse_term(text), EMPTY)

    def _value(self, text: str, type: Expr) -> Expr:
        if text.startswith("@fun α a b"):  # the one value with an implicit binder
            eq = capp("Eq", bvar(2), bvar(1), bvar(0))
            a = bvar(0)
            body = lam("a", a, lam("b", bvar(1), capp("Not", eq)))
            assert isinstance(type, Pi)
            return lam("α", type.ty, body, "implicit")
        return Elab(Meta(self, Budget())).term(parse_term(text), type, EMPTY)

    def _rule(self, name: str, text: str) -> tuple[tuple[Expr, ...], int, Expr]:
        t = self._type(text)
        n = 0
        while isinstance(t, Pi):
            t, n = t.body, n + 1
        _, (_, lhs, rhs) = spine(t)
        fn, patterns = spine(lhs)
        assert fn == const(name), name
        return tuple(patterns), n, rhs


_HEIGHTS = {
    "Nat.pred": 1,
    "Nat.add": 1,
    "Nat.sub": 2,
    "Nat.mul": 2,
    "Nat.pow": 3,
    "List.append": 1,
    "List.length": 2,
    "List.reverse": 2,
    "List.map": 2,
}


class FileEnv:
    """The library and the theorems a file has proved so far."""

    def __init__(self, base: Library, local: dict[str, Decl] | None = None) -> None:
        self.base = base
        self.local = dict(local or {})
        # where a file declared a name: (line, column) of its begin and end
        self.sources: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {}

    def copy(self) -> FileEnv:
        """An environment that can be added to without changing this one."""
        new = FileEnv(self.base, self.local)
        new.sources = dict(self.sources)
        return new

    def get(self, name: str) -> Decl | None:
        decl = self.local.get(name)
        return decl if decl is not None else self.base.get(name)

    def names(self) -> list[str]:
        return [*self.base.names(), *self.local]
