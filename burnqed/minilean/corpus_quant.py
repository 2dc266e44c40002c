"""Theorems with quantifiers: lifted propositional sequents, relations, monotone functions."""

from __future__ import annotations

import random
import re

from burnqed.minilean.corpus_draft import Draft, telescope
from burnqed.minilean.corpus_prop import Context, Formula, Prover, random_sequent, show

_PREDICATE = {"p": "P", "q": "Q", "r": "R", "s": "S"}


def _lift(formula: Formula, argument: str) -> Formula:
    if formula[0] == "atom":
        return ("atom", f"{_PREDICATE[formula[1]]} {argument}")
    return (formula[0], *(_lift(part, argument) for part in formula[1:]))


def _prove(context: Context, goal: Formula, fresh: int) -> list[str] | None:
    for depth in (0, 1, 2, 4):
        found = Prover(400).prove(context, goal, fresh, depth, frozenset())
        if found is not None:
            return found
    return None


def _predicates(formulas: list[Formula]) -> list[str]:
    words = set(re.findall(r"\w+", " ".join(show(formula) for formula in formulas)))
    return [name for name in "PQRS" if name in words]


def lifted(rng: random.Random) -> Draft | None:
    """A propositional sequent about predicates, its hypotheses under quantifiers."""
    atoms = ["p", "q", "r"][: rng.choice([1, 2, 2, 3])]
    sequent = random_sequent(rng, atoms, 3)
    if sequent is None:
        return None
    plain, plain_goal, proof = sequent
    count = len(plain)
    if count == 0:
        return None
    kind = rng.choice(["all", "all", "some", "some", "point", "none"])
    x = rng.choice(["x", "x", "y", "n"])
    at = rng.choice(["a", "b", "a"]) if kind == "point" else x
    formulas = [_lift(formula, at) for formula in plain]
    goal = _lift(plain_goal, at)
    names = _predicates([*formulas, goal])
    groups = [(names, "Nat → Prop")]
    hypotheses = [f"(∀ {x}, {show(_lift(formula, x))})" for formula in plain]
    labels = [f"h{i + 1}" for i in range(count)]
    if kind == "all":
        statement = telescope(groups, hypotheses, f"∀ {x}, {show(goal)}")
        script = [" ".join(["intro", *names, *labels, x])]
        script += [f"specialize {label} {x}" for label in labels]
        return Draft("forall", "quantifier", statement, (*script, *proof))
    if kind == "point":
        quantified = [rng.random() < 0.6 for _ in plain]
        if not any(quantified):
            return None
        texts = [
            hypothesis if general else show(formula, 26)
            for general, hypothesis, formula in zip(quantified, hypotheses, formulas, strict=True)
        ]
        statement = telescope([*groups, ([at], "Nat")], texts, show(goal, 25))
        script = [" ".join(["intro", *names, at, *labels])]
        script += [f"specialize {label} {at}" for label, g in zip(labels, quantified, strict=True) if g]
        return Draft("instance", "quantifier", statement, (*script, *proof))
    fresh = count + 1
    if kind == "none":
        # From  ¬∃ x, B x  and  A ⊢ B  conclude  ∀ x, ¬A x.
        if count != 1:
            return None
        negated = show(("not", formulas[0]))
        statement = telescope(groups, [f"(¬∃ {x}, {show(goal)})"], f"∀ {x}, {negated}")
        rest = _prove((("h2", formulas[0]),), goal, 3)
        if rest is None:
            return None
        script = [
            " ".join(["intro", *names, "h1", x, "h2"]),
            "apply h1",
            f"refine ⟨{x}, ?_⟩",
            *rest,
        ]
        return Draft("not_exists", "quantifier", statement, tuple(script), 1)
    chosen = rng.randrange(count)
    hypotheses[chosen] = hypotheses[chosen].replace("∀", "∃", 1)
    context = tuple(
        (f"h{fresh}" if i == chosen else label, formula)
        for i, (label, formula) in enumerate(zip(labels, formulas, strict=True))
    )
    rest = _prove(context, goal, fresh + 1)
    if rest is None:
        return None
    statement = telescope(groups, hypotheses, f"∃ {x}, {show(goal)}")
    script = [" ".join(["intro", *names, *labels]), f"obtain ⟨{x}, h{fresh}⟩ := {labels[chosen]}"]
    script += [f"specialize {label} {x}" for i, label in enumerate(labels) if i != chosen]
    script += [f"refine ⟨{x}, ?_⟩", *rest]
    return Draft("exists", "quantifier", statement, tuple(script), 1)


