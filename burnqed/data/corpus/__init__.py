"""The rehearsal's theorem corpus: theorems of graded difficulty with tactic proofs, made from a seed."""
