"""Let z3 judge what `omega` proves in the embedded Lean, on random linear statements.

Run as: python benchmarks/omega_check.py [--statements N] [--seed N] [--sample FILE] (needs `pip install z3-solver`)

Statements speak of natural numbers and integers with truncated subtraction, `/`, `%` and `∣` by literals, `min`,
`max`, `natAbs` and `toNat`. True ones are found by chance; false ones are drawn at random, or made of a true one by
changing one literal. One file holds them all, each `:= by omega`. Exit status 1 when omega proves a false statement,
fails otherwise than by giving up, proves less than 99.5 % of the true ones, or when an axiom beside Lean's three
occurs. Quotients are not nested: there omega gives up more often, since it leaves out part of the omega test (dark and
grey shadows). `--sample` also writes the statements with z3's verdict, one a line.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import z3

from burnqed.prover.embedded import embedded_lean

NATS, INTS = ("a", "b", "c"), ("x", "y", "z")
AXIOMS = {"propext", "Classical.choice", "Quot.sound"}
TRUE_SHARE = 0.7
GIVES_UP = "omega could not prove the goal"
JUDGE_MS = 2000
SHOWN = 10
OPERATIONS = {
    "linear": ("+", "*"),
    "minus": ("-",),
    "sign": ("neg",),
    "quotient": ("/", "%"),
    "choice": ("min", "max"),
    "abs": ("natAbs", "toNat"),
}


@dataclass(frozen=True)
class Term:
    """A term of type Nat or Int, as Lean writes it and as z3 reads it."""

    lean: str
    value: z3.ArithRef


@dataclass(frozen=True)
class Statement:
    lean: str
    claim: z3.BoolRef


def z3_max(a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
    return z3.If(a >= b, a, b)


class Draw:
    """Draws terms and statements. Texts of terms can stand as arguments: they are names, numerals or in parentheses."""

    def __init__(self, seed: int, changed: int | None = None) -> None:
        """A number for `changed` makes the same draws, but adds one to the numeral of that number."""
        self.rng = random.Random(seed)
        self.changed, self.drawn = changed, 0

    def literal(self, low: int, high: int) -> int:
        found = self.rng.randint(low, high) + (self.drawn == self.changed)
        self.drawn += 1
        return found

    def nat(self, depth: int, kinds: str = "linear quotient minus choice abs") -> Term:
        """A term of type Nat. Kinds of operations beside sums and multiples are named: quotients do not nest."""
        if depth == 0 or self.rng.random() < 0.2:
            if self.rng.random() < 0.3:
                number = self.literal(0, 9)
                return Term(str(number), z3.IntVal(number))
            name = self.rng.choice(NATS)
            return Term(name, z3.Int(name))
        operation = self.operation(kinds)
        if operation == "natAbs":
            t = self.int(depth - 1)
            return Term(f"(Int.natAbs {t.lean})", z3.If(t.value >= 0, t.value, -t.value))
        if operation == "toNat":
            t = self.int(depth - 1)
            return Term(f"(Int.toNat {t.lean})", z3_max(t.value, z3.IntVal(0)))
        return self.compound(operation, self.nat, depth, lambda s, t: z3_max(s - t, z3.IntVal(0)))

    def int(self, depth: int, kinds: str = "linear minus sign quotient choice") -> Term:
        """A term of type Int."""
        if depth == 0 or self.rng.random() < 0.2:
            choice = self.rng.random()
            if choice < 0.3:
                number = self.literal(-9, 9)
                return Term(f"({number})", z3.IntVal(number))
            if choice < 0.5:
                t = self.nat(max(depth - 1, 0), "linear")
                return Term(f"(({t.lean} : Nat) : Int)", t.value)
            name = self.rng.choice(INTS)
            return Term(name, z3.Int(name))
        operation = self.operation(kinds)
        if operation == "neg":
            t = self.int(depth - 1, "linear quotient")
            return Term(f"(-{t.lean})", -t.value)
        return self.compound(operation, self.int, depth, lambda s, t: s - t)

    def operation(self, kinds: str) -> str:
        kind = self.rng.choice(kinds.split())
        return self.rng.choice(OPERATIONS[kind])

    def compound(
        self,
        operation: str,
        part: Callable[[int, str], Term],
        depth: int,
        minus: Callable[[z3.ArithRef, z3.ArithRef], z3.ArithRef],
    ) -> Term:
        """A sum, difference, multiple, quotient, remainder, minimum or maximum."""
        s = part(depth - 1, "linear")
        if operation in "*/%":
            number = self.literal(2, 7)
            value = {"*": s.value * number, "/": s.value / number, "%": s.value % number}[operation]
            return Term(f"({s.lean} {operation} {number})", value)
        t = part(depth - 1, "linear quotient")
        if operation in "+-":
            value = s.value + t.value if operation == "+" else minus(s.value, t.value)
            return Term(f"({s.lean} {operation} {t.lean})", value)
        value = z3_max(s.value, t.value) if operation == "max" else -z3_max(-s.value, -t.value)
        return Term(f"({operation} {s.lean} {t.lean})", value)

    def atom(self) -> Statement:
        sort, part = self.rng.choice((("Nat", self.nat), ("Int", self.int)))
        s = part(2)
        if self.rng.random() < 0.12:
            number = self.literal(2, 7)
            return Statement(f"(({number} : {sort}) ∣ {s.lean})", s.value % number == 0)
        t = part(2)
        relation = self.rng.choice(("=", "≠", "<", "≤", ">", "≥"))
        claim = {
            "=": s.value == t.value,
            "≠": s.value != t.value,
            "<": s.value < t.value,
            "≤": s.value <= t.value,
            ">": s.value > t.value,
            "≥": s.value >= t.value,
        }[relation]
        return Statement(f"(({s.lean} : {sort}) {relation} {t.lean})", claim)

    def formula(self) -> Statement:
        """An atom, or two under a connective."""
        if self.rng.random() < 0.75:
            return self.atom()
        connective = self.rng.choice(("∧", "∨", "→", "↔", "¬"))
        s = self.atom()
        if connective == "¬":
            return Statement(f"(¬{s.lean})", z3.Not(s.claim))
        t = self.atom()
        claim = {
            "∧": z3.And(s.claim, t.claim),
            "∨": z3.Or(s.claim, t.claim),
            "→": z3.Implies(s.claim, t.claim),
            "↔": s.claim == t.claim,
        }[connective]
        return Statement(f"({s.lean} {connective} {t.lean})", claim)

    def statement(self) -> Statement:
        """Up to three hypotheses and a conclusion."""
        hypotheses = [self.formula() for _ in range(self.rng.randint(0, 3))]
        goal = self.formula()
        lean = " → ".join(part.lean for part in (*hypotheses, goal))
        naturals = [z3.Int(name) >= 0 for name in NATS]
        return Statement(lean, z3.Implies(z3.And(*naturals, *(h.claim for h in hypotheses)), goal.claim))


def is_true(statement: Statement) -> bool | None:
    """z3's verdict; None when it finds none in time."""
    solver = z3.Solver()
    solver.set("timeout", JUDGE_MS)
    solver.add(z3.Not(statement.claim))
    answer = solver.check()
    return None if answer == z3.unknown else answer == z3.unsat


