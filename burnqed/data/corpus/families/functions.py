"""Functions between numbers: order kept, injective, surjective, inverse, fixed points, compositions."""

from __future__ import annotations

import random

from burnqed.data.corpus.draft import Draft, Groups, intro, statement_of
from burnqed.data.corpus.families.mazes import word
from burnqed.data.corpus.terms import Term, term

ORDERS = ["≤", "<", "≥", "≠"]


def _implies(*parts: Term) -> Term:
    result = parts[-1]
    for part in reversed(parts[:-1]):
        result = term("→", part, result)
    return result


def _word(rng: random.Random, letters: str, most: int) -> str:
    return "".join(rng.choices(letters, k=rng.randint(1, most)))


def _functions(letters: str) -> Groups:
    return [(list(letters), "Nat → Nat")]


def monotone(rng: random.Random) -> Draft | None:
    """Return that compositions of functions keep an order or a predicate which each of them keeps."""
    letters = "fgk"[: rng.choice([1, 2, 2, 3])]
    text = _word(rng, letters, 6)
    mixed = rng.random() < 0.25
    relation = rng.choice(ORDERS)

    def keeps(letter: str, reverse: bool) -> Term:
        ends = ("y", "x") if reverse else ("x", "y")
        kept = term(relation, term(letter, ends[0]), term(letter, ends[1]))
        return term("∀ x y", _implies(term(relation, "x", "y"), kept))

    reverses = {letter: mixed and rng.random() < 0.5 and relation != "≠" for letter in letters}
    turned = sum(reverses[letter] for letter in text) % 2 == 1
    rules = [keeps(letter, reverses[letter]) for letter in letters]
    ends = ("b", "a") if turned else ("a", "b")
    goal = term(relation, word(text, Term(ends[0])), word(text, Term(ends[1])))
    hypotheses = [*rules, term(relation, "a", "b")]
    rng.shuffle(hypotheses)
    place = {rule: f"h{i + 1}" for i, rule in enumerate(hypotheses)}
    groups: Groups = [*_functions(letters), (["a", "b"], "Nat")]
    steps = [f"apply {place[rules[letters.index(letter)]]}" for letter in text]
    steps.append(f"exact {place[term(relation, 'a', 'b')]}")
    if set(text) != set(letters) and rng.random() < 0.5:
        return None
    script = (intro(groups, len(hypotheses)), *steps)
    return Draft("monotone", "compose", statement_of(groups, hypotheses, goal), script)


def injective(rng: random.Random) -> Draft | None:
    """Return that a composition of injective functions is injective, or distinct points stay distinct."""
    letters = "fgk"[: rng.choice([1, 2, 2, 3])]
    text = _word(rng, letters, 6)
    order = list(letters)
    rng.shuffle(order)
    rules = [term("∀ x y", _implies(term("=", term(f, "x"), term(f, "y")), term("=", "x", "y"))) for f in order]
    name = {letter: f"h{i + 1}" for i, letter in enumerate(order)}
    count = len(order)
    images = term("=", word(text, Term("a")), word(text, Term("b")))
    groups: Groups = [*_functions(letters), (["a", "b"], "Nat")]
    if rng.random() < 0.6:
        script = [intro(groups, count + 1), *(f"apply {name[f]}" for f in reversed(text)), f"exact h{count + 1}"]
        return Draft(
            "injective", "compose", statement_of(groups, [*rules, images], term("=", "a", "b")), tuple(script), 1
        )
    different = term("≠", "a", "b")
    script = [f"{intro(groups, count + 1)} h{count + 2}", f"apply h{count + 1}"]
    script += [*(f"apply {name[f]}" for f in reversed(text)), f"exact h{count + 2}"]
    goal = term("≠", word(text, Term("a")), word(text, Term("b")))
    return Draft("injective", "distinct", statement_of(groups, [*rules, different], goal), tuple(script), 1)


