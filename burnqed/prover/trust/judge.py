"""The verdict on compiled proofs, reached by a process that runs nothing of them.

Two compiled modules come in. ``clean`` holds the header and the statements, each proved by `sorry`,
compiled where no proof was ever read. ``proved`` holds the same with the proofs. Both are read as
data (``olean.py``). For each theorem the proof's term is given to the kernel as a proof of the
*clean* statement; definitions the statement rests on come from ``clean`` too, and everything else
the term uses is either imported or type-checked by the kernel as well. Axioms come from imported
modules alone, and must be named in the allowlist.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from burnqed.prover.trust.kernel import Kernel, KernelRefusal
from burnqed.prover.trust.terms import Constant, Name, Terms, show

# the kernel would evaluate compiled code to reduce these
NATIVE = frozenset({("Lean", "reduceBool"), ("Lean", "reduceNat")})
_INDUCTIVE = ("inductive", "constructor", "recursor")


class Refusal(Exception):
    """A proof is refused; the message begins with the kind of refusal."""


@dataclass(frozen=True)
class Finding:
    """The verdict on one proof: ``reason`` is empty when it stands."""

    reason: str
    axioms: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.reason


def find_theorem(constants: dict[Name, Constant], plain: str) -> Constant | None:
    """Return the theorem whose name ends in ``plain``, whatever namespace the header opened."""
    parts = plain.split(".")
    found = [c for name, c in constants.items() if c.kind == "theorem" and list(name[-len(parts) :]) == parts]
    return found[0] if len(found) == 1 else None


def same_statement(terms: Terms, one: dict[Name, Constant], other: dict[Name, Constant], plain: str) -> bool:
    """Return whether a theorem's statement is the same term in two modules, down to what they define for it."""
    theorem, again = find_theorem(one, plain), find_theorem(other, plain)
    if theorem is None or again is None:
        return False
    if (theorem.name, theorem.type, theorem.levels) != (again.name, again.type, again.levels):
        return False
    todo, seen = list(terms.constants([theorem.type])), set[Name]()
    while todo:
        name = todo.pop()
        if name in seen or not (name in one or name in other):
            continue
        seen.add(name)
        constant = one.get(name)
        if constant is None or constant != other.get(name):
            return False
        todo += terms.constants([part for part in (constant.type, constant.value) if part is not None])
        todo += constant.extra[2] if constant.kind == "inductive" else ()
    return True


