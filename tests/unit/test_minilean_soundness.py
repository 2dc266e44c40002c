"""No false statement is ever proved: random statements against random tactics, and cheats."""

from __future__ import annotations

import json
import os
import random

import pytest

from burnqed.minilean import fuzz
from burnqed.minilean.budget import Budget, HeartbeatError
from burnqed.minilean.context import TacticError
from burnqed.minilean.engine import Engine, axioms_of, check_proof
from burnqed.minilean.expr import PROP, App, Binder, Cert, Expr, FVar, app, bvar, capp, const, lam, lit, pi
from burnqed.minilean.kernel import Kernel
from burnqed.minilean.kernel_reduce import KernelError
from burnqed.minilean.lexer import ParseError
from burnqed.minilean.repl import Repl

ENGINE = Engine()
ENGINE.heartbeats = 20_000
APPLICATIONS = int(os.environ.get("MINILEAN_FUZZ", "1500"))


def test_no_false_statement_is_proved() -> None:
    rng = random.Random(20_250)
    tried = proved = steps = 0
    while tried < APPLICATIONS:
        text, false, _, intro = fuzz.statement(rng)
        states = [ENGINE.start(text)]
        states.append(ENGINE.step(states[0], intro))
        for _ in range(25):
            tried += 1
            state = states[-1] if rng.random() < 0.7 else rng.choice(states)
            try:
                names = [d.name for d in state.goals[0].lctx.decls.values() if not d.hygienic]
                new = ENGINE.step(state, fuzz.adapt(fuzz.tactic(rng), names, rng))
            except (TacticError, ParseError, HeartbeatError):
                continue
            steps += 1
            if new.goals:
                states.append(new)
                continue
            if new.sorry:
                continue
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


def test_a_variable_of_the_kernel_cannot_be_named_from_outside() -> None:
    """`fun x : False => …` makes the kernel's own x; a proof that names it elsewhere would have a proof of False."""
    false, true = const("False"), const("True")
    arrow = pi("h", false, true)
    function = lam("h", false, const("True.intro"))
    for number in range(-9, 9):
        proof = capp("And.intro", arrow, false, function, FVar(number))
        with pytest.raises(KernelError, match="not closed"):
            Kernel(ENGINE.env).check(proof, capp("And", arrow, false))


def test_common_binders_of_proof_and_statement_are_checked() -> None:
    true, false, yes = const("True"), const("False"), const("True.intro")
    Kernel(ENGINE.env).check(lam("h", false, yes), pi("x", false, true))
    wrong = [
        (lam("h", lit(0), yes), pi("h", lit(0), true)),  # 0 is no type
        (lam("h", false, yes), pi("h", false, lit(1))),  # nor is 1
        (lam("h", false, yes), pi("h", false, yes)),
        (lam("h", false, yes), pi("h", true, true)),
        (lam("h", true, bvar(0)), pi("h", true, false)),
        (lam("h", true, lam("g", false, bvar(1))), pi("h", true, pi("g", false, false))),
        (lam("p", PROP, lam("h", bvar(0), bvar(1))), pi("p", PROP, pi("h", bvar(0), bvar(1)))),
        (lam("p", PROP, yes), pi("p", PROP, bvar(0))),
        (yes, pi("h", false, true)),
        (lam("h", false, yes), true),
    ]
    for proof, statement in wrong:
        with pytest.raises(KernelError):
            Kernel(ENGINE.env).check(proof, statement)
    Kernel(ENGINE.env).check(lam("p", PROP, lam("h", bvar(0), bvar(0))), pi("q", PROP, pi("h", bvar(0), bvar(1))))


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


def test_sorry_that_reduction_removes_is_reported() -> None:
    state = ENGINE.start("∀ (p : Prop), p → p")
    for tactic in ("intro p h", "have z : 1 = 2 := sorry", "exact h"):
        state = ENGINE.step(state, tactic)
    assert not state.goals and state.sorry


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