def judged(count: int, seed: int) -> list[tuple[str, bool]]:
    """Return statements with their verdicts: TRUE_SHARE true ones; half of the others are near misses."""
    rng, true, false, near = random.Random(seed), [], [], []
    wanted = round(count * TRUE_SHARE)
    while len(true) < wanted or len(false) + len(near) < count - wanted:
        draw_seed = rng.randrange(2**62)
        draw = Draw(draw_seed)
        statement = draw.statement()
        verdict = is_true(statement)
        if verdict and len(true) < wanted:
            true.append((statement.lean, True))
        elif verdict and draw.drawn and len(near) < (count - wanted) // 2:
            missed = Draw(draw_seed, changed=rng.randrange(draw.drawn)).statement()
            if is_true(missed) is False:
                near.append((missed.lean, False))
        elif verdict is False and len(false) < count - wanted - (count - wanted) // 2:
            false.append((statement.lean, False))
    found = true + false + near
    rng.shuffle(found)
    return found


def source(statements: list[str], tactic: str, ask: bool = False) -> str:
    """A Lean file, one statement a line; with `ask`, the axioms of each are asked for behind all."""
    binder = f"({' '.join(NATS)} : Nat) ({' '.join(INTS)} : Int)"
    lines = [f"theorem t{i} {binder} : {s} := by {tactic}" for i, s in enumerate(statements)]
    lines += [f"#print axioms t{i}" for i in range(len(statements)) if ask]
    return "\n".join(lines) + "\n"


