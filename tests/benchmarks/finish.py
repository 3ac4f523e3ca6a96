"""Which methods finish, in how much memory: ``python tests/benchmarks/finish.py FOLDER [CSV [KEY ...]]``.

FOLDER holds Mulan's data sets, each in a folder of its name. The methods of the paper's comparison are trained on all
rows of every set there and of the light-sensor rooms Local400 and Local10k, and predict all of them, each in a process
of its own, with least squares. In the paper ECC, MCC and EBCC did not finish some of these in 24 hours and 2 GB.
"""

from __future__ import annotations

import sys
from pathlib import Path

from common import ROOMS, in_a_process, show

KEYS = ("IC", "ECC", "MCC", "EBCC", "CT", "ECT", "CDT")


def main(folder: str, csv: str | None = None, *keys: str) -> None:
    """Print a line as soon as a method has finished, and the table at the end."""
    names = sorted(path.parent.name for path in Path(folder).glob("*/*.xml"))
    rows: list[dict[str, object]] = []
    for name in [*names, *ROOMS]:
        for key in keys or KEYS:
            found = in_a_process("one_fit.py", key, name, folder)
            rows.append({"data": name, "method": key, **found})
            print(rows[-1], flush=True)
    show(rows, Path(csv) if csv else None)


if __name__ == "__main__":
    main(*sys.argv[1:])
