"""What the measurements share: data sets by name, interleaved medians, peaks of memory, tables and CSV."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median

import pandas as pd

from trellislib.data import Dataset, joined, load, packaged, simulate_room

ROOMS = {"Local400": (10_000, 20), "Local10k": (50_000, 100)}  # instances and width, as in the paper


def read(folder: Path | None, name: str) -> Dataset:
    """Return a data set by its name.

    Parameters
    ----------
    folder : Path or None
        Where Mulan's sets are, each in a folder of its name; some are published as two files, which are joined.
    name : str
        One of those, "Local400" or "Local10k" (the light-sensor room, simulated), or "yeast" without a folder.
    """
    if name in ROOMS:
        n_instances, width = ROOMS[name]
        return simulate_room(n_instances, width, random_state=0)
    if folder is None:
        return packaged(name)
    (labels,) = (folder / name).glob("*.xml")
    if (whole := labels.with_suffix(".arff")).exists():
        return load(whole, labels=labels)
    train, test = (load(folder / name / f"{name}-{part}.arff", labels=labels) for part in ("train", "test"))
    return joined(train, test, name)[0]


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
    """Return the most memory that this process has had so far."""
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