def lean(text: str) -> tuple[list[dict[str, Any]], float]:
    """Return Lean's messages on the text, and the CPU seconds it took."""
    embedded = embedded_lean()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Check.lean"
        path.write_text(text, encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [*embedded.argv, "--json", "-DmaxErrors=1000000", "-Dlinter.all=false", str(path)],
            env={**os.environ, **embedded.environment},
            capture_output=True,
            text=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.stderr:
        raise SystemExit(f"Lean failed: {done.stderr.splitlines()[-1]}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [json.loads(line) for line in done.stdout.splitlines()], seconds


def answers(messages: list[dict[str, Any]]) -> tuple[dict[int, str], dict[int, set[str]]]:
    """Return the errors of statements, and the axioms of those that have a proof; both by number."""
    errors: dict[int, str] = {}
    axioms: dict[int, set[str]] = {}
    for message in messages:
        shown = re.match(r"'t(\d+)' (?:depends on axioms: \[(.*)\]|does not depend)", message["data"], re.DOTALL)
        if message["severity"] == "error":
            errors.setdefault(message["pos"]["line"] - 1, message["data"].splitlines()[0])
        elif shown and "sorryAx" not in shown[0]:
            axioms[int(shown[1])] = set(re.findall(r"[\w.]+", shown[2] or ""))
    return errors, axioms


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--statements", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sample", type=Path, help="write the statements and z3's verdicts to this file")
    arguments = parser.parse_args()
    found = judged(arguments.statements, arguments.seed)
    if arguments.sample:
        lines = [f"{'true' if verdict else 'false'}\t{text}\n" for text, verdict in found]
        arguments.sample.write_text("".join(lines), encoding="utf-8")
    texts = [text for text, _ in found]
    errors, axioms = answers(lean(source(texts, "omega", ask=True))[0])
    true = {i for i, (_, verdict) in enumerate(found) if verdict}
    false = set(range(len(found))) - true
    proved, used = set(axioms), set().union(*axioms.values())
    broken = {i for i, reason in errors.items() if not reason.startswith(GIVES_UP)}
    print(
        f"true: {len(true & proved)} of {len(true)} proved; false: {len(false & set(errors))} of {len(false)} refused"
    )
    print(f"axioms: {', '.join(sorted(used))}")
    (_, seconds), (_, idle) = lean(source(texts, "omega")), lean(source(texts, "sorry"))
    print(f"CPU: {1000 * seconds / len(found):.1f} ms a statement, with `sorry` {1000 * idle / len(found):.1f} ms")
    for i in sorted(true - proved | broken)[:SHOWN]:
        print(f"{errors.get(i, 'no answer')}: {texts[i]}")
    for i in sorted(proved & false)[:SHOWN]:
        print(f"FALSE, YET PROVED: {texts[i]}")
    complete = set(errors) | proved == true | false and not broken
    sound = not proved & false and used <= AXIOMS
    return 0 if sound and complete and len(true & proved) >= 0.995 * len(true) else 1


if __name__ == "__main__":
    sys.exit(main())
