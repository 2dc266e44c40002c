"""Talking to a prover: the Pantograph protocol, worker processes, their sandbox, and re-checking.

Nothing above this package knows which kind of prover answers.
"""
