"""`python -m burnqed.minilean [--protocol 0.3.4] [--version] [MODULES|--OPTION=VALUE]`: Pantograph's REPL protocol."""

import sys

from burnqed.minilean import VERSION
from burnqed.minilean.older import VERSION as OLDER

arguments = sys.argv[1:]
protocol = VERSION
if "--protocol" in arguments:
    protocol = "".join(arguments[arguments.index("--protocol") + 1 :][:1])
    if protocol not in (VERSION, OLDER):
        sys.exit(f"--protocol: minilean speaks {VERSION} and {OLDER}, not {protocol or 'nothing'}")
if "--version" in arguments:
    print(protocol)
else:
    from burnqed.minilean.repl import main

    main(protocol == OLDER)
