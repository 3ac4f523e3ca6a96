"""What the data need before a method sees them, fitted on training rows only."""

from __future__ import annotations

from sklearn.base import BaseEstimator
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler

from trellislib.data.dataset import Dataset

SCALINGS = ("as they are", "to [0, 1]", "to unit variance")


def prepared(method: BaseEstimator, scaling: str, data: Dataset) -> BaseEstimator:
    """Put before a method what fills the gaps of the features and scales them, as far as there is need.

    Parameters
    ----------
    method : estimator
        Any method, or classifier for several outputs.
    scaling : {"as they are", "to [0, 1]", "to unit variance"}
        What becomes of the features. Sparse ones are only divided (by their largest absolute value, or by their
        standard deviation), so that they stay sparse.
    data : Dataset
        What the method is for: missing cells are filled with the mean of the training rows where there are any.

    Returns
    -------
    estimator
        A pipeline that ends in the method, or the method itself where nothing is to be done.

    Raises
    ------
    ValueError
        If there is no such scaling.

    Examples
    --------
    >>> from trellislib import IndependentClassifiers
    >>> from trellislib.data import simulate_label_dag
    >>> data = simulate_label_dag(n_instances=50, n_labels=3, random_state=0)
    >>> list(prepared(IndependentClassifiers(), "to unit variance", data).named_steps)
    ['scale', 'method']
    """
    if scaling not in SCALINGS:
        raise ValueError(f"Got the scaling {scaling!r}, but expected one of {', '.join(map(repr, SCALINGS))}.")
    steps: list[tuple[str, BaseEstimator]] = []
    if data.n_missing:
        steps.append(("fill", SimpleImputer()))
    if scaling == "to [0, 1]":
        steps.append(("scale", MinMaxScaler() if data.is_dense else MaxAbsScaler()))
    if scaling == "to unit variance":
        steps.append(("scale", StandardScaler(with_mean=data.is_dense)))
    return Pipeline([*steps, ("method", method)]) if steps else method
