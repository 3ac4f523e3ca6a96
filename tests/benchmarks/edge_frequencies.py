"""Whether frequent edges are true: ``python tests/benchmarks/edge_frequencies.py [--sets N] [--samples N] ...``.

Simulates labels from known graphs, learns each structure from bootstrap samples of the rows, and counts how many of the
pairs that are in 90 % of the samples, or in half of them (``kept``), are true, of how many true pairs (``truth``).
With ``--csv assets/edge_frequencies.csv``, the Graphs page says so.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

import numpy as np
from common import show

from trellislib.data import simulate_label_dag
from trellislib.data.label_dag import DIFFICULTIES
from trellislib.graphs import LabelGraph, edge_frequencies, resampled

KEPT = (0.5, 0.9)


def main() -> None:
    """Simulate, learn and count."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--sets", type=int, default=10)
    parser.add_argument("--samples", type=int, default=50)
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--labels", type=int, default=10)
    parser.add_argument("--structures", nargs="+", default=["fs", "lead", "tree", "pc", "trellis"])
    parser.add_argument("--sampling", default="bootstrap")
    parser.add_argument("--csv", type=Path)
    given = parser.parse_args()
    rows = []
    for difficulty, setting in DIFFICULTIES.items():
        sets = [
            simulate_label_dag(given.rows, given.labels, **setting, random_state=seed) for seed in range(given.sets)
        ]
        for structure in given.structures:
            counts, began = {least: np.zeros(3) for least in KEPT}, perf_counter()
            for seed, data in enumerate(sets):
                found = edge_frequencies(
                    resampled(structure, data.X, data.Y),
                    data.n_instances,
                    n_samples=given.samples,
                    sampling=given.sampling,
                    random_state=seed,
                )
                truth = np.zeros_like(found.adjacent, dtype=bool)
                for edge in LabelGraph(data.true_parents).edges:
                    truth[edge] = truth[edge[::-1]] = True
                pairs = np.triu_indices(len(truth), k=1)
                for least in KEPT:
                    kept = found.adjacent[pairs] >= least
                    counts[least] += [kept.sum(), (kept & truth[pairs]).sum(), truth[pairs].sum()]
            seconds = (perf_counter() - began) / len(sets)
            for least, (n_kept, n_true, n_truth) in counts.items():
                rows.append(
                    {
                        "difficulty": difficulty,
                        "structure": structure,
                        "least": least,
                        "sets": len(sets),
                        "rows": given.rows,
                        "labels": given.labels,
                        "samples": given.samples,
                        "kept": int(n_kept),
                        "true": int(n_true),
                        "truth": int(n_truth),
                        "seconds a set": seconds,
                    }
                )
            show(rows[-len(counts) :])
    if given.csv is not None:
        show(rows, given.csv)


if __name__ == "__main__":
    main()
