"""Every file below some folders, read as it lies: run ``python tests/benchmarks/wild.py FOLDER... [--csv FILE]``.

Files that belong together are put together as on the Data page. A row each: by which labels (declared, proposed,
listed, one in each line), how many rows, features and labels, in how many seconds, and how it was read; or the sentence
that says what it is instead. Ends with a failure if anything but a sentence came of a file.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from common import show

from trellislib.data import DataError, Table, gather
from trellislib.data.reading.gathering import Gathered
from trellislib.wording import counted

SHOWN = 70  # characters of a sentence
ALIKE = 3  # characters
NO_DATA = {".md", ".py"}


def bunches(folder: Path) -> Iterator[list[Path]]:
    """Yield files that belong together: all of a folder whose names start alike, else those of one name."""
    for place in sorted({path.parent for path in folder.rglob("*") if path.is_file()}):
        files = sorted(path for path in place.iterdir() if path.is_file() and path.suffix.lower() not in NO_DATA)
        if len({path.name[:ALIKE] for path in files}) == 1:
            yield files
        else:
            yield from (list(alike) for _, alike in groupby(files, lambda path: path.name.partition(".")[0]))


def as_data(table: Table) -> tuple[str, str, int, int, int]:
    """Return by which labels a table became a data set, its form, and the numbers of rows, features and labels."""
    proposal = table.proposal()
    if table.labels:
        how, labels = "declared", table.labels
    elif proposal.long:
        how, table, labels = "one in each line", table.per_instance(*proposal.long), None
    elif proposal.split:
        how, table, labels = "listed", table.split(*proposal.split), None
    else:
        how, labels = "proposed", proposal.labels
    if not (labels or table.labels):
        raise DataError(f"{table.name}: {table.why_no_proposal}.")
    data = table.to_dataset(labels, text="tf-idf")
    return how, table.provenance[0], data.n_instances, data.n_features, data.n_labels


def row(found: Gathered, seconds: float) -> dict[str, object]:
    """Return what became of one set of files."""
    start = time.perf_counter()
    try:
        how, form, *numbers = as_data(found.table)
        made = dict(zip(("rows", "features", "labels"), numbers, strict=True)) | {"by": how, "said": form}
    except DataError as error:
        made = {"by": "", "said": str(error)}
    made["said"] = " ".join(str(made["said"]).split())[:SHOWN]
    return {"files": " + ".join(found.files)[:40], "s": seconds + time.perf_counter() - start, **made}


def main(folders: list[Path], csv: Path | None = None) -> int:
    """Read all, print the table and how many were read, and return how many met something else than a sentence."""
    rows: list[dict[str, object]] = []
    broken = 0
    for bunch in (files for folder in folders for files in bunches(folder)):
        start = time.perf_counter()
        try:
            sets, errors = gather(bunch)
            share = (time.perf_counter() - start) / max(len(sets), 1)
            rows += [row(found, share) for found in sets]
            rows += [{"files": "", "s": share, "by": "", "said": str(error)[:SHOWN]} for error in errors]
        except Exception as error:  # whatever it is, it should have been a sentence
            broken += 1
            rows.append({"files": bunch[0].name, "s": 0.0, "by": "BROKEN", "said": repr(error)[:SHOWN]})
    show(rows, csv)
    ways = Counter(str(one["by"]) or "refused with a sentence" for one in rows)
    print(f"{counted(len(rows), 'set')}: " + ", ".join(f"{n} {way}" for way, n in ways.most_common()))
    return broken


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    given = sys.argv[1:]
    into = Path(given.pop(given.index("--csv") + 1)) if "--csv" in given else None
    sys.exit(main([Path(one) for one in given if one != "--csv"], into) and 1)
