"""A compiled Lean module (``.olean``), read as plain data.

The file was written by a process in which a model's text ran, so any byte of it may be hostile.
Nothing in it is executed or mapped: each read is inside the file, each object lies before those
that point to it (so there are no circles), each has the kind and the number of fields that are
expected at its place, and whatever else there is (environment extensions, compiled code) is not
looked at. Anything odd raises OleanError.

Layout (Lean 4, 64 bits, little endian; version 2 of the file): a header of 88 bytes that ends in
the address the file assumes for itself, the address of the root object, then the objects. An object
is 8 bytes of head (reference count, size, number of fields, tag), then its fields, each an
address, or an odd number for a small value, then scalar fields.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable

from burnqed.prover.trust.terms import Constant, Name, Node, Terms

HEAD = 88
ARRAY, STRING, BIG = 246, 249, 250
MAX_NAT_BYTES = 1 << 20
_OBJECT = struct.Struct("<iHBB")
_WORD = struct.Struct("<Q")
_KINDS = ("axiom", "def", "theorem", "opaque", "quot", "inductive", "constructor", "recursor")


class OleanError(ValueError):
    """The file is not a compiled module as Lean writes it."""


class Olean:
    """The constants of one compiled module, read into a store of terms."""

    def __init__(self, data: bytes, terms: Terms) -> None:
        if len(data) < HEAD + 16 or data[:5] != b"olean" or data[5] != 2:
            raise OleanError("not a compiled module of version 2")
        self.data, self.terms = data, terms
        self.version = data[7:40].rstrip(b"\0").decode("ascii", errors="replace")
        self.gmp = bool(data[6] & 1)
        self.base = self._word(HEAD - 8)
        self._names: dict[int, Name] = {1: ()}
        self._levels: dict[int, int] = {}
        self._terms: dict[int, int] = {}

    # raw objects: an address is relative to the file's begin, a small value v is (v << 1) | 1

    def _word(self, place: int) -> int:
        if place < 0 or place + 8 > len(self.data):
            raise OleanError(f"an address outside the file: {place}")
        return int(_WORD.unpack_from(self.data, place)[0])

    def _pointer(self, place: int, before: int) -> int:
        """Return the value at a place: odd, or the place of an object that begins before ``before``."""
        value = self._word(place)
        if value & 1:
            return value
        target = value - self.base
        if target & 7 or not HEAD + 8 <= target < before:
            raise OleanError(f"an object at {place} points to {target}")
        return target

    def _fields(self, place: int, tag: int, count: int, scalars: int = 0) -> list[int]:
        """Return the fields of a constructor object. ``scalars`` is in bytes, without padding."""
        if place & 1 or place + 8 > len(self.data):
            raise OleanError(f"a value in place of an object with {count} fields")
        _, size, fields, found = _OBJECT.unpack_from(self.data, place)
        if (found, fields) != (tag, count) or size != 8 + 8 * count + (scalars + 7 & ~7):
            raise OleanError(f"object {found}/{fields}/{size} at {place}, wanted {tag}/{count}")
        if place + size > len(self.data):
            raise OleanError(f"the object at {place} is cut off")
        return [self._pointer(place + 8 + 8 * number, place) for number in range(count)]

    def _scalar(self, place: int, count: int, offset: int = 0) -> int:
        """Return a one-byte scalar after ``count`` fields."""
        return self.data[place + 8 + 8 * count + offset]

    def _tag(self, place: int) -> int:
        if place & 1 or place + 8 > len(self.data):
            raise OleanError(f"a value in place of an object: {place}")
        return self.data[place + 7]

    def _array(self, place: int) -> list[int]:
        if self._tag(place) != ARRAY:
            raise OleanError(f"no array at {place}")
        size = self._word(place + 8)
        if size > (len(self.data) - place - 24) // 8:
            raise OleanError(f"the array at {place} is cut off")
        return [self._pointer(place + 24 + 8 * number, place) for number in range(size)]

    def _list(self, place: int) -> list[int]:
        found: list[int] = []
        while place != 1:
            head, place = self._fields(place, 1, 2)
            found.append(head)
        return found

    def _string(self, place: int) -> str:
        if self._tag(place) != STRING:
            raise OleanError(f"no text at {place}")
        size = self._word(place + 8)
        if not 1 <= size <= len(self.data) - place - 32 or self.data[place + 31 + size]:
            raise OleanError(f"the text at {place} is cut off")
        try:
            return self.data[place + 32 : place + 31 + size].decode()
        except UnicodeDecodeError as error:
            raise OleanError(f"the text at {place} is not UTF-8") from error

    def _natural(self, place: int) -> int:
        if place & 1:
            return place >> 1
        if self._tag(place) != BIG or not self.gmp:
            raise OleanError(f"no number at {place}")
        # GMP's own layout: int allocated, int signed number of limbs, address of the limbs
        if place + 24 > len(self.data):
            raise OleanError(f"the number at {place} is cut off")
        limbs = int.from_bytes(self.data[place + 12 : place + 16], "little", signed=True)
        start = self._word(place + 16) - self.base
        if not 0 < limbs * 8 <= MAX_NAT_BYTES or not HEAD <= start <= len(self.data) - 8 * limbs:
            raise OleanError(f"the number at {place} is out of bounds")
        return int.from_bytes(self.data[start : start + 8 * limbs], "little")

    # Lean's values

    def name(self, place: int) -> Name:
        """Return the name at a place."""
        chain: list[tuple[int, str | int]] = []
        while place not in self._names:
            tag = self._tag(place)
            prefix, part = self._fields(place, 2 if tag == 2 else 1, 2, 8)
            chain.append((place, self._natural(part) if tag == 2 else self._string(part)))
            place = prefix
        name = self._names[place]
        for place, last in reversed(chain):
            name = self._names[place] = (*name, last)
        return name

    def names(self, place: int) -> tuple[Name, ...]:
        """Return a list of names."""
        return tuple(self.name(part) for part in self._list(place))

    def _build(
        self, root: int, known: dict[int, int], parts: Callable[[int], tuple[list[int], Callable[[], int]]]
    ) -> int:
        """Return the number of the node at a place; children first, without recursion."""
        todo = [root]
        while todo:
            place = todo[-1]
            if place in known:
                todo.pop()
                continue
            below, make = parts(place)
            missing = [part for part in below if part not in known]
            if missing:
                todo += missing
            else:
                known[place] = make()
                todo.pop()
        return known[root]

    def level(self, place: int) -> int:
        """Return the number of the level at a place."""
        return self._build(place, self._levels, self._level_parts)

    def _level_parts(self, place: int) -> tuple[list[int], Callable[[], int]]:
        known, add = self._levels, self.terms.add
        if place == 1:
            return [], lambda: add(("zero",))
        tag = self._tag(place)
        if tag == 1:
            (below,) = self._fields(place, 1, 1, 8)
            return [below], lambda: add(("succ", known[below]))
        if tag in (2, 3):
            first, second = self._fields(place, tag, 2, 8)
            return [first, second], lambda: add(("max" if tag == 2 else "imax", known[first], known[second]))
        if tag == 4:
            (name,) = self._fields(place, 4, 1, 8)
            return [], lambda: add(("param", self.name(name)))
        raise OleanError(f"a level of kind {tag}")

    def term(self, place: int) -> int:
        """Return the number of the term at a place."""
        return self._build(place, self._terms, self._term_parts)

    def _term_parts(self, place: int) -> tuple[list[int], Callable[[], int]]:
        tag, known, add = self._tag(place), self._terms, self.terms.add
        if tag == 5:
            function, argument = self._fields(place, 5, 2, 8)
            return [function, argument], lambda: add(("app", known[function], known[argument]))
        if tag in (6, 7):
            _, kind, body = self._fields(place, tag, 3, 9)
            return [kind, body], lambda: add(("lam" if tag == 6 else "pi", known[kind], known[body]))
        if tag == 8:
            _, kind, value, body = self._fields(place, 8, 4, 9)
            return [kind, value, body], lambda: add(("let", known[kind], known[value], known[body]))
        if tag == 10:
            _, inner = self._fields(place, 10, 2, 8)
            return [inner], lambda: known[inner]
        if tag == 11:
            name, index, inner = self._fields(place, 11, 3, 8)
            return [inner], lambda: add(("proj", self.name(name), self._natural(index), known[inner]))
        return [], lambda: add(self._leaf(place, tag))

    def _leaf(self, place: int, tag: int) -> Node:
        if tag == 0:
            return ("bvar", self._natural(self._fields(place, 0, 1, 8)[0]))
        if tag == 3:
            return ("sort", self.level(self._fields(place, 3, 1, 8)[0]))
        if tag == 4:
            name, levels = self._fields(place, 4, 2, 8)
            return ("const", self.name(name), tuple(self.level(level) for level in self._list(levels)))
        if tag == 9:
            (literal,) = self._fields(place, 9, 1, 8)
            if self._tag(literal) == 0:
                return ("nat", self._natural(self._fields(literal, 0, 1)[0]))
            return ("str", self._string(self._fields(literal, 1, 1)[0]))
        raise OleanError(f"a term of kind {tag}")  # 1: free variable, 2: metavariable

    # constants

    def constants(self) -> list[Constant]:
        """Return the module's constants, in the file's order."""
        root = self._pointer(HEAD, len(self.data))
        _, names, constants, _, _ = self._fields(root, 0, 5, 1)
        found = [self._constant(place) for place in self._array(constants)]
        if [c.name for c in found] != [self.name(place) for place in self._array(names)]:
            raise OleanError("the names of the constants are not their names")
        return found

    def imports(self) -> list[Name]:
        """Return the modules it imports itself."""
        root = self._pointer(HEAD, len(self.data))
        imports = self._array(self._fields(root, 0, 5, 1)[0])
        return [self.name(self._fields(place, 0, 1, 3)[0]) for place in imports]

    def _constant(self, place: int) -> Constant:
        tag = self._tag(place)
        if tag >= len(_KINDS):
            raise OleanError(f"a constant of kind {tag}")
        (inner,) = self._fields(place, tag, 1)
        kind, readers = _KINDS[tag], _READERS[_KINDS[tag]]
        fields = self._fields(inner, 0, readers[0], readers[1])
        name, levels, type_ = self._fields(fields[0], 0, 3)
        value = self._closed(fields[1]) if kind in ("def", "theorem", "opaque") else None
        return Constant(
            self.name(name), kind, self.names(levels), self._closed(type_), value, self._safe(inner, kind),
            self._extra(inner, fields, kind),
        )  # fmt: skip

    def _closed(self, place: int) -> int:
        number = self.term(place)
        if self.terms.loose[number]:
            raise OleanError("a constant with loose bound variables")
        return number

    def _safe(self, place: int, kind: str) -> bool:
        fields = _READERS[kind][0]
        if kind == "def":
            return self._scalar(place, fields) == 1  # 0 unsafe, 1 safe, 2 partial
        if kind in ("theorem", "quot"):
            return True
        offset = 1 if kind in ("inductive", "recursor") else 0  # after isRec, after k
        return self._scalar(place, fields, offset) == 0

    def _extra(self, place: int, fields: list[int], kind: str) -> tuple[object, ...]:
        if kind == "def":
            return (self._hint(fields[2]),)
        if kind == "inductive":
            return (self._natural(fields[1]), self.names(fields[3]), self.names(fields[4]))
        if kind == "constructor":
            return (self.name(fields[1]), self._natural(fields[2]))
        return ()

    def _hint(self, place: int) -> int:
        """Return a definition's height; -1 for opaque, -2 for abbreviation. It guides the kernel, no more."""
        if place in (1, 3):
            return -1 if place == 1 else -2
        self._fields(place, 2, 0, 4)
        return int.from_bytes(self.data[place + 8 : place + 12], "little")


# kind -> (fields, bytes of scalars) of its value
_READERS: dict[str, tuple[int, int]] = {
    "axiom": (1, 1),
    "def": (4, 1),
    "theorem": (3, 0),
    "opaque": (3, 1),
    "quot": (1, 1),
    "inductive": (6, 3),
    "constructor": (5, 1),
    "recursor": (7, 2),
}


def read_constants(data: bytes, terms: Terms) -> dict[Name, Constant]:
    """Return the constants of a compiled module by name.

    Raises OleanError when the file is not as Lean writes it, or gives one name twice.
    """
    found: dict[Name, Constant] = {}
    for constant in Olean(data, terms).constants():
        if constant.name in found:
            raise OleanError("one name twice")
        found[constant.name] = constant
    return found


def show_kinds(constants: Iterable[Constant]) -> str:
    """Return the number of constants of each kind, for a message."""
    kinds = [constant.kind for constant in constants]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in _KINDS if kind in kinds)
