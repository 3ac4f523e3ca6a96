"""Placing very many labels: run ``python tests/benchmarks/million_labels.py [N_LABELS [CSV]]``.

Labels (by default a million) of as many instances, ten in each, fall into topics of a thousand: a topic and labels in
it are drawn with frequencies that fall by a power law, and one label in ten is of any topic. A million of them make
about 40 million pairs that co-occur. Prints the seconds of drawing, of counting and of placing (with each parent
pattern if N_LABELS is at most 100,000, else with two and with five parents), and the peak memory so far. First, at
2,000 labels, each order is compared with that of the dense matrix.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.dependence import PairCounts, information_of_counts
from trellislib.graphs import PATTERNS, trellis
from trellislib.graphs.placement import parent_cells
from trellislib.graphs.sparse_placement import climb_sparse

PER_INSTANCE, TOPIC = 10, 1000
SMALL = 2000


def topical_labels(n_labels: int, seed: int = 0) -> sparse.csr_array:
    """Return indicators of shape (n_labels, n_labels): as many instances as labels."""
    rng = np.random.default_rng(seed)
    shape = (n_labels, PER_INSTANCE)
    size = min(TOPIC, n_labels)
    topic = (n_labels // size * rng.random((n_labels, 1)) ** 2).astype(np.int32)
    labels = topic * size + (size * rng.random(shape) ** 2).astype(np.int32)
    labels = np.where(rng.random(shape) < 0.1, (n_labels * rng.random(shape) ** 3).astype(np.int32), labels)
    labels = rng.permutation(n_labels).astype(np.int32)[labels]
    starts = np.arange(0, labels.size + 1, PER_INSTANCE, dtype=np.int32)
    Z = sparse.csr_array((np.ones(labels.size, dtype=np.int8), labels.ravel(), starts), shape=(n_labels, n_labels))
    Z.sum_duplicates()
    Z.data[:] = 1
    return Z


def timed(step: str, figures: list[dict[str, Any]], work: Callable[[], Any]) -> Any:
    """Do the work; print and note its seconds, of the wall and of the processor, and the peak memory after it."""
    wall, processor = time.perf_counter(), time.process_time()
    done = work()
    found = {
        "step": step,
        "seconds": round(time.perf_counter() - wall, 2),
        "processor seconds": round(time.process_time() - processor, 2),
        "peak GB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
    }
    figures.append(found)
    print(*(f"{name}: {value}" for name, value in found.items()), sep="   ", flush=True)
    return done


def check_small() -> None:
    """Compare the orders with those of the dense matrix."""
    counts = PairCounts.of(topical_labels(SMALL), np.arange(SMALL + 1))
    information = information_of_counts(counts)
    width = isqrt(SMALL)
    for name, offsets in PATTERNS.items():
        dense = trellis(information, width, name, random_state=0).order
        found = climb_sparse(counts, parent_cells(SMALL, width, offsets), dense[0])
        if tuple(found) != dense:
            raise AssertionError(f"Got another order than the dense matrix gives, with {name}.")
        print(f"{SMALL:,} labels, {name}: the order of the dense matrix")


def main(n_labels: int = 1_000_000, csv: Path | None = None) -> None:
    """Measure."""
    check_small()
    figures: list[dict[str, Any]] = []
    Z = timed("drawing", figures, lambda: topical_labels(n_labels))
    counts = timed("counting", figures, lambda: PairCounts.of(Z, np.arange(n_labels + 1)))
    occurring = int((counts.single > 0).sum())
    print(f"{n_labels:,} labels, {occurring:,} occur; pairs that co-occur: {(counts.together.nnz - occurring) // 2:,}")
    for name in PATTERNS if n_labels <= 100_000 else ("left-up", "left-up-second"):
        cells = parent_cells(n_labels, isqrt(n_labels), PATTERNS[name])
        timed(f"placing, {name}", figures, lambda cells=cells: climb_sparse(counts, cells, 0))
    if csv is not None:
        pd.DataFrame(figures).to_csv(csv, index=False)


if __name__ == "__main__":
    main(*(kind(given) for kind, given in zip((int, Path), sys.argv[1:], strict=False)))
