"""Keys and tokens in the environment: none of them gets into a log or a sidecar."""

from __future__ import annotations

import logging
import os
import re

_NAMES = re.compile(r"(TOKEN|SECRET|PASSWORD|PASSWD|KEY|KEY_ID|CREDENTIALS)\Z", re.IGNORECASE)
_LEAST = 8  # characters: a shorter value is no key, and may be any word


def hide_secrets(text: str) -> str:
    """Return the text without the values of environment variables whose names say that they are secret."""
    secrets = {value for name, value in os.environ.items() if _NAMES.search(name) and len(value) >= _LEAST}
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


class SecretsHidden(logging.Formatter):
    """A formatter of log lines, and of what was raised, without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record's line or lines."""
        return hide_secrets(super().format(record))
