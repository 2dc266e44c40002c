"""Write Init/Syn.lean: names of the parsers, macros and unexpanders that the Lean binary carries in compiled form.

    python leancore/generate.py libleanshared.so > leancore/Init/Syn.lean

Lean's own library declares them with `syntax`, `macro_rules` and `notation`; their code is in the binary. A line such as
`@[extern "_", tactic_parser] opaque Lean.Parser.Tactic.intro : Lean.ParserDescr` binds a name to that code. Only names
are read, from the binary's table of dynamic symbols.
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

HEADER = """\
prelude
import Init.Stx
/-! Parsers, macros and unexpanders, bound by name to their code in the Lean binary. Written by generate.py. -/
set_option linter.all false
declare_syntax_cat rcasesPat
declare_syntax_cat rintroPat
declare_syntax_cat binderPred
declare_syntax_cat rawStx
declare_syntax_cat conv (behavior := both)
"""

# Parts of a compiled declaration, and copies of it specialised for one caller.
DERIVED = re.compile(
    r"closed|_value|formatter|parenthesizer|docString|regBuiltin|_spec_|_aux__|___lam|elam|hyg|boxed|redArg"
)

TACTIC = "Lean.Parser.Tactic."
# Tactics that need more of Lean's library than this one has.
LEFT_OUT = re.compile(
    r"(grind|cutsat|lia$|grobner|sym$|Grind\.|Doc\.|MCases|MRefine|vcgen|bv|inst|decide_cbv|cbv|tacticMvcgen|tacticBv|"
    r"m(assumption|cases|clear|constructor|dup|exact|exfalso|exists|frame|have|intro|leave|left|pure|refine|rename|"
    r"replace|revert|right|spec|start|stop|vcgen))"
)
# No tactic parsers: functions, categories, and parsers that are in the binary's own tables.
NO_TACTIC = re.compile(
    r"(Conv\.conv\.quot|.*_elim$|.*ctor[A-Z]|expandSimp|sepBy|seq|tacticSeq|get|quot|.*\.quot$|declareSimp|.*Macro$|"
    r".*Error$|rcasesPat\.quot)"
)
# Pieces of tactics: parsers without a category.
PIECE = re.compile(
    r"(SolveByElim\.|anchor$|bvTypes|caseArg|clearValue(Arg|Hyp|Star)|config|configItem|discharger|dsimpArg|"
    r"dsimpAutoUnfold|dsimpKind|dsimpTraceArgsRest|elimTarget|frameAlt|generalizeArg|induction(Alt|AltLHS|Alts)$|"
    r"location|negConfigItem|posConfigItem|valConfigItem|optConfig|rcasesPat(Lo|Med)|rw(Rule|RuleSeq)$|"
    r"simp(Arg|Args|AutoUnfold|Erase|Lemma|Post|Pre|Star)$|simp.*ArgsRest|simpAll(AutoUnfold|Kind)$|simpa.*Rest|vc|"
    r"withImplicit|invariant|guard.*Conv|mkOpt|tryResult)"
)
# Terms and commands, in the namespace of tactics.
OTHERS = {"showTermElab": "term", "by?": "term", "normCastAddElim": "command"}
CONV_PIECE = re.compile(
    r"(convSeq|convSeq1Indented|convSeqBracketed|enterArg|enterPattern|argArg|occs|occsIndexed|occsWildcard|"
    r"nestedTacticCore1)$"
)
OPERATOR = re.compile(r"(term|stx|prec|prio)(?![a-z])")
NO_OPERATOR = re.compile(r"Register|Println|Throw|stx\.quot|rawStx")
PAIR_TYPES = {"term_×__1", "term_×'__1"}  # `(x : α) × β` begins with a bracket, whatever its name says

# Parsers whose names follow no rule.
NAMED = {
    "Lean": {
        "tactic": "cdot calcTactic",
        "term": "calc termEval_prec_ termEval_prio_ term∀__,_ term∃__,_ termSatisfies_binder_pred%__",
        "binderPred": "binderPred∈_ binderPred∉_ binderPred≠_ binderPred≤_ binderPred≥_ binderPred⊂_ binderPred⊃_ "
        "binderPred⊆_ binderPred⊇_ binderPred<_ binderPred>_",
        "command": "guardMsgsCmd",
        "": "cdotTk calcStep calcFirstStep calcSteps binderIdent unbracketedExplicitBinders bracketedExplicitBinders "
        "explicitBinders guardMsgsFilterSeverity guardMsgsFilterAction guardMsgsFilter guardMsgsWhitespaceArg "
        "guardMsgsWhitespace guardMsgsOrderingArg guardMsgsOrdering guardMsgsPositionsArg guardMsgsPositions "
        "guardMsgsSubstring guardMsgsSpecElt guardMsgsSpec",
    },
    "": {
        "tactic": "tacticBy_cases_:_ tacticFunext___ tacticDecreasing_tactic tacticDecreasing_trivial "
        "tacticDecreasing_with_ tacticSimp_wf tacticClean_wf tacticDecreasing_trivial_pre_omega tacticGet_elem_tactic "
        "tacticGet_elem_tactic_extensible tacticGet_elem_tactic_trivial",
        "term": "rawNatLit coeNotation coeFunNotation coeSortNotation",
    },
    "Lean.Elab.Tactic.Ext": {"tactic": "ext applyExtTheorem"},
    "Lean.Parser.Syntax": {"prec": "addPrec subPrec", "prio": "addPrio subPrio"},
    "Lean.Parser.Attr": {"attr": "simp ext wf_preprocess norm_cast", "": "extIff extFlat normCastLabel"},
    "List": {"term": "term_~_ term_<+_ term_<+:_ term_<:+_"},
}
TRAILING = {"addPrec", "subPrec", "addPrio", "subPrio"}

# Constants that are shown in a notation, besides those whose unexpanders name them.
NOTATIONS = (
    "And Or Not Iff Eq HEq Ne Prod PProd BEq.beq Bool.and Bool.or Bool.not Dvd.dvd GE.ge GT.gt HAdd.hAdd HSub.hSub "
    "HMul.hMul HDiv.hDiv HMod.hMod HPow.hPow HAppend.hAppend LE.le LT.lt List.cons Membership.mem Neg.neg "
    "Function.comp Sum"
).split()
UNEXPANDERS = {
    "unexpandExists": "Exists",
    "unexpandIte": "ite",
    "unexpandEqNDRec": "Eq.ndrec",
    "unexpandEqRec": "Eq.rec",
    "unexpandListNil": "List.nil",
    "unexpandListCons": "List.cons",
    "unexpandSubtype": "Subtype",
    "unexpandUnit": "Unit.unit",
    "unexpandSigma": "Sigma",
    "unexpandPSigma": "PSigma",
    "unexpandProdMk": "Prod.mk",
    "unexpandGetElem": "GetElem.getElem",
    "unexpandGetElem?": "GetElem?.getElem?",
    "unexpandGetElem!": "GetElem?.getElem!",
}

Name = tuple[str, ...]


def read_symbols(library: bytes) -> Iterator[tuple[str, bool]]:
    """Yield the dynamic symbols that an ELF file of 64 bits defines: mangled name, whether it is a function."""
    (sections,) = struct.unpack_from("<Q", library, 40)
    size, count = struct.unpack_from("<HH", library, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", library, sections + i * size) for i in range(count)]
    table = next(header for header in headers if header[1] == 11)  # SHT_DYNSYM
    texts = headers[table[6]][4]
    for name, info, _, section, _, _ in struct.iter_unpack("<IBBHQQ", library[table[4] : table[4] + table[5]]):
        if section:
            start = texts + name
            yield library[start : library.index(b"\0", start)].decode(), info & 15 == 2


def demangle(symbol: str) -> Name:
    """Return the parts of the Lean name of a compiled declaration."""
    parts: list[str] = []
    text, at = "", 2  # after "l_"
    while at < len(symbol):
        run = re.compile(r"_*").match(symbol, at)
        assert run is not None
        count, after = run.end() - at, run.end()
        code = re.compile(r"x([0-9a-f]{2})|u([0-9a-f]{4})").match(symbol, after)
        if count == 0:
            text, at = text + symbol[at], at + 1
        elif count % 2 == 0:
            text, at = text + "_" * (count // 2), after
        elif code and (count == 1 or text or parts):
            text, at = text + "_" * (count // 2) + chr(int(code.group(1) or code.group(2), 16)), code.end()
        else:
            parts, text, at = [*parts, text], "_" * (count // 2), after
    return (*parts, text)


def quoted(name: Name) -> str:
    """Return a name as Lean reads it."""
    return ".".join(part if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_'!?]*", part) else f"«{part}»" for part in name)


def tactic_category(name: str) -> str | None:
    """Return the category of a parser below Lean.Parser.Tactic: empty for a piece, None for what is left out."""
    if LEFT_OUT.match(name) or NO_TACTIC.match(name):
        return None
    if name.startswith("Conv."):
        piece = CONV_PIECE.match(name.removeprefix("Conv."))
        return "" if piece else "tactic" if name == "Conv.conv" else "conv"
    for category in ("rcasesPat", "rintroPat"):
        if name.startswith(f"{category}."):
            return category
    return "" if PIECE.match(name) else OTHERS.get(name, "tactic")


def parsers(symbols: dict[str, bool]) -> Iterator[tuple[Name, str, bool]]:
    """Yield the parsers: name, category (empty: none), whether one begins with a term of its own category."""
    data = {
        symbol: demangle(symbol)
        for symbol, function in sorted(symbols.items())
        if symbol.startswith("l_") and not function and not DERIVED.search(symbol)
        and f"{symbol}_formatter" not in symbols and f"{symbol}___boxed" not in symbols
    }  # fmt: skip
    for name in data.values():
        full = ".".join(name)
        if full.startswith(TACTIC):
            short = full.removeprefix(TACTIC)
            category = tactic_category(short)
            if category is not None:
                yield name, category, re.match(r"tactic_|Conv\.conv_", short) is not None
    yield from named_parsers(set(data.values()))
    for name in data.values():
        operator = OPERATOR.match(name[0])
        if operator and len(name) == 1 and not NO_OPERATOR.search(name[0]):
            yield name, operator.group(1), name[0][operator.end() :].startswith("_") and name[0] not in PAIR_TYPES


def named_parsers(known: set[Name]) -> Iterator[tuple[Name, str, bool]]:
    """Yield the parsers of the table NAMED. Raises SystemExit for one that the binary does not have."""
    for roof, groups in NAMED.items():
        prefix = tuple(filter(None, roof.split(".")))
        for category, words in groups.items():
            for word in words.split():
                name = (*prefix, word)
                if name not in known:
                    raise SystemExit(f"generate.py: {quoted(name)}: no such parser in this build")
                yield name, category, word in TRAILING or word.startswith("term_")


def macros(symbols: dict[str, bool], kinds: dict[str, Name]) -> Iterator[tuple[Name, Name]]:
    """Yield the macros of the given kinds of syntax: name, kind. ``kinds`` is keyed by the kind with underscores."""
    for symbol, function in sorted(symbols.items()):
        if not function or DERIVED.search(symbol.replace("_aux__", "", 1)) or "macroRules" not in symbol:
            continue
        name = demangle(symbol)
        found = re.search(r"_aux_Init_(.*)___macroRules_(.*)_\d+$", name[-1])
        if found is None or found.group(2) not in kinds:
            continue
        if not re.match(
            r"(Data_(?!List_(Notation|Basic)$|ToString_Macro$)|Control|System|Grind|Omega)", found.group(1)
        ):
            yield name, kinds[found.group(2)]


def unexpanders(symbols: dict[str, bool]) -> Iterator[tuple[Name, str]]:
    """Yield what turns terms back into notation: name, constant at the head of the term."""
    constants = {constant.replace(".", "_"): constant for constant in NOTATIONS}
    for symbol, function in sorted(symbols.items()):
        if not function or DERIVED.search(symbol.replace("_aux__", "", 1)) or "___unexpand__" not in symbol:
            continue
        name = demangle(symbol)
        found = re.search(r"_aux_Init_(Core|Notation|Prelude)___unexpand_(.*)_\d+$", name[-1])
        if found and found.group(2) in constants:
            yield name, constants[found.group(2)]
    for word, constant in UNEXPANDERS.items():
        yield (word,), constant


def generate(library: bytes) -> str:
    """Return the text of Init/Syn.lean for a Lean library. Raises SystemExit when a needed parser is not in it."""
    symbols = dict(read_symbols(library))
    found = list(parsers(symbols))
    lines = [HEADER.rstrip()]
    for name, category, trailing in found:
        scoped = "scoped " if name[0] == "List" else ""
        attribute = f", {scoped}{category}_parser" if category else ""
        kind = "TrailingParserDescr" if trailing else "ParserDescr"
        line = f'@[extern "_"{attribute}] opaque {quoted(name[1:] if scoped else name)} : Lean.{kind}'
        lines.append(f"namespace List\n{line}\nend List" if scoped else line)
    kinds = {"_".join(name): name for name, _, _ in found}
    for name, kind_name in macros(symbols, kinds):
        lines.append(f'@[extern "_", macro {quoted(kind_name)}] opaque {quoted(name)} : Lean.Macro')
    for name, constant in unexpanders(symbols):
        word = f'@[extern "_", app_unexpander {constant}]'
        lines.append(f"{word} opaque {quoted(name)} : Lean.PrettyPrinter.Unexpander")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(generate(Path(sys.argv[1]).read_bytes()))
