"""Methods side by side on one data set: the same folds for every method, each fit timed and scored."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from iterstrat.ml_stratifiers import MultilabelStratifiedKFold, MultilabelStratifiedShuffleSplit
from scipy import sparse
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from trellislib.data.dataset import Dataset, column_range
from trellislib.metrics import MEASURES, per_label_scores
from trellislib.parallel import Shared, finished, jobs_at_once
from trellislib.progress import Cancelled, CancelledError, Progress, stop_if
from trellislib.threads import one_blas_thread
from trellislib.typing import Matrix

Fold = tuple[np.ndarray, np.ndarray]
Outcome = tuple[dict[str, Any], pd.DataFrame | None]

TIMES = ("train_seconds", "test_seconds")
STRATIFIED_CELLS = 20_000_000  # above this many label cells, iterative stratification would take minutes
RANKED_CELLS = 20_000_000  # of test rows and labels: scores of all of them, and their ranks, take some 70 bytes each


@dataclass(frozen=True)
class Evaluation:
    """What came of an evaluation; see `evaluate`.

    Attributes
    ----------
    fits : DataFrame
        One row per fit: ``method``, ``fold`` (from 1), ``status`` ("done" or "failed"), ``reason``, ``train_seconds``,
        ``test_seconds`` and one column per measure (nan where it could not be computed).
    per_label : DataFrame
        One row per fit and label: ``method``, ``fold``, ``label`` and that label's scores.
    methods : tuple of str
        Names of the methods, in the order given.
    n_folds : int
        Number of folds that were asked for.
    notes : tuple of str
        What a reader of the scores should know, one sentence each.
    complete : bool
        Whether it ran to its end, not cancelled.
    """

    fits: pd.DataFrame
    per_label: pd.DataFrame
    methods: tuple[str, ...]
    n_folds: int
    notes: tuple[str, ...] = ()
    complete: bool = True

    @property
    def measures(self) -> list[str]:
        """The measures that at least one fit has, in the order of `trellislib.metrics.MEASURES`."""
        return [key for key in MEASURES if key in self.fits and self.fits[key].notna().any()]

    def summary(self) -> pd.DataFrame:
        """Mean and standard deviation over the folds.

        Returns
        -------
        DataFrame
            Indexed by method, in the order given; the columns are pairs of a measure or time and ``"mean"``,
            ``"std"`` (with N - 1; nan for one fold) or ``"rank"`` (1 is best; ties share the average rank). A
            method that did not finish all folds has no mean and no rank: nan.
        """
        done = self.fits[self.fits["status"] == "done"].groupby("method", sort=False)
        finished = pd.Series(list(self.methods), index=self.methods).isin(self._finished())
        columns = {}
        for key in [*self.measures, *TIMES]:
            mean = done[key].mean().reindex(self.methods).where(finished)
            higher_is_better = key not in TIMES and MEASURES[key].higher_is_better
            rank = rankdata(-mean if higher_is_better else mean, nan_policy="omit")
            columns[key, "mean"] = mean
            columns[key, "std"] = done[key].std().reindex(self.methods).where(finished)
            columns[key, "rank"] = pd.Series(rank, index=mean.index)
        return pd.DataFrame(columns, index=pd.Index(self.methods, name="method"))

    def _finished(self) -> list[str]:
        """Return the methods that finished all folds."""
        done = self.folds_done()
        return [name for name in self.methods if done[name] == self.n_folds]

    def folds_done(self) -> pd.Series:
        """Return how many folds each method finished."""
        done = self.fits.loc[self.fits["status"] == "done", "method"].value_counts()
        return done.reindex(self.methods, fill_value=0).rename("folds")

    def label_scores(self) -> pd.DataFrame:
        """Return the scores of each method (first index) and label (second index), averaged over the folds.

        Methods that did not finish all folds are left out.
        """
        order = {"method": self._finished(), "label": list(dict.fromkeys(self.per_label["label"]))}
        means = self.per_label.drop(columns="fold").groupby(["method", "label"], sort=False).mean()
        index = pd.MultiIndex.from_product(order.values(), names=list(order))
        return means.reindex(index.intersection(means.index, sort=False))


def evaluate(
    dataset: Dataset,
    methods: Mapping[str, BaseEstimator],
    cv: Any = 5,
    seed: int = 0,
    *,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Evaluation:
    """Train and score methods on the same folds.

    Every fit runs on one BLAS thread, so that the times of methods can be compared. Scores of rankings compare the
    probabilities of all labels of all test rows; where these are more than 20 million they are left out, and
    `Evaluation.notes` says so.

    Parameters
    ----------
    dataset : Dataset
        The data.
    methods : mapping of str to estimator
        What to compare, by name: methods of `trellislib`, pipelines that end in one, or any scikit-learn
        estimator for several outputs. Each is cloned for each fold.
    cv : int, float, splitter or iterable of (train, test), default=5
        Number of folds; or the share of instances to test on in a single split; or what scikit-learn takes. Folds
        and splits are shuffled, and stratified (iteratively, over all labels) where labels are binary.
    seed : int, default=0
        Seed of the folds.
    n_jobs : int, optional
        Fits at a time, as joblib counts; by default one, or what ``joblib.parallel_config`` says. Inside
        ``parallel_config(backend="dask")`` fits run on the workers of a Dask cluster, which must have this library.
        Where several run at a time, methods must be picklable (but in threads), each fit is serial inside, scores are
        the same, and times are of fits that share their machine. With ``n_jobs=1`` fits run one after another
        whatever the context says, and what is a grid inside of them (members, labels) follows it.
    progress, cancelled : callable, optional
        See `trellislib.progress`; asked once per label where a method allows it, otherwise once per fit. Where
        several fits run at a time, after each finished fit.

    Returns
    -------
    Evaluation
        A fit that fails is a row with its reason; the others go on. When cancelled, what was finished.

    Examples
    --------
    >>> from trellislib import ClassifierTrellis, IndependentClassifiers
    >>> from trellislib.data import simulate_label_dag
    >>> data = simulate_label_dag(n_instances=200, n_labels=4, random_state=0)
    >>> result = evaluate(data, {"IC": IndependentClassifiers(), "CT": ClassifierTrellis(random_state=0)}, cv=3)
    >>> result.folds_done().to_dict()
    {'IC': 3, 'CT': 3}
    """
    require_dataset(dataset)
    if not isinstance(methods, Mapping):
        raise TypeError(f"Got a {type(methods).__name__} of methods, but expected them by name, as {{'IC': method}}.")
    chosen = folds(dataset, cv, seed)
    grid = [
        _Fit(name, method, f"{name}, fold {fold} of {len(chosen)}", fold, train, test)
        for (fold, (train, test)), (name, method) in product(enumerate(chosen, 1), methods.items())
    ]
    notes = _notes(dataset, chosen)
    at_once = jobs_at_once(n_jobs, len(grid))
    if at_once == 1:
        outcomes = _one_by_one(dataset, grid, progress, cancelled)
    else:
        outcomes = _side_by_side(dataset, grid, n_jobs, progress, cancelled)
        notes.append(f"Up to {at_once} fits ran at a time: those on one machine shared it, and their times are longer.")
    of_number: dict[int, Outcome] = {}
    complete = True
    try:
        with one_blas_thread():
            for number, outcome in outcomes:
                of_number[number] = outcome
    except CancelledError:
        complete = False
    done = [(grid[number], *of_number[number]) for number in sorted(of_number)]
    return _evaluation(done, tuple(methods), len(chosen), tuple(notes), complete)


@dataclass(frozen=True)
class _Fit:
    """A method, and the rows that it is trained and tested on."""

    name: str
    method: BaseEstimator
    what: str
    fold: int
    train: np.ndarray
    test: np.ndarray


def _one_by_one(
    dataset: Dataset, grid: list[_Fit], progress: Progress | None, cancelled: Cancelled | None
) -> Iterator[tuple[int, Outcome]]:
    """Yield the number and the outcome of each fit, telling progress within it."""
    share = dataset.n_labels
    for number, fit in enumerate(grid):
        stop_if(cancelled)
        step = _Step(progress, number * share, share, len(grid) * share, fit.what)
        step(0, 1, fit.what)
        watch = _watch_arguments(fit.method, progress=step, cancelled=cancelled)
        yield number, _fit_and_score(dataset, fit.method, fit.train, fit.test, watch)
        step(1, 1, fit.what)


def _side_by_side(
    dataset: Dataset, grid: list[_Fit], n_jobs: int | None, progress: Progress | None, cancelled: Cancelled | None
) -> Iterator[tuple[int, Outcome]]:
    """Yield the number and the outcome of each fit as it finishes, several at a time."""
    share = dataset.n_labels
    arguments = [(fit.method, fit.train, fit.test) for fit in grid]
    shared = Shared(dataset)
    if progress is not None:
        progress(0, len(grid) * share, f"{len(grid)} fits")
    results = finished(_fit_and_score, shared, arguments, n_jobs, cancelled=cancelled)
    for n_done, (number, outcome) in enumerate(results, 1):
        if progress is not None:
            progress(n_done * share, len(grid) * share, grid[number].what)
        yield number, outcome


def _evaluation(
    done: list[tuple[_Fit, dict[str, Any], pd.DataFrame | None]],
    methods: tuple[str, ...],
    n_folds: int,
    notes: tuple[str, ...],
    complete: bool,
) -> Evaluation:
    """Put the outcomes of fits into tables."""
    columns = ["method", "fold", "status", "reason", *TIMES, *MEASURES]
    rows = [{"method": fit.name, "fold": fit.fold, **row} for fit, row, _ in done]
    fits = pd.DataFrame(rows, columns=columns).astype(dict.fromkeys([*TIMES, *MEASURES], float))
    tables = [of_labels.assign(method=fit.name, fold=fit.fold) for fit, _, of_labels in done if of_labels is not None]
    per_label = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=["method", "fold", "label"])
    return Evaluation(fits, per_label, methods, n_folds, notes, complete)


def require_dataset(dataset: object) -> None:
    """Raise a TypeError that says how to make a data set of what is none."""
    if not isinstance(dataset, Dataset):
        raise TypeError(
            f"Got a {type(dataset).__name__}, but expected a trellislib.data.Dataset, as load(...) or "
            "Dataset(X, Y, feature_names, label_names, label_values, name)."
        )


def folds(dataset: Dataset, cv: Any, seed: int = 0) -> list[Fold]:
    """Return the folds of `evaluate`, each as (train, test) rows.

    Stratification takes a dense copy of the labels, a byte or so per cell, even of sparse ones: it looks at every label
    of every row anyway, and is given up where these are more than 20 million. Folds are then drawn at random.

    Raises
    ------
    ValueError
        If `cv` is a number that makes no folds of this data set.
    """
    if hasattr(cv, "split"):
        return list(cv.split(dataset.X, dataset.Y))
    if isinstance(cv, str):
        raise ValueError(f"Got cv={cv!r}, but expected a number of folds, a test share or a splitter.")
    if not isinstance(cv, Real):
        return [(np.asarray(train), np.asarray(test)) for train, test in cv]
    n = dataset.n_instances
    if isinstance(cv, Integral):
        if not 2 <= int(cv) <= n:
            raise ValueError(f"Got {cv} folds, but expected between 2 and the {n} instances of {dataset.name}.")
        stratified = MultilabelStratifiedKFold(int(cv), shuffle=True, random_state=seed)
        plain = KFold(int(cv), shuffle=True, random_state=seed)
    else:
        if not 0 < round(float(cv) * n) < n:
            raise ValueError(f"Got the test share {cv}, but expected one that leaves instances on both sides.")
        stratified = MultilabelStratifiedShuffleSplit(1, test_size=cv, random_state=seed)
        plain = ShuffleSplit(1, test_size=cv, random_state=seed)
    rows = np.zeros((n, 1))
    if dataset.is_multilabel and n * dataset.n_labels <= STRATIFIED_CELLS:
        Y = dataset.Y.toarray() if sparse.issparse(dataset.Y) else dataset.Y
        Y = np.hstack([Y, Y]) if dataset.n_labels == 1 else Y  # the stratifier takes two labels or more
        found = list(stratified.split(rows, Y))
        if all(len(train) and len(test) for train, test in found):  # few rows can leave a fold empty
            return found
    return list(plain.split(rows))


@dataclass(frozen=True)
class _Step:
    """Progress within one fit, told as progress of the whole."""

    progress: Progress | None
    before: int
    share: int
    total: int
    what: str

    def __call__(self, done: int, of: int, _: str) -> None:
        if self.progress is not None:
            self.progress(self.before + done * self.share // of, self.total, self.what)


def _watch_arguments(method: BaseEstimator, **watchers: Any) -> dict[str, Any]:
    """Return those of `watchers` that the method's fit takes, named as a pipeline around it wants them."""
    prefix = ""
    while isinstance(method, Pipeline):
        step, method = method.steps[-1]
        prefix += f"{step}__"
    return {prefix + name: value for name, value in watchers.items() if has_fit_parameter(method, name)}


