"""Prompts, answers and masking on recorded states and proofs; skipped where the recordings are absent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from burnqed.data.whole_proofs import proofs_of_row
from burnqed.leantext.answers import whole_proof
from burnqed.policy.continuation import CONTINUATIONS
from burnqed.policy.prompts import FORMATS, prompt_tokens
from burnqed.training.batches import IGNORED, collate, make_examples
from burnqed.training.tokenizer import END, train_tokenizer

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "data"
SOURCES = RECORDED.parent / "reference" / "prompts.md"  # the texts as the models' repositories have them
needs_recorded = pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded data are not here")
FILE = "import Mathlib\n\n/- a plan -/\ntheorem t : p := by\n  -- so\n  simp"
STATEMENT = "theorem t : p := by\n  sorry"


@pytest.mark.parametrize(
    ("answer", "lean"),
    [
        (f"### Plan\n\n```lean4\n{FILE}\n```\nDone.", FILE),
        (f"Complete the code:\n\n```lean4\n{STATEMENT}\n\nA plan.\n\n```lean4\n{FILE}\n```", FILE),  # echo left open
        (f"```lean4\n{STATEMENT}\n```\n\nand whole:\n```lean\n{FILE}\n", FILE),  # cut off
        (f"<think>\n```lean4\n{STATEMENT}\n```\n</think>\n```lean4\n{FILE}\n```", FILE),
        ("<think>\n```lean4\nsimp\n```\nor", ""),
        ("  simp\n```\nThis proves it.", "  simp"),
        ("```lean4", ""),
        ("", ""),
    ],
)
def test_the_last_lean_block_is_the_proof(answer: str, lean: str) -> None:
    assert whole_proof(answer) == lean


def test_raw_answers_in_published_tables_are_read() -> None:
    raw = f"Plan: use ```simp```.\n```lean4\n{FILE}\n```"
    assert proofs_of_row({"formal_statement": STATEMENT, "proof": raw}) == ([FILE], "")
    assert proofs_of_row({"full_proof": f"```lean4\n{STATEMENT}\n```\n```lean4\n{FILE}\n```"}) == ([FILE], "")
    assert proofs_of_row({"formal_statement": STATEMENT, "formal_proof": "<think>\nmaybe simp"}) == ([], "no_proof")
    tail = proofs_of_row({"formal_statement": STATEMENT, "formal_proof": "  simp\n```\n"})
    assert tail == (["theorem t : p := by\n  simp"], "")


@needs_recorded
@pytest.mark.parametrize("name", ["deepseek_prover_v2_minif2f_solutions", "bfs_prover_v2_minif2f"])
def test_recorded_proofs_come_back_whole(name: str) -> None:
    rows = [json.loads(line) for line in (RECORDED / "proofs" / f"{name}.jsonl").read_text().splitlines()]
    assert len(rows) > 200
    for row in rows:
        lean = row["lean"].strip("\n")
        echo = f"Complete the following Lean 4 code:\n\n```lean4\n{STATEMENT}\n"
        for answer in (
            f"{echo}\n```lean4\n{lean}\n```",
            f"<think>no</think>{echo}```\n\n```lean4\n{lean}\n```<|im_end|>",
        ):
            assert whole_proof(answer) == lean


def _recorded_pairs() -> list[tuple[str, str]]:
    theorems = json.loads((RECORDED / "leandojo" / "leandojo_random_test_100.json").read_text())
    pairs = [(step["state_before"], step["tactic"]) for theorem in theorems for step in theorem["traced_tactics"]]
    lines = (RECORDED / "tactic_pairs" / "ntp_training_data_example0.jsonl").read_text().splitlines()
    return pairs + [(row["state"], row["nextTactic"]) for row in map(json.loads, lines)]


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    return _recorded_pairs()


@pytest.fixture(scope="module")
def tokenizer(pairs: list[tuple[str, str]]) -> Any:
    return train_tokenizer((state + tactic for state, tactic in pairs[:100]), 400)


@needs_recorded
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_recorded_tactics_come_back_from_their_completions(pairs: list[tuple[str, str]], name: str) -> None:
    form = FORMATS[name]
    different = [tactic for _, tactic in pairs if form.extract(form.completion(tactic)) != tactic]
    # LeanDojo prints the block of `classical` at its own margin, where it reads as further tactics.
    assert [tactic.split("\n")[0] for tactic in different] == ["classical"]


@needs_recorded
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_loss_counts_the_completion_alone_on_recorded_states(
    pairs: list[tuple[str, str]], tokenizer: Any, name: str
) -> None:
    several = [pair for pair in pairs if "\n\n" in pair[0]]
    chosen = [*several, *sorted(pairs, key=lambda pair: -len(pair[0]))[:8], *pairs[-2:]]
    assert len(several) >= 8 and any("✝" in state for state, _ in chosen) and max(len(s) for s, _ in chosen) > 1000
    form = FORMATS[name]
    examples, dropped = make_examples(tokenizer, form, chosen, 100_000)
    assert dropped == 0
    for example, (state, tactic) in zip(examples, chosen, strict=True):
        assert tokenizer.decode(example.tokens[: example.start]) == form.prompt(state)
        assert tokenizer.decode(example.tokens[example.start :]) == form.completion(tactic) + END
        assert list(example.tokens[: example.start]) == prompt_tokens(tokenizer, form, [state])[0]
    labels = collate(examples, "packed", 0)["labels"]
    assert int((labels != IGNORED).sum()) == sum(example.targets for example in examples)


@pytest.mark.skipif(not SOURCES.is_file(), reason="the texts of the models' repositories are not here")
def test_prompts_are_the_texts_of_the_models_repositories() -> None:
    sources = SOURCES.read_text(encoding="utf-8")

    def user_turn(prompt: str) -> str:
        return prompt.split("<|im_start|>user\n")[1].split("<|im_end|>")[0]

    # Written there with \\n; the prompt leaves the name and the proof so far empty.
    internlm = user_turn(FORMATS["internlm_stepprover"].prompt("{state}")).replace("\n", "\\n")
    internlm = internlm.replace("NAME: ", "NAME: {full_name}").replace("PROOF_BEFORE: ", "PROOF_BEFORE: {proof so far}")
    assert f'"{internlm}"' in sources
    for stop in FORMATS["internlm_stepprover"].stops:
        assert '"' + stop.replace("\n", "\\n") + '"' in sources
    assert f'"{FORMATS["bfs_prover"].prompt("{state}")}"' in sources
    leandojo = FORMATS["goal_proofstep"]
    assert f'"{leandojo.prompt("{state}")}{{prefix}}"' in sources  # LeanDojo-v2
    assert f"`{leandojo.prompt('{state}')}{leandojo.completion('{tactic}')}`" in sources
    example = "example : p := by"
    kimina = user_turn(CONTINUATIONS["kimina_prover"].prompt("⊢ p")).replace(example, "{formal_statement}")
    with_problem = kimina.replace("# Formal", "# Problem:\n{informal_problem}\n\n# Formal", 1)
    assert f"~~~\n{with_problem}~~~⏎" in sources
    deepseek = CONTINUATIONS["deepseek"].prompt("⊢ p").split("<｜User｜>")[1].split("<｜Assistant｜>")[0]
    assert f"~~~\n{deepseek.replace(example, '{formal_statement … := by').replace('sorry', 'sorry}')}\n" in sources
    goedel = user_turn(CONTINUATIONS["goedel_prover"].prompt("⊢ p"))
    assert goedel.replace(" sorry", "\n  sorry") == deepseek  # "the same text as DeepSeek-V2", with ":= by sorry"
    state = FORMATS["deepseek"].prompt("{state}")
    assert f"`{state}{FORMATS['deepseek'].completion('{tactic}')}`".replace("\n", "\\n") in sources
