"""JSON that some readers take and others do not: from files it is an error of its row, from a prover a crash."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from burnqed.files import UserError, parse_json, read_json, read_jsonl
from burnqed.prover.answers import MAX_BYTES, MAX_VALUES, parse_answer

HOSTILE = {
    "a number of 6,000 digits": '{"a": ' + "7" * 6000 + "}",
    "a negative number of 6,000 digits": '{"a": -' + "7" * 6000 + "}",
    "lists without end": '{"a": ' + "[" * 100_000,
    "nested lists": '{"a": ' + "[" * 20_000 + "]" * 20_000 + "}",
    "nested objects": '{"a":' * 20_000 + "1" + "}" * 20_000,
    "NaN": '{"a": NaN}',
    "infinity": '{"a": -Infinity}',
    "a number beyond all": '{"a": 1e999}',
    "half a character": '{"a": "\\ud83d"}',
    "the other half": '{"\\uDE00": 1}',
    "halves in the wrong order": '{"a": ["\\ude00\\ud83d"]}',
    "cut short": '{"a": "b',
    "two values": '{"a": 1} {"a": 2}',
    "nothing": "",
}
FINE = {
    '{"a": "\\ud83d\\ude00"}': {"a": "\U0001f600"},
    '{"a": "\\\\ud83d"}': {"a": "\\ud83d"},
    '{"a": [1e300, -0.0, 123456789012345678901234567890, null, true]}': {
        "a": [1e300, -0.0, 123456789012345678901234567890, None, True]
    },
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_json_is_one_kind_of_error(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        parse_json(text)
    with pytest.raises(ValueError):
        parse_answer(text.encode())
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(UserError, match=r"x\.json"):
        read_json(path)
    if text:
        path.write_text('{"fine": 1}\n' + text.replace("\n", " ") + "\n")
        with pytest.raises(UserError, match=r"x\.json:2: not a JSON object") as caught:
            list(read_jsonl(path))
        assert len(str(caught.value).replace(str(path), "")) < 350  # none of a huge value is shown


@pytest.mark.parametrize("text", FINE)
def test_what_looks_like_it_and_is_fine(text: str) -> None:
    assert parse_json(text) == parse_answer(text.encode()) == FINE[text]


@pytest.mark.parametrize("data", [b"\xff\xfe", b'{"a": "\xed\xa0\xbd"}', b"[]", b"null", b'"x"', b"1"])
def test_answers_are_objects_in_utf8(data: bytes) -> None:
    with pytest.raises(ValueError):
        parse_answer(data)


def test_what_would_keep_the_loop_waiting_is_refused_unparsed() -> None:
    with pytest.raises(ValueError, match=f"bytes, more than {MAX_BYTES}"):
        parse_answer(b'{"a": "' + b"x" * MAX_BYTES + b'"}')
    for many in (b"[],", b"1,", b'{"b": 1},', b'"x",'):
        with pytest.raises(ValueError, match=f"more than {MAX_VALUES} values"):
            parse_answer(b'{"a": [' + many * 100_000 + b"1]}")
    longest = {"goal": "x" * (MAX_BYTES - 100)}
    assert parse_answer(json.dumps(longest).encode()) == longest
