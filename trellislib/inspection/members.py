"""The methods of one label graph inside a method: itself, an ensemble's members, or what something else wraps."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from trellislib.methods.label_graph import LabelGraphClassifier, Trace
from trellislib.methods.thresholds import ThresholdedClassifier
from trellislib.typing import Matrix


def graph_members(method: BaseEstimator) -> tuple[LabelGraphClassifier, ...]:
    """Return the fitted methods of one label graph inside a fitted method.

    Parameters
    ----------
    method : method, ensemble, ThresholdedClassifier or Pipeline
        Where it is an ensemble, its members; where it wraps a method, as a pipeline's last step, that method's.

    Raises
    ------
    ValueError
        If it has none, as label powersets.

    Examples
    --------
    >>> from trellislib import ClassifierTrellis, EnsembleClassifierTrellises
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> len(graph_members(EnsembleClassifierTrellises(n_estimators=3, random_state=0).fit(X, Y)))
    3
    """
    if isinstance(method, LabelGraphClassifier):
        require_member(method)
        return (method,)
    if isinstance(method, Pipeline):
        return graph_members(method[-1])
    if isinstance(method, ThresholdedClassifier):
        return graph_members(method.estimator_)
    members = getattr(method, "estimators_", ())
    if len(members) and all(isinstance(member, LabelGraphClassifier) for member in members):
        return tuple(members)
    raise ValueError(f"Got {type(method).__name__}, but expected a fitted method with a label graph, or several.")


def require_member(method: Any) -> None:
    """Raise a ValueError where this is no fitted method of one label graph."""
    if not isinstance(method, LabelGraphClassifier):
        raise ValueError(f"Got {type(method).__name__}, but expected a method of one label graph; see graph_members.")
    check_is_fitted(method)


def trace_of_one(method: LabelGraphClassifier, X: Any) -> Trace:
    """Return the trace of one instance; raise a ValueError where there are more, or no method of one label graph."""
    require_member(method)
    X = method._validated(X)
    if X.shape[0] != 1:
        raise ValueError(f"Got {X.shape[0]} instances, but expected one.")
    return method._trace(X)


def features_for(method: BaseEstimator, X: Any) -> Matrix:
    """Return the features as the members of `method` see them: after the earlier steps of a pipeline.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import MinMaxScaler
    >>> from trellislib import ClassifierChain
    >>> method = make_pipeline(MinMaxScaler(), ClassifierChain()).fit([[0.0], [4.0]], [[0, 0], [1, 1]])
    >>> features_for(method, [[1.0]])
    array([[0.25]])
    """
    return method[:-1].transform(X) if isinstance(method, Pipeline) and len(method) > 1 else X
