"""Random streams by name: what is drawn depends on the parts named, never on the order of the work."""

from __future__ import annotations

import hashlib


def derive_seed(*parts: object) -> int:
    """Return a seed (63 bits) that depends on all parts: the head of the SHA-256 of their texts."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def fraction(text: str, digits: int = 15) -> float:
    """Return a number in [0, 1) that the text alone decides: the head of its SHA-256, as so many hexadecimal digits."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:digits], 16) / 16**digits
