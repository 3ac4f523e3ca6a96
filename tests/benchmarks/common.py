"""What the measurements share: data sets by name, interleaved medians, peaks of memory, tables and CSV."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median

import pandas as pd

from trellislib.data import Dataset, obtain

ROOMS = ("Local400", "Local10k")


def read(folder: Path | None, name: str) -> Dataset:
    """Return a data set by its name.

    Parameters
    ----------
    folder : Path or None
        Where Mulan's sets are; without it, where `trellislib.data.obtain` finds them.
    name : str
        A key of `trellislib.data.KNOWN`, or one of `ROOMS` (the light-sensor room, simulated).
    """
    data = obtain(name.lower(), folder)
    if data is None:
        raise FileNotFoundError(f"{name}: this data set is not in {folder or 'any place that is known'}.")
    return replace(data, name=name)


def interleaved(work: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median seconds of each piece of work, all of them done in turn, round after round."""
    times: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(rounds):
        for name, do in work.items():
            start = time.perf_counter()
            do()
            times[name].append(time.perf_counter() - start)
    return {name: median(seconds) for name, seconds in times.items()}


def peak_gib() -> float:
    """Return the most memory that this process has had so far; what its parent had before it started does not count."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s+(\d+) kB", status.read_text())[1]) / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def in_a_process(script: str, *arguments: str) -> dict[str, float | str]:
    """Run a script of this folder by itself, so that its peak of memory is its own; return the JSON of its last line.

    Where it fails, that is the last line of its errors as ``"failed"``.
    """
    command = [sys.executable, str(Path(__file__).with_name(script)), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        return {"failed": lines[-1] if lines else f"exit code {done.returncode}"}
    return json.loads(done.stdout.strip().splitlines()[-1])


def show(rows: list[dict[str, object]], csv: Path | None = None) -> None:
    """Print rows as one table, and write them where somebody asked for a file."""
    table = pd.DataFrame(rows)
    with pd.option_context("display.width", 220, "display.max_columns", None, "display.max_colwidth", 90):
        print(table.to_string(index=False, float_format=lambda value: f"{value:.3g}", na_rep=""))
    if csv is not None:
        table.to_csv(csv, index=False)
