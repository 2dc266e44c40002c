"""Sequences and predicates described by recursion, and what follows by induction."""

from __future__ import annotations

import itertools
import random

from burnqed.data.corpus.draft import Draft, Groups, labels, statement_of
from burnqed.data.corpus.terms import Term, plus, show, term, times

SPLIT = "induction {n} with | zero => ?_ | succ {n} ih => ?_"


def induction(rng: random.Random) -> Draft | None:
    """Return one theorem of a random kind, or None."""
    kinds = [
        _closed, _closed, _bound, _bound, _grows, _remainder, _remainder, _predicate, _predicate, _unroll, _agree,
        _accumulate, _accumulate, _two_step, _chain, _invariant,
    ]  # fmt: skip
    return rng.choice(kinds)(rng, rng.choice("ffgu"), rng.choice("nnmk"))


def _draft(
    tag: str,
    groups: Groups,
    hypotheses: list[str],
    goal: str,
    n: str,
    cases: tuple[list[str], list[str]],
    hardness: int = 1,
) -> Draft:
    """``hypotheses → ∀ n, goal`` by one induction on ``n``."""
    statement = statement_of(groups, hypotheses, f"∀ {n}, {goal}")
    names = [name for group, _ in groups for name in group]
    head = " ".join(["intro", *names, *labels(len(hypotheses)), n])
    return Draft("induction", tag, statement, (head, SPLIT.format(n=n), *cases[0], *cases[1]), hardness)


def _sequence(f: str, n: str, start: Term | int, step: Term) -> list[str]:
    return [f"{f} 0 = {start}", f"(∀ {n}, {f} ({n} + 1) = {step})"]


def _closed(rng: random.Random, f: str, n: str) -> Draft | None:
    """The closed form of an arithmetic progression."""
    start, step = rng.randint(0, 9), rng.randint(1, 6)
    value = plus(times(step, n), start)
    if start and rng.random() < 0.4:
        value = term("+", str(start), times(step, n))
    # With step 1 the `rfl` after `rw [ih]` may end the proof.
    middle = ["rw [ih]"] if step > 1 and rng.random() < 0.5 else []
    hypotheses = _sequence(f, n, start, plus(term(f, n), step))
    cases = (["omega"], ["rw [h2]", *middle, "omega"])
    return _draft("closed", [([f], "Nat → Nat")], hypotheses, f"{f} {n} = {value}", n, cases)


def _bound(rng: random.Random, f: str, n: str) -> Draft | None:
    """A linear bound of a sequence with bounded steps."""
    start, step = rng.randint(0, 9), rng.randint(1, 6)
    relation, sign = rng.choice([("≤", 1), ("≥", -1)])
    base, slope = max(0, start + sign * rng.randint(0, 3)), step + sign * rng.randint(0, 2)
    if slope <= 0:
        return None
    hypotheses = [
        f"{f} 0 {rng.choice(['=', relation])} {start}",
        f"(∀ {n}, {f} ({n} + 1) {relation} {f} {n} + {step})",
    ]
    cases = (["omega"], [f"have h3 := h2 {n}", "omega"])
    return _draft(
        "bound", [([f], "Nat → Nat")], hypotheses, f"{f} {n} {relation} {plus(times(slope, n), base)}", n, cases
    )


def _grows(rng: random.Random, f: str, n: str) -> Draft | None:
    """A lower bound of a sequence that is multiplied at every step."""
    start, factor, step = rng.randint(1, 9), rng.randint(2, 4), rng.randint(0, 6)
    bound = rng.randint(1, start)
    goal = f"{f} {n} ≥ {bound}" if rng.random() < 0.5 else f"{f} {n} ≥ {plus(n, bound)}"
    hypotheses = _sequence(f, n, start, plus(times(factor, term(f, n)), step))
    return _draft("grows", [([f], "Nat → Nat")], hypotheses, goal, n, (["omega"], ["rw [h2]", "omega"]))


def _remainder(rng: random.Random, f: str, n: str) -> Draft | None:
    """What a sequence with steps divisible by d leaves modulo d."""
    divisor, start, multiple = rng.randint(2, 7), rng.randint(0, 12), rng.randint(1, 3)
    goal = f"{f} {n} % {divisor} = {start % divisor}"
    if start % divisor == 0 and rng.random() < 0.6:
        goal = f"{divisor} ∣ {f} {n}"
    hypotheses = _sequence(f, n, start, plus(term(f, n), divisor * multiple))
    return _draft("remainder", [([f], "Nat → Nat")], hypotheses, goal, n, (["omega"], ["rw [h2]", "omega"]))


def _predicate(rng: random.Random, f: str, n: str) -> Draft | None:
    """The principle itself, for a predicate, with a side condition, a function, or a longer step."""
    p = rng.choice("PPQ")
    return rng.choice([_plain, _side, _several, _image, _through])(rng, p, f, n)


