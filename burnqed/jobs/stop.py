"""Being told to stop: SIGTERM saves progress and leaves with a status that nobody takes for success."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from burnqed.files import UserError, disk_full

logger = logging.getLogger(__name__)
EXIT_STOPPED = 143  # 128 + SIGTERM: an interrupted job must never look finished

_stop = threading.Event()
_graceful = False


class Stopped(BaseException):
    """Raised in the main thread by SIGTERM when no graceful handler is at work."""


def stop_requested() -> bool:
    """Return whether SIGTERM has asked this process to save its progress and leave."""
    return _stop.is_set()


class graceful_stop:
    """While entered, SIGTERM only sets ``stop_requested``; the code inside saves and raises Stopped."""

    def __enter__(self) -> None:
        global _graceful
        _graceful = True

    def __exit__(self, *_: object) -> None:
        global _graceful
        _graceful = False


def on_sigterm(_signal: int, _frame: FrameType | None) -> None:
    """Handle SIGTERM: note it, and raise Stopped unless the code at work saves first."""
    _stop.set()
    if not _graceful:
        raise Stopped


def _watch_parent(parent: int) -> None:
    """End this process when the one that started it is gone, as after SIGKILL of the driver.

    The driver may be gone before this process is able to look: its own number tells that.
    """
    driver = int(os.environ.get("BURNQED_DRIVER_PID", parent))
    while True:
        time.sleep(0.5)
        if os.getppid() != parent or not Path(f"/proc/{driver}").exists():
            os.kill(os.getpid(), signal.SIGTERM)
            return


def exit_status(work: Callable[[], object]) -> int:
    """Do the work of this process and return its exit status.

    0 done; 1 after a UserError (logged as one message) or a crash (traceback in the log); 143
    after SIGTERM. With BURNQED_WATCH_PARENT set, the death of the parent process acts as SIGTERM.
    One of several processes that train together does not return, but ends with that status.
    """
    signal.signal(signal.SIGTERM, on_sigterm)
    if os.environ.get("BURNQED_WATCH_PARENT"):
        threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
    status = _status(work)
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        # Threads of torch.distributed that want the interpreter while it ends abort the process (SIGABRT), now and
        # then, with all its work done. So it leaves without that end.
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


def _status(work: Callable[[], object]) -> int:
    try:
        work()
    except UserError as error:
        logger.error("%s", error)
        return 1
    except Stopped:
        logger.warning("stopped by SIGTERM; the same command resumes from the saved progress")
        return EXIT_STOPPED
    except Exception as error:
        if disk_full(error):
            logger.error("the disk is full (%s): free some space, then run the same command", error)
        else:
            logger.exception("failed")
        return 1
    return 0
