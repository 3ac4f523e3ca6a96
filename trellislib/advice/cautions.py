"""Where a score deceives: each finding one sentence that names what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.stats import rankdata

from trellislib.data.dataset import Dataset
from trellislib.data.oddities import repeated_features
from trellislib.experiment.fits import notes
from trellislib.experiment.protocols import Fold
from trellislib.labels.matrices import dense
from trellislib.learners.training_set import evenly_spread
from trellislib.wording import agreed, counted, percent, quoted, quoted_names

FEW = 10  # rows that have a label, below which its scores are mostly chance
GIVEN_AWAY = 0.995  # area under the ROC curve of a single feature, or 1 less it
LEAST_POSITIVE = 5  # rows with and without a label, of those that are looked at
LOOKED_AT = 2000  # rows
BLOCK = 256  # features at a time
SHARED = 0.01  # share of test rows with a twin in training that is worth a sentence
_GROUP = re.compile(r"(.*[^a-z])?(group|patient|subject|user|customer|session|speaker|author|site)s?([^a-z].*)?", re.I)


def cautions(data: Dataset, folds: Sequence[Fold], of_labels: pd.DataFrame | None, method: str) -> Iterator[str]:
    """Yield where the scores of a comparison deceive.

    Parameters
    ----------
    data : Dataset
        The rows that were compared.
    folds : sequence of (train, test)
        Of one repeat.
    of_labels : DataFrame, optional
        Scores of the labels by the recommended method, a row for each label and fold.
    method : str
        Its name.
    """
    if of_labels is not None:
        yield from _never_predicted(of_labels, method)
    yield from _few_positives(data)
    yield from _given_away(data)
    yield from _twins(data, folds)
    yield from _groups(data)
    yield from notes(data, list(folds))


def _never_predicted(of_labels: pd.DataFrame, method: str) -> Iterator[str]:
    """Say which labels occur and are predicted in no test row: then all cells are right in which they are absent."""
    if "recall" not in of_labels:
        return
    means = of_labels.groupby("label", sort=False)[["frequency", "hamming", "recall"]].mean()
    absent = np.isclose(means["frequency"] + means["hamming"], 1) & (means["recall"] == 0) & (means["frequency"] > 0)
    names = list(means.index[absent])
    if names:
        yield f"{method} never predicts {counted(len(names), 'label')} that occur: {quoted_names(names)}."


def _few_positives(data: Dataset) -> Iterator[str]:
    if not data.is_multilabel:
        return
    n_positive = np.asarray(data.Y.sum(axis=0)).ravel()
    names = [data.label_names[k] for k in np.flatnonzero((n_positive > 0) & (n_positive < FEW))]
    if names:
        has = agreed(len(names), "label has", "labels have")
        scores = agreed(len(names), "its score is", "their scores are")
        yield f"{len(names)} {has} fewer than {FEW} positive rows, so {scores} mostly chance: {quoted_names(names)}."


def _given_away(data: Dataset) -> Iterator[str]:
    """Say which features order the rows so that a label is all on one side."""
    if not data.is_multilabel:
        return
    rows = evenly_spread(data.n_instances, LOOKED_AT)
    Y = dense(data.Y[rows]).astype(float)
    n_positive = Y.sum(axis=0)
    n_negative = len(rows) - n_positive
    usable = np.flatnonzero(np.minimum(n_positive, n_negative) >= LEAST_POSITIVE)
    if not usable.size:
        return
    X, Y, pairs = data.X[rows], Y[:, usable], n_positive[usable] * n_negative[usable]
    X = sparse.csc_array(X) if sparse.issparse(X) else X
    least = n_positive[usable] * (n_positive[usable] + 1) / 2
    found = []
    for start in range(0, data.n_features, BLOCK):
        block = dense(X[:, start : start + BLOCK]).astype(float)
        areas = (rankdata(np.nan_to_num(block), axis=0).T @ Y - least) / pairs
        sides = np.maximum(areas, 1 - areas)
        found += [
            (sides[j, k], data.feature_names[start + j], data.label_names[usable[k]])
            for j, k in np.argwhere(sides >= GIVEN_AWAY)
        ]
    if found:
        area, feature, label = max(found)
        more = f", and {counted(len(found) - 1, 'more pair')} like it" * (len(found) > 1)
        yield (
            f"Feature {quoted(feature)} gives label {quoted(label)} away (AUC {max(area, 0):.3f} by itself){more}. "
            "Leave it out unless it is known before the label."
        )


def _twins(data: Dataset, folds: Sequence[Fold]) -> Iterator[str]:
    """Say how many test rows have the same features as a training row."""
    same = repeated_features(data)
    if not folds or same.max(initial=0) + 1 == len(same):
        return
    n_twins = sum(int(np.isin(same[test], same[train]).sum()) for train, test in folds)
    n_tested = sum(len(test) for _, test in folds)
    if n_twins >= max(SHARED * n_tested, 1):
        yield (
            f"{percent(n_twins / n_tested)} of the test rows have the same features as a training row, so scores are "
            "too high for new rows that are no repeats."
        )


def _groups(data: Dataset) -> Iterator[str]:
    """Say which features are named as groups of rows, and stand on both sides of the folds."""
    texts = {*data.schema.columns.words} if data.schema else set()
    for j, name in enumerate(data.feature_names):
        is_word = name.partition(": ")[0] in texts
        if is_word or not _GROUP.fullmatch(name.strip().partition("=")[0]):
            continue
        cells = dense(data.X[:, [j]]).ravel()
        n_values = np.unique(cells[~np.isnan(cells)]).size
        if "=" in name or 2 < n_values < data.n_instances / 2:
            yield (
                f"Feature {quoted(name)} looks like a group of rows. Folds divide it, so scores are too high for rows "
                "of new groups. Choose it as groups where you load the data."
            )
            return
