"""Run as `python -I -S vllm_keeper.py DRIVER FOLDER COMMAND...`: a server that lives as long as the workflow's driver.

The job that starts it ends before; the next one on the same GPU uses the server, or ends this process by SIGTERM. It is
gone only when all processes of the server are, and the server's folder with it. It imports nothing of the package: it waits
beside the run.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time

STOP_SECONDS = 10.0
_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Ask the kernel to end this process when the one that started it dies (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def end(server: "subprocess.Popen[bytes]", seconds: float = STOP_SECONDS) -> None:
    """End a process group: by SIGTERM, and by SIGKILL when that takes longer than ``seconds``."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(server.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(seconds)


def main() -> int:
    """Keep the server until it ends, the driver is gone, or SIGTERM; return the server's status."""
    driver, folder, *command = sys.argv[1:]
    told: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: told.append(number))
    server = subprocess.Popen(command, start_new_session=True, preexec_fn=end_with_parent)
    while server.poll() is None:
        if told or not os.path.exists(f"/proc/{driver}"):
            end(server)
            shutil.rmtree(folder, ignore_errors=True)
            return 0
        time.sleep(0.2)
    return server.returncode if server.returncode >= 0 else 128 - server.returncode


if __name__ == "__main__":
    sys.exit(main())