def _fit_and_score(
    dataset: Dataset, method: BaseEstimator, train: np.ndarray, test: np.ndarray, watch: dict[str, Any] | None = None
) -> Outcome:
    """Fit on `train`, score on `test`; return the row of the fit and the scores per label."""
    X, Y = dataset.arrays()
    try:
        start = time.perf_counter()
        fitted = clone(method).fit(X[train], Y[train], **(watch or {}))
        trained = time.perf_counter()
        predicted = fitted.predict(X[test])
        tested = time.perf_counter()
        predicted = predicted.reshape(Y[test].shape)  # one label may come back in one dimension
        ranked = dataset.is_multilabel and not _too_many_to_rank(Y[test])
        relevance = _relevance(fitted, X[test], dataset.n_labels) if ranked else None
        scores = {
            key: measure.function(Y[test], predicted if measure.needs == "labels" else relevance)
            for key, measure in MEASURES.items()
            if (dataset.is_multilabel or not measure.binary_only)
            and (measure.needs == "labels" or relevance is not None)
        }
        of_labels = per_label_scores(Y[test], predicted, relevance).reset_index(drop=True)
        if not dataset.is_multilabel:  # also where the larger values happen to be absent from this fold
            of_labels = of_labels[["frequency", "hamming"]].copy()
        of_labels.insert(0, "label", dataset.label_names)
    except CancelledError:
        raise
    except Exception as error:  # whatever a base learner raises is the reason why this fit failed
        return {"status": "failed", "reason": _sentence(error)}, None
    times = {"train_seconds": trained - start, "test_seconds": tested - trained}
    return {"status": "done", "reason": "", **times, **scores}, of_labels