def inverse(rng: random.Random) -> Draft | None:
    """Return equations between words of functions that undo each other or fix a point."""
    rules = rng.sample(["gf", "fg", "kk", "fff", "gkf", "kfg", "gg"], rng.randint(1, 3))
    letters = sorted(set("".join(rules)))
    left = "".join(rng.choices(letters, k=rng.randint(2, 5)))
    words_, steps = [left], list[int]()
    for _ in range(rng.randint(1, 4)):
        options = [i for i, rule in enumerate(rules) if rule in words_[-1]]
        if not options:
            break
        chosen = rng.choice(options)
        if words_[-1].count(rules[chosen]) != 1:
            return None
        words_.append(words_[-1].replace(rules[chosen], "", 1))
        steps.append(chosen)
    right = words_[-1]
    if not steps or any(rule in right for rule in rules):
        return None
    hypotheses = [term("∀ x", term("=", word(rule, Term("x")), "x")) for rule in rules]
    present = [f for f in "fgk" if any(f in rule for rule in rules) or f in left]
    groups: Groups = [(present, "Nat → Nat"), (["a"], "Nat")]
    script = [intro(groups, len(rules)), *(f"rw [h{i + 1}]" for i in steps)]
    goal = term("=", word(left, Term("a")), word(right, Term("a")))
    return Draft("inverse", "words", statement_of(groups, hypotheses, goal), tuple(script), 1)


def surjective(rng: random.Random) -> Draft | None:
    """Return that a composition of surjective functions meets every number."""
    letters = "fgk"[: rng.choice([1, 2, 2, 3])]
    text = _word(rng, letters, 4)
    order = list(letters)
    rng.shuffle(order)
    rules = [term("∀ y", Term("∃ x", (term("=", term(f, "x"), "y"),))) for f in order]
    name = {letter: f"h{i + 1}" for i, letter in enumerate(order)}
    fresh, point = len(order) + 1, "b"
    groups: Groups = [*_functions(letters)]
    script = [f"{intro(groups, len(order))} b"]
    facts = []
    for i, letter in enumerate(text):
        script.append(f"obtain ⟨x{i + 1}, h{fresh}⟩ := {name[letter]} {point}")
        facts.append(f"h{fresh}")
        fresh, point = fresh + 1, f"x{i + 1}"
    script.append(f"refine ⟨{point}, ?_⟩")
    if rng.random() < 0.5:
        script += [f"rw [{fact}]" for fact in reversed(facts)]
    else:
        script.append(f"rw [{', '.join(reversed(facts))}]")
    goal = Term("∀ b", (Term("∃ x", (term("=", word(text, Term("x")), "b"),)),))
    return Draft("surjective", "compose", statement_of(groups, rules, goal), tuple(script), 1)


Table = dict[tuple[str, str], str]  # function and point -> its image


def _table_walk(rng: random.Random, table: Table, start: str) -> tuple[list[tuple[str, str]], str]:
    """Follow the functions of a table from a point; return the entries used and where they end."""
    path, at = list[tuple[str, str]](), start
    for _ in range(rng.randint(2, 6)):
        options = [entry for entry in sorted(table) if entry[1] == at]
        if not options:
            break
        path.append(rng.choice(options))
        at = table[path[-1]]
    return path, at


def table(rng: random.Random) -> Draft | None:
    """Return the image of a point under a word, by a table of values of which most lead elsewhere."""
    points = rng.sample("abcd", rng.randint(2, 4))
    letters = "fg"[: rng.choice([1, 2, 2])]
    values = {(f, point): rng.choice(points) for f in letters for point in points if rng.random() < 0.7}
    if not values:
        return None
    entries = sorted(values)
    rng.shuffle(entries)
    path, end = _table_walk(rng, values, rng.choice(entries)[1])
    if len(path) < 2 or path.count(path[0]) > 2:
        return None
    name = {entry: f"h{i + 1}" for i, entry in enumerate(entries)}
    hypotheses = [term("=", term(*entry), values[entry]) for entry in entries]
    groups: Groups = [(list(letters), "Nat → Nat"), (sorted(points), "Nat")]
    goal = term("=", word("".join(f for f, _ in reversed(path)), Term(path[0][1])), end)
    script = (intro(groups, len(entries)), *(f"rw [{name[entry]}]" for entry in path))
    return Draft("maze", "table", statement_of(groups, hypotheses, goal), script, 2)