def relation(rng: random.Random) -> Draft | None:
    """A path through facts about a symmetric or transitive relation."""
    symmetric = rng.random() < 0.7
    name = rng.choice(["R", "R", "S"])
    points = ["a", "b", "c", "d"]
    rng.shuffle(points)
    length = rng.choice([1, 2, 2, 3]) if symmetric else rng.choice([2, 3])
    path = points[: length + 1]
    flips = [symmetric and rng.random() < 0.5 for _ in range(length)]
    if symmetric and not any(flips):
        return None
    rules = []
    if symmetric:
        rules.append(f"(∀ x y, {name} x y → {name} y x)")
    if length > 1:
        rules.append(f"(∀ x y z, {name} x y → {name} y z → {name} x z)")
    edges = [(path[i + 1], path[i], i) if flip else (path[i], path[i + 1], i) for i, flip in enumerate(flips)]
    order = edges[:]
    rng.shuffle(order)
    first = len(rules) + 1
    label = {edge[2]: f"h{first + i}" for i, edge in enumerate(order)}
    fresh = first + length
    script = [" ".join(["intro", name, *sorted(path), *(f"h{i + 1}" for i in range(fresh - 1))])]
    trans = f"h{len(rules)}"
    for index, flip in enumerate(flips):
        if flip:
            start, end = path[index + 1], path[index]
            proof = f"h1 {start} {end} "
            source = next(f"h{first + i}" for i, edge in enumerate(order) if edge[2] == index)
            if length == 1:
                script.append(f"exact {proof}{source}")
                break
            script.append(f"have h{fresh} := {proof}{source}")
            label[index] = f"h{fresh}"
            fresh += 1
    current = label[0]
    for index in range(1, length):
        term = f"{trans} {path[0]} {path[index]} {path[index + 1]} {current} {label[index]}"
        if index == length - 1:
            script.append(f"exact {term}")
        else:
            script.append(f"have h{fresh} := {term}")
            current = f"h{fresh}"
            fresh += 1
    groups = [([name], "Nat → Nat → Prop"), (sorted(path), "Nat")]
    facts = [f"{name} {start} {end}" for start, end, _ in order]
    statement = telescope(groups, [*rules, *facts], f"{name} {path[0]} {path[-1]}")
    return Draft("relation", "quantifier", statement, tuple(script), 1)


def _apply_word(word: str, argument: str) -> str:
    for letter in reversed(word):
        argument = f"{letter} {argument}" if argument.isidentifier() else f"{letter} ({argument})"
    return argument


def monotone(rng: random.Random) -> Draft | None:
    """Compositions of functions that keep an order, or keep a predicate."""
    letters = rng.choice(["f", "fg", "fg"])
    word = "".join(rng.choice(letters) for _ in range(rng.randint(1, 4)))
    used = [letter for letter in letters if letter in word]
    if rng.random() < 0.4:
        predicate = rng.choice(["P", "P", "Q"])
        rules = [f"(∀ x, {predicate} x → {predicate} ({letter} x))" for letter in used]
        groups = [(used, "Nat → Nat"), ([predicate], "Nat → Prop"), (["a"], "Nat")]
        argument = _apply_word(word, "a")
        goal = f"{predicate} {argument}" if argument.isidentifier() else f"{predicate} ({argument})"
        base, names = f"{predicate} a", [*used, predicate, "a"]
    else:
        relation_ = rng.choice(["≤", "<", "≥", "=", "≠"])
        rules = [f"(∀ x y, x {relation_} y → {letter} x {relation_} {letter} y)" for letter in used]
        groups = [(used, "Nat → Nat"), (["a", "b"], "Nat")]
        base, names = f"a {relation_} b", [*used, "a", "b"]
        left, right = _apply_word(word, "a"), _apply_word(word, "b")
        goal = f"{left} {relation_} {right}"
        if relation_ == "=":
            return None
    position = {letter: f"h{i + 1}" for i, letter in enumerate(used)}
    hypotheses = [*rules, base]
    closing = f"exact h{len(hypotheses)}"
    if not word.strip(word[0]) and relation_free(base) and rng.random() < 0.3:
        extra = rng.randint(1, 5)
        hypotheses[-1] = f"a + {extra} {base[2]} b"
        if base[2] not in "≤<":
            return None
        closing = "omega"
    script = [" ".join(["intro", *names, *(f"h{i + 1}" for i in range(len(hypotheses)))])]
    script += [f"apply {position[letter]}" for letter in word]
    statement = telescope(groups, hypotheses, goal)
    return Draft("compose", "quantifier", statement, (*script, closing))


