"""What keeping and limiting fits costs: ``python tests/benchmarks/experiments.py [ROUNDS]``.

The seven methods of the paper's comparison, 5-fold on yeast, through `evaluate`, through `run` with a store, and with a
budget too, in which every fit is made by a process that is watched; then what a store of many fits takes to write and
to tabulate.
"""

from __future__ import annotations

import sys
import tempfile
import time
from itertools import count, product
from pathlib import Path

from common import interleaved, show

from trellislib.data import packaged
from trellislib.experiment import Budget, KFold, Results, Store, evaluate, run
from trellislib.methods import METHODS

KEYS = ("IC", "ECC", "MCC", "EBCC", "CT", "ECT", "CDT")
SIZE = (20, 20, 100)  # data sets, methods and folds of the large store


def main(rounds: str = "5") -> None:
    """Print both tables."""
    yeast = packaged("yeast")
    methods = {key: METHODS[key].method(random_state=0) if key != "IC" else METHODS[key].method() for key in KEYS}
    with tempfile.TemporaryDirectory() as folder:
        numbers = count()

        def store() -> Store:
            return Store(Path(folder) / f"{next(numbers)}.sqlite")

        seconds = interleaved(
            {
                "evaluate": lambda: evaluate(yeast, methods, cv=5),
                "run": lambda: run([yeast], methods, KFold(5)),
                "run, stored": lambda: run([yeast], methods, KFold(5), store=store()),
                "run, stored, within a budget": lambda: run(
                    [yeast], methods, KFold(5), store=store(), budget=Budget(600, 4)
                ),
            },
            int(rounds),
        )
        show([{"what": name, "s": took, "of evaluate": took / seconds["evaluate"]} for name, took in seconds.items()])
        _large(Store(Path(folder) / "large.sqlite"), run([yeast], {"IC": methods["IC"]}, KFold(5)))


def _large(store: Store, made: Results) -> None:
    """Fill a store with many fits like one that was made, and print what it takes to write, read and tabulate them."""
    row = made.fits.iloc[0].to_dict() | {"n_fits": SIZE[2]}
    number = store.begin("many")
    start = time.perf_counter()
    n_written = 400
    for dataset, fold in product(range(4), range(100)):
        store.save(number, row | {"dataset": f"set {dataset}", "digest": f"{dataset}", "method": "IC", "fold": fold})
    written = (time.perf_counter() - start) / n_written
    rows = [
        row | {"dataset": f"set {dataset}", "digest": str(dataset), "method": f"method {method}", "fold": fold}
        for dataset, method, fold in product(*map(range, SIZE))
    ]
    start = time.perf_counter()
    results = Results.of(rows)
    put_together = time.perf_counter() - start
    start = time.perf_counter()
    results.table("accuracy")
    results.status()
    show(
        [
            {"what": "one fit written", "s": written},
            {"what": f"{len(rows):,} fits put together", "s": put_together},
            {"what": f"{len(rows):,} fits tabulated, with reasons", "s": time.perf_counter() - start},
        ]
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
