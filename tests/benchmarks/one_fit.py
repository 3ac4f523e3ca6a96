"""One method on one data set, in a process of its own: ``python tests/benchmarks/one_fit.py KEY DATA [FOLDER]``.

Prints, as JSON, the seconds of training on all rows and of predicting all of them, and the peak of memory.
"""

from __future__ import annotations

import inspect
import json
import sys
import time
from pathlib import Path

from common import peak_gib, read
from threadpoolctl import threadpool_limits

from trellislib.methods import METHODS
from trellislib.metrics import exact_match


def main(key: str, name: str, folder: str | None = None) -> None:
    """Fit and predict with the method's defaults (least squares)."""
    made = METHODS[key].method
    method = made(random_state=0) if "random_state" in inspect.signature(made).parameters else made()
    X, Y = read(Path(folder) if folder else None, name).arrays()
    before = peak_gib()
    start = time.perf_counter()
    method.fit(X, Y)
    trained = time.perf_counter()
    predicted = method.predict(X)
    found = {
        "train s": trained - start,
        "predict s": time.perf_counter() - trained,
        "peak GiB": peak_gib(),
        "data GiB": before,
        "exact match": exact_match(Y, predicted),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    with threadpool_limits(limits=2, user_api="blas"):
        main(*sys.argv[1:])
