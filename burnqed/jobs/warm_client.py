"""Run as `python -I -S warm_client.py SOCKET SCRIPT ARGUMENTS`: the script in a fork of the warm process, or by itself.

It imports little and nothing of the package: its start is part of every job's.
"""

import contextlib
import json
import os
import signal
import socket
import sys


def main() -> int:
    """Run the script; return its status."""
    path, *words = sys.argv[1:]
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(path)
        request = {"words": words, "cwd": os.getcwd(), "environment": dict(os.environ)}
        text = json.dumps(request).encode()
        socket.send_fds(connection, [len(text).to_bytes(8, "big")], [0, 1, 2])

        def pass_on(number: int, _frame: object) -> None:
            with contextlib.suppress(OSError):
                connection.send(bytes([number]))

        connection.sendall(text)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, pass_on)
        if not connection.recv(1):
            raise ConnectionError("not taken")
    except OSError:
        os.execv(sys.executable, [sys.executable, *words])
    try:
        status = connection.recv(1)
    except OSError:
        status = b""
    if not status:
        print("the process that runs the jobs of this machine has gone", file=sys.stderr)
        return 1
    return status[0]


if __name__ == "__main__":
    sys.exit(main())
