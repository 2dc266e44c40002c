"""Prints the JSON schema of config.yaml."""

from __future__ import annotations

import json

from burnqed.config.experiment import Config

print(json.dumps(Config.model_json_schema(), indent=2, ensure_ascii=False))
