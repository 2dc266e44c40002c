"""Theorems with a choice at every step: rules, words, walks and numbers, with ways that end nowhere."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

from burnqed.data.corpus.draft import Draft, Groups, intro, statement_of, used
from burnqed.data.corpus.terms import Term, term

MAX_STEPS = 14
ATOMS = list("pqrstuvw")


@dataclass(frozen=True)
class Rule:
    """From all premises follows the conclusion; a fact has no premise."""

    premises: tuple[str, ...]
    conclusion: str


def shortest(rules: list[Rule]) -> dict[str, tuple[int, Rule]]:
    """Return, for each atom that follows, the size of its smallest proof and the rule that ends it."""
    best: dict[str, tuple[int, Rule]] = {}
    changed = True
    while changed:
        changed = False
        for rule in rules:
            if all(premise in best for premise in rule.premises):
                size = 1 + sum(best[premise][0] for premise in rule.premises)
                if rule.conclusion not in best or size < best[rule.conclusion][0]:
                    best[rule.conclusion] = (size, rule)
                    changed = True
    return best


def _theory(rng: random.Random) -> list[Rule]:
    """Return random rules over a few atoms, with facts, cycles and dead ends."""
    atoms = rng.sample(ATOMS, rng.randint(4, 8))
    facts = rng.sample(atoms, rng.randint(1, 2))
    rules = {Rule((), fact) for fact in facts}
    for _ in range(rng.randint(3, 8)):
        *premises, conclusion = rng.sample(atoms, rng.choice([2, 2, 2, 3]))
        if conclusion not in facts:
            rules.add(Rule(tuple(premises), conclusion))
    ordered = sorted(rules, key=lambda rule: (rule.conclusion, rule.premises))
    rng.shuffle(ordered)
    return ordered


def _backward(goal: str, best: dict[str, tuple[int, Rule]], name: dict[Rule, str]) -> list[str]:
    """Return the tactics that prove ``goal`` from the goal down to the facts."""
    rule = best[goal][1]
    if not rule.premises:
        return [f"exact {name[rule]}"]
    return [f"apply {name[rule]}", *(step for premise in rule.premises for step in _backward(premise, best, name))]


def _forward(goal: str, best: dict[str, tuple[int, Rule]], name: dict[Rule, str]) -> list[str]:
    """Return the tactics that derive atom after atom until ``goal`` is one of them."""
    known: dict[str, str] = {}
    steps: list[str] = []

    def derive(atom: str) -> None:
        rule = best[atom][1]
        for premise in rule.premises:
            if premise not in known:
                derive(premise)
        if not rule.premises:
            known[atom] = name[rule]
            return
        value = " ".join([name[rule], *(known[premise] for premise in rule.premises)])
        if atom == goal:
            steps.append(f"exact {value}")
        else:
            known[atom] = f"h{len(name) + len(steps) + 1}"
            steps.append(f"have {known[atom]} := {value}")

    derive(goal)
    return steps


def rules(rng: random.Random) -> Draft | None:
    """Return a goal that follows from facts by rules, among rules that lead nowhere."""
    theory = _theory(rng)
    best = shortest(theory)
    goal = max(sorted(best), key=lambda atom: best[atom][0])
    if not 3 <= best[goal][0] < MAX_STEPS:
        return None
    lifted = rng.random() < 0.4
    name = {rule: f"h{place + 1}" for place, rule in enumerate(theory)}
    steps = (_backward if lifted or rng.random() < 0.7 else _forward)(goal, best, name)
    if len(steps) < 3:
        return None
    return _lifted(theory, goal, steps) if lifted else _plain(theory, goal, steps)


def _draft(
    family: str, tag: str, groups: Groups, hypotheses: list[Term], goal: Term, steps: list[str], hardness: int = 2
) -> Draft:
    script = (intro(groups, len(hypotheses)), *steps)
    return Draft(family, tag, statement_of(groups, hypotheses, goal), script, hardness)


def _arrow(parts: list[Term]) -> Term:
    result = parts[-1]
    for part in reversed(parts[:-1]):
        result = term("→", part, result)
    return result


def _plain(theory: list[Rule], goal: str, steps: list[str]) -> Draft:
    hypotheses = [_arrow([Term(atom) for atom in (*rule.premises, rule.conclusion)]) for rule in theory]
    groups: Groups = [(used(ATOMS, hypotheses), "Prop")]
    return _draft("maze", "rules", groups, hypotheses, Term(goal), steps)


def _lifted(theory: list[Rule], goal: str, steps: list[str]) -> Draft:
    """The rules about predicates of all numbers, the facts and the goal about one."""

    def about(atom: str, place: str) -> Term:
        return term(atom.upper(), place)

    hypotheses = [
        term("∀ x", _arrow([about(atom, "x") for atom in (*rule.premises, rule.conclusion)]))
        if rule.premises
        else about(rule.conclusion, "a")
        for rule in theory
    ]
    names = [atom.upper() for atom in ATOMS]
    predicates = [name for name in names if any(name in str(h) for h in hypotheses)]
    groups: Groups = [(predicates, "Nat → Prop"), (["a"], "Nat")]
    return _draft("maze", "predicates", groups, hypotheses, about(goal, "a"), steps)


def word(letters: str, argument: Term) -> Term:
    """Return ``f (g (.. argument))`` for the word ``fg..``."""
    for letter in reversed(letters):
        argument = term(letter, argument)
    return argument


def words(rng: random.Random) -> Draft | None:
    """Return a word that rules build letter by letter from a fact, with other ways to take it apart."""
    predicates = ["P", "Q", "R"][: rng.choice([1, 2, 2, 3])]
    letters = "fgh"[: rng.choice([1, 2, 2, 3])]
    moves = {
        (rng.choice(predicates), "".join(rng.choices(letters, k=rng.choice([0, 1, 1, 2]))), rng.choice(predicates))
        for _ in range(rng.randint(2, 6))
    }
    pieces = sorted(move for move in moves if move[1] or move[0] != move[2])
    if len(pieces) < 2:
        return None
    rng.shuffle(pieces)
    start = rng.choice(pieces)[0]
    path, text, at = _random_walk(rng, pieces, start)
    if len(path) < 2 or not text:
        return None
    hypotheses = [term("∀ x", term("→", term(p, "x"), term(q, word(part, Term("x"))))) for p, part, q in pieces]
    place = rng.randint(0, len(pieces))
    hypotheses.insert(place, term(start, "a"))
    goal = term(at, word(text, Term("a")))
    name = [f"h{i + 1 + (i >= place)}" for i in range(len(pieces))]
    steps = [*(f"apply {name[i]}" for i in reversed(path)), f"exact h{place + 1}"]
    groups: Groups = [
        (used(letters, [*hypotheses, goal]), "Nat → Nat"),
        ([p for p in predicates if any(f"{p} " in str(h) for h in [*hypotheses, goal])], "Nat → Prop"),
        (["a"], "Nat"),
    ]
    return _draft("maze", "words", groups, hypotheses, goal, steps)


def _random_walk(rng: random.Random, pieces: list[tuple[str, str, str]], start: str) -> tuple[list[int], str, str]:
    """Apply random rules without coming back to a state; return their indices, the word and the predicate."""
    path: list[int] = []
    text, at = "", start
    seen = {(text, at)}
    for _ in range(rng.randint(2, 7)):
        options = [i for i, (one, part, two) in enumerate(pieces) if one == at and (part + text, two) not in seen]
        if not options:
            break
        path.append(rng.choice(options))
        text, at = pieces[path[-1]][1] + text, pieces[path[-1]][2]
        seen.add((text, at))
    return path, text, at


def walks(rng: random.Random) -> Draft | None:
    """Return a walk through a graph whose relation is transitive, or is extended edge by edge."""
    points = rng.sample("abcdxyz", rng.randint(4, 6))
    length = rng.randint(2, min(4, len(points) - 1))
    path = points[: length + 1]
    edges = set(itertools.pairwise(path))
    for _ in range(rng.randint(1, 4)):
        one, two = rng.sample(points, 2)
        edges.add((one, two))
    if _distance(edges, path[0], path[-1]) < length:
        return None
    order = sorted(edges)
    rng.shuffle(order)
    names: Groups = [(["R"], "Nat → Nat → Prop"), (sorted({p for edge in order for p in edge}), "Nat")]
    hypotheses = [Term("∀ x y z", (_arrow([term("R", *pair) for pair in ("xy", "yz", "xz")]),))]
    hypotheses += [term("R", *edge) for edge in order]
    name = {edge: f"h{place + 2}" for place, edge in enumerate(order)}
    steps = []
    for i in range(length - 1):
        steps += [f"apply h1 {path[i]} {path[i + 1]} {path[-1]}", f"exact {name[path[i], path[i + 1]]}"]
    steps.append(f"exact {name[path[-2], path[-1]]}")
    return _draft("maze", "walk", names, hypotheses, term("R", path[0], path[-1]), steps)


def _distance(edges: set[tuple[str, str]], start: str, end: str) -> int:
    reached, steps = {start}, 0
    while end not in reached:
        reached |= {two for one, two in edges if one in reached}
        steps += 1
    return steps


def jumps(rng: random.Random) -> Draft | None:
    """Return a number that a predicate reaches from its facts by steps of given sizes."""
    sizes = rng.sample(range(2, 10), rng.randint(2, 3))
    starts = rng.sample(range(0, 6), rng.randint(1, 2))
    counts = [rng.randint(0, 3) for _ in sizes]
    if not 2 <= sum(counts) <= 6:
        return None
    target = starts[0] + sum(size * count for size, count in zip(sizes, counts, strict=True))
    path = _fewest(target, sizes, starts)
    if path is None or len(path) < 2:
        return None
    hypotheses = [term("P", str(start)) for start in starts]
    hypotheses += [term("∀ n", term("→", term("P", "n"), term("P", term("+", "n", str(size))))) for size in sizes]
    order = list(range(len(hypotheses)))
    rng.shuffle(order)
    name = {old: f"h{new + 1}" for new, old in enumerate(order)}
    steps = [f"apply {name[len(starts) + i]}" for i in path]
    reached = target - sum(sizes[i] for i in path)
    steps.append(f"exact {name[starts.index(reached)]}")
    groups: Groups = [(["P"], "Nat → Prop")]
    return _draft("maze", "jumps", groups, [hypotheses[i] for i in order], term("P", str(target)), steps)


def _fewest(target: int, sizes: list[int], starts: list[int]) -> list[int] | None:
    """Return the fewest steps down from ``target`` to a start, as indices of ``sizes``."""
    level: dict[int, list[int]] = {target: []}
    while level:
        for value, path in level.items():
            if value in starts:
                return path
        level = {
            value - size: [*path, i]
            for value, path in level.items()
            for i, size in enumerate(sizes)
            if value - size >= 0
        }
    return None