def relation_free(base: str) -> bool:
    """Whether the base fact is an order between a and b, not a predicate of a."""
    return base.startswith("a ")


_SWAPS: list[tuple[str, str, tuple[str, ...]]] = [
    (
        "(∃ x, ∀ y, {R} x y)",
        "∀ y, ∃ x, {R} x y",
        ("intro {R} h1 y", "obtain ⟨x, h2⟩ := h1", "exact ⟨x, h2 y⟩"),
    ),
    ("(∀ x y, {R} x y)", "∀ y x, {R} x y", ("intro {R} h1 y x", "exact h1 x y")),
    (
        "(∃ x y, {R} x y)",
        "∃ y x, {R} x y",
        ("intro {R} h1", "obtain ⟨x, y, h2⟩ := h1", "exact ⟨y, x, h2⟩"),
    ),
    ("(∀ x y, {R} x y)", "∀ x, {R} x x", ("intro {R} h1 x", "exact h1 x x")),
    (
        "(∃ x, {R} x x)",
        "∃ x y, {R} x y",
        ("intro {R} h1", "obtain ⟨x, h2⟩ := h1", "exact ⟨x, x, h2⟩"),
    ),
    ("(∀ x, ∃ y, {R} x y)", "∃ y, {R} {k} y", ("intro {R} h1", "exact h1 {k}")),
    ("(∀ x y, {R} x y)", "{R} {k} {m}", ("intro {R} h1", "exact h1 {k} {m}")),
    (
        "(∃ x, ∀ y, {R} x y)",
        "∃ x, {R} x {k}",
        ("intro {R} h1", "obtain ⟨x, h2⟩ := h1", "exact ⟨x, h2 {k}⟩"),
    ),
    (
        "(¬∃ x, ∃ y, {R} x y)",
        "∀ x y, ¬{R} x y",
        ("intro {R} h1 x y h2", "apply h1", "exact ⟨x, y, h2⟩"),
    ),
    (
        "(∀ x, ¬{R} x {k})",
        "¬∃ x, {R} x {k}",
        ("intro {R} h1 h2", "obtain ⟨x, h3⟩ := h2", "exact h1 x h3"),
    ),
    (
        "(∃ x, ¬{R} x {k})",
        "¬∀ x, {R} x {k}",
        ("intro {R} h1 h2", "obtain ⟨x, h3⟩ := h1", "exact h3 (h2 x)"),
    ),
    ("{R} {k} {m}", "∃ x, {R} x {m}", ("intro {R} h1", "exact ⟨{k}, h1⟩")),
    ("{R} {k} {m}", "∃ x y, {R} x y", ("intro {R} h1", "exact ⟨{k}, {m}, h1⟩")),
]


def swap(rng: random.Random) -> Draft | None:
    """Quantifiers over a relation exchanged, instantiated or negated."""
    hypothesis, goal, proof = rng.choice(_SWAPS)
    fill = {"R": "R", "k": str(rng.randint(0, 9)), "m": str(rng.randint(0, 9))}
    statement = telescope([(["R"], "Nat → Nat → Prop")], [hypothesis.format(**fill)], goal.format(**fill))
    return Draft("swap", "quantifier", statement, tuple(step.format(**fill) for step in proof))
