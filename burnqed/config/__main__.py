"""Prints the JSON schema of config.yaml; with ``--markdown`` the reference of all settings."""

from __future__ import annotations

import json
import sys

from burnqed.config.reference import reference, schema

if "--markdown" in sys.argv[1:]:
    print(reference(), end="")
else:
    print(json.dumps(schema(), indent=1, ensure_ascii=False))
