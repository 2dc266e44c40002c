"""Throw a million tactic applications at random statements; no false one may be proved.

Run as: python benchmarks/minilean_soundness.py [--applications N] [--model DIR] [--output FOLDER]

Statements are decided by brute force on small domains (`burnqed/minilean/fuzz.py`). Tactics are generated,
mutated from the corpus's own proofs, and, with ``--model``, sampled from a policy model. Whatever is proved is
attacked further: mutated derivations must not show anything false, and arithmetic certificates, as they are and
mutated, must not be accepted for refuted statements. Work is cut into chunks with seeds of their own, each
written to FOLDER/chunks.jsonl when done, so a run that was stopped goes on where it was, and runs with other
seeds, also at the same time, add to the same totals. Exit status 1 and
FOLDER/violation.json when the prover is unsound.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from burnqed.minilean import fuzz
from burnqed.minilean.budget import Budget, HeartbeatError, InterruptError
from burnqed.minilean.corpus import generate
from burnqed.minilean.engine import Engine, State, TacticError, check_proof
from burnqed.minilean.expr import App, Binder, Cert, Expr, app, capp, const, lam, lit, pi
from burnqed.minilean.kernel import Kernel
from burnqed.minilean.kernel_arith import Certificate
from burnqed.minilean.kernel_omega import check_certificate
from burnqed.minilean.kernel_reduce import KernelError
from burnqed.minilean.lexer import ParseError
from burnqed.minilean.traverse import subterms

CHUNK, MODEL_CHUNK = 2000, 500
PER_STATEMENT = 25
EXPECTED = (TacticError, ParseError, HeartbeatError, InterruptError)


class Unsound(Exception):
    """Something false was accepted; the argument says what."""


def accepted_as_false(engine: Engine, proof: Expr) -> bool:
    """Whether the kernel takes `proof` for a proof of False, or of a proposition it decides to be false."""
    kernel = Kernel(engine.env, Budget(engine.heartbeats))
    try:
        return kernel.decide(kernel.infer(proof)) is False
    except (KernelError, HeartbeatError, RecursionError):
        return False


SPARE = [lit(0), lit(1), *map(const, ("True.intro", "Nat.succ", "False", "rfl", "And.left", "Nat.zero", "Eq.refl"))]


def mutate_term(e: Expr, rng: random.Random, parts: list[Expr]) -> Expr:
    """`e` with one random node replaced by another term."""
    if rng.random() < 0.15 or not isinstance(e, (App, Binder)):
        return rng.choice(SPARE if rng.random() < 0.5 else parts)
    if isinstance(e, App):
        if rng.random() < 0.5:
            return app(mutate_term(e.fn, rng, parts), e.arg)
        return app(e.fn, mutate_term(e.arg, rng, parts))
    make = lam if type(e).__name__ == "Lam" else pi
    if rng.random() < 0.3:
        return make(e.name, mutate_term(e.ty, rng, parts), e.body, e.info)
    return make(e.name, e.ty, mutate_term(e.body, rng, parts), e.info)


def mutate_data(data: Any, rng: random.Random) -> Any:
    """A certificate with one number or part of it changed."""
    if isinstance(data, bool) or data is None:
        return data
    if isinstance(data, int):
        return data + rng.choice((-2, -1, 1, 2))
    if isinstance(data, str):
        return rng.choice(("comb", "tight", "def", data))
    items = list(data)
    if items:
        i = rng.randrange(len(items))
        if rng.random() < 0.2 and not isinstance(data, Certificate):
            del items[i]
        else:
            items[i] = mutate_data(items[i], rng)
    return Certificate(*items) if isinstance(data, Certificate) else tuple(items)


class Attack:
    """One chunk's random stream, counts, and the pool of certificates seen so far."""

    def __init__(self, engine: Engine, rng: random.Random, recorded: list[str]) -> None:
        self.engine, self.rng, self.recorded = engine, rng, recorded
        self.count: Counter[str] = Counter()
        self.certificates: list[Certificate] = []

    def tactic(self, state: State) -> str:
        """A generated tactic, or a mutated one of the corpus, with names of the state's first goal."""
        names = [d.name for d in state.goals[0].lctx.decls.values() if not d.hygienic]
        if self.rng.random() < 0.55:
            self.count["generated"] += 1
            return fuzz.adapt(fuzz.tactic(self.rng), names, self.rng)
        self.count["mutated"] += 1
        text = self.rng.choice(self.recorded)
        return fuzz.mutate(fuzz.adapt(text, names, self.rng), names, self.rng)

    def apply(self, state: State, tactic: str) -> State | None:
        """The state after a tactic; None when it failed."""
        self.count["applications"] += 1
        try:
            new = self.engine.step(state, tactic)
        except HeartbeatError:
            self.count["step limit"] += 1
        except InterruptError:
            self.count["time limit"] += 1
        except EXPECTED as error:
            self.count["refused by the kernel" if str(error).startswith("(kernel)") else "failed"] += 1
        except Exception as error:  # a defect, but no unsoundness: counted and named
            self.count[f"defect {type(error).__name__}"] += 1
        else:
            self.count["succeeded"] += 1
            return new
        return None

    def closed(self, statement: fuzz.Statement, state: State, tactics: list[str]) -> None:
        """Look at a state without goals: sorry or proved; a false statement must not be proved."""
        if state.sorry:
            self.count["closed by sorry"] += 1
            return
        if statement.false or state.proof is None:
            raise Unsound({"statement": statement.text, "tactics": tactics})
        self.count["proved"] += 1
        self.count[f"proved {statement.family}"] += 1
        proof = state.proof
        parts = [x for x in subterms(proof) if not x.lo][:60]
        for x in parts:
            if isinstance(x, Cert) and isinstance(x.data, Certificate) and len(self.certificates) < 500:
                self.certificates.append(x.data)
        for _ in range(3):
            bad = mutate_term(proof, self.rng, parts)
            self.count["derivations mutated"] += 1
            if accepted_as_false(self.engine, bad):
                raise Unsound({"statement": statement.text, "tactics": tactics, "derivation": repr(bad)})
            try:
                check_proof(self.engine.env, bad, const("False"), Budget(self.engine.heartbeats))
            except (TacticError, HeartbeatError):
                continue
            raise Unsound({"statement": statement.text, "tactics": tactics, "derivation": repr(bad)})

    def forge(self, statement: fuzz.Statement, state: State) -> None:
        """Offer known and mutated certificates for a refuted statement's body."""
        if not self.certificates or not statement.false or statement.family not in ("nat", "int"):
            return
        goal = state.meta.inst(state.goals[0].type)
        for _ in range(4):
            data: Any = self.rng.choice(self.certificates)
            for _ in range(self.rng.randrange(3)):
                data = mutate_data(data, self.rng)
            self.count["certificates forged"] += 1
            try:
                hit = check_certificate([], goal, data)
            except Exception as error:  # a refusal by exception is still a refusal, but an untidy one
                self.count[f"certificate {type(error).__name__}"] += 1
                continue
            if hit:
                raise Unsound({"statement": statement.text, "certificate": repr(data)})
        forged = Cert("decide", goal, (), None)
        try:
            check_proof(self.engine.env, forged, capp("And", const("False"), const("True")), Budget())
        except (TacticError, HeartbeatError):
            return
        raise Unsound({"statement": statement.text, "certificate": "decide"})

    def run(self, applications: int) -> None:
        """Spend `applications` tactic applications on fresh random statements."""
        while self.count["applications"] < applications:
            opened = self.open()
            if opened is None:
                continue
            statement, states, paths = opened
            for _ in range(PER_STATEMENT):
                i = len(states) - 1 if self.rng.random() < 0.7 else self.rng.randrange(len(states))
                text = self.tactic(states[i])
                new = self.apply(states[i], text)
                if new is None:
                    continue
                if not new.goals:
                    self.closed(statement, new, [*paths[i], text])
                    if not new.sorry:
                        break
                else:
                    states.append(new)
                    paths.append([*paths[i], text])

    def open(self) -> tuple[fuzz.Statement, list[State], list[list[str]]] | None:
        statement = fuzz.statement(self.rng)
        self.count["statements"] += 1
        self.count["false statements"] += statement.false
        self.count[f"statements {statement.family}"] += 1
        try:
            state = self.engine.start(statement.text)
            inner = self.engine.step(state, statement.intro)
        except EXPECTED as error:
            raise AssertionError(f"cannot open {statement.text}: {error}") from None
        self.forge(statement, inner)
        return statement, [state, inner], [[], [statement.intro]]


