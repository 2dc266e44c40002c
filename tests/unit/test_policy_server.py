"""The completions client and the owned server process, against a server in vLLM's shape."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import policy_fake_server
import pytest

from burnqed.config import PolicySettings
from burnqed.files import UserError
from burnqed.policy import server as server_module
from burnqed.policy.continuation import CONTINUATIONS, Continuation
from burnqed.policy.generator import Candidate
from burnqed.policy.prompts import FORMATS
from burnqed.policy.server import CompletionsClient, ServerGenerator, common_model, served_model
from burnqed.policy.vllm_process import COMPILED_BYTES, VLLMProcess, server_command
from burnqed.training.tokenizer import train_tokenizer

FORM = FORMATS["bfs_prover"]


@pytest.fixture
def running() -> Iterator[tuple[str, Any]]:
    server, handler = policy_fake_server.serve()
    yield f"http://127.0.0.1:{server.server_address[1]}", handler
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return train_tokenizer(["⊢ p → p:::intro h"], 300)


def _settings(**values: Any) -> PolicySettings:
    return PolicySettings(backend="server", max_new_tokens=16, server_sequences=4, **values)


def _generate(
    url: str | list[str], tokenizer: Any, monkeypatch: pytest.MonkeyPatch, states: list[str], seeds: list[int]
) -> tuple[list[list[Candidate]], ServerGenerator]:
    monkeypatch.setattr(server_module, "load_tokenizer", lambda _: tokenizer)

    async def work() -> tuple[list[list[Candidate]], ServerGenerator]:
        generator = ServerGenerator(Path("unused"), _settings(server_url=url), FORM, 64)
        found = await generator.generate(states, 4, 0.8, seeds)
        await generator.close()
        return found, generator

    return asyncio.run(work())


def test_candidates_come_with_their_logprobs(
    running: tuple[str, Any], tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, handler = running
    states = ["⊢ p", "⊢ p ∨ q", "⊢ 1 = 1"]
    found, generator = _generate(url, tokenizer, monkeypatch, states, [7, 8, 2**70 + 1])
    assert len(found) == 3
    for state, candidates in zip(states, found, strict=True):
        total = sum(tokenizer(FORM.prompt(state))["input_ids"])
        # four answers: two equal pairs, the fourth unfinished
        assert candidates == [Candidate(f"tactic_{total}_0", -0.75, 2), Candidate(f"tactic_{total}_1", -1.75, 2)]
    assert sorted(body["seed"] for body in handler.bodies) == sorted([7, 8, (2**70 + 1) % 2**63])
    for body in handler.bodies:
        assert (body["model"], body["n"], body["temperature"], body["max_tokens"], body["stop"]) == (
            "served",
            4,
            0.8,
            16,
            [":::"],
        )
    assert generator.tokens == 3 * 4 * 2
    assert generator.unfinished == 3
    assert generator.busy_seconds > 0


@pytest.mark.parametrize("offset", [0, 37])
def test_continuations_are_cut_into_tactics_with_their_logprobs(
    running: tuple[str, Any], tokenizer: Any, monkeypatch: pytest.MonkeyPatch, offset: int
) -> None:
    url, handler = running
    handler.offset = offset
    handler.answers += [
        (["intro", " h", "\n", "exact", " h"], [-1.0, -2.0, -4.0, -8.0, -16.0], "stop"),
        (["intro", " h", "\n", "exact", " h"], [-1.0, -2.0, -4.0, -8.0, -20.0], "stop"),  # the same, less likely
        (["intro", " x", "\n", "apply", " h."], [-2.0, -3.0, -4.0, -5.0, -6.0], "length"),  # its last tactic is cut
        (["sorry"], [-0.5], "stop"),
    ]
    monkeypatch.setattr(server_module, "load_tokenizer", lambda _: tokenizer)

    async def work() -> tuple[list[list[Continuation]], ServerGenerator]:
        generator = ServerGenerator(Path("unused"), _settings(server_url=url, max_proof_tokens=24), FORM, 64)
        found = await generator.continue_proofs(["⊢ p → p", "⊢ q → q"], 4, 0.8, [7, 8])
        await generator.close()
        return found, generator

    found, generator = asyncio.run(work())
    expected = [
        Continuation((("intro x", -5.0),), 5),
        Continuation((("intro h", -3.0), ("exact h", -28.0)), 5),
    ]
    assert found == [expected, expected]
    assert sorted(body["seed"] for body in handler.bodies) == [7, 8]
    form = CONTINUATIONS[FORM.name]
    prompts = {tuple(tokenizer(form.prompt(state))["input_ids"]) for state in ("⊢ p → p", "⊢ q → q")}
    assert {tuple(body["prompt"][0]) for body in handler.bodies} == prompts
    assert all((body["n"], body["max_tokens"], body["stop"]) == (4, 24, [":::"]) for body in handler.bodies)
    assert (generator.tokens, generator.unfinished) == (2 * 16, 2)


def _complete(url: str, prompts: list[list[int]], n: int = 2) -> Any:
    async def work() -> Any:
        client = CompletionsClient(url, "served", 2, first_wait=0.01)
        try:
            return await client.complete(prompts, n, temperature=1.0, top_p=1.0, max_tokens=8, seed=1, stop=())
        finally:
            await client.close()

    return asyncio.run(work())


def test_lists_of_prompts_keep_their_order(running: tuple[str, Any]) -> None:
    answers = _complete(running[0], [[1, 2], [30], [4, 5, 6]])
    assert [[answer.text for answer in row] for row in answers] == [
        ["tactic_3_0"] * 2,
        ["tactic_30_0"] * 2,
        ["tactic_15_0"] * 2,
    ]
    assert [answer.logprob for answer in answers[0]] == [-0.75, -1.25]


def test_passing_troubles_are_retried(running: tuple[str, Any]) -> None:
    url, handler = running
    handler.failures += [503, 0, 429]
    assert _complete(url, [[1]])[0][0].text == "tactic_1_0"
    assert handler.failures == []


@pytest.mark.parametrize(
    ("failures", "message"),
    [([500] * 9, "no answer after 6 tries.*HTTP 500"), ([400], "refused a request.*HTTP 400.*as asked")],
)
def test_lasting_troubles_name_the_server(running: tuple[str, Any], failures: list[int], message: str) -> None:
    url, handler = running
    handler.failures += failures
    with pytest.raises(UserError, match=message):
        _complete(url, [[1]])


def test_a_server_without_logprobs_is_refused(running: tuple[str, Any]) -> None:
    url, handler = running
    handler.shape = "bare"
    with pytest.raises(UserError, match="no log-probabilities"):
        _complete(url, [[1]])


CHOICE = (
    '{"choices": [{"index": 0, "text": "rfl", "finish_reason": "stop", '
    '"logprobs": {"token_logprobs": [-0.5], "text_offset": [0]}}]}'
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("-0.5", "NaN"),
        ("-0.5", "-Infinity"),
        ("-0.5", "-1e999"),
        ("-0.5", "null"),
        ("-0.5", '"-0.5"'),
        ("-0.5", "true"),
        ("-0.5", "[" * 5000),
        ("[-0.5]", "null"),
        ("-0.5", "-" + "1" * 400),
        ("-0.5", "-" + "1" * 6000),
        ('"rfl"', "null"),
        ('"rfl"', "5"),
        ('"rfl"', '"\\ud800"'),
        ('"index": 0', '"index": null'),
        ('"index": 0', '"index": "0"'),
        ('{"token_logprobs": [-0.5], "text_offset": [0]}', "[]"),
        ("[0]", "[null]"),
        (CHOICE, "[]"),
        (CHOICE, "null"),
        (CHOICE, '{"choices": [null]}'),
        (CHOICE, '{"choices": null}'),
        (CHOICE, ""),
    ],
)
def test_an_answer_that_is_none_is_refused_in_one_line(
    running: tuple[str, Any], old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, handler = running
    monkeypatch.setattr(handler, "raw", CHOICE.encode())
    assert _complete(url, [[1]], n=1)[0][0].logprob == -0.5
    monkeypatch.setattr(handler, "raw", CHOICE.replace(old, new).encode())
    assert handler.raw != CHOICE.encode()
    with pytest.raises(UserError, match=r"no JSON|no log-probabilities|choices for") as caught:
        _complete(url, [[1]], n=1)
    assert "\n" not in str(caught.value)


@pytest.fixture
def second() -> Iterator[tuple[str, Any]]:
    server, handler = policy_fake_server.serve()
    yield f"http://127.0.0.1:{server.server_address[1]}", handler
    server.shutdown()
    server.server_close()


def test_several_servers_share_the_work_and_answer_as_one(
    running: tuple[str, Any], second: tuple[str, Any], tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    states, seeds = [f"⊢ {n} = {n}" for n in range(12)], list(range(12))
    alone, _ = _generate([running[0]], tokenizer, monkeypatch, states, seeds)
    running[1].bodies.clear()
    together, _ = _generate([running[0], second[0]], tokenizer, monkeypatch, states, seeds)
    assert together == alone
    counts = len(running[1].bodies), len(second[1].bodies)
    assert sum(counts) == 12 and min(counts) >= 4


def test_a_server_that_is_lost_leaves_its_work_to_the_others(
    running: tuple[str, Any], second: tuple[str, Any], tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module.CompletionsClient.__init__, "__defaults__", (0.001,))
    states, seeds = [f"⊢ {n} = {n}" for n in range(8)], list(range(8))
    alone, _ = _generate([running[0]], tokenizer, monkeypatch, states, seeds)
    second[1].failures[:] = [503] * 1000
    running[1].bodies.clear()
    found, _ = _generate([running[0], second[0]], tokenizer, monkeypatch, states, seeds)
    assert found == alone
    assert len(running[1].bodies) == 8
    running[1].failures[:] = [503] * 1000
    with pytest.raises(UserError, match="no answer after"):
        _generate([running[0], second[0]], tokenizer, monkeypatch, states, seeds)


def test_servers_of_different_models_are_refused(
    running: tuple[str, Any], second: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert common_model([running[0], second[0]]) == "served"
    names = {running[0]: "one", second[0]: "two"}
    monkeypatch.setattr(server_module, "served_model", names.__getitem__)
    with pytest.raises(UserError, match=r"policy\.server_url: the servers offer different models .*one.*two"):
        common_model(list(names))


def test_one_url_may_be_given_as_text() -> None:
    assert PolicySettings.model_validate({"server_url": "http://a"}).server_url == ["http://a"]
    assert PolicySettings.model_validate({"server_url": ""}).server_url == []


def test_a_url_without_a_server_is_named() -> None:
    with pytest.raises(UserError, match=r"policy.server_url: http://127.0.0.1:9 "):
        served_model("http://127.0.0.1:9/v1")


def _fake_python(tmp_path: Path) -> str:
    """Return an executable that takes vLLM's command line and runs the contract server."""
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} {policy_fake_server.__file__} "$@"\n')
    script.chmod(0o755)
    return str(script)


