"""`python -m burnqed.minilean [--version] [MODULES|--OPTION=VALUE]`: Pantograph's REPL protocol."""

import sys

from burnqed.minilean import VERSION

if "--version" in sys.argv[1:]:
    print(VERSION)
else:
    from burnqed.minilean.repl import main

    main()
