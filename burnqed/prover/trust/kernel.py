"""Lean's kernel, called as a library: it type-checks terms that we build, and runs nothing else.

``libleanshared.so`` is part of every toolchain. Its functions that make names, levels and terms and
``lean_add_decl`` are called through ctypes, in the calling convention of Lean 4.35 (``SUPPORTED``).
Objects are marked as never to be freed (reference count 0): the process is short-lived. Modules are
imported without their environment extensions, so no code of theirs runs either.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable, Iterable, Sequence

from burnqed.prover.trust.terms import Constant, Name, Node, Terms, children, show

SUPPORTED = ("4.35.",)
_BOX0 = 1
_PRIVATE = 2  # the level of imports that brings theorems' values too
_PROBLEMS = (
    "unknown constant", "already declared", "declaration type mismatch", "metavariables", "free variables",
    "function expected", "type expected", "let type mismatch", "type mismatch", "application type mismatch",
    "invalid projection", "theorem type is not a proposition", "other", "out of heartbeats", "out of memory",
    "deep recursion", "interrupted",
)  # fmt: skip


class KernelRefusal(Exception):
    """The kernel refuses a declaration."""


class KernelUnavailable(Exception):
    """The library cannot be used: not found, another version, or an import that fails."""


def _box(value: int) -> int:
    return value << 1 | 1


class Kernel:
    """Lean's kernel with the modules imported that a proof may use.

    ``search`` are folders with compiled modules, ``modules`` the names to import. Raises
    KernelUnavailable.
    """

    def __init__(self, library: str, search: Sequence[str], modules: Sequence[str], terms: Terms) -> None:
        try:
            self._lib = ctypes.PyDLL(library, mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            raise KernelUnavailable(f"{library}: {error}") from error
        self.terms = terms
        self._made: dict[int, int] = {}  # number of a node -> Lean object
        self._name_objects: dict[Name, int] = {(): _BOX0}
        self._read_names: dict[int, Name] = {_BOX0: ()}
        self._bind()
        self._initialize()
        self._anonymous = self.name(("x",))
        self.base = self.env = self._import(search, modules)
        self._axioms: dict[Name, frozenset[Name]] = {}

    # calling

    def _bind(self) -> None:
        pointer, size, byte = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint8

        def get(name: str, count: int, *last: type) -> Callable[..., int]:
            try:
                function = getattr(self._lib, name)
            except AttributeError as error:
                raise KernelUnavailable(f"no function {name}") from error
            function.restype, function.argtypes = pointer, [pointer] * count + list(last)
            return function

        self._string = get("lean_mk_string_unchecked", 0, ctypes.c_char_p, size, size)
        self._natural_of_text = get("lean_cstr_to_nat", 0, ctypes.c_char_p)
        self._name_str = get("l_Lean_Name_str___override", 2)
        self._name_num = get("l_Lean_Name_num___override", 2)
        self._alloc = get("lean_alloc_object", 0, size)
        self._mark = get("lean_mark_persistent", 1)
        self._level_zero = get("lean_level_mk_zero", 1)
        self._level_succ = get("lean_level_mk_succ", 1)
        self._level_max = get("lean_level_mk_max", 2)
        self._level_imax = get("lean_level_mk_imax", 2)
        self._level_param = get("lean_level_mk_param", 1)
        self._bvar = get("lean_expr_mk_bvar", 1)
        self._sort = get("lean_expr_mk_sort", 1)
        self._const = get("lean_expr_mk_const", 2)
        self._app = get("lean_expr_mk_app", 2)
        self._lambda = get("lean_expr_mk_lambda", 3, byte)
        self._forall = get("lean_expr_mk_forall", 3, byte)
        self._let = get("lean_expr_mk_let", 4, byte)
        self._lit = get("lean_expr_mk_lit", 1)
        self._proj = get("lean_expr_mk_proj", 3)
        self._find = get("lean_environment_find", 2)
        self._used = get("l_Lean_Expr_getUsedConstants", 1)
        self._to_kernel = get("lean_elab_environment_to_kernel_env", 1)
        self._add_decl = get("lean_add_decl", 1, size, size, pointer, pointer)

    def _initialize(self) -> None:
        self._lib.lean_initialize.restype = None
        self._lib.lean_initialize()
        self._lib.lean_io_mark_end_initialization.restype = None
        self._lib.lean_io_mark_end_initialization()

    def _import(self, search: Sequence[str], modules: Sequence[str]) -> int:
        os.environ["LEAN_PATH"] = os.pathsep.join(search)
        start = self._lib.lean_init_search_path
        start.restype = ctypes.c_void_p
        self._value(start())
        import_modules = self._lib.l_Lean_importModules___boxed
        import_modules.restype, import_modules.argtypes = ctypes.c_void_p, [ctypes.c_void_p] * 8
        imports = [self._object(0, [self.name(tuple(module.split(".")))], bytes([0, 1, 0])) for module in modules]
        options = ctypes.c_void_p.in_dll(self._lib, "l_Lean_Options_empty").value
        answer = import_modules(
            self._array(imports), options, _box(0), self._array([]), _box(1), _box(0), _box(_PRIVATE), _box(1)
        )
        environment = self._value(answer)
        self._mark(environment)
        kernel = self._to_kernel(environment)
        self._mark(kernel)
        return kernel

    def _value(self, answer: int) -> int:
        """Return the value of an IO result. Raises KernelUnavailable with the error's text."""
        if self._tag(answer) == 0:
            return self._field(answer, 0)
        error = self._field(answer, 0)
        text = self._field(error, 0) if not error & 1 and self._count(error) else 0
        said = self._read_string(text) if text and not text & 1 and self._tag(text) == 249 else f"IO error {error & 1}"
        raise KernelUnavailable(said)

    # raw objects

    def _object(self, tag: int, fields: Sequence[int], scalars: bytes = b"") -> int:
        scalars = scalars.ljust(len(scalars) + 7 & ~7, b"\0")
        size = 8 + 8 * len(fields) + len(scalars)
        place = self._alloc(size)
        head = struct.pack(f"<iHBB{len(fields)}Q", 0, size, len(fields), tag, *fields)
        ctypes.memmove(place, head + scalars, size)
        return place

    def _array(self, items: Sequence[int]) -> int:
        size = 24 + 8 * len(items)
        place = self._alloc(size)
        data = struct.pack(f"<iHBBQQ{len(items)}Q", 0, 0, 0, 246, len(items), len(items), *items)
        ctypes.memmove(place, data, size)
        return place

    def _list(self, items: Iterable[int]) -> int:
        place = _BOX0
        for item in reversed(list(items)):
            place = self._object(1, [item, place])
        return place

    def _keep(self, place: int) -> int:
        """Mark a fresh object, whose parts are kept, as never to be freed."""
        if not place & 1:
            ctypes.c_int32.from_address(place).value = 0
        return place

    @staticmethod
    def _tag(place: int) -> int:
        return ctypes.c_uint8.from_address(place + 7).value

    @staticmethod
    def _count(place: int) -> int:
        return ctypes.c_uint8.from_address(place + 6).value

    @staticmethod
    def _field(place: int, number: int) -> int:
        return ctypes.c_uint64.from_address(place + 8 + 8 * number).value

    @staticmethod
    def _read_string(place: int) -> str:
        size = ctypes.c_uint64.from_address(place + 8).value
        return ctypes.string_at(place + 32, size - 1).decode(errors="replace")

    # Lean's values

    def _text(self, text: str) -> int:
        data = text.encode()
        return self._keep(self._string(data, len(data), len(text)))

    def _nat(self, value: int) -> int:
        if value < 1 << 63:
            return _box(value)
        made = self._natural_of_text(_decimal(value))
        self._mark(made)
        return made

    def name(self, name: Name) -> int:
        """Return the Lean object of a name."""
        made = self._name_objects.get(name)
        if made is None:
            prefix, last = self.name(name[:-1]), name[-1]
            if isinstance(last, int):
                made = self._name_num(prefix, self._nat(last))
            else:
                made = self._name_str(prefix, self._text(last))
            self._name_objects[name] = self._keep(made)
        return made

    def term(self, number: int) -> int:
        """Return the Lean object of a level or term of the store."""
        made = self._made
        todo = [number]
        while todo:
            place = todo[-1]
            if place in made:
                todo.pop()
                continue
            node = self.terms.nodes[place]
            missing = [below for below in children(node) if below not in made]
            if missing:
                todo += missing
            else:
                made[place] = self._keep(self._make(node))
                todo.pop()
        return made[number]

    def _make(self, node: Node) -> int:
        kind, made = node[0], self._made
        if kind == "app":
            return self._app(made[node[1]], made[node[2]])
        if kind == "const":
            return self._const(self.name(node[1]), self._list(made[level] for level in node[2]))
        if kind == "bvar":
            return self._bvar(self._nat(node[1]))
        if kind == "lam":
            return self._lambda(self._anonymous, made[node[1]], made[node[2]], 0)
        if kind == "pi":
            return self._forall(self._anonymous, made[node[1]], made[node[2]], 0)
        if kind == "let":
            return self._let(self._anonymous, made[node[1]], made[node[2]], made[node[3]], 0)
        if kind == "sort":
            return self._sort(made[node[1]])
        if kind == "proj":
            return self._proj(self.name(node[1]), self._nat(node[2]), made[node[3]])
        if kind == "nat":
            return self._lit(self._object(0, [self._nat(node[1])]))
        if kind == "str":
            return self._lit(self._object(1, [self._text(node[1])]))
        return self._make_level(node)

    def _make_level(self, node: Node) -> int:
        kind, made = node[0], self._made
        if kind == "zero":
            return self._level_zero(_BOX0)
        if kind == "succ":
            return self._level_succ(made[node[1]])
        if kind == "max":
            return self._level_max(made[node[1]], made[node[2]])
        if kind == "imax":
            return self._level_imax(made[node[1]], made[node[2]])
        if kind == "param":
            return self._level_param(self.name(node[1]))
        raise AssertionError(kind)

    # declarations

    def reset(self) -> None:
        """Forget all declarations that were added."""
        self.env = self.base

    def knows(self, name: Name) -> bool:
        """Return whether the environment has a constant."""
        return self._find(self.env, self.name(name)) != _BOX0

    def _constant_value(self, constant: Constant) -> int:
        levels = self._list(self.name(level) for level in constant.levels)
        return self._object(0, [self.name(constant.name), levels, self.term(constant.type)])

    def add(self, constant: Constant) -> None:
        """Have the kernel check a definition, theorem or opaque constant. Raises KernelRefusal."""
        assert constant.value is not None and constant.safe
        head, value = self._constant_value(constant), self.term(constant.value)
        itself = self._list([self.name(constant.name)])
        if constant.kind == "theorem":
            self._declare(self._object(2, [self._object(0, [head, value, itself])]))
        elif constant.kind == "opaque":
            self._declare(self._object(3, [self._object(0, [head, value, itself], bytes([0]))]))
        else:
            (hint,) = constant.extra
            assert isinstance(hint, int)
            height = {-1: _box(0), -2: _box(1)}.get(hint) or self._object(2, [], struct.pack("<I", hint))
            self._declare(self._object(1, [self._object(0, [head, value, height, itself], bytes([1]))]))

    def add_inductive(self, types: Sequence[tuple[Constant, Sequence[Constant]]]) -> None:
        """Have the kernel check a block of inductive types with their constructors. Raises KernelRefusal."""
        first = types[0][0]
        levels = self._list(self.name(level) for level in first.levels)
        parameters = first.extra[0]
        assert isinstance(parameters, int)
        block = [
            self._object(0, [self.name(t.name), self.term(t.type), self._list(
                self._object(0, [self.name(c.name), self.term(c.type)]) for c in constructors)])
            for t, constructors in types
        ]  # fmt: skip
        self._declare(self._object(6, [levels, self._nat(parameters), self._list(block)], bytes([0])))

    def _declare(self, declaration: int) -> None:
        answer = self._add_decl(self.env, 0, 0, declaration, _BOX0)
        self._mark(answer)
        if self._tag(answer) == 1:
            self.env = self._field(answer, 0)
            return
        problem = self._field(answer, 0)
        number = problem >> 1 if problem & 1 else self._tag(problem)
        said = _PROBLEMS[number] if number < len(_PROBLEMS) else f"exception {number}"
        if said in ("unknown constant", "already declared"):
            said += " " + show(self._read_name(self._field(problem, 1)))
        elif said == "other":
            said = self._read_string(self._field(problem, 0))
        raise KernelRefusal(said)

    # the axioms of imported constants

    def _read_name(self, place: int) -> Name:
        chain: list[tuple[int, str | int]] = []
        while place not in self._read_names:
            part = self._field(place, 1)
            if self._tag(place) == 2:
                chain.append((place, part >> 1))
            else:
                chain.append((place, self._read_string(part)))
            place = self._field(place, 0)
        name = self._read_names[place]
        for place, last in reversed(chain):
            name = self._read_names[place] = (*name, last)
        return name

    def axioms(self, name: Name) -> frozenset[Name]:
        """Return the axioms that an imported constant rests on."""
        if name not in self._axioms:
            self._collect(name)
        return self._axioms[name]

    def _collect(self, root: Name) -> None:
        """Walk the constants below one; those whose axioms are known are not walked again."""
        found: set[Name] = set()
        todo, seen = [root], {root}
        while todo:
            name = todo.pop()
            if name in self._axioms:
                found |= self._axioms[name]
                continue
            is_axiom, used = self._uses(name)
            if is_axiom:
                found.add(name)
            fresh = used - seen
            seen |= fresh
            todo += fresh
        self._axioms[root] = frozenset(found)
        if not found:
            self._axioms.update(dict.fromkeys(seen, frozenset()))

    def _uses(self, name: Name) -> tuple[bool, set[Name]]:
        """Return whether an imported constant is an axiom, and the constants in its type and value."""
        answer = self._find(self.base, self.name(name))
        if answer == _BOX0:
            raise KernelRefusal(f"unknown constant {show(name)}")
        self._mark(answer)
        info = self._field(answer, 0)
        tag, value = self._tag(info), self._field(info, 0)
        roots = [self._field(self._field(value, 0), 2)]
        if tag in (1, 2, 3):
            roots.append(self._field(value, 1))
        used = {constant for root in roots for constant in self._constants_of(root)}
        if tag == 5:
            constructors = self._field(value, 4)
            while constructors != _BOX0:
                used.add(self._read_name(self._field(constructors, 0)))
                constructors = self._field(constructors, 1)
        return tag == 0, used

    def _constants_of(self, term: int) -> list[Name]:
        array = self._used(term)
        self._mark(array)
        size = ctypes.c_uint64.from_address(array + 8).value
        return [self._read_name(ctypes.c_uint64.from_address(array + 24 + 8 * i).value) for i in range(size)]


def _decimal(value: int) -> bytes:
    """Return a natural number in decimal digits, of any length."""
    digits: list[str] = []
    while value:
        value, rest = divmod(value, 10**4000)
        digits.append(str(rest).zfill(4000))
    return "".join(reversed(digits)).lstrip("0").encode()