async def run_model(attack: Attack, folder: Path, applications: int, seed: str) -> None:
    """Let a policy model propose: four tactics for the newest state of 16 statements at a time."""
    from burnqed.config import ModelSettings, PolicySettings
    from burnqed.policy.generator import load_generator

    policy = PolicySettings.model_validate({"backend": "transformers", "dtype": "float32", "max_new_tokens": 48})
    generator = load_generator(folder, policy, ModelSettings(), "cpu", "none")
    try:
        while attack.count["applications"] < applications:
            games = [game for game in (attack.open() for _ in range(16)) if game is not None]
            for turn in range(4):
                texts = [states[-1].text() for _, states, _ in games]
                rng = random.Random(f"{seed} {attack.count['applications']} {turn}")
                seeds = [rng.randrange(1 << 31) for _ in texts]
                for game, found in zip(list(games), await generator.generate(texts, 4, 1.2, seeds), strict=True):
                    statement, states, paths = game
                    state, path = states[-1], paths[-1]
                    for candidate in found:
                        attack.count["from the model"] += 1
                        new = attack.apply(state, candidate.tactic)
                        if new is None:
                            continue
                        if new.goals:
                            states.append(new)
                            paths.append([*path, candidate.tactic])
                            continue
                        attack.closed(statement, new, [*path, candidate.tactic])
                        if not new.sorry:
                            games.remove(game)
                            break
    finally:
        await generator.close()


