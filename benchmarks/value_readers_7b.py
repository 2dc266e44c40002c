"""What a value costs with each reader, at the shapes of a 7B model, against the obvious way of the same reading.

Per 1,000 states: the mean of frozen hidden states (pooled), the end of the policy's prompt (prompt), an own copy with an
adapter (own), and the tactic's last token (free). Free reads while the policy samples, so its cost is what sampling takes
longer: 32 states, 8 samples each, 32 tokens each, with and without it in turn. The obvious way to the same vector is a
forward pass over prompt and tactic. Random weights are made on the device; nothing is read or written but a tokenizer.

Run as: python -m benchmarks.value_readers_7b
"""

from __future__ import annotations

import gc
import importlib.util
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file

from benchmarks.model_7b import SHAPE, SMALL, arguments, device_name, make_tokenizer, report, states
from burnqed.config import EncoderSettings, ModelSettings, PolicySettings, ValueSettings
from burnqed.files import write_json
from burnqed.policy import transformers_backend
from burnqed.policy.graph_sampling import GraphSampler
from burnqed.policy.prompts import FORMATS, prompt_tokens
from burnqed.policy.transformers_backend import TransformersGenerator
from burnqed.value import encoder, readers, values
from burnqed.value.readers import Policy, PooledReader, PromptReader, Reading
from burnqed.value.values import SampledValue, TrainedValue, card_of

STATES, EACH, NEW = 32, 8, 32
AROUND = (80, 220)  # tokens of a state that is sampled from; its frame adds 66
PAIRS = 12  # of sampling without and with the reader free
OBVIOUS_BATCH = 64


class Random:
    """Stands in for the loading of a model: random weights of one shape, made on the device."""

    def __init__(self, shape: dict[str, int]) -> None:
        self.shape = shape

    def __call__(self, path: Path, dtype: str, device: str, quantization: str = "none", head: bool = True) -> Any:
        """Return the model of the shape, in evaluation mode."""
        from transformers import LlamaConfig, LlamaForCausalLM, LlamaModel

        config = LlamaConfig(**self.shape, bos_token_id=0, eos_token_id=1, pad_token_id=2, attn_implementation="sdpa")
        before = torch.get_default_dtype()
        torch.set_default_dtype(getattr(torch, dtype))
        torch.manual_seed(0)
        try:
            with torch.device(device):
                model = (LlamaForCausalLM if head else LlamaModel)(config)
        finally:
            torch.set_default_dtype(before)
        return model.eval()

    def install(self) -> None:
        """Let the project's own code load models so."""
        for module in (encoder, readers, values, transformers_backend):
            module.load_model = self  # type: ignore[attr-defined]


def folder_of(path: Path, shape: dict[str, int]) -> Path:
    """Return a folder with the tokenizer, and just enough to count as a model."""
    path.mkdir(parents=True, exist_ok=True)
    make_tokenizer(path, shape["vocab_size"])
    write_json(path / "config.json", {"model_type": "llama", **shape})
    save_file({"none": torch.zeros(1)}, path / "model.safetensors")
    return path


def free_memory(device: str) -> None:
    """Give back what models that are gone have held."""
    gc.collect()
    torch._dynamo.reset()
    if device == "cuda":
        torch.cuda.empty_cache()


def seconds_of(run: Callable[[], Any], device: str) -> float:
    """Return the seconds of one call."""
    if device == "cuda":
        torch.cuda.synchronize()
    begun = time.perf_counter()
    run()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - begun


def best_of(run: Callable[[], Any], device: str, warm: Callable[[], Any]) -> float:
    """Return the seconds of the faster of two calls, after one that does not count."""
    warm()
    return min(seconds_of(run, device) for _ in range(2))


