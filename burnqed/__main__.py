"""Run as: python -m burnqed."""

import sys

from burnqed.commands.cli import main

if __name__ == "__main__":
    sys.exit(main())
