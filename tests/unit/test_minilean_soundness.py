"""No false statement is ever proved: random statements against random tactics, and cheats."""

from __future__ import annotations

import itertools
import json
import os
import random
from collections.abc import Callable

import pytest

from burnqed.minilean.engine import Engine, axioms_of, check_proof
from burnqed.minilean.expr import App, Binder, Cert, Expr, app, capp, const, lam, lit, pi
from burnqed.minilean.kernel import Budget, HeartbeatError, Kernel, KernelError
from burnqed.minilean.lexer import ParseError
from burnqed.minilean.meta import TacticError
from burnqed.minilean.repl import Repl

ENGINE = Engine()
ENGINE.heartbeats = 20_000
APPLICATIONS = int(os.environ.get("MINILEAN_FUZZ", "1500"))

Evaluate = Callable[[dict[str, int]], int]
OPS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "-": lambda a, b: max(a - b, 0),
    "%": lambda a, b: a % b if b else a,
    "/": lambda a, b: a // b if b else 0,
}
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "≠": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "≤": lambda a, b: a <= b,
    "≥": lambda a, b: a >= b,
    "∣": lambda a, b: b % a == 0 if a else b == 0,
}


def formula(rng: random.Random, depth: int, atoms: list[tuple[str, Evaluate]]) -> tuple[str, Evaluate]:
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


def number(rng: random.Random, depth: int) -> tuple[str, Evaluate]:
    if depth == 0 or rng.random() < 0.35:
        if rng.random() < 0.4:
            k = rng.randrange(4)
            return str(k), lambda v: k
        x = rng.choice("nm")
        return x, lambda v: v[x]
    op = rng.choice("+*-%/")
    a, f = number(rng, depth - 1)
    b, g = number(rng, depth - 1)
    return f"({a} {op} {b})", lambda v: OPS[op](f(v), g(v))


def relation(rng: random.Random) -> tuple[str, Evaluate]:
    op = rng.choice(list(RELATIONS))
    a, f = number(rng, 2)
    b, g = number(rng, 2)
    # a typed variable decides the type of closed sides
    return f"(({a} : Nat) {op} {b})", lambda v: RELATIONS[op](f(v), g(v))


def statement(rng: random.Random) -> tuple[str, bool]:
    """A closed statement and whether a small valuation refutes it."""
    if rng.random() < 0.5:
        atoms = [(x, lambda v, x=x: v[x]) for x in "pqr"]
        text, f = formula(rng, 3, [*atoms, ("False", lambda v: 0), ("True", lambda v: 1)])
        cases = [dict(zip("pqr", bits, strict=True)) for bits in itertools.product((0, 1), repeat=3)]
        return f"∀ (p q r : Prop), {text}", not all(f(v) for v in cases)
    text, f = formula(rng, 2, [relation(rng) for _ in range(3)])
    cases = [{"n": n, "m": m} for n in range(5) for m in range(5)]
    return f"∀ (n m : Nat), {text}", not all(f(v) for v in cases)


NAMES = ["h", "h1", "h2", "n", "m", "p", "q", "r", "this", "ih"]
TERMS = [
    "h",
    "h1",
    "h2",
    "h.1",
    "h.2",
    "h.left",
    "h.mp h1",
    "h h1",
    "h1 h",
    "⟨h, h1⟩",
    "Or.inl h",
    "Or.inr h1",
    "fun x => x",
    "fun x => h x",
    "rfl",
    "Eq.symm h",
    "h ▸ h1",
    "h ▸ rfl",
    "absurd h h1",
    "False.elim h",
    "Classical.em p",
    "Nat.le_refl _",
    "Nat.zero_le _",
    "Nat.le_of_lt h",
    "trivial",
    "Nat.succ_ne_zero _ h",
    "Nat.lt_irrefl _ h",
    "Iff.intro (fun x => x) (fun x => x)",
    "id",
    "_",
    "by assumption",
    "by simp",
    "by omega",
    "fun ⟨a, b⟩ => ⟨b, a⟩",
    "(fun x => x : p → p)",
    "Nat.rec h h1 n",
    "@Nat.rec (fun x => x = x) rfl (fun _ _ => rfl) n",
    "propext h",
    "‹p›",
    "Nat.le_antisymm h h1",
    "Classical.byContradiction fun x => x h",
    "h.trans h1",
    "congrArg _ h",
    "Exists.intro n h",
    "Eq.mpr rfl h",
    "funext fun x => h",
]
LEMMAS = [
    "Nat.add_comm",
    "Nat.mul_comm",
    "Nat.add_assoc",
    "Nat.zero_add",
    "Nat.mul_zero",
    "h",
    "h1",
    "← h",
    "Nat.sub_self",
    "Nat.add_sub_cancel",
    "Nat.mod_self",
    "Nat.le_antisymm_iff",
    "and_comm",
    "or_comm",
    "not_or",
    "Nat.not_le",
    "Nat.sub_sub",
    "Nat.div_self",
    "eq_comm",
]


