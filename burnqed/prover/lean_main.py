"""The `lean` command on top of a shared library that carries Lean: python -I -S lean_main.py LIBRARY ARGS...

Run as a script by a bare Python, without site-packages, so that it starts fast inside a sandbox.
"""

import ctypes
import os
import signal
import sys


def main(arguments: list[str]) -> int:
    """Run Lean's own main function; return its exit status."""
    for number in (signal.SIGINT, signal.SIGPIPE):  # Python's handlers would wait for Lean to return
        signal.signal(number, signal.SIG_DFL)
    library = ctypes.CDLL(arguments[0], mode=ctypes.RTLD_GLOBAL)
    words = [b"lean", *map(os.fsencode, arguments[1:])]
    return int(library.lean_main(len(words), (ctypes.c_char_p * (len(words) + 1))(*words)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