def _plain(rng: random.Random, p: str, f: str, n: str) -> Draft:
    base, step = f"{p} 0", f"(∀ {n}, {p} {n} → {p} ({n} + 1))"
    cases = (["exact h1"], [f"exact h2 {n} ih"]) if rng.random() < 0.5 else (["exact h1"], ["apply h2", "exact ih"])
    return _draft("principle", [([p], "Nat → Prop")], [base, step], f"{p} {n}", n, cases, 0)


def _side(rng: random.Random, p: str, f: str, n: str) -> Draft:
    limit = rng.randint(0, 9)
    step = f"(∀ {n}, {p} {n} → {n} + {limit} ≥ {limit} → {p} ({n} + 1))"
    cases = (["exact h1"], ["apply h2", "exact ih", "omega"])
    return _draft("side", [([p], "Nat → Prop")], [f"{p} 0", step], f"{p} {n}", n, cases)


def _several(rng: random.Random, p: str, f: str, n: str) -> Draft:
    """Steps of two or three: the statement has to carry its neighbours along."""
    shift = rng.randint(2, 3)
    hypotheses = [*(f"{p} {i}" for i in range(shift)), f"(∀ {n}, {p} {n} → {p} ({n} + {shift}))"]
    goal = " ∧ ".join(f"{p} ({n} + {i})" if i else f"{p} {n}" for i in range(shift))
    names = ", ".join(labels(shift))
    parts = [f"h{shift + 3 + i}" for i in range(shift)]
    split = f"obtain ⟨{', '.join(parts)}⟩ := ih"
    cases = (
        [f"exact ⟨{names}⟩"],
        [split, f"refine ⟨{', '.join([*parts[1:], '?_'])}⟩", f"apply h{shift + 1}", f"exact {parts[0]}"],
    )
    return _draft("strong", [([p], "Nat → Prop")], hypotheses, goal, n, cases, 2)


def _image(rng: random.Random, p: str, f: str, n: str) -> Draft:
    base, step = f"{p} ({f} 0)", f"(∀ {n}, {p} ({f} {n}) → {p} ({f} ({n} + 1)))"
    groups: Groups = [([p], "Nat → Prop"), ([f], "Nat → Nat")]
    return _draft("image", groups, [base, step], f"{p} ({f} {n})", n, (["exact h1"], ["apply h2", "exact ih"]))


def _through(rng: random.Random, p: str, f: str, n: str) -> Draft:
    """The step goes through other predicates."""
    others = ["A", "B", "C"][: rng.randint(1, 3)]
    rules = [f"(∀ {n}, {one} {n} → {two} {n})" for one, two in itertools.pairwise(others)]
    rules = [f"(∀ {n}, {p} {n} → {others[0]} {n})", *rules, f"(∀ {n}, {others[-1]} {n} → {p} ({n} + 1))"]
    hypotheses = [f"{p} 0", *rules]
    order = list(range(len(hypotheses)))
    rng.shuffle(order)
    name = {i: f"h{place + 1}" for place, i in enumerate(order)}
    steps = [f"apply {name[i]}" for i in reversed(range(1, len(hypotheses)))]
    groups: Groups = [([p, *others], "Nat → Prop")]
    cases = ([f"exact {name[0]}"], [*steps, "exact ih"])
    return _draft("through", groups, [hypotheses[i] for i in order], f"{p} {n}", n, cases, 2)


def _unroll(rng: random.Random, f: str, n: str) -> Draft | None:
    """A value of a progression, by unrolling."""
    start, step, at = rng.randint(0, 9), rng.randint(1, 6), rng.randint(1, 4)
    factor = rng.choice([1, 1, 2, 3])
    value, unrolled = start, list[str]()
    for i in range(at):
        value = factor * value + step
        unrolled.append(f"have h{3 + i} : {f} {i + 1} = {plus(times(factor, term(f, str(i))), step)} := h2 {i}")
    hypotheses = _sequence(f, n, start, plus(times(factor, term(f, n)), step))
    statement = statement_of([([f], "Nat → Nat")], hypotheses, f"{f} {at} = {value}")
    return Draft("induction", "unroll", statement, (f"intro {f} h1 h2", *unrolled, "omega"))


def _agree(rng: random.Random, f: str, n: str) -> Draft | None:
    """Two sequences with the same start and step agree, or one stays a multiple of the other."""
    step, factor, ratio = rng.randint(0, 6), rng.choice([1, 1, 2, 3]), rng.choice([1, 1, 2, 3])
    if step == 0 and factor == 1:
        return None
    hypotheses = [f"{f} 0 = {times(ratio, 'v 0')}"]
    hypotheses += [
        f"(∀ {n}, {f} ({n} + 1) = {plus(times(factor, f'{f} {n}'), ratio * step)})",
        f"(∀ {n}, v ({n} + 1) = {plus(times(factor, f'v {n}'), step)})",
    ]
    tail = ["rw [ih]"] if ratio == 1 else ["omega"]
    cases = (["exact h1"], ["rw [h2]", "rw [h3]", *tail])
    return _draft("agree", [([f, "v"], "Nat → Nat")], hypotheses, f"{f} {n} = {times(ratio, f'v {n}')}", n, cases)


