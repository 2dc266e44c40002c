"""Random statements decided by brute force, and random tactics: the material of soundness tests.

A statement comes as Lean text together with whether a small valuation refutes it. A refuted one is
false in Lean too, so no prover may ever prove it; one that is not refuted may be true or false.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

Valuation = dict[str, Any]
Evaluate = Callable[[Valuation], Any]
Piece = tuple[str, Evaluate]


class Statement(NamedTuple):
    """A closed proposition, whether it is refuted, and a tactic that introduces its variables."""

    text: str
    false: bool
    family: str
    intro: str


def _mod(a: int, b: int) -> int:
    return a % abs(b) if b else a


def _div(a: int, b: int) -> int:
    """Division of Lean 4 on both Nat and Int: Euclidean, and 0 by 0."""
    return (a - _mod(a, b)) // b if b else 0


OPS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "-": lambda a, b: max(a - b, 0),
    "%": _mod,
    "/": _div,
}
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "≠": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "≤": lambda a, b: a <= b,
    "≥": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "∣": lambda a, b: b % a == 0 if a else b == 0,
}


def formula(rng: random.Random, depth: int, atoms: Sequence[Piece]) -> Piece:
    """A random formula over `atoms` as Lean text, and its truth under a valuation."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(atoms)
    kind = rng.choice("∧∨→↔¬")
    a, f = formula(rng, depth - 1, atoms)
    if kind == "¬":
        return f"¬({a})", lambda v: not f(v)
    b, g = formula(rng, depth - 1, atoms)
    return f"(({a}) {kind} ({b}))", {
        "∧": lambda v: f(v) and g(v),
        "∨": lambda v: f(v) or g(v),
        "→": lambda v: (not f(v)) or g(v),
        "↔": lambda v: bool(f(v)) == bool(g(v)),
    }[kind]


def number(rng: random.Random, depth: int, names: str, integer: bool = False) -> Piece:
    """A random term of Nat, or of Int, over variables with one-letter `names`."""
    if depth == 0 or rng.random() < 0.35:
        if rng.random() < 0.4:
            k = rng.randrange(4)
            return str(k), lambda v: k
        x = rng.choice(names)
        return x, lambda v: v[x]
    op = rng.choice("+*-%/")
    a, f = number(rng, depth - 1, names, integer)
    b, g = number(rng, depth - 1, names, integer)
    if integer and op == "-":
        return f"({a} - {b})", lambda v: f(v) - g(v)
    return f"({a} {op} {b})", lambda v: OPS[op](f(v), g(v))


def relation(rng: random.Random, names: str = "nm", integer: bool = False) -> Piece:
    op = rng.choice(list(RELATIONS))
    a, f = number(rng, 2, names, integer)
    b, g = number(rng, 2, names, integer)
    # a typed side decides the type where both are numerals
    return f"(({a} : {'Int' if integer else 'Nat'}) {op} {b})", lambda v: RELATIONS[op](f(v), g(v))


def _grid(names: str, values: Iterable[Any]) -> list[Valuation]:
    return [dict(zip(names, point, strict=True)) for point in itertools.product(values, repeat=len(names))]


def _statement(family: str, binder: str, piece: Piece, cases: Sequence[Valuation], intro: str) -> Statement:
    text, f = piece
    return Statement(f"∀ {binder}, {text}", not all(f(v) for v in cases), family, intro)


def propositional(rng: random.Random) -> Statement:
    atoms: list[Piece] = [(x, lambda v, x=x: v[x]) for x in "pqr"]  # type: ignore[misc]
    atoms += [("False", lambda v: False), ("True", lambda v: True)]
    return _statement("prop", "(p q r : Prop)", formula(rng, 3, atoms), _grid("pqr", (False, True)), "intro p q r")


def natural(rng: random.Random) -> Statement:
    atoms = [relation(rng) for _ in range(3)]
    return _statement("nat", "(n m : Nat)", formula(rng, 2, atoms), _grid("nm", range(5)), "intro n m")


def integer(rng: random.Random) -> Statement:
    atoms = [relation(rng, "nm", True) for _ in range(3)]
    return _statement("int", "(n m : Int)", formula(rng, 2, atoms), _grid("nm", range(-3, 4)), "intro n m")


def bounded(rng: random.Random) -> Statement:
    """Bounded quantifiers over Nat, decided by running through the bound."""
    atoms: list[Piece] = []
    for _ in range(3):
        bound = rng.randrange(1, 4)
        text, f = relation(rng, "nx")
        every = rng.random() < 0.5

        def holds(v: Valuation, f: Evaluate = f, bound: int = bound, every: bool = every) -> bool:
            hits = (f({**v, "x": x}) for x in range(bound))
            return all(hits) if every else any(hits)

        shown = f"(∀ x, x < {bound} → {text})" if every else f"(∃ x, x < {bound} ∧ {text})"
        atoms.append((shown, holds))
    return _statement("bounded", "(n : Nat)", formula(rng, 1, atoms), _grid("n", range(6)), "intro n")