def tactic(rng: random.Random, depth: int = 0) -> str:
    """A random tactic text; half of them make sense somewhere."""
    x, y = rng.choice(NAMES), rng.choice(NAMES)
    t = rng.choice(TERMS)
    rules = ", ".join(rng.sample(LEMMAS, rng.randrange(1, 4)))
    pool = [
        "intro n m",
        "intro p q r",
        f"intro {x}",
        f"intro {x} {y}",
        "intro",
        "constructor",
        "left",
        "right",
        f"exact {t}",
        f"apply {t}",
        f"refine {t}",
        f"cases {x}",
        f"cases {x} <;> simp_all",
        f"obtain ⟨{x}, {y}⟩ := {rng.choice(NAMES)}",
        f"rcases {x} with {y} | {x}",
        f"induction {x}",
        f"induction {x} <;> simp_all",
        "simp",
        "simp_all",
        f"simp at {x}",
        f"simp [{rules}]",
        f"rw [{rules}]",
        f"rw [{rules}] at {x}",
        "omega",
        "decide",
        "rfl",
        "symm",
        "exfalso",
        "trivial",
        "contradiction",
        "assumption",
        f"have {x} := {t}",
        f"have {x} : {y} := {t}",
        f"subst {x}",
        f"specialize {x} {y}",
        f"revert {x}",
        f"clear {x}",
        f"by_cases {x} : {y}",
        "rename_i h h1",
        f"have {x} : n = m := {t}",
        f"exists {y}",
        f"refine ⟨?_, {t}⟩",
        "all_goals omega",
        f"suffices {x} : {y} from {t}",
        f"show {y}",
        f"change n = m at {x}",
        f"unfold Not at {x}",
        "exact ?_",
        f"apply Classical.byContradiction; intro {x}",
        f"exists {y}, {x}",
        "rotate_left",
        f"by_cases {x} : n < m",
        f"by_cases {x} : n = m",
        f"by_cases {x} : {y} <;> simp_all",
        f"simpa using {t}",
        f"rw [Nat.add_comm] at {x} ⊢",
        "cases n with | zero => simp | succ k => omega",
    ]
    text = rng.choice(pool)
    if depth < 2 and rng.random() < 0.15:
        other = tactic(rng, depth + 1)
        wrap = [
            "try ({0})",
            "repeat ({0})",
            "({0}) <;> ({1})",
            "first | ({0}) | ({1})",
            "all_goals ({0})",
            "any_goals ({0})",
            "· ({0})",
            "case _ => ({0})",
            "({0}; {1})",
        ]
        return rng.choice(wrap).format(text, other)
    return text


def test_no_false_statement_is_proved() -> None:
    rng = random.Random(20_250)
    tried = proved = steps = 0
    while tried < APPLICATIONS:
        text, false = statement(rng)
        try:
            states = [ENGINE.start(text)]
            states.append(ENGINE.step(states[0], "intro n m" if "Nat" in text[:12] else "intro p q r"))
        except TacticError:
            continue
        for _ in range(25):
            tried += 1
            state = states[-1] if rng.random() < 0.7 else rng.choice(states)
            try:
                new = ENGINE.step(state, tactic(rng))
            except (TacticError, ParseError, HeartbeatError):
                continue
            steps += 1
            if new.goals:
                states.append(new)
                continue
            assert not new.sorry
            proved += 1
            assert not false, (text, state.text())
            assert new.proof is not None
            break
    assert steps > APPLICATIONS / 50 and proved > 5  # the test would see a wrong proof


def sub(e: Expr, rng: random.Random) -> Expr:
    """`e` with one random node replaced by something of another meaning."""
    if rng.random() < 0.15 or not isinstance(e, (App, Binder)):
        return rng.choice(
            [
                lit(0),
                lit(1),
                const("True.intro"),
                const("Nat.succ"),
                const("False"),
                capp("Eq.refl", const("Nat"), lit(1)),
                const("rfl"),
                const("And.left"),
            ]
        )
    if isinstance(e, App):
        if rng.random() < 0.5:
            return app(sub(e.fn, rng), e.arg)
        return app(e.fn, sub(e.arg, rng))
    make = lam if type(e).__name__ == "Lam" else pi
    if rng.random() < 0.3:
        return make(e.name, sub(e.ty, rng), e.body, e.info)
    return make(e.name, e.ty, sub(e.body, rng), e.info)


