"""The protocol's `env.…` commands and `expr.echo`."""

from __future__ import annotations

from typing import Any

from burnqed.minilean.context import EMPTY, TacticError
from burnqed.minilean.definitions import define
from burnqed.minilean.elab import Elab
from burnqed.minilean.lexer import ParseError
from burnqed.minilean.meta import Meta
from burnqed.minilean.printer import show, show_in
from burnqed.minilean.repl_base import ReplBase, RequestError, optional, position, wants, write_text
from burnqed.minilean.tactic_syntax import TacticParser, parse_term
from burnqed.minilean.traverse import consts

# Where Lean 4.26 declares what clients ask for most; of other constants no module is said.
MODULES = {
    name: module
    for module, names in (
        (
            "Init.Prelude",
            "Nat Nat.zero Nat.succ Nat.add Nat.mul Nat.sub Bool List True False And Or Not Eq Eq.refl rfl id",
        ),
        ("Init.Core", "Iff Iff.intro Iff.refl Exists Exists.intro Ne propext"),
        (
            "Init.Data.Nat.Basic",
            "Nat.add_one Nat.zero_add Nat.add_comm Nat.add_assoc Nat.succ_add Nat.mul_comm Nat.mul_assoc Nat.zero_mul",
        ),
    )
    for name in names.split()
}


class EnvironmentCommands(ReplBase):
    """Look at constants and add some."""

    def c_expr_echo(self, payload: dict[str, Any]) -> dict[str, Any]:
        text = wants(payload, "expr", str, "ExprEcho")
        meta = Meta(self.engine.env, self.engine.budget())
        elab = Elab(meta, opens=self.engine.opens)
        try:
            ty = payload.get("type")
            want = None if ty is None else elab.type(parse_term(ty), EMPTY)
            e = elab.term(parse_term(text), want, EMPTY)
            t = meta.inst(meta.infer(e))
        except ParseError as e2:
            raise RequestError("parse", f"<anonymous>:{position(text, e2.pos)}: {e2.message}") from None
        except TacticError as e2:
            raise RequestError("elab", str(e2)) from None
        return {"expr": {"pp": show_in(meta, EMPTY, e)}, "type": {"pp": show_in(meta, EMPTY, t)}}

    def c_env_parse(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Where, in bytes, the first term or tactic of a text ends, with the space after it as in Lean."""
        text, category = wants(payload, "input", str, "EnvParse"), wants(payload, "category", str, "EnvParse")
        try:
            p = TacticParser(text)
            if category == "term":
                p.term()
            elif category == "tactic":
                p.col = p.tok.col
                p.tactic()
            else:
                raise RequestError("invalid", f"minilean parses terms and tactics, not `{category}`")
        except ParseError as e:
            raise RequestError("parse", f"<anonymous>:{position(text, e.pos)}: {e.message}") from None
        return {"pos": len(text[: p.tok.pos].encode())}

    def c_env_add(self, payload: dict[str, Any]) -> dict[str, Any]:
        """A definition or, with `isTheorem`, a fact; the kernel checks it."""
        name, text = wants(payload, "name", str, "EnvAdd"), wants(payload, "value", str, "EnvAdd")
        type_text = optional(payload, "type", str, "EnvAdd", None)
        fact = optional(payload, "isTheorem", bool, "EnvAdd", False)
        if optional(payload, "levels", list, "EnvAdd", []):
            raise RequestError("invalid", "minilean has no universe parameters")
        try:
            type_term = parse_term(type_text) if type_text is not None else None
            env, opens = self.engine.env, self.engine.opens
            define(env, name, type_term, parse_term(text), self.engine.budget(), opens, fact)
        except ParseError as e:
            raise RequestError("parse", e.message) from None
        except TacticError as e:
            raise RequestError("elab", str(e)) from None
        return {}

    def c_env_inspect(self, payload: dict[str, Any]) -> dict[str, Any]:
        if self.options["printExprAST"]:
            raise RequestError("invalid", "minilean prints no s-expressions; set printExprAST to false")
        name = wants(payload, "name", str, "EnvInspect")
        decl = self.engine.env.get(name)
        if decl is None:
            raise RequestError("index", f"Symbol not found {name}")
        out: dict[str, Any] = {"type": {"pp": show(self.engine.env, decl.type)}, "isUnsafe": False}
        module = MODULES.get(name)
        if module is not None:
            out["module"] = module
        span = self.engine.env.sources.get(name) if payload.get("source") else None
        if span is not None:
            for key, (line, column) in zip(("sourceStart", "sourceEnd"), span, strict=True):
                out[key] = {"line": line, "column": column}
        if payload.get("value") and decl.value is not None:
            out["value"] = {"pp": show(self.engine.env, decl.value)}
        if payload.get("dependency"):
            out["typeDependency"] = sorted(consts(decl.type))
        return out

    def c_env_catalog(self, payload: dict[str, Any]) -> dict[str, Any]:
        names = self.engine.env.names()
        target = payload.get("filename")
        if target is None:
            return {"symbols": [f"t{n}" for n in names]}
        try:
            write_text(wants(payload, "filename", str, "EnvCatalog"), "\n".join(names) + "\n")
        except OSError as e:
            raise RequestError("io", str(e)) from None
        return {"nSymbols": len(names)}

    def c_env_describe(self, payload: dict[str, Any]) -> dict[str, Any]:
        return {"imports": ["Init"], "modules": ["Init"]}