def main() -> int:
    """Run the missing chunks, print the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--applications", type=int, default=1_000_000)
    parser.add_argument("--model", type=Path, help="folder of a policy model that proposes a share of the tactics")
    parser.add_argument(
        "--model-applications", type=int, default=20_000, help="applications by the model, which come first"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path("results/soundness"), help="folder of the progress")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)
    log = args.output / "chunks.jsonl"
    done: dict[str, dict[str, int]] = {}
    if log.exists():
        for line in log.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            done[entry["chunk"]] = entry["count"]
    recorded = sorted({step for theorem in generate(args.seed, 600) for step in theorem.proof})
    engine = Engine()
    engine.heartbeats, engine.timeout = 20_000, 5.0
    chunks = [f"{args.seed}:{k}" for k in range(-(-args.applications // CHUNK))]
    if args.model is not None:
        chunks = [f"{args.seed}:model:{k}" for k in range(-(-args.model_applications // MODEL_CHUNK))] + chunks
    started, total = time.process_time(), Counter[str]()
    for chunk in chunks:
        if chunk not in done:
            attack = Attack(engine, random.Random(f"soundness {chunk}"), recorded)
            try:
                if ":model:" in chunk:
                    asyncio.run(run_model(attack, args.model, MODEL_CHUNK, f"soundness {chunk}"))
                else:
                    attack.run(CHUNK)
            except Unsound as error:
                text = json.dumps({"chunk": chunk, **error.args[0]}, ensure_ascii=False, indent=1)
                (args.output / "violation.json").write_text(text, encoding="utf-8")
                print(f"UNSOUND: {text}")
                return 1
            done[chunk] = dict(attack.count)
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"chunk": chunk, "count": done[chunk]}) + "\n")
    for count in done.values():  # of all seeds in the folder
        total.update(count)
    print(f"{'CPU seconds of this run':<28} {time.process_time() - started:>12,.0f}")
    for name, number in sorted(total.items()):
        print(f"{name:<28} {number:>12,}")
    print("no false statement was proved")
    return 0


if __name__ == "__main__":
    sys.exit(main())