PROOFS = [
    ("∀ (p q : Prop), p ∧ q → q ∧ p", ["intro p q h", "exact ⟨h.2, h.1⟩"]),
    ("∀ (n m : Nat), n = m → m + 0 = n", ["intro n m h", "subst h", "rfl"]),
    ("∀ (n : Nat), 0 + n = n", ["intro n", "induction n with | zero => rfl | succ n ih => simp"]),
    ("∀ (a b c : Nat), a ≤ b → b < c → a < c", ["intro a b c h1 h2", "omega"]),
    ("∀ (p q : Prop), p ∨ q → q ∨ p", ["intro p q h", "cases h", "right; assumption", "left; assumption"]),
    ("2 * 3 = 6", ["decide"]),
]


@pytest.mark.parametrize(("text", "tactics"), PROOFS)
def test_kernel_refuses_proofs_of_other_statements(text: str, tactics: list[str]) -> None:
    state = ENGINE.start(text)
    for t in tactics:
        state = ENGINE.step(state, t)
    assert state.proof is not None
    Kernel(ENGINE.env).check(state.proof, state.statement)
    for other, _ in PROOFS:
        if other != text:
            with pytest.raises(TacticError):
                check_proof(ENGINE.env, state.proof, ENGINE.statement(other), Budget())
    with pytest.raises(TacticError):
        check_proof(ENGINE.env, state.proof, const("False"), Budget())


def test_mutated_proofs_never_show_something_false() -> None:
    rng = random.Random(7)
    refused = 0
    for text, tactics in PROOFS:
        state = ENGINE.start(text)
        for t in tactics:
            state = ENGINE.step(state, t)
        assert state.proof is not None
        for _ in range(60):
            bad = sub(state.proof, rng)
            with pytest.raises(TacticError):
                check_proof(ENGINE.env, bad, const("False"), Budget())
            try:
                check_proof(ENGINE.env, bad, state.statement, Budget())
            except TacticError:
                refused += 1
    assert refused > 250


def test_false_certificates_are_refused() -> None:
    wrong = capp("Eq", const("Nat"), lit(2), lit(3))
    for kind in ("decide", "omega", "trust"):
        for data in (None, (), ("split", 0), 7, "ok"):
            with pytest.raises(KernelError):
                Kernel(ENGINE.env).check(Cert(kind, wrong, (), data), wrong)


CHEATS = [
    "theorem foo : 1 = 2 := by\n  exact foo",
    "theorem foo : 1 = 2 := foo",
    "theorem foo : 1 = 2 := by\n  decide",
    "theorem foo : 1 = 2 := by\n  native_decide",
    "theorem foo : 1 = 2 := by\n  exact absurd rfl (by simp)",
    "axiom a : False\ntheorem foo : 1 = 2 := a.elim",
    "def Nat.one := 2\ntheorem foo : 1 = 2 := rfl",
    'macro "x" : tactic => `(tactic| sorry)\ntheorem foo : 1 = 2 := by\n  x',
    'notation "1" => 2\ntheorem foo : 1 = 2 := rfl',
    "theorem True.intro : False := trivial\ntheorem foo : 1 = 2 := by contradiction",
    "theorem foo : 1 = 2 := by\n  first | rfl | omega | simp | trivial",
    "theorem foo (p : Prop) : p := by\n  intros\n  assumption",
    "theorem foo : ∀ (1 : Nat), 1 = 2 := fun _ => rfl",
    "theorem foo : 1 = 2 := (rfl : 1 = 1)",
    "theorem foo : 1 = 2 := by\n  have h : False := by\n    exact this\n  exact h.elim",
    "theorem foo : 1 = 2 := by\n  refine ?x\n  exact ?x",
    "theorem foo : 1 = 2 := @Eq.mpr _ _ (propext ⟨fun _ => trivial, fun _ => rfl⟩) trivial",
]


@pytest.mark.parametrize("text", CHEATS)
def test_cheats_are_refused(text: str) -> None:
    answer = Repl().handle("frontend.process " + json.dumps({"file": text}))
    severities = [m["severity"] for u in answer["units"] for m in u["messages"]]
    assert "error" in severities


def test_sorry_is_always_reported() -> None:
    repl = Repl()
    text = "theorem a : 1 = 2 := sorry\ntheorem b : 1 = 2 := a\n#print axioms b"
    answer = repl.handle("frontend.process " + json.dumps({"file": text}))
    said = answer["units"][-1]["messages"][0]["data"]
    assert said == "'b' depends on axioms: [sorryAx]"
    state = ENGINE.step(ENGINE.start("1 = 2 ∧ 2 = 2"), "constructor")
    state = ENGINE.step(state, "sorry")
    assert state.sorry
    state = ENGINE.step(state, "rfl")
    assert not state.goals and state.sorry


def test_axioms() -> None:
    state = ENGINE.step(ENGINE.start("∀ (p : Prop), p ∨ ¬p"), "exact Classical.em")
    assert state.proof is not None
    assert axioms_of(ENGINE.env, state.proof) == {"propext", "Classical.choice", "Quot.sound"}