def predicates(rng: random.Random) -> Statement:
    """Monadic predicate logic; predicates that see only a number's parity give the countermodels."""

    def atom(inner: bool) -> Piece:
        kind = rng.randrange(4 if inner else 3)
        name = rng.choice("PQ")
        if kind == 0:
            return "r", lambda v: v["r"]
        if kind == 1:
            k = rng.randrange(2)
            return f"{name} {k}", lambda v: v[name][k]
        if kind == 2 and inner:
            return f"{name} (x + 1)", lambda v: v[name][1 - v["x"]]
        if inner:
            return f"{name} x", lambda v: v[name][v["x"]]
        text, f = formula(rng, 1, [atom(True), atom(True)])
        if rng.random() < 0.5:
            return f"(∀ x : Nat, {text})", lambda v: all(f({**v, "x": x}) for x in (0, 1))
        return f"(∃ x : Nat, {text})", lambda v: any(f({**v, "x": x}) for x in (0, 1))

    tables = list(itertools.product((False, True), repeat=2))
    cases = [{"P": p, "Q": q, "r": r} for p in tables for q in tables for r in (False, True)]
    piece = formula(rng, 2, [atom(False) for _ in range(3)])
    return _statement("pred", "(P Q : Nat → Prop) (r : Prop)", piece, cases, "intro P Q r")


def booleans(rng: random.Random) -> Statement:
    def term(depth: int) -> Piece:
        if depth == 0 or rng.random() < 0.25:
            x = rng.choice(["a", "b", "true", "false"])
            return x, lambda v: v.get(x, x == "true")
        a, f = term(depth - 1)
        kind = rng.randrange(3)
        if kind == 0:
            return f"(!{a})", lambda v: not f(v)
        b, g = term(depth - 1)
        if kind == 1:
            return f"({a} && {b})", lambda v: f(v) and g(v)
        return f"({a} || {b})", lambda v: f(v) or g(v)

    def atom() -> Piece:
        (a, f), (b, g) = term(2), term(2)
        return f"({a} = {b})", lambda v: f(v) == g(v)

    piece = formula(rng, 1, [atom() for _ in range(2)])
    return _statement("bool", "(a b : Bool)", piece, _grid("ab", (False, True)), "intro a b")


_LISTS = [list(x) for n in range(3) for x in itertools.product((0, 1), repeat=n)]


def lists(rng: random.Random) -> Statement:
    def term(depth: int) -> Piece:
        if depth == 0 or rng.random() < 0.3:
            x = rng.choice("lk")
            return rng.choice(
                [(x, lambda v: v[x]), (x, lambda v: v[x]), ("[]", lambda v: []), ("[n]", lambda v: [v["n"]])]
            )
        kind = rng.randrange(3)
        a, f = term(depth - 1)
        if kind == 0:
            return f"({a}).reverse", lambda v: f(v)[::-1]
        if kind == 1:
            return f"(n :: {a})", lambda v: [v["n"], *f(v)]
        b, g = term(depth - 1)
        return f"({a} ++ {b})", lambda v: [*f(v), *g(v)]

    def atom() -> Piece:
        (a, f), (b, g) = term(2), term(2)
        if rng.random() < 0.5:
            return f"(({a} : List Nat) = {b})", lambda v: f(v) == g(v)
        op = rng.choice(["=", "<", "≤", "≠"])
        more = rng.randrange(3)
        text = f"(({a} : List Nat).length {op} ({b} : List Nat).length + {more})"
        return text, lambda v: RELATIONS[op](len(f(v)), len(g(v)) + more)

    cases = [{"l": x, "k": y, "n": n} for x in _LISTS for y in _LISTS for n in (0, 1)]
    piece = formula(rng, 1, [atom(), atom()])
    return _statement("list", "(l k : List Nat) (n : Nat)", piece, cases, "intro l k n")


def conditionals(rng: random.Random) -> Statement:
    """Natural numbers chosen by `if`."""

    def choice() -> Piece:
        (c, f), (a, g), (b, h) = relation(rng), number(rng, 1, "nm"), number(rng, 1, "nm")
        return f"(if {c} then {a} else {b})", lambda v: g(v) if f(v) else h(v)

    def atom() -> Piece:
        (a, f), (b, g) = choice(), rng.choice([choice, lambda: number(rng, 1, "nm")])()
        op = rng.choice(["=", "≤", "<", "≠"])
        return f"(({a} : Nat) {op} {b})", lambda v: RELATIONS[op](f(v), g(v))

    atoms = [atom(), relation(rng)]
    return _statement("if", "(n m : Nat)", formula(rng, 1, atoms), _grid("nm", range(5)), "intro n m")


