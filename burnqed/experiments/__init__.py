"""Experiments beside the main run."""
