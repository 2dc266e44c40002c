"""minilean: a small, sound prover for a fragment of core Lean 4, standard library only."""

VERSION = "0.3.15"
LEAN_VERSION = "4.26.0"