FAMILIES = (propositional, natural, integer, bounded, predicates, booleans, lists, conditionals)


def statement(rng: random.Random) -> Statement:
    """A random statement of a random family."""
    return rng.choice(FAMILIES)(rng)


NAMES = ["h", "h1", "h2", "n", "m", "p", "q", "r", "this", "ih"]
_TERMS = """\
h|h1|h2|h.1|h.2|h.left|h.mp h1|h h1|h1 h|⟨h, h1⟩|Or.inl h|Or.inr h1|fun x => x|fun x => h x|rfl
Eq.symm h|h ▸ h1|h ▸ rfl|absurd h h1|False.elim h|Classical.em p|Nat.le_refl _|Nat.zero_le _|Nat.le_of_lt h
trivial|Nat.succ_ne_zero _ h|Nat.lt_irrefl _ h|Iff.intro (fun x => x) (fun x => x)|id|_|by assumption|by simp
by omega|fun ⟨a, b⟩ => ⟨b, a⟩|(fun x => x : p → p)|Nat.rec h h1 n|@Nat.rec (fun x => x = x) rfl (fun _ _ => rfl) n
propext h|‹p›|Nat.le_antisymm h h1|Classical.byContradiction fun x => x h|h.trans h1|congrArg _ h|Exists.intro n h
Eq.mpr rfl h|funext fun x => h|Nat.strongRecOn n h|Exists.intro 0 h|⟨n, h⟩|Int.le_antisymm h h1|h.symm ▸ h1
fun h => h.elim|h n|h 0|h (n + 1)|Nat.pos_of_ne_zero h|Bool.noConfusion h|List.cons_ne_nil _ _ h|Nat.le.refl
match h with | .inl a => .inr a | .inr a => .inl a|match n with | 0 => h | k + 1 => h1|fun | .inl a => h | .inr a => h1
let x := h; x|calc n = m := h; _ = n := h1|calc n ≤ m := h; _ < n := h1|match h, h1 with | ⟨a, b⟩, c => ⟨c, a⟩|nomatch h
if_pos h|if_neg h|by split <;> simp_all|match h with | rfl => h1|suffices x : n = m from h x; h1
Nat.add_right_cancel h|Nat.eq_of_mul_eq_mul_left h h1|Nat.div_le_self n m|Nat.mod_lt n h"""
TERMS = _TERMS.replace("\n", "|").split("|")
LEMMAS = """Nat.add_comm Nat.mul_comm Nat.add_assoc Nat.zero_add Nat.mul_zero h h1 ←_h Nat.sub_self Nat.add_sub_cancel
Nat.mod_self Nat.le_antisymm_iff and_comm or_comm not_or Nat.not_le Nat.sub_sub Nat.div_self eq_comm Int.add_comm
Int.sub_self List.append_assoc List.reverse_append List.length_append Bool.and_comm Nat.mul_add Nat.left_distrib
Nat.not_lt Nat.lt_irrefl not_not imp_false Int.neg_neg List.reverse_reverse Nat.succ_ne_zero""".split()


