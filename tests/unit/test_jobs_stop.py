"""A job ends when its driver is gone, also when that happened before the job was able to look."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

JOB = """
import sys, time
from burnqed.jobs.stop import exit_status
sys.exit(exit_status(lambda: time.sleep(600)))
"""


def test_a_job_ends_that_starts_after_its_driver_died() -> None:
    driver = subprocess.Popen(["true"])
    driver.wait()
    environment = {**os.environ, "BURNQED_WATCH_PARENT": "1", "BURNQED_DRIVER_PID": str(driver.pid)}
    job = subprocess.run(
        [sys.executable, "-c", JOB], env=environment, cwd=Path(__file__).parents[2], timeout=300, capture_output=True
    )
    assert job.returncode == 143, job.stderr
