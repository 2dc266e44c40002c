"""`match` on propositions, natural numbers, booleans and lists: patterns compiled to case analysis."""

from __future__ import annotations

from typing import Any

from burnqed.minilean.context import Goal, LocalDecl, TacticError
from burnqed.minilean.cursor import Term
from burnqed.minilean.expr import Const, FVar, spine
from burnqed.minilean.runner import Runner
from burnqed.minilean.syntax_compound import Alternative
from burnqed.minilean.tactic_basic import whnf_prop
from burnqed.minilean.tactic_block import Tac
from burnqed.minilean.tactic_cases import data_cases, generalize, named, split_prop
from burnqed.minilean.tactic_core import tactic
from burnqed.minilean.tactic_subst import solve_eq

# constructor -> (short name, number of fields that patterns name)
CONSTRUCTORS = {
    "And.intro": ("intro", 2),
    "Iff.intro": ("intro", 2),
    "Exists.intro": ("intro", 2),
    "Or.inl": ("inl", 1),
    "Or.inr": ("inr", 1),
    "True.intro": ("intro", 0),
    "Nat.zero": ("zero", 0),
    "Nat.succ": ("succ", 1),
    "List.nil": ("nil", 0),
    "List.cons": ("cons", 2),
    "Bool.true": ("true", 0),
    "Bool.false": ("false", 0),
}
FIELDS = {"And": 2, "Iff": 2, "Exists": 2, "True": 0}
SHORT = {name.partition(".")[2]: name for name in CONSTRUCTORS if not name.endswith(".intro")}
ALIASES = {"true": "Bool.true", "false": "Bool.false", "trivial": "True.intro"}

# ("variable", name) with "_" for none, ("rfl",), ("constructor", short name, patterns)
Pattern = tuple[Any, ...]
WILD: Pattern = ("variable", "_")
Row = tuple[list[Pattern], list[Tac], int]


def pattern(t: Term) -> Pattern:
    """A parsed term as a pattern. Raises `TacticError` when it is none that minilean knows."""
    kind = t[0]
    if kind == "paren":
        return pattern(t[1])
    if kind == "hole":
        return WILD
    if kind == "num":
        p: Pattern = ("constructor", "zero", [])
        for _ in range(min(t[1], 100)):
            p = ("constructor", "succ", [p])
        return p
    if kind == "bin" and t[1] == "+" and t[3][0] == "num":
        p = pattern(t[2])
        for _ in range(min(t[3][1], 100)):
            p = ("constructor", "succ", [p])
        return p
    if kind == "bin" and t[1] == "::":
        return ("constructor", "cons", [pattern(t[2]), pattern(t[3])])
    if kind == "list":
        p = ("constructor", "nil", [])
        for item in reversed(t[1]):
            p = ("constructor", "cons", [pattern(item), p])
        return p
    if kind == "anon":
        return ("tuple", [pattern(x) for x in t[1]])
    head, args = (t[1], list(t[2])) if kind == "app" else (t, [])
    name = head[1] if head[0] in ("id", "dot") else ""
    if head[0] == "id" and name == "rfl" and not args:
        return ("rfl",)
    full = ALIASES.get(name, name) if head[0] == "id" else SHORT.get(name, "intro" if name == "intro" else "")
    known = ("intro", len(args)) if full == "intro" else CONSTRUCTORS.get(full)
    if known is not None:
        if len(args) != known[1]:
            raise TacticError(f"Invalid pattern: `{name}` takes {known[1]} arguments in minilean")
        return ("constructor", known[0], [pattern(x) for x in args])
    if head[0] == "id" and not args and "." not in name:
        return ("variable", name)
    raise TacticError("Invalid pattern: minilean knows constructors, variables, numerals, lists and `⟨…⟩`")


def tuple_fields(items: list[Pattern], wanted: int) -> list[Pattern]:
    """The fields of `⟨a, b, c⟩`: the last one takes what is left over."""
    if len(items) > wanted > 0:
        items = [*items[: wanted - 1], ("tuple", items[wanted - 1 :])]
    if len(items) != wanted:
        raise TacticError(f"Invalid pattern: {wanted} fields expected, {len(items)} given")
    return items


