"""The value: encoder of proof states, energy head, its training and its use in search."""
