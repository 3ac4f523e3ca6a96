"""Methods compared on many small simulated data sets."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

import pandas as pd
from sklearn.base import clone

from trellislib.data import simulate_label_dag
from trellislib.methods import MultiOutputMethod
from trellislib.metrics import exact_match
from trellislib.running.checks import require_integer
from trellislib.running.threads import one_blas_thread


def simulated_comparison(
    methods: Mapping[str, MultiOutputMethod],
    n_datasets: int = 40,
    n_train: int = 200,
    n_test: int = 200,
    n_labels: int = 6,
    *,
    seed: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Train and test methods on data sets that are simulated from a label graph each.

    Parameters
    ----------
    methods : mapping of str to MultiOutputMethod
        By name; each is cloned for each data set.
    n_datasets : int, default=40
    n_train, n_test : int, default=200
        Instances of each data set.
    n_labels : int, default=6
    seed : int, default=0
        Data set i is simulated from the seed ``seed + i``, so that more data sets begin with the same ones.

    Returns
    -------
    scores : DataFrame of shape (n_datasets, n_methods)
        The exact match on the test instances, as `trellislib.ranking` takes it.
    seconds : DataFrame of shape (n_datasets, n_methods)
        What training and testing took together, on one BLAS thread, after a fit to each data set that is not timed.

    Raises
    ------
    ValueError
        If there are no methods, a number is below 1, or by `trellislib.data.simulate_label_dag`.

    Examples
    --------
    >>> from trellislib import ClassifierChain, IndependentClassifiers
    >>> methods = {"IC": IndependentClassifiers(), "CC": ClassifierChain()}
    >>> scores, seconds = simulated_comparison(methods, n_datasets=3, n_train=50, n_test=20)
    >>> scores.shape, scores.index.to_list(), bool((seconds > 0).all(axis=None))
    ((3, 2), ['graph 0', 'graph 1', 'graph 2'], True)
    """
    for name, number in (("n_datasets", n_datasets), ("n_train", n_train), ("n_test", n_test)):
        require_integer(name, number)
    if not methods:
        raise ValueError("Got no methods, but expected at least one.")
    first = next(iter(methods.values()))
    scores: dict[str, dict[str, float]] = {}
    seconds: dict[str, dict[str, float]] = {}
    with one_blas_thread():
        for number in range(seed, seed + n_datasets):
            X, Y = simulate_label_dag(n_train + n_test, n_labels, random_state=number).arrays()
            data_set = f"graph {number}"
            scores[data_set], seconds[data_set] = {}, {}
            # The first method on new data waits for them to reach the processor; that doubled its measured time.
            clone(first).fit(X[:n_train], Y[:n_train]).predict(X[n_train:])
            for name, method in methods.items():
                start = perf_counter()
                predicted = clone(method).fit(X[:n_train], Y[:n_train]).predict(X[n_train:])
                seconds[data_set][name] = perf_counter() - start
                scores[data_set][name] = exact_match(Y[n_train:], predicted)
    return pd.DataFrame.from_dict(scores, orient="index"), pd.DataFrame.from_dict(seconds, orient="index")
