"""What the data need before a method sees them, fitted on training rows only."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler
from sklearn.utils import get_tags

from trellislib.data.dataset import Dataset

SCALINGS = ("as they are", "to [0, 1]", "to unit variance")
STRATEGIES = {"mean": "mean", "median": "median", "most frequent": "most_frequent", "zero": "constant"}
FILLS = ("automatic", *STRATEGIES, "as they are")


def with_preprocessing(
    method: BaseEstimator, scaling: str, data: Dataset, fill: str = FILLS[0], *, new_gaps: bool = False
) -> BaseEstimator:
    """Put before a method what fills the gaps of the features and scales them, as far as there is need.

    Parameters
    ----------
    method : estimator
        Any method, or classifier for several outputs.
    scaling : {"as they are", "to [0, 1]", "to unit variance"}
        What becomes of the features. Sparse ones are only divided (by their largest absolute value, or by their
        standard deviation), so that they stay sparse. Missing cells are ignored, and stay missing.
    data : Dataset
        What the method is for.
    fill : {"automatic", "mean", "median", "most frequent", "zero", "as they are"}, default="automatic"
        What becomes of missing cells, where the data have any: they take the mean, the median or the most frequent
        value of their feature in the training rows, or 0; or they stay missing, which a method refuses whose base
        learner does not take them. By default they stay where it does, as trees do (in dense features), and take the
        mean elsewhere. A feature without a value in the training rows is filled with 0. The columns that stand for one
        nominal feature are missing together, so that their means are the shares of its values.

    new_gaps : bool, default=False
        Whether rows that come later may have missing cells where the data have none.

    Returns
    -------
    estimator
        A pipeline that ends in the method, or the method itself where nothing is to be done.

    Raises
    ------
    ValueError
        If there is no such scaling, or no such way to fill.

    Examples
    --------
    >>> from trellislib import IndependentClassifiers
    >>> from trellislib.data import simulate_label_dag
    >>> data = simulate_label_dag(n_instances=50, n_labels=3, random_state=0)
    >>> list(with_preprocessing(IndependentClassifiers(), "to unit variance", data).named_steps)
    ['scale', 'method']
    """
    for what, given, known in (("scaling", scaling, SCALINGS), ("fill", fill, FILLS)):
        if given not in known:
            raise ValueError(f"Got the {what} {given!r}, but expected one of {', '.join(map(repr, known))}.")
    steps: list[tuple[str, BaseEstimator]] = []
    if fill == "automatic":
        fill = "as they are" if takes_gaps(method, data) else "mean"
    if fill != "as they are" and (new_gaps or n_gaps(data)):
        steps.append(("fill", SimpleImputer(strategy=STRATEGIES[fill], keep_empty_features=True)))
    if scaling == "to [0, 1]":
        steps.append(("scale", MinMaxScaler() if data.is_dense else MaxAbsScaler()))
    if scaling == "to unit variance":
        steps.append(("scale", StandardScaler(with_mean=data.is_dense)))
    return Pipeline([*steps, ("method", method)]) if steps else method


def takes_gaps(method: BaseEstimator, data: Dataset) -> bool:
    """Return whether a method takes missing cells in features such as these; no learner here does in sparse ones."""
    return bool(data.is_dense and get_tags(method).input_tags.allow_nan)


def n_gaps(data: Dataset) -> int:
    """Return how many cells of the features are missing, those of partially labelled instances too."""
    if data.incomplete is None:
        return data.n_missing
    X = data.incomplete.X
    return data.n_missing + int(np.isnan(X.data if sparse.issparse(X) else X).sum())
