"""Divisibility: sums, products and chains of divisors, and linear facts about literals."""

from __future__ import annotations

import random

from burnqed.minilean.corpus_draft import Draft, grouped, intro_line, plus, telescope, times


def _term(rng: random.Random, size: int) -> tuple[str, int]:
    """A term made of multiples of ``a`` and ``b``, with its precedence."""
    if size <= 1:
        return rng.choice("ab"), 100
    kind = rng.choice(["add", "add", "left", "right"])
    if kind == "add":
        left = rng.randint(1, size - 1)
        (one, _), (two, level) = _term(rng, left), _term(rng, size - left)
        return f"{one} + {two if level > 65 else f'({two})'}", 65
    inner, level = _term(rng, size - 1)
    other = rng.choice(["c", "d", str(rng.randint(2, 9))])
    if kind == "right":
        return f"{inner if level >= 70 else f'({inner})'} * {other}", 70
    return f"{other} * {inner if level > 70 else f'({inner})'}", 70


def _steps(text: str, facts: dict[str, str]) -> list[str]:
    """Tactics that prove ``x ∣ text`` from proofs of ``x ∣ a`` and ``x ∣ b``."""
    if text in facts:
        return [f"exact {facts[text]}"]
    depth = 0
    for symbol in "+*":
        for position in range(len(text) - 1, -1, -1):
            depth += (text[position] == ")") - (text[position] == "(")
            if depth == 0 and text[position] == symbol:
                left, right = text[: position - 1], text[position + 2 :]
                return _split(symbol, left, right, facts)
    return _steps(text[1:-1], facts)


def _split(symbol: str, left: str, right: str, facts: dict[str, str]) -> list[str]:
    if symbol == "+":
        return ["apply Nat.dvd_add", *_steps(left, facts), *_steps(right, facts)]
    if "a" in left or "b" in left:
        return ["apply Nat.dvd_mul_right_of_dvd", *_steps(left, facts)]
    return ["apply Nat.dvd_mul_left_of_dvd", *_steps(right, facts)]


def divides(rng: random.Random) -> Draft | None:
    """``x ∣ a → x ∣ b → x ∣ term``, chains of divisors, and literal divisors by `omega`."""
    kind = rng.choice(["term", "term", "term", "chain", "literal", "literal"])
    if kind == "term":
        text, _ = _term(rng, rng.choice([2, 2, 3, 3, 4]))
        used = [name for name in "ab" if name in text]
        divisor = rng.choice(["x", "x", "n", str(rng.randint(2, 9))])
        facts = {name: f"h{i + 1}" for i, name in enumerate(used)}
        names = [name for name in "xnabcd" if name in text or name == divisor]
        groups = [(names, "Nat")]
        statement = telescope(groups, [f"{divisor} ∣ {name}" for name in used], f"{divisor} ∣ {text}")
        return Draft("sum", "divides", statement, (intro_line(groups, len(used)), *_steps(text, facts)))
    if kind == "chain":
        length = rng.randint(2, 4)
        names = rng.sample(list("abcdmnx"), length + 1)
        links = list(range(length))
        rng.shuffle(links)
        label = {link: f"h{i + 1}" for i, link in enumerate(links)}
        groups = [(sorted(names), "Nat")]
        statement = telescope(groups, [f"{names[i]} ∣ {names[i + 1]}" for i in links], f"{names[0]} ∣ {names[-1]}")
        steps = [f"apply Nat.dvd_trans {label[i]}" for i in range(length - 1)]
        script = (intro_line(groups, length), *steps, f"exact {label[length - 1]}")
        return Draft("chain", "divides", statement, script)
    divisor_ = rng.randint(2, 6)
    factor = rng.randint(1, 4)
    one = times(divisor_ * rng.randint(1, 3), "a")
    if rng.random() < 0.5:
        shift = divisor_ * rng.randint(0, 3)
        goal = f"{divisor_} ∣ {plus(one + ' + ' + times(divisor_ * factor, 'b'), shift)}"
        groups = grouped({"a", "b"}, {"a": "Nat", "b": "Nat"})
        return Draft("literal", "divides", telescope(groups, [], goal), (intro_line(groups, 0), "omega"))
    shift = rng.randint(1, divisor_ - 1)
    goal = f"¬{divisor_} ∣ {one} + {divisor_ * rng.randint(0, 2) + shift}"
    groups = grouped({"a"}, {"a": "Nat"})
    return Draft("literal", "divides", telescope(groups, [], goal), (intro_line(groups, 0), "omega"))
