"""What every workflow script does the same way: options, logging, signals, errors.

A script builds its parser with ``script_parser``, and ends with ``sys.exit(run_script(main))``.
"""

from __future__ import annotations

import argparse
import ctypes
import errno
import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

from burnqed import artifacts, gpus
from burnqed.artifacts import UserError

logger = logging.getLogger(__name__)
PRICES = "BURNQED_PRICES"  # JSON: price of one GPU hour by type
EXIT_STOPPED = 143  # 128 + SIGTERM: an interrupted job must never look finished

_stop = threading.Event()
_graceful = False


class Stopped(BaseException):
    """Raised in the main thread by SIGTERM when no graceful handler is at work."""


def script_parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options common to all scripts: seed, threads, log, device."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of everything random (default: 0)")
    parser.add_argument(
        "--threads",
        type=int,
        default=1,
        help="CPU threads of torch; results are bitwise equal only at equal thread count (default: 1)",
    )
    parser.add_argument("--log", type=Path, help="also write the log to this file")
    parser.add_argument(
        "--device",
        default="auto",
        choices=["auto", "cpu", "cuda"],
        help="auto: the GPU when there is one (default: auto)",
    )
    parser.add_argument(
        "--price-per-hour",
        type=float,
        default=0.0,
        help="price of one GPU hour, for the cost in the sidecar (default: 0)",
    )
    parser.add_argument(
        "--gpus", type=int, default=0, help="GPUs of this job, as the workflow counts them (default: 0)"
    )
    parser.add_argument("--gpu-model", default="", help="their type, for the price (a key of hardware_types)")
    return parser


def add_quantization_flag(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the option that says whether weights are loaded in 4 bits; ``what``: which weights."""
    parser.add_argument("--quantization", choices=["none", "nf4"], default="none", help=f"{what} (default: none)")


def start_script(args: argparse.Namespace) -> None:
    """Set up logging, threads and signal handling from the common options; call once, first."""
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    if args.log:
        args.log.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(args.log, mode="a", encoding="utf-8"))
    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s", handlers=handlers, force=True
    )
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
        os.environ[variable] = str(args.threads)
    # Threads that spin while they wait make a job many times slower when the cores are shared.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    args.price_per_hour = json.loads(os.environ.get(PRICES, "{}")).get(args.gpu_model, args.price_per_hour)
    if args.gpus and args.device != "cpu" and os.environ.get(gpus.SHARE):
        gpus.take_gpus(args.gpus, gpus.visible_gpus())
    artifacts.set_job_gpus(args.gpus if args.device != "cpu" else 0)


def torch_device(name: str) -> str:
    """Return the torch device of ``--device``; raise UserError when cuda is asked for and absent."""
    import torch

    if name == "cuda" and not torch.cuda.is_available():
        raise UserError(
            "--device cuda: torch sees no GPU; use --device cpu, or install a CUDA build of torch and check nvidia-smi"
        )
    return "cuda" if name == "cuda" or (name == "auto" and torch.cuda.is_available()) else "cpu"


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


def disk_full(error: BaseException) -> bool:
    """Return whether an exception, of whatever library, says that no space is left."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    return "No space left on device" in str(error)


def _on_sigterm(_signal: int, _frame: FrameType | None) -> None:
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


def run_script(main: Callable[[Sequence[str] | None], None], argv: Sequence[str] | None = None) -> int:
    """Run a script's main and return its exit status.

    0 done; 1 after a UserError (printed as one message) or a crash (traceback in the log); 143
    after SIGTERM. With BURNQED_WATCH_PARENT set, the death of the parent process acts as SIGTERM.
    One of several processes that train together does not return, but ends with that status.
    """
    signal.signal(signal.SIGTERM, _on_sigterm)
    if os.environ.get("BURNQED_WATCH_PARENT"):
        threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
    status = _status(main, argv)
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        # Threads of torch.distributed that want the interpreter while it ends abort the process (SIGABRT), now and
        # then, with all its work done. So it leaves without that end.
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


def _status(main: Callable[[Sequence[str] | None], None], argv: Sequence[str] | None) -> int:
    try:
        main(argv)
    except UserError as error:
        logger.error("%s", error)
        return 1
    except Stopped:
        logger.warning("stopped by SIGTERM; the same command goes on from the saved progress")
        return EXIT_STOPPED
    except Exception as error:
        if disk_full(error):
            logger.error("the disk is full (%s): free some space, then run the same command", error)
        else:
            logger.exception("failed")
        return 1
    return 0


def release_free_memory() -> None:
    """Give memory that is freed, but kept by the allocators of C and Arrow, back to the operating system.

    Texts by the million leave gigabytes of such memory behind, which large tables cannot use.
    """
    if pyarrow := sys.modules.get("pyarrow"):
        pyarrow.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc alone has it
    if trim is not None:
        trim(0)
