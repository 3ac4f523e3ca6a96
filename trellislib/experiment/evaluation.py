"""Methods side by side on one data set: the same folds for every method, each fit timed and scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from trellislib.data.dataset import Dataset
from trellislib.experiment import fits as of_fits
from trellislib.experiment.fits import COSTS, TIMES, Details, Fit, Outcome, higher_is_better, why_undefined
from trellislib.experiment.grid import outcomes
from trellislib.experiment.protocols import folds, require_dataset
from trellislib.metrics import MEASURES, group_scores
from trellislib.metrics.decisions import ratio
from trellislib.metrics.label_groups import GROUPS
from trellislib.ranking import FoldTests, ranks, resampled_holm
from trellislib.running.parallel import jobs_at_once
from trellislib.running.progress import Cancelled, CancelledError, Progress


@dataclass(frozen=True)
class Evaluation:
    """The fits of methods on one data set; see `evaluate`.

    Attributes
    ----------
    fits : DataFrame
        One row per fit: ``method``, ``fold`` (from 1), ``status`` ("done", "failed", "over time" or "over memory"),
        ``reason``, ``train_seconds``, ``test_seconds``, ``memory_mib`` (where a budget had it measured) and one column
        per measure (nan where it could not be computed).
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
    n_per_repeat : float, optional
        Folds of one cross-validation, which may have been repeated; of random splits, one over their share of test
        rows. By default all folds are of one cross-validation.
    bins : DataFrame
        One row per fit and bin of probabilities: ``method``, ``fold`` and what `trellislib.metrics.reliability` gives.
    """

    fits: pd.DataFrame
    per_label: pd.DataFrame
    methods: tuple[str, ...]
    n_folds: int
    notes: tuple[str, ...] = ()
    complete: bool = True
    n_per_repeat: float | None = None
    bins: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def measures(self) -> list[str]:
        """The measures that at least one fit has, in the order of `trellislib.metrics.MEASURES`."""
        return [key for key in MEASURES if key in self.fits and self.fits[key].notna().any()]

    @property
    def costs(self) -> list[str]:
        """Training and test time, and memory where it was measured."""
        return [*TIMES, *(key for key in COSTS if key not in TIMES and self.fits[key].notna().any())]

    def fold_scores(self, key: str) -> pd.DataFrame:
        """Return a measure of each fold (row) and method (column), in the order given; NaN where a fit is missing."""
        done = self.fits[self.fits["status"] == "done"]
        table = done.pivot_table(index="fold", columns="method", values=key, dropna=False)
        return table.reindex(index=range(1, self.n_folds + 1), columns=list(self.methods)).rename_axis(columns=None)

    def tests(self, key: str, *, alpha: float = 0.05) -> FoldTests:
        """Test each pair of methods over the folds, by the corrected resampled t-test with Holm's adjustment.

        Parameters
        ----------
        key : str
            A measure of `trellislib.metrics.MEASURES`.
        alpha : float, default=0.05
            The level, which holds for all pairs together.

        Raises
        ------
        ValueError
            As of `trellislib.ranking.resampled_holm`: of one split, or where fewer than two methods finished.

        Examples
        --------
        >>> from trellislib import ClassifierChain, IndependentClassifiers
        >>> from trellislib.data import simulate_label_dag
        >>> data = simulate_label_dag(n_instances=200, n_labels=6, random_state=0)
        >>> result = evaluate(data, {"IC": IndependentClassifiers(), "CC": ClassifierChain()})
        >>> result.tests("exact_match").pairs.round(3)
          method other   lead    low   high     p  better  equal
        0     CC    IC  0.005 -0.064  0.074  0.85   0.425  0.285
        """
        return resampled_holm(self.fold_scores(key), higher_is_better(key), n_folds=self.n_per_repeat, alpha=alpha)

    def summary(self) -> pd.DataFrame:
        """Mean and standard deviation over the folds.

        Returns
        -------
        DataFrame
            Indexed by method, in the order given; the columns are pairs of a measure or cost and ``"mean"``,
            ``"std"`` (with N - 1; nan for one fold) or ``"rank"`` (1 is best; ties share the average rank). A
            method that did not finish all folds, or has no such score on one of them, has no mean and no rank: nan.
        """
        done = self.fits[self.fits["status"] == "done"].groupby("method", sort=False)
        columns = {}
        for key in [*self.measures, *self.costs]:
            finished = (done[key].count() == self.n_folds).reindex(self.methods, fill_value=False)
            mean = done[key].mean().reindex(self.methods).where(finished)
            rank = ranks(mean.to_frame().T, higher_is_better(key), unfinished="skip").iloc[0]
            columns[key, "mean"] = mean
            columns[key, "std"] = done[key].std().reindex(self.methods).where(finished)
            columns[key, "rank"] = rank.rename(None)
        return pd.DataFrame(columns, index=pd.Index(self.methods, name="method"))

    def folds_done(self) -> pd.Series:
        """Return how many folds each method finished."""
        done = self.fits.loc[self.fits["status"] == "done", "method"].value_counts()
        return done.reindex(self.methods, fill_value=0).rename("folds")

    def why_missing(self, key: str) -> dict[str, str]:
        """Return why methods have no mean of a measure or cost, by the method, in a few words.

        Examples
        --------
        >>> from sklearn.svm import LinearSVC
        >>> from trellislib import IndependentClassifiers
        >>> from trellislib.data import simulate_label_dag
        >>> data = simulate_label_dag(n_instances=100, n_labels=3, random_state=0)
        >>> svm = IndependentClassifiers(LinearSVC())
        >>> evaluate(data, {"SVM": svm, "IC": IndependentClassifiers()}, 2).why_missing("macro_auc")
        {'SVM': 'no probabilities'}
        """
        reasons = {
            method: f"DNF ({done} of {self.n_folds} folds)"
            for method, done in self.folds_done().items()
            if done < self.n_folds
        }
        for method in self.methods:
            if method not in reasons and (why := why_undefined(self.fits[self.fits["method"] == method], key)):
                reasons[method] = why
        return reasons

    def label_scores(self) -> pd.DataFrame:
        """Return the scores of each method (first index) and label (second index), averaged over the folds.

        The numbers of instances in which a label is relevant (``support``) and ``predicted``, as they weigh, are sums
        over the folds.
        Methods that did not finish all folds are left out.
        """
        order = {"method": self._finished, "label": list(dict.fromkeys(self.per_label["label"]))}
        of_labels = self.per_label.drop(columns="fold").groupby(["method", "label"], sort=False)
        means = of_labels.mean()
        for counted in means.columns.intersection(["support", "predicted"]):
            means[counted] = of_labels[counted].sum()
        index = pd.MultiIndex.from_product(order.values(), names=list(order))
        return means.reindex(index.intersection(means.index, sort=False))

    def reliability(self) -> dict[str, pd.DataFrame]:
        """Return for each method how often label cells are relevant, by their probability, in all test rows together.

        Returns
        -------
        dict of str to DataFrame
            As `trellislib.metrics.reliability` returns it. Methods without probabilities, or that did not finish all
            folds, are left out.

        Examples
        --------
        >>> from trellislib import IndependentClassifiers
        >>> from trellislib.data import simulate_label_dag
        >>> data = simulate_label_dag(n_instances=200, n_labels=6, random_state=0)
        >>> int(evaluate(data, {"IC": IndependentClassifiers()}).reliability()["IC"]["cells"].sum())
        1200
        """
        found = {}
        for name in self._finished:
            bins = self.bins[self.bins["method"] == name] if len(self.bins) else self.bins
            if len(bins) and bins["fold"].nunique() == self.n_folds:
                sums = bins[["probability", "relevant"]].mul(bins["cells"], axis=0)
                sums = sums.assign(cells=bins["cells"]).groupby(bins["bin"].astype(int)).sum()
                means = sums[["probability", "relevant"]].div(sums["cells"], axis=0)
                found[name] = means.assign(cells=sums["cells"])
        return found

    @property
    def _finished(self) -> list[str]:
        """The methods that finished all folds."""
        return [name for name, n_done in self.folds_done().items() if n_done == self.n_folds]

    def group_scores(self) -> pd.DataFrame:
        """Return micro and macro F1 by groups of label frequency, over the test rows of all folds together.

        Returns
        -------
        DataFrame
            By method and group (head, middle and tail: thirds of the labels by frequency), as
            `trellislib.metrics.group_scores`. Empty for labels of more than two values, and of fewer than 3 labels.

        Examples
        --------
        >>> from trellislib import IndependentClassifiers
        >>> from trellislib.data import simulate_label_dag
        >>> data = simulate_label_dag(n_instances=200, n_labels=6, random_state=0)
        >>> evaluate(data, {"IC": IndependentClassifiers()}).group_scores()["labels"].tolist()
        [2, 2, 2]
        """
        table = self.per_label
        if not {"support", "predicted"} <= set(table) or table["label"].nunique() < len(GROUPS):
            return pd.DataFrame()
        right = table["support"] * table["recall"]
        keys = ["method", "label"]
        sums = table.assign(right=right).groupby(keys, sort=False)[["support", "predicted", "right"]].sum()
        sums["recall"] = ratio(sums["right"], sums["support"], 0.0)
        sums["f1"] = ratio(2 * sums["right"], sums["support"] + sums["predicted"], 0.0)
        return pd.concat({name: group_scores(sums.loc[name]) for name in self._finished}, names=["method"])


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
    probabilities of all labels of all test rows; where these are more than 20 million they are left out, with a note.

    Parameters
    ----------
    dataset : Dataset
        The data. Instances with missing labels take part as `trellislib.experiment.incomplete` describes.
    methods : mapping of str to estimator
        What to compare, by name: methods of `trellislib`, pipelines that end in one, or any scikit-learn
        estimator for several outputs. Each is cloned for each fold.
    cv : int, float, splitter or iterable of (train, test), default=5
        Number of folds; or the share of instances to test on in a single split; or what scikit-learn takes. Folds
        and splits are shuffled, and stratified (iteratively, over all labels) where labels are binary.
    seed : int, default=0
        Seed of the folds.
    n_jobs : int, optional
        Fits at a time, as joblib counts; by default one, or as ``joblib.parallel_config`` has it. Inside
        ``parallel_config(backend="dask")`` fits run on the workers of a Dask cluster, which must have this library.
        Where several run at a time, methods must be picklable (but in threads), each fit is serial inside, scores are
        the same, and times are of fits that share their machine. With ``n_jobs=1`` fits run one after another
        whatever the context, and what is a grid inside of them (members, labels) follows it.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`; asked once per label where a method allows it, otherwise once per fit. Where
        several fits run at a time, after each finished fit.

    Returns
    -------
    Evaluation
        A fit that fails is a row with its reason; the others go on. When cancelled, what was finished.

    Raises
    ------
    TypeError
        If `dataset` is none, `methods` has no names, or what it has is no estimator.
    ValueError
        If `cv` is a number that makes no folds of the data.

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
    of_fits.require_methods(methods)
    chosen = folds(dataset, cv, seed)
    grid = [
        Fit(name, method, f"{name}, fold {fold} of {len(chosen)}", fold, train, test)
        for (fold, (train, test)), (name, method) in product(enumerate(chosen, 1), methods.items())
    ]
    notes = of_fits.notes(dataset, chosen)
    at_once = jobs_at_once(n_jobs, len(grid))
    if at_once > 1:
        notes.append(f"Up to {at_once} fits ran at a time: those on one machine shared it, and their times are longer.")
    of_number: dict[int, Outcome] = {}
    complete = True
    try:
        with closing(outcomes(dataset, grid, n_jobs, progress=progress, cancelled=cancelled)) as ending:
            for number, outcome in ending:
                of_number[number] = outcome
    except CancelledError:
        complete = False
    done = [(grid[number], *of_number[number]) for number in sorted(of_number)]
    fits = fits_table([{"method": fit.name, "fold": fit.fold, **row} for fit, row, _ in done], ["method", "fold"])
    details = [(fit.name, fit.fold, of_fit) for fit, _, of_fit in done]
    n_per_repeat = 1 + float(np.mean([len(train) / len(test) for train, test in chosen]))
    return Evaluation(
        fits,
        detail_table(details, "labels"),
        tuple(methods),
        len(chosen),
        tuple(notes),
        complete,
        n_per_repeat,
        detail_table(details, "reliability"),
    )


def fits_table(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> pd.DataFrame:
    """Return the table of fits: their identity, how they ended, what they cost, and all measures."""
    numbers = [*COSTS, *MEASURES]
    columns = [*keys, "status", "reason", *numbers]
    return pd.DataFrame(list(rows), columns=columns).astype(dict.fromkeys(numbers, float))


def detail_table(details: Sequence[tuple[str, int, Details]], which: str) -> pd.DataFrame:
    """Return one of the details of all fits, given by (method, fold, details), as one table."""
    tables = [(method, fold, of_fit[which]) for method, fold, of_fit in details if which in of_fit]
    if not tables:
        return pd.DataFrame(columns=["method", "fold", *(["label"] if which == "labels" else [])])
    return pd.concat([table for *_, table in tables], ignore_index=True).assign(
        method=[method for method, _, table in tables for _ in range(len(table))],
        fold=[fold for _, fold, table in tables for _ in range(len(table))],
    )
