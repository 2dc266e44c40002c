"""The program that every prover process is started through: it confines a worker, and outlives it.

It runs in a Python of its own, without site-packages, because a multi-threaded parent cannot set up namespaces
between fork and exec. So this package imports nothing but the standard library, and little of that: each
worker's start waits for it.
"""
