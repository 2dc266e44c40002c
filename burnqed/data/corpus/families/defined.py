"""Theorems about the definitions of the header: trees, colours, even numbers, sets of numbers."""

from __future__ import annotations

import random

from burnqed.data.corpus.draft import Draft, Groups, intro, statement_of
from burnqed.data.corpus.sequents import find_proof, numbered
from burnqed.data.corpus.terms import Term, heads, plus, term, times, total

SETS = ["A", "B", "C"]
OPERATIONS = {"Meet": "∧", "Join": "∨", "Outside": "¬"}
TREE = "induction t with | leaf => ?_ | node l x r ihl ihr => ?_"


def _set(rng: random.Random, names: list[str], leaves: int) -> Term:
    if leaves <= 1:
        return Term(rng.choice(names))
    if rng.random() < 0.12:
        return term("Outside", _set(rng, names, leaves))
    left = rng.randint(1, leaves - 1)
    return term(rng.choice(["Meet", "Join"]), _set(rng, names, left), _set(rng, names, leaves - left))


def _as_formula(value: Term) -> Term:
    if value.head in OPERATIONS:
        return Term(OPERATIONS[value.head], tuple(_as_formula(part) for part in value.args))
    return value


def sets(rng: random.Random) -> Draft | None:
    """Return an inclusion between sets of numbers, from others, element by element."""
    names = SETS[: rng.choice([2, 2, 3, 3])]
    count = rng.choice([0, 1, 1, 2])
    given = [(_set(rng, names, rng.choice([1, 2])), _set(rng, names, rng.choice([1, 2]))) for _ in range(count)]
    left, right = _set(rng, names, rng.randint(1, 3)), _set(rng, names, rng.randint(1, 3))
    if left == right or any(one == two for one, two in given) or (left, right) in given or len(set(given)) < count:
        return None
    hypotheses = [term("→", *(_as_formula(part) for part in pair)) for pair in given]
    rest = find_proof(numbered([*hypotheses, _as_formula(left)]), _as_formula(right), count + 2)
    if rest is None or not 1 <= len(rest) <= 10:
        return None
    values = [side for pair in [*given, (left, right)] for side in pair]
    groups: Groups = [([name for name in SETS if any(name in heads(v) for v in values)], "Nat → Prop")]
    statement = statement_of(groups, [term("Included", *pair) for pair in given], term("Included", left, right))
    steps = [f"intro x h{count + 1}", *(f"specialize h{i + 1} x" for i in range(count))]
    return Draft("sets", "inclusion", statement, (intro(groups, count), *steps, *rest), 1)


def trees(rng: random.Random) -> Draft | None:
    """Return a fact about size, total and mirror image of trees, by induction or from lemmas of it."""
    kind = rng.choice(["size", "total", "mirror", "function", "given", "given", "predicate"])
    script: tuple[str, ...]
    if kind == "mirror":
        script = ("intro t", TREE, "rfl", "rw [Tree.mirror]", "rw [Tree.mirror]", "rw [ihl]", "rw [ihr]")
        return Draft("tree", kind, "∀ t : Tree, t.mirror.mirror = t", script, 1)
    if kind in ("size", "total"):
        return _measure(rng, kind)
    if kind == "predicate":
        script = ("intro P h1 h2 t", TREE, "exact h1", "apply h2", "exact ihl", "exact ihr")
        statement = "∀ (P : Tree → Prop), P Tree.leaf → (∀ l x r, P l → P r → P (Tree.node l x r)) → ∀ t, P t"
        return Draft("tree", kind, statement, script, 1)
    return _tree_function(rng) if kind == "function" else _from_lemmas(rng)


def _measure(rng: random.Random, f: str) -> Draft | None:
    scale, shift = rng.randint(1, 3), rng.randint(0, 5)
    left, right = (plus(times(scale, f"t{end}.{f}"), shift) for end in rng.sample([".mirror", ""], 2))
    statement = f"∀ t : Tree, {left} = {right}"
    script = ("intro t", TREE, "rfl", "rw [Tree.mirror]", f"rw [Tree.{f}]", f"rw [Tree.{f}]", "omega")
    return Draft("tree", f, statement, script, 1)