class Matching:
    """Compiles the rows of one `match` on goals of `r`; remembers which alternatives were used."""

    def __init__(self, r: Runner) -> None:
        self.r = r
        self.used: set[int] = set()

    def compile(self, g: Goal, names: list[str], rows: list[Row], chosen: dict[str, str]) -> None:
        """Close `g`, in which the hypotheses `names` are yet to be matched.

        `chosen` are the user's names for hypotheses that already have been.
        """
        if not rows:
            raise TacticError("Missing cases in `match`")
        if not names:
            self.finish(g, rows[0], chosen)
            return
        name, rest = names[0], names[1:]
        firsts = [row[0][0] for row in rows]
        d = g.lctx.find(name)
        assert d is not None
        if all(p[0] == "variable" for p in firsts):
            if len({p[1] for p in firsts}) == 1:
                chosen = {**chosen, name: firsts[0][1]}
                self.compile(g, rest, [(row[0][1:], *row[1:]) for row in rows], chosen)
            else:  # rows that name it differently are told apart at the end
                more = [([*row[0][1:], row[0][0]], *row[1:]) for row in rows]
                if rest and not all(p[0] == "variable" for row in rows for p in row[0]):
                    self.compile(g, [*rest, name], more, chosen)
                else:
                    self.compile(g, names, rows[:1], chosen)
            return
        if firsts[0][0] == "rfl":
            self.substitute(g, d, rest, rows, chosen)
            return
        self.split(g, d, rest, rows, chosen)

    def substitute(self, g: Goal, d: LocalDecl, rest: list[str], rows: list[Row], chosen: dict[str, str]) -> None:
        if whnf_prop(self.r, d.type)[0] != "Eq":
            raise TacticError("Invalid pattern: `rfl` needs an equation")
        self.r.goals = [g]
        for x in solve_eq(self.r, g, d):
            self.compile(x, rest, [(row[0][1:], *row[1:]) for row in rows], chosen)

    def split(self, g: Goal, d: LocalDecl, rest: list[str], rows: list[Row], chosen: dict[str, str]) -> None:
        r = self.r
        r.goals = [g]
        if r.m.is_prop(r.m.inst(d.type)):
            kind, args, _ = whnf_prop(r, d.type)
            goals = split_prop(r, g, d.fvar, kind, args)
        else:
            kind = ""
            goals = data_cases(r, g, d, False)
        for x, ctor, fields in goals:
            x.tag = g.tag
            left: list[Row] = []
            for patterns, block, number in rows:
                p = patterns[0]
                if p[0] == "tuple":
                    p = ("constructor", "intro", tuple_fields(p[1], FIELDS.get(kind, -1)))
                if p[0] == "variable":
                    if p[1] != "_":
                        raise TacticError("minilean has no catch-all name beside constructor patterns; use `_`")
                    left.append(([WILD] * len(fields) + patterns[1:], block, number))
                elif p[0] == "constructor" and p[1] == ctor:
                    left.append(([*p[2], *patterns[1:]], block, number))
                elif p[0] != "constructor" or p[1] not in [c for _, c, _ in goals]:
                    raise TacticError(f"Invalid pattern for a term of type\n  {r.text(d.type, g.lctx)}")
            if not left:
                raise TacticError(f"Missing cases: no alternative for `{ctor}`")
            marks = [f"_match{r.m.fresh}_{k}" for k in range(len(fields))]
            r.goals = [x]
            self.compile(named(r, x, fields, marks), [*marks, *rest], left, chosen)

    def finish(self, g: Goal, row: Row, chosen: dict[str, str]) -> None:
        """Give the matched hypotheses their names and run the alternative's block."""
        self.used.add(row[2])
        decls = {}
        for k, d in g.lctx.decls.items():
            name = chosen.get(d.name) if not d.hygienic else None
            if name is not None and (name != "_" or d.name.startswith("_match")):
                d = LocalDecl(d.fvar, "x" if name == "_" else name, d.type, name == "_")
            decls[k] = d
        new = self.r.new_goal(type(g.lctx)(decls), g.type, g.tag)
        self.r.goals = [g]
        self.r.close(g, new.mvar, [new])
        self.r.solve(new, row[1])


@tactic("match")
def t_match(r: Runner, targets: list[Term], alternatives: list[Alternative]) -> None:
    g = r.main
    rest = r.goals[1:]
    if not r.m.is_prop(r.target(g)):
        raise TacticError("minilean matches to build proofs only")
    rows: list[Row] = [([pattern(p) for p in row], block, number) for row, block, number in alternatives]
    if any(len(row[0]) != len(targets) for row in rows):
        raise TacticError(f"Incorrect number of patterns: {len(targets)} expected")
    r.goals = [g]
    names = []
    for k, t in enumerate(targets):
        name = f"_match{r.m.fresh}_{k}"
        e = r.elab().term(t, None, g.lctx)
        if r.m.is_prop(r.m.infer(e)):
            g = r.assert_(g, name, False, r.m.head_beta(r.m.inst(r.m.infer(e))), e)
        elif isinstance(e, FVar) and e.id in g.lctx.decls:
            d = g.lctx.decls[e.id]
            if d.name in names:
                raise TacticError("minilean matches on each variable once")
            if g.lctx.find(d.name) is d:
                name = d.name
            else:
                g = named(r, g, [d], [name])
        else:
            g, _ = generalize(r, g, e, name, None)
        names.append(name)
    if not rows:
        empty = g.lctx.find(names[0])
        assert empty is not None
        fn, args = spine(r.m.whnf(empty.type))
        if not isinstance(fn, Const) or fn.name != "False":
            raise TacticError("Missing cases in `match`")
        split_prop(r, g, empty.fvar, "False", args)
    else:
        matching = Matching(r)
        matching.compile(g, names, rows, {})
        unused = {row[2] for row in rows} - matching.used
        if unused:
            raise TacticError("Redundant alternative: Any expression matching it is matched by a previous one")
    r.goals = rest


@tactic("nomatch")
def t_nomatch(r: Runner, targets: list[Term]) -> None:
    t_match(r, targets, [])
