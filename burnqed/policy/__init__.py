"""The policy: prompt formats and tactic generators."""