def tactic(rng: random.Random, depth: int = 0) -> str:
    """A random tactic text; many of them make sense somewhere."""
    x, y, z = (rng.choice(NAMES) for _ in range(3))
    t = rng.choice(TERMS)
    rules = ", ".join(
        rule.replace("_", " ", 1) if rule[0] == "←" else rule for rule in rng.sample(LEMMAS, rng.randrange(1, 4))
    )
    pool = [
        *("intro n m", "intro p q r", f"intro {x}", f"intro {x} {y}", "intro", "constructor", "left", "right"),
        *(f"exact {t}", f"apply {t}", f"refine {t}", f"cases {x}", f"cases {x} <;> simp_all"),
        *(f"obtain ⟨{x}, {y}⟩ := {z}", f"rcases {x} with {y} | {x}", f"induction {x}", f"induction {x} <;> simp_all"),
        *("simp", "simp_all", f"simp at {x}", f"simp [{rules}]", f"rw [{rules}]", f"rw [{rules}] at {x}"),
        *("omega", "decide", "rfl", "symm", "exfalso", "trivial", "contradiction", "assumption"),
        *(f"have {x} := {t}", f"have {x} : {y} := {t}", f"subst {x}", f"specialize {x} {y}", f"revert {x}"),
        *(f"clear {x}", f"by_cases {x} : {y}", "rename_i h h1", f"have {x} : n = m := {t}", f"exists {y}"),
        *(f"refine ⟨?_, {t}⟩", "all_goals omega", f"suffices {x} : {y} from {t}", f"show {y}", f"change n = m at {x}"),
        *(f"unfold Not at {x}", "exact ?_", f"apply Classical.byContradiction; intro {x}", f"exists {y}, {x}"),
        *("rotate_left", f"by_cases {x} : n < m", f"by_cases {x} : n = m", f"by_cases {x} : {y} <;> simp_all"),
        *(f"simpa using {t}", f"rw [Nat.add_comm] at {x} ⊢", "cases n with | zero => simp | succ k => omega"),
        *(
            f"simp only [{rules}] at *",
            f"rintro ⟨{x}, {y}⟩",
            f"rintro ({x} | {y})",
            "intros; simp_all",
            "intros; omega",
        ),
        *(
            "split",
            "split <;> omega",
            f"split at {x}",
            "injections",
            f"injection {x} with {y}",
            "congr",
            "ext",
            "ext x",
        ),
        *("funext x", f"cases {x} : n + m", f"generalize {x} : n + m = {y}", f"rw [{rules}] at *", f"nomatch {x}"),
        *(f"conv => lhs; rw [{rules}]", "conv => rhs; simp", f"conv at {x} => arg 1; rw [{rules}]", "conv => congr"),
        *(f"conv in n + m => rw [{rules}]", f"conv => ext {x}; rw [{rules}]", "conv => arg 2; change n", "conv => rfl"),
        *(f"calc n = m := {t}", f"calc n ≤ m := {x}\n  _ < n := {y}", f"calc n = m := {x}\n  _ = 0 := {t}"),
        f"match {x} with\n| .inl {y} => exact {t}\n| .inr {y} => exact {y}",
        f"match n with\n| 0 => simp\n| k + 1 => exact {t}",
        f"match {x}, {y} with\n| ⟨h, h1⟩, h2 => exact {t}\n| _, _ => simp_all",
        *(f"induction {x} generalizing {y} <;> simp_all", f"specialize {x} 0", f"cases {x} <;> cases {y} <;> rfl"),
        *(f"exact absurd {x} (by {rng.choice(('omega', 'decide', 'simp'))})", "sorry", f"exact (sorry : {x})"),
    ]
    text = rng.choice(pool)
    if depth < 2 and rng.random() < 0.15:
        other = tactic(rng, depth + 1)
        wrap = [
            *("try ({0})", "repeat ({0})", "({0}) <;> ({1})", "first | ({0}) | ({1})", "all_goals ({0})"),
            *("any_goals ({0})", "· ({0})", "case _ => ({0})", "({0}; {1})"),
        ]
        return rng.choice(wrap).format(text, other)
    return text


_WORD = re.compile(r"[^\W\d][\w'.✝]*|\d+|\s+|.", re.DOTALL)
_PLAIN = frozenset(NAMES)


def adapt(text: str, names: Sequence[str], rng: random.Random) -> str:
    """`text` with most of its stock variable names replaced by `names`, consistently."""
    if not names:
        return text
    chosen: dict[str, str] = {}

    def put(word: str) -> str:
        first, dot, rest = word.partition(".")
        if first not in _PLAIN:
            return word
        if first not in chosen:
            chosen[first] = rng.choice(names) if rng.random() < 0.8 else first
        return chosen[first] + dot + rest

    return "".join(put(word) for word in _WORD.findall(text))


def mutate(text: str, names: Sequence[str], rng: random.Random) -> str:
    """A tactic with one or two tokens dropped, doubled, swapped or replaced."""
    words = _WORD.findall(text)
    for _ in range(rng.randrange(1, 3)):
        i = rng.randrange(len(words))
        kind = rng.randrange(6)
        if kind == 0:
            del words[i]
        elif kind == 1:
            words.insert(i, words[i])
        elif kind == 2:
            j = rng.randrange(len(words))
            words[i], words[j] = words[j], words[i]
        elif kind == 3 and names:
            places = [k for k, word in enumerate(words) if word[0].isalpha()]
            if places:
                words[rng.choice(places)] = rng.choice(names)
        elif kind == 4:
            words[i] = rng.choice(["0", "1", "h", "_", "←", "<;>", "rfl", "=", "≤", "¬", "?_", "@", "Nat.succ"])
        else:
            words[i] = rng.choice(LEMMAS + TERMS)
        if not words:
            break
    return "".join(words)
