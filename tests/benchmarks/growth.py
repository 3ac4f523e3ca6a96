"""How training and prediction grow with L, N and D: run ``python tests/benchmarks/growth.py [CSV [SECONDS]]``.

The light-sensor room (`trellislib.data.simulate_room`) with 2,000 instances, 14 x 14 labels and 50 features, one of the
three varied at a time. Each method is trained on all instances and predicts all of them, each time in a process of its
own with one BLAS thread. Seconds are those of the processor, of which one thread takes as many as the clock shows on an
idle machine, and which other work disturbs less: medians of as many rounds as fit into 0.4 seconds, at most nine, after
a small fit that loads what is loaded once. A series ends where the next size, by the growth so far, would take more
than SECONDS (by default 60).

Prints the exponents, fitted by least squares to the logarithms of the larger half of the sizes, beside the complexity
that the paper gives; then, at the largest size of each series, what training took at most beside the data and what
``memory_needed`` had said.
"""

from __future__ import annotations

import inspect
import json
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from statistics import median

import pandas as pd
from common import in_a_process, peak_gib, show
from threadpoolctl import threadpool_limits

from trellislib import LeastSquares, Logistic
from trellislib.data import simulate_room
from trellislib.figures import growth_exponent
from trellislib.methods import METHODS
from trellislib.running.memory import GIB, Size

Found = dict[str, object]

LEAST_SQUARES, LOGISTIC = "least squares", "logistic"
BASES = {LEAST_SQUARES: LeastSquares, LOGISTIC: Logistic}
USUAL = {"L": 14**2, "N": 2_000, "D": 50}
SIZES = {
    "L": [width**2 for width in (10, 14, 20, 28, 40, 56, 80, 100)],
    "N": [1_000 * 3**power for power in range(5)],
    "D": [20 * 3**power for power in range(5)],
}
MOST_LABELS = {LEAST_SQUARES: 10_000, LOGISTIC: 400}
SERIES = [(key, LEAST_SQUARES) for key in ("IC", "CC", "ECC", "MCC", "EBCC", "CT", "ECT", "CDT", "CDN")]
SERIES += [("IC", LOGISTIC), ("CT", LOGISTIC)]
PAPER = {  # its table of complexity; M members, T sweeps
    "IC": ("L D N", "L"),
    "CT": ("L D N", "L"),
    "EBCC": ("M L D N", "M L"),
    "CDT": ("L D N", "T L"),
    "ECT": ("M L D N", "M L"),
    "ECC": ("M L (D + L) N", "M L"),
}
ROUNDS, WORTH_REPEATING = 9, 0.4  # seconds


def one(key: str, base: str, n_labels: int, n_instances: int, n_features: int) -> Found:
    """Return what one method costs on one room."""
    made = METHODS[key].method
    seeded = {"random_state": 0} if "random_state" in inspect.signature(made).parameters else {}
    method = made(BASES[base](), **seeded)
    X, Y = simulate_room(n_instances, round(n_labels**0.5), n_features, random_state=0).arrays()
    made(BASES[base](), **seeded).fit(X[:200], Y[:200, :10]).predict(X[:10])
    before = peak_gib()
    train, predict = [_seconds(lambda: method.fit(X, Y))], []
    trained = peak_gib()
    predict.append(_seconds(lambda: method.predict(X)))
    peak = peak_gib()
    for seconds, work in ((train, lambda: method.fit(X, Y)), (predict, lambda: method.predict(X))):
        while len(seconds) < ROUNDS and sum(seconds) < WORTH_REPEATING:
            seconds.append(_seconds(work))
    need = method.memory_needed(Size.of(X, Y, n_labels))
    return {
        "train s": median(train),
        "predict s": median(predict),
        "peak GiB": peak,
        "beside the data GiB": trained - before,
        "memory_needed GiB": need.n_bytes / GIB,
        "for": need.what,
    }


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def series(key: str, base: str, variable: str, most_seconds: float) -> list[Found]:
    """Return what a method costs at one size after the other, for as long as the next can be waited for."""
    rows: list[Found] = []
    sizes = [size for size in SIZES[variable] if variable != "L" or size <= MOST_LABELS[base]]
    last, growth = 0.0, 1.0
    for previous, size in pairwise([sizes[0], *sizes]):
        if last * max(growth, size / previous) > most_seconds:
            print(f"{key}, {base}: {variable} = {size:,} would take more than {most_seconds:g} s", flush=True)
            break
        at = USUAL | {variable: size}
        found = in_a_process("growth.py", "one", key, base, *(str(at[name]) for name in ("L", "N", "D")))
        if "failed" in found:
            print(f"{key}, {base}: {variable} = {size:,} failed: {found['failed']}", flush=True)
            break
        seconds = float(found["train s"]) + float(found["predict s"])
        last, growth = seconds, seconds / last if last else 1.0
        rows.append({"method": key, "base": base, "variable": variable, "size": size, **found})
        print(f"{key}, {base}: {variable} = {size:,}, {found['train s']:.3g} s, {found['predict s']:.3g} s", flush=True)
    return rows


def exponents(measured: pd.DataFrame) -> list[Found]:
    """Return the exponent of every series, beside the paper's complexity."""
    rows: list[Found] = []
    for (key, base, variable), of_series in measured.groupby(["method", "base", "variable"], sort=False):
        row: Found = {"method": key, "base": base, "variable": variable, "up to": f"{of_series['size'].max():,}"}
        for stage, of_paper in zip(("train", "predict"), PAPER.get(key, ("", "")), strict=True):
            row[stage] = growth_exponent(of_series["size"], of_series[f"{stage} s"])
            row[f"paper, {stage}"] = of_paper
        rows.append(row)
    return rows


def report(measured: pd.DataFrame) -> None:
    """Print the tables."""
    print("\nExponents: seconds grow as this power of the size")
    show(exponents(measured))
    print("\nMemory of training at the largest size: the most beside the data, and what memory_needed said")
    largest = measured.groupby(["method", "base", "variable"], sort=False).tail(1)
    shown = ["method", "base", "variable", "size", "beside the data GiB", "memory_needed GiB", "for", "peak GiB"]
    show(largest[shown].to_dict("records"))


def main(csv: str | None = None, most_seconds: str = "60") -> None:
    """Measure every series and print the tables."""
    rows: list[Found] = []
    for variable in SIZES:
        for key, base in SERIES:
            rows += series(key, base, variable, float(most_seconds))
    measured = pd.DataFrame(rows)
    report(measured)
    if csv is not None:
        measured.drop(columns="for").to_csv(csv, index=False, float_format="%.4g")


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        _, _, method_key, base_name, *sizes_given = sys.argv
        with threadpool_limits(limits=1, user_api="blas"):
            print(json.dumps(one(method_key, base_name, *map(int, sizes_given))))
    else:
        main(*sys.argv[1:])