def _tree_function(rng: random.Random) -> Draft | None:
    """A function described by recursion on trees is a multiple of the size."""
    step, f = rng.randint(1, 6), rng.choice("fg")
    hypotheses = [f"{f} Tree.leaf = 0", f"(∀ l x r, {f} (Tree.node l x r) = {f} l + {step} + {f} r)"]
    goal = f"∀ t, {f} t = {times(step, 't.size')}"
    script = (f"intro {f} h1 h2 t", TREE, "rw [h1]", "rfl", "rw [h2]", "rw [Tree.size]", "omega")
    return Draft("tree", "function", statement_of([([f], "Tree → Nat")], hypotheses, goal), script, 1)


def _from_lemmas(rng: random.Random) -> Draft | None:
    """The measure of a tree built from others, when mirroring keeps it."""
    f = rng.choice(["size", "total"])
    names = rng.sample(["s", "t", "u"], rng.randint(1, 3))
    rule = f"(∀ t : Tree, t.mirror.{f} = t.{f})"
    depth = rng.randint(1, 2)
    sides = [f"{name}{'.mirror' * rng.randint(0, depth)}.{f}" for name in names]
    count = sum(side.count("mirror") for side in sides)
    if not count:
        return None
    order = [f"{name}.{f}" for name in names]
    rng.shuffle(order)
    number = rng.randint(0, 9)
    goal = f"{plus(total([Term(side) for side in sides]), number)} = {plus(total([Term(o) for o in order]), number)}"
    groups: Groups = [(sorted(names), "Tree")]
    rewrites = ["rw [h1]"] * count
    same = order == [f"{name}.{f}" for name in names]
    script = (intro(groups, 1), *rewrites, *([] if same else ["omega"]))
    return Draft("tree", "lemma", statement_of(groups, [rule], goal), script, 1)


COLOURS = ["red", "green", "blue"]
BY_COLOUR = "cases c with | red => ?_ | green => ?_ | blue => ?_"


def colours(rng: random.Random) -> Draft | None:
    """Return a fact about colours by going through them."""
    return rng.choice([_cycle, _reached, _reached, _each, _each])(rng, rng.choice("PQ"))


def _cycle(rng: random.Random, predicate: str) -> Draft:
    turns = rng.randint(3, 6)
    goal = f"∀ c : Colour, c{'.next' * turns} = c{'.next' * (turns % 3)}"
    return Draft("colour", "cycle", goal, ("intro c", BY_COLOUR, "rfl", "rfl", "rfl"))


def _reached(rng: random.Random, predicate: str) -> Draft:
    """From one colour all others are reached."""
    first = rng.randrange(3)
    hypotheses = [f"{predicate} Colour.{COLOURS[first]}", f"(∀ c, {predicate} c → {predicate} c.next)"]
    closing = []
    for place in range(3):
        steps = (place - first) % 3
        closing += [f"apply h2 Colour.{COLOURS[(first + i) % 3]}" for i in reversed(range(steps))] + ["exact h1"]
    statement = statement_of([([predicate], "Colour → Prop")], hypotheses, f"∀ c, {predicate} c")
    return Draft("colour", "step", statement, (f"intro {predicate} h1 h2 c", BY_COLOUR, *closing), 1)


def _each(rng: random.Random, predicate: str) -> Draft:
    order, shift = rng.sample(COLOURS, 3), rng.randint(0, 2)
    closing = [f"exact h{order.index(COLOURS[(i + shift) % 3]) + 1}" for i in range(3)]
    hypotheses = [f"{predicate} Colour.{name}" for name in order]
    goal = f"∀ c : Colour, {predicate} c{'.next' * shift}"
    statement = statement_of([([predicate], "Colour → Prop")], hypotheses, goal)
    return Draft("colour", "all", statement, (f"intro {predicate} h1 h2 h3 c", BY_COLOUR, *closing))