def _too_many_to_rank(Y_test: Matrix) -> bool:
    """Return whether the probabilities of all these labels would be too many."""
    return Y_test.shape[0] * Y_test.shape[1] > RANKED_CELLS


def _relevance(fitted: BaseEstimator, X: Matrix, n_labels: int) -> np.ndarray | None:
    """Return the probability that each label is relevant, (n_instances, n_labels); None if there are none.

    Estimators give it as one array, or as one array per label with a column for each value seen in training.
    """
    if not hasattr(fitted, "predict_proba"):
        return None
    probabilities = fitted.predict_proba(X)
    if isinstance(probabilities, np.ndarray) and probabilities.shape[1] == n_labels:
        return probabilities
    per_label = [probabilities] if isinstance(probabilities, np.ndarray) else probabilities
    classes = [fitted.classes_] if len(per_label) == 1 and len(fitted.classes_) != 1 else fitted.classes_
    return np.column_stack([p[:, of_label == 1].sum(axis=1) for p, of_label in zip(per_label, classes, strict=True)])


def _sentence(error: Exception) -> str:
    """Return the first line of an error's message, or its type where it has none."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _notes(dataset: Dataset, chosen: list[Fold]) -> list[str]:
    """Say which labels are constant, which never relevant in the training rows of a fold, and what is not scored."""
    lowest, highest = column_range(dataset.Y)
    constant = lowest == highest
    notes = []
    if constant.any():
        notes.append(f"{_listed(dataset, constant)}: the same value in every instance, so predicted as that value.")
    for number, (train, _) in enumerate(chosen, 1):
        absent = (column_range(dataset.Y[train])[1] == 0) & (highest > 0)
        if absent.any():
            notes.append(f"{_listed(dataset, absent)}: not relevant in any training row of fold {number}.")
    if dataset.is_multilabel and any(_too_many_to_rank(dataset.Y[test]) for _, test in chosen):
        notes.append(
            f"Scores of rankings were left out: they would take the probabilities of all {dataset.n_labels} labels of "
            f"all test rows at once, more than {RANKED_CELLS:,} numbers."
        )
    return notes


def _listed(dataset: Dataset, which: np.ndarray, most: int = 5) -> str:
    """Name the labels marked in `which`, the first few of them if there are many."""
    names = [name for name, marked in zip(dataset.label_names, which, strict=True) if marked]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
