"""Summary, figures and tables of a run."""