def numbers(rng: random.Random) -> Draft | None:
    """Return a fact about `double`, `sumTo` and `IsEven`."""
    return rng.choice([_doubled, _doubled, _summed, _even_number, _even_sum])(rng)


def _doubled(rng: random.Random) -> Draft | None:
    scale, shift = rng.randint(1, 4), rng.randint(0, 6)
    split = "induction n with | zero => ?_ | succ n ih => ?_"
    kind = rng.choice(["closed", "step", "add"])
    if kind == "closed":
        left, right = plus(times(scale, term("double", "n")), shift), plus(times(2 * scale, "n"), shift)
        return Draft(
            "defined", "double", f"∀ n, {left} = {right}", ("intro n", split, "rfl", "rw [double]", "omega"), 1
        )
    if kind == "step":
        count = rng.randint(1, 4)
        unfolded = term("=", term("double", plus("n", count)), plus(term("double", "n"), 2 * count))
        return Draft("defined", "unfold", f"∀ n, {unfolded}", ("intro n", *["rw [double]"] * count), 1)
    goal = "double (m + n) = double m + double n"
    script = ("intro m n", split, "rfl", "rw [← Nat.add_assoc]", "rw [double]", "rw [double]", "omega")
    return Draft("defined", "add", f"∀ m n, {goal}", script, 1)


def _summed(rng: random.Random) -> Draft | None:
    split = "induction n with | zero => ?_ | succ n ih => ?_"
    bound = plus("n", 0) if rng.random() < 0.5 else term("double", "n")
    if bound == Term("n"):
        scale = rng.randint(1, 4)
        goal = f"{times(scale, 'sumTo n')} ≥ {times(scale, 'n')}"
        return Draft("defined", "sum", f"∀ n, {goal}", ("intro n", split, "decide", "rw [sumTo]", "omega"), 1)
    shift = rng.randint(1, 5)
    goal = f"sumTo n + {shift} ≥ n"
    return Draft("defined", "sum", f"∀ n, {goal}", ("intro n", split, "omega", "rw [sumTo]", "omega"), 1)


def _even_number(rng: random.Random) -> Draft | None:
    start = rng.choice([0, 0, 0, 1])
    value = 2 * rng.randint(1, 5)
    if start == 0:
        steps = ["apply IsEven.step"] * (value // 2) + ["exact IsEven.zero"]
        return Draft("even", "number", f"IsEven {value}", tuple(steps))
    shift = rng.randint(1, 5)
    steps = ["intro n h1", *["apply IsEven.step"] * shift, "exact h1"]
    return Draft("even", "shift", f"∀ n, IsEven n → IsEven (n + {2 * shift})", tuple(steps))


def _even_sum(rng: random.Random) -> Draft | None:
    kind = rng.choice(["exists", "double", "closed"])
    if kind == "double":
        split = "induction n with | zero => ?_ | succ n ih => ?_"
        script = ("intro n", split, "exact IsEven.zero", "rw [double]", "apply IsEven.step", "exact ih")
        return Draft("even", kind, "∀ n, IsEven (double n)", script, 1)
    scale, rest = rng.randint(1, 3), rng.randint(0, 2)
    split = "induction h1 with | zero => ?_ | step m h2 ih => ?_"
    if kind == "exists":
        goal = Term("∃ k", (term("=", times(scale, "n"), times(2 * scale, "k")),))
        script = (
            "intro n h1", split, "exact ⟨0, rfl⟩", "obtain ⟨k, h3⟩ := ih", "refine ⟨k + 1, ?_⟩", "omega",
        )  # fmt: skip
        return Draft("even", kind, f"∀ n, IsEven n → {goal}", script, 2)
    left = plus(times(scale, "n"), rest)
    goal = term("=", term("%", left, "2"), str(rest % 2))
    return Draft("even", kind, f"∀ n, IsEven n → {goal}", ("intro n h1", split, "decide", "omega"), 1)