def _accumulate(rng: random.Random, f: str, n: str) -> Draft | None:
    """A function with an accumulator: the statement has to be about every accumulator."""
    step, scale = rng.randint(1, 4), rng.randint(1, 3)
    a = rng.choice("ab")
    hypotheses = [f"(∀ {a}, {f} 0 {a} = {times(scale, a)})", f"(∀ {n} {a}, {f} ({n} + 1) {a} = {f} {n} ({a} + {step}))"]
    closed = term("+", times(scale, a), times(scale * step, n))
    head = f"intro {f} h1 h2 {n}"
    statement = statement_of([([f], "Nat → Nat → Nat")], hypotheses, f"∀ {n} {a}, {f} {n} {a} = {closed}")
    if rng.random() < 0.5:
        split = [SPLIT.format(n=n), f"intro {a}", "rw [h1]", "omega", f"intro {a}", "rw [h2]", "rw [ih]", "omega"]
        return Draft("induction", "accumulator", statement, (head, *split), 2)
    split = [
        f"induction {n} generalizing {a} with | zero => ?_ | succ {n} ih => ?_",
        "rw [h1]", "omega", "rw [h2]", "rw [ih]", "omega",
    ]  # fmt: skip
    return Draft("induction", "accumulator", statement, (f"{head} {a}", *split), 2)


def _two_step(rng: random.Random, f: str, n: str) -> Draft | None:
    """A recursion over two values, bounded or kept equal by carrying both."""
    base, one = rng.randint(0, 4), rng.randint(0, 4)
    bound = max(base, one) + rng.randint(0, 2)
    before = rng.choice([f"{f} {n}", f"{f} ({n} + 1)"])
    hypotheses = [f"{f} 0 ≤ {bound}", f"{f} 1 ≤ {bound}", f"(∀ {n}, {f} ({n} + 2) ≤ {before})"]
    goal = f"{f} {n} ≤ {bound} ∧ {f} ({n} + 1) ≤ {bound}"
    cases = (
        ["exact ⟨h1, h2⟩"],
        ["obtain ⟨h4, h5⟩ := ih", f"have h6 : {f} ({n} + 1 + 1) ≤ {before} := h3 {n}", "constructor", "omega", "omega"],
    )
    return _draft("pair", [([f], "Nat → Nat")], hypotheses, goal, n, cases, 2)


def _chain(rng: random.Random, f: str, n: str) -> Draft | None:
    """Comparison of a monotone sequence with its start, by transitivity."""
    relation, lemma = rng.choice([("≤", "Nat.le_trans"), ("∣", "Nat.dvd_trans")])
    zero = f"exact Nat.le_refl ({f} 0)" if relation == "≤" else f"exact Nat.dvd_refl ({f} 0)"
    forward = rng.random() < 0.6
    step = f"{f} {n} {relation} {f} ({n} + 1)" if forward else f"{f} ({n} + 1) {relation} {f} {n}"
    goal = f"{f} 0 {relation} {f} {n}" if forward else f"{f} {n} {relation} {f} 0"
    succ = [f"apply {lemma} ih", f"exact h1 {n}"] if forward else [f"apply {lemma} (h1 {n})", "exact ih"]
    shift = rng.randint(0, 3)
    if shift and relation == "≤" and forward:
        goal = f"{f} 0 {relation} {f} {n} + {shift}"
        zero, succ = "omega", [f"have h2 := h1 {n}", "omega"]
    return _draft("monotone", [([f], "Nat → Nat")], [f"(∀ {n}, {step})"], goal, n, ([zero], succ))


def _invariant(rng: random.Random, f: str, n: str) -> Draft | None:
    """Two sequences that step together keep a linear relation."""
    one, two = rng.randint(1, 4), rng.randint(1, 4)
    start = rng.randint(0, 5)
    hypotheses = [
        f"{f} 0 = {start}",
        "v 0 = 0",
        f"(∀ {n}, {f} ({n} + 1) = {f} {n} + {one})",
        f"(∀ {n}, v ({n} + 1) = v {n} + {two})",
    ]
    left, right = times(two, f"{f} {n}"), plus(times(one, f"v {n}"), two * start)
    cases = (["omega"], ["rw [h3]", "rw [h4]", "omega"])
    return _draft("invariant", [([f, "v"], "Nat → Nat")], hypotheses, f"{show(left)} = {show(right)}", n, cases)
