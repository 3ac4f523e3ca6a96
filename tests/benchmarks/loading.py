"""Reading files, ours beside a peer: run ``python tests/benchmarks/loading.py [FOLDER [CSV]]``.

The files: a table as large as MediaMill (44,000 rows of 120 features and 101 labels; drawn here and written to a folder
that is removed) as ARFF and as CSV, and where FOLDER holds it, Mulan's Delicious (sparse ARFF). The peers read cells
alone: liac-arff, as scikit-learn carries it, and pandas; ours goes on to a data set, with labels by name. Seconds are
medians of interleaved rounds in one process; the peak is that of a process of its own that reads the file once.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from common import in_a_process, interleaved, peak_gib, show
from sklearn.externals import _arff as liac_arff

from trellislib.data import Dataset, load, save

N, D, L = 44_000, 120, 101  # of MediaMill
ROUNDS = 3


@dataclass(frozen=True)
class File:
    """A file, what says which columns are its labels, and how a peer reads it."""

    path: Path
    labels: str
    peer: Callable[[Path], object]


def as_large_as_mediamill() -> Dataset:
    """Return random features of six digits, and labels of the cardinality of MediaMill."""
    rng = np.random.default_rng(0)
    return Dataset(
        rng.random((N, D)).round(6),
        (rng.random((N, L)) < 4.4 / L).astype(np.int8),
        tuple(f"feature {j}" for j in range(D)),
        tuple(f"label {j}" for j in range(L)),
        (("0", "1"),) * L,
        "mediamill",
    )


def peer_of_arff(path: Path) -> object:
    """Read the cells of a dense ARFF file."""
    with path.open(encoding="utf-8") as file:
        return liac_arff.load(file)


def peer_of_sparse_arff(path: Path) -> object:
    """Read the cells of a sparse ARFF file."""
    with path.open(encoding="utf-8") as file:
        return liac_arff.load(file, return_type=liac_arff.COO)


def files(folder: Path | None, drawn: Path) -> list[File]:
    """Write what is drawn, and return all files that there are."""
    data = as_large_as_mediamill()
    arff, xml = save(data, drawn, "Mulan ARFF")
    (csv,) = save(data, drawn, "CSV")
    found = [File(arff, str(xml), peer_of_arff), File(csv, f"-{L}", pd.read_csv)]
    if folder is not None and (delicious := next(folder.rglob("delicious.arff"), None)):
        found.append(File(delicious, str(delicious.with_suffix(".xml")), peer_of_sparse_arff))
    return found


def read(path: str, labels: str) -> Dataset:
    """Read a file with the labels that an XML file or a number says."""
    return load(path, labels if labels.endswith(".xml") else int(labels))


def main(folder: Path | None = None, csv: Path | None = None) -> None:
    """Measure all files."""
    rows = []
    with tempfile.TemporaryDirectory() as drawn:
        for file in files(folder, Path(drawn)):
            work = {
                "ours": lambda file=file: read(str(file.path), file.labels),
                "peer": lambda file=file: file.peer(file.path),
            }
            seconds = interleaved(work, ROUNDS)
            once = in_a_process("loading.py", "once", str(file.path), file.labels)
            rows.append(
                {
                    "file": file.path.name,
                    "MB": file.path.stat().st_size / 1e6,
                    "peer": file.peer.__name__,
                    "ours (s)": seconds["ours"],
                    "peer (s)": seconds["peer"],
                    "peer / ours": seconds["peer"] / seconds["ours"],
                    **once,
                }
            )
    show(rows, csv)


if __name__ == "__main__":
    if sys.argv[1:2] == ["once"]:
        before = peak_gib()
        read(*sys.argv[2:])
        print(json.dumps({"GiB before": before, "peak GiB": peak_gib()}))
    else:
        main(*map(Path, sys.argv[1:]))