def test_an_owned_server_is_started_used_and_ended(
    tmp_path: Path, tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "load_tokenizer", lambda _: tokenizer)

    async def work() -> tuple[list[list[Candidate]], int]:
        generator = ServerGenerator(tmp_path / "model", _settings(server_python=_fake_python(tmp_path)), FORM, 64)
        assert generator._process is not None
        found = await generator.generate(["⊢ p"], 2, 1.0, [0])
        await generator.close()
        return found, generator._process._process.pid

    found, pid = asyncio.run(work())
    assert len(found[0]) == 1
    limit = time.monotonic() + 300
    while time.monotonic() < limit:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.05)
    else:
        pytest.fail("the server outlived its generator")


def test_a_server_that_dies_shows_the_end_of_its_log(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"(?s)ended with status 1.*this model cannot be served"):
        VLLMProcess(tmp_path / "broken-model", _settings(server_python=_fake_python(tmp_path)), 64)


def test_a_missing_vllm_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="no `vllm` on PATH"):
        server_command(tmp_path, _settings(), 64, "x")
    with pytest.raises(UserError, match="cannot start"):
        VLLMProcess(tmp_path, _settings(server_python=str(tmp_path / "nothing")), 64)


def test_vllm_is_found_beside_the_training_stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no program `vllm`, this interpreter serves, when it can import vLLM."""
    (tmp_path / "vllm").mkdir()
    (tmp_path / "vllm" / "__init__.py").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    command = server_command(tmp_path, _settings(), 64, "x")
    assert command[:5] == [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", str(tmp_path)]


def test_a_small_model_is_served_without_compiling(tmp_path: Path) -> None:
    settings = _settings(server_python=sys.executable)
    weights = tmp_path / "model.safetensors"
    assert "--enforce-eager" not in server_command(tmp_path, settings, 64, "x"), "of an unknown size"
    weights.write_bytes(b"x")
    assert "--enforce-eager" in server_command(tmp_path, settings, 64, "x")
    os.truncate(weights, COMPILED_BYTES)
    assert "--enforce-eager" not in server_command(tmp_path, settings, 64, "x")