class Judge:
    """Verdicts on the theorems of one pair of modules. ``kernel`` None: constants are not type-checked."""

    def __init__(
        self,
        terms: Terms,
        clean: dict[Name, Constant],
        proved: dict[Name, Constant],
        theorems: Collection[str],
        kernel: Kernel,
        allowed: Collection[str],
    ) -> None:
        self.terms, self.clean, self.proved, self.kernel = terms, clean, proved, kernel
        self.allowed = frozenset(allowed)
        self.asked = {c.name for c in (find_theorem(clean, plain) for plain in theorems) if c is not None}

    def judge(self, plain: str) -> Finding:
        """Return the verdict on one theorem, named as it was declared in the header's namespace."""
        try:
            return Finding("", sorted(self._judge(plain)))
        except Refusal as refusal:
            return Finding(str(refusal))

    def _judge(self, plain: str) -> set[str]:
        asked = find_theorem(self.clean, plain)
        if asked is None:
            raise Refusal(f"statement: no theorem '{plain}' in the compiled statement")
        given = self.proved.get(asked.name)
        if given is None or given.kind != "theorem" or given.value is None:
            raise Refusal(f"structure: no theorem {show(asked.name)} in the compiled proof")
        if (given.type, given.levels) != (asked.type, asked.levels):
            raise Refusal(f"statement: {show(asked.name)} says something else than was asked")
        order, imported = self._needed(asked, given)
        axioms = self._axioms(imported)
        foreign = sorted(axioms - self.allowed)
        if "sorryAx" in foreign:
            raise Refusal("sorry: the proof rests on sorry")
        if foreign:
            raise Refusal(f"axioms: {', '.join(foreign)}")
        self._check(order, asked, given)
        return axioms

    # what a proof rests on

    def _source(self, name: Name) -> Constant | None:
        """Return where a constant comes from: None when it is imported. Raises Refusal."""
        if self.kernel.knows(name):
            return None
        if name in self.asked:
            raise Refusal(f"structure: the proof uses the theorem {show(name)} of its own file")
        clean, proved = self.clean.get(name), self.proved.get(name)
        if clean is not None and proved is not None and clean != proved:
            raise Refusal(f"statement: {show(name)} of the header is not what it was")
        found = clean or proved
        if found is None:
            raise Refusal(f"structure: an unknown constant {show(name)}")
        if found.kind == "axiom":
            raise Refusal(f"axioms: {show(name)}")
        if found.kind == "quot" or not found.safe:
            raise Refusal(f"structure: {show(name)} is unsafe, partial, or not for a proof to declare")
        return found

    def _needed(self, asked: Constant, given: Constant) -> tuple[list[Constant], set[Name]]:
        """Return the constants to be declared before the theorem, in order, and the imported ones used."""
        self.kernel.reset()
        order: list[Constant] = []
        imported: set[Name] = set()
        done: set[Name] = set()
        todo: list[tuple[Constant | None, Iterator[Name]]] = [(None, iter(self._used([asked.type, given.value])))]
        entered: set[Name] = set()
        while todo:
            constant, rest = todo[-1]
            name = next(rest, None)
            if name is None:
                todo.pop()
                if constant is not None and constant.name not in done:
                    done.add(constant.name)
                    order.append(constant)
                continue
            if name in entered:
                continue
            entered.add(name)
            found = self._source(name)
            if found is None:
                imported.add(name)
            else:
                todo.append((found, iter(self._parts(found))))
        return order, imported

    def _used(self, roots: Iterable[int | None]) -> list[Name]:
        names = self.terms.constants([root for root in roots if root is not None])
        if names & NATIVE:
            raise Refusal("axioms: native evaluation by the kernel")
        return sorted(names, key=str)

    def _parts(self, constant: Constant) -> list[Name]:
        """Return the names a constant needs before it; of an inductive type those of its whole block."""
        if constant.kind not in _INDUCTIVE:
            return self._used([constant.type, constant.value])
        block = self._block(constant)
        members = {c.name for t, constructors in block for c in (t, *constructors)}
        used = {n for t, constructors in block for c in (t, *constructors) for n in self._used([c.type])}
        return sorted(used - members, key=str)

    def _block(self, constant: Constant) -> list[tuple[Constant, list[Constant]]]:
        """Return the block of inductive types that a type, constructor or recursor belongs to."""
        if constant.kind == "constructor":
            head = constant.extra[0]
        elif constant.kind == "recursor":
            head = constant.name[:-1]
        else:
            head = constant.name
        first = self._of_kind(head, "inductive")
        block = []
        for name in first.extra[1]:
            member = self._of_kind(name, "inductive")
            constructors = [self._of_kind(c, "constructor") for c in member.extra[2]]
            block.append((member, constructors))
        if constant.name not in {c.name for t, cs in block for c in (t, *cs)} and constant.kind != "recursor":
            raise Refusal(f"structure: {show(constant.name)} is not part of its inductive type")
        return block

    def _of_kind(self, name: object, kind: str) -> Constant:
        assert isinstance(name, tuple)
        found = self._source(name)
        if found is None or found.kind != kind:
            raise Refusal(f"structure: {show(name)} is no {kind} of this file")
        return found

    def _axioms(self, imported: Iterable[Name]) -> set[str]:
        found: set[Name] = set()
        for name in imported:
            found |= self.kernel.axioms(name)
        return {show(name) for name in found}

    # the kernel

    def _check(self, order: Iterable[Constant], asked: Constant, given: Constant) -> None:
        name = asked.name
        try:
            for constant in order:
                name = constant.name
                if constant.kind in _INDUCTIVE:
                    if not self.kernel.knows(name):
                        self.kernel.add_inductive(self._block(constant))
                    if not self.kernel.knows(name):
                        raise Refusal(f"kernel: {show(name)}: the kernel makes no such constant")
                else:
                    self.kernel.add(constant)
            name = asked.name
            self.kernel.add(Constant(asked.name, "theorem", asked.levels, asked.type, given.value))
        except KernelRefusal as refusal:
            raise Refusal(f"kernel: {show(name)}: {refusal}") from None