@torch.inference_mode()
def padded(decoder: Any, rows: Sequence[Sequence[int]], device: str, mean: bool) -> None:
    """Read rows the obvious way: batches as they come, filled on the right, with a mask."""
    for at in range(0, len(rows), OBVIOUS_BATCH):
        part = rows[at : at + OBVIOUS_BATCH]
        ids = torch.zeros((len(part), max(map(len, part))), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for number, row in enumerate(part):
            ids[number, : len(row)] = torch.tensor(row)
            mask[number, : len(row)] = 1
        ids, mask = ids.to(device), mask.to(device)
        hidden = decoder(input_ids=ids, attention_mask=mask).last_hidden_state
        if mean:
            found = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        else:
            found = hidden[torch.arange(len(part), device=device), mask.sum(1) - 1]
        found.float().cpu()


class Lab:
    """The values under test, and the texts that they read."""

    def __init__(self, folder: Path, small: bool, device: str) -> None:
        self.folder, self.device, self.small = folder, device, small
        self.dtype = "bfloat16" if device == "cuda" else "float32"
        self.shape = SMALL if small else SHAPE
        Random(self.shape).install()
        self.model = ModelSettings(prompt_format="deepseek", max_length=1100)
        encoding = EncoderSettings(dtype=self.dtype, batch_tokens=32768, max_length=1000)
        self.policy = Policy(folder_of(folder, self.shape), self.model, encoding, device, "none")
        self.tokenizer = readers.load_tokenizer(folder)
        count = 16 if small else 1024
        texts = states(self.tokenizer, count, 1)
        root, chance = states(self.tokenizer, 1, 2)[0], random.Random(3)
        words = [f" w{chance.randrange(1500, 2000)}" for _ in range(NEW)]
        tactics = ["".join(chance.sample(words, NEW - 1)) for _ in texts]
        edges = zip([*texts[1:], texts[0]], tactics, strict=True)
        self.readings = [Reading(text, root, *edge) for text, edge in zip(texts, edges, strict=True)]
        self.some = self.readings[: 8 if small else 256]  # for the obvious way

    def value(self, reader: str) -> TrainedValue:
        """Return a value of a reader that has not learnt anything."""
        rank = 16 if importlib.util.find_spec("peft") else 0
        settings = ValueSettings(reader=reader, target="steps", lora_rank=rank)  # type: ignore[arg-type]
        return TrainedValue(card_of(settings, self.policy, 0), settings, self.policy, self.dtype)

    def rows(self, reader: PromptReader) -> list[list[int]]:
        """Return the token ids of what the obvious way reads."""
        return reader.tokens([part for reading in self.some for part in reader.parts(reading)])

    def costs(self, read: Callable[[Sequence[Reading]], Any], obvious: Callable[[], Any]) -> dict[str, float]:
        """Return seconds for 1,000 states of a reader, and of the obvious way."""
        count = len(self.readings)
        own = best_of(lambda: read(self.readings), self.device, lambda: read(self.readings[: count // 4]))
        other = best_of(obvious, self.device, lambda: None) / len(self.some)
        return {
            "seconds_per_1000_states": round(1000 * own / count, 3),
            "states_per_second": round(count / own, 1),
            "obvious_seconds_per_1000_states": round(1000 * other, 3),
            "ratio_to_obvious": round(other * count / own, 2),
        }

    def pooled(self) -> dict[str, float]:
        """Measure mean-pooled frozen states."""
        value = self.value("pooled")
        reader = value.reader.reader
        assert isinstance(reader, PooledReader)
        rows = [list(ids) for ids in reader.encoder._tokens([reading.state for reading in self.some])]
        plain = readers.load_model(self.folder, self.dtype, self.device, head=False)
        return self.costs(value.energies, lambda: padded(plain, rows, self.device, True))

    def frozen(self) -> dict[str, dict[str, float]]:
        """Measure the end of the policy's prompt, and the tactic's end read by a forward pass (free, replayed)."""
        value = self.value("free")
        reader = value.reader.reader
        assert isinstance(reader, PromptReader)
        plain = readers.load_model(self.folder, self.dtype, self.device, head=False)
        found = {}
        for name, reader.free in (("prompt", False), ("free_replayed", True)):
            rows = self.rows(reader)
            found[name] = self.costs(value.energies, partial(padded, plain, rows, self.device, False))
        return found

    def own(self) -> dict[str, float]:
        """Measure an own copy."""
        value = self.value("own")
        assert value.own is not None
        plain = self.value("own")
        assert plain.own is not None
        plain.own.decoder.config._attn_implementation = "sdpa"
        decoder = plain.own.decoder
        rows = value.tokens([(reading.state,) for reading in self.some])
        return self.costs(value.energies, lambda: padded(decoder, rows, self.device, False))

    def sampling(self) -> dict[str, Any]:
        """Measure sampling without and with the reader free, in turn."""
        folder = self.folder / "value"
        folder.mkdir(exist_ok=True)
        settings = ValueSettings(reader="free", target="steps")
        card = card_of(settings, self.policy, self.shape["hidden_size"])
        head = values.ValueHead(card.width, settings.hidden_sizes, settings.dropout)
        save_file(head.state_dict(), folder / values.WEIGHTS)
        write_json(folder / values.CONFIG, vars(card))
        value = SampledValue(folder, self.folder, self.dtype, self.device)
        sampling = PolicySettings(backend="transformers", dtype=self.dtype, max_new_tokens=NEW)
        form = FORMATS["deepseek"]
        generator = TransformersGenerator(self.folder, sampling, form, 1000 + NEW, self.device)
        generator.value_samples(value)
        sampler = generator._graphs or GraphSampler(generator.model, NEW, 1000)
        texts = states(self.tokenizer, 4 if self.small else STATES, 3, AROUND)
        prompts = prompt_tokens(self.tokenizer, form, texts, 1000)
        seeds = list(range(len(prompts)))

        def sample(free: bool) -> Any:
            found = sampler.sample(
                prompts, EACH, 1.0, seeds, eos=-1, max_new_tokens=NEW,
                is_complete=lambda ids: len(ids) == NEW, place=(lambda ids: len(ids) - 1) if free else None,
            )  # fmt: skip
            flat = [item for items in found for item in items]
            if free:
                generator._value(flat)
                assert all(item.energy is not None for item in flat)
            return flat

        first = [seconds_of(partial(sample, free), self.device) for free in (False, True)]
        sample(False)
        pairs = []
        for number in range(3 if self.small else PAIRS):
            order = (False, True) if number % 2 else (True, False)
            found = {free: seconds_of(partial(sample, free), self.device) for free in order}
            pairs.append((found[False], found[True]))
        plain, valued = (np.array([pair[i] for pair in pairs]) for i in (0, 1))
        flat = sample(True)
        layers = min(seconds_of(lambda: generator._value(flat), self.device) for _ in range(5))
        tactics = len(prompts) * EACH
        added = float(np.median(valued) - np.median(plain))
        ratios = np.percentile(valued / plain - 1, [25, 50, 75])
        return {
            "tactics": tactics,
            "prompt_tokens": round(float(np.mean([len(ids) for ids in prompts])), 1),
            "tactics_per_second": round(tactics / float(np.median(plain)), 1),
            "with_free": round(tactics / float(np.median(valued)), 1),
            "free_adds_percent": round(100 * added / float(np.median(plain)), 2),
            "of_pairs_percent": {f"p{p}": round(100 * float(r), 2) for p, r in zip((25, 50, 75), ratios, strict=True)},
            "seconds_per_1000_states": round(1000 * added / tactics, 4),
            "layers_above_seconds_per_1000_states": round(1000 * layers / tactics, 4),
            "first_calls_seconds": [round(one, 1) for one in first],
        }


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.set_defaults(model=Path("/tmp/value-readers"))
    options = parser.parse_args()
    begun = time.perf_counter()
    lab = Lab(options.model, options.small, options.device)
    result: dict[str, Any] = {"benchmark": "value_readers_7b", "device": device_name(options.device)}
    lengths = [len(ids) for ids in lab.tokenizer([reading.state for reading in lab.readings])["input_ids"]]
    result |= {
        "states": len(lengths),
        "tokens_mean": round(float(np.mean(lengths)), 1),
        "tokens_p95": int(np.percentile(lengths, 95)),
        "own": "adapter of rank 16" if importlib.util.find_spec("peft") else "adapter merged (no peft here)",
    }
    parts: dict[str, Callable[[], Any]] = {
        "sampling": lab.sampling,
        "pooled": lab.pooled,
        "frozen": lab.frozen,
        "own_copy": lab.own,
    }
    for name, measure in parts.items():
        result[name] = measure()
        result["seconds"] = round(time.perf_counter() - begun, 1)
        print(name, result[name], result["seconds"], flush=True)
        free_memory(options.device)
    report(result, options.output)


if __name__ == "__main__":
    main()
