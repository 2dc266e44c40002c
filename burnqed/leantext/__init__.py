"""Lean as text."""
