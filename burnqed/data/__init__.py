"""Data in: theorem indexes, tactic pairs, filters, splits and contamination checks."""
