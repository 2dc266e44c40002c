"""burn-qed: expert iteration for a Lean 4 theorem prover, measured honestly."""

__version__ = "0.1.0"
