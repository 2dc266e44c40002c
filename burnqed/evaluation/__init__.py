"""Evaluation: budgets, intervals, comparison of runs, and gates."""
