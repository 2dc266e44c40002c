"""The verdict on a compiled proof: read as plain data, compared as terms, checked again by Lean's kernel.

Nothing in this package runs anything of a proof. It needs the standard library alone, because it is
the whole program of the process whose word counts.
"""
