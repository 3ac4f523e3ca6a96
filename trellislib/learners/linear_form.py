"""Logistic regressions of all labels read as one linear form, so that sampling need not ask them one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

from trellislib.labels.coding import LabelCoding
from trellislib.learners.linear import CERTAIN, LinearConditionals


def linear_form(
    estimators: Sequence[BaseEstimator], inputs: Sequence[Sequence[int]], coding: LabelCoding, n_features: int
) -> LinearConditionals | None:
    """Return conditionals with the probabilities of `estimators`, what depends on the features being one product.

    Parameters
    ----------
    estimators : sequence of classifier
        For each label, the classifier fitted on the features and the columns of its inputs.
    inputs : sequence of sequence of int
        For each label, the labels that it is predicted from.
    coding : LabelCoding
        The values of the labels.
    n_features : int
        Number of features.

    Returns
    -------
    LinearConditionals or None
        None unless all labels are binary and each is constant or has scikit-learn's logistic regression.
    """
    if not coding.is_binary:
        return None
    on_features = np.zeros((n_features, len(estimators)))
    intercept = np.empty(len(estimators))
    rows = []
    for label, estimator in enumerate(estimators):
        if len(estimator.classes_) == 1:
            intercept[label] = CERTAIN if estimator.classes_[0] == 1 else -CERTAIN
            rows.append(np.zeros(len(inputs[label])))
        elif type(estimator) is LogisticRegression:
            on_features[:, label] = estimator.coef_[0, :n_features]
            rows.append(estimator.coef_[0, n_features:])
            intercept[label] = estimator.intercept_[0]
        else:
            return None
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    indices = np.array([other for of_label in inputs for other in of_label], dtype=np.intp)
    on_inputs = sparse.csr_array((np.concatenate(rows), indices, indptr), shape=(len(rows), len(rows)))
    # A margin m is the score (m + 1) / 2, of which the linear form takes the logistic function of twice it less 1.
    return LinearConditionals(on_features / 2, on_inputs / 2, (intercept + 1) / 2, np.ones(len(rows)), coding)
