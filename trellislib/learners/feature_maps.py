"""Maps of the features that least squares is fitted on: fitted once per training set, applied to every new row.

With the features of a kernel, every structure of labels becomes a kernel method, and all algebra of sums stays.
"""

from __future__ import annotations

from typing import Any, Self, TypeAlias

import numpy as np
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.kernel_approximation import Nystroem
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import MinMaxScaler, Normalizer
from sklearn.utils.extmath import row_norms

from trellislib.learners.base import Conditionals, Given
from trellislib.learners.neighbours import NeighbourLabels
from trellislib.learners.training_set import TrainingSet
from trellislib.running.checks import require_integer
from trellislib.typing import Matrix

SCALED, NYSTROEM, AUTO = "scaled", "nystroem", "auto"
AND_NEIGHBOURS = "+neighbours"
ROUNDING = 1e-12  # share of the squares of rows that their distances may be for rounding alone
NAMED = (SCALED, NYSTROEM, SCALED + AND_NEIGHBOURS, NYSTROEM + AND_NEIGHBOURS, AUTO)

Features: TypeAlias = str | TransformerMixin | None


class GaussianLandmarks(TransformerMixin, BaseEstimator):
    """The features of a Gaussian kernel, approximated by its values at some of the training rows (Nystroem).

    The kernel of two rows at the squared distance d is ``exp(-d / s)``, s being the mean squared distance of two
    training rows. With as many landmarks as rows it is exact.

    Parameters
    ----------
    n_components : int, default=500
        Landmarks, drawn without replacement; all rows where there are no more.
    random_state : int, RandomState or None, default=0
        Seed of the draw.

    Attributes
    ----------
    nystroem_ : Nystroem
        The fitted approximation.

    References
    ----------
    Williams and Seeger, "Using the Nystroem method to speed up kernel machines", NIPS 2000.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [3.0]])  # the squared distances of the pairs of rows: 0, 1, 9 and 4
    >>> F = GaussianLandmarks().fit_transform(X)
    >>> (F @ F.T).round(3)  # their mean is 28 / 9
    array([[1.   , 0.725, 0.055],
           [0.725, 1.   , 0.276],
           [0.055, 0.276, 1.   ]])
    """

    def __init__(self, n_components: int = 500, random_state: int | np.random.RandomState | None = 0) -> None:
        self.n_components = n_components
        self.random_state = random_state

    def fit(self, X: Matrix, y: object = None, sample_weight: np.ndarray | None = None) -> Self:
        """Draw the landmarks and find the width of the kernel, in which rows count as often as they weigh."""
        n_components = min(self.n_components, X.shape[0])
        gamma = 1 / _mean_squared_distance(X, sample_weight)
        self.nystroem_ = Nystroem(gamma=gamma, n_components=n_components, random_state=self.random_state).fit(X)
        return self

    def transform(self, X: Matrix) -> np.ndarray:
        """Return the features of some rows, of shape (n_rows, n_components)."""
        return self.nystroem_.transform(X)


def _mean_squared_distance(X: Matrix, weight: np.ndarray | None) -> float:
    """Return the mean squared distance of two rows, a row and itself among the pairs; 1 where all are the same."""
    share = np.full(X.shape[0], 1 / X.shape[0]) if weight is None else weight / weight.sum()
    mean, squares = X.T @ share, float(row_norms(X, squared=True) @ share)
    found = 2 * (squares - float(mean @ mean))
    return found if found > ROUNDING * squares else 1.0


def check_features(features: Features, n_components: int) -> None:
    """Raise an error in one sentence for what is no map of features.

    Raises
    ------
    ValueError
        If it is text that names none, or `n_components` is no integer above 0.
    TypeError
        If it is anything else than a transformer of scikit-learn.
    """
    require_integer("n_components", n_components)
    if features is None or (isinstance(features, str) and features in NAMED):
        return
    if isinstance(features, str):
        raise ValueError(f"Got features={features!r}, but expected None, one of {NAMED} or a transformer.")
    if not isinstance(features, BaseEstimator) or not hasattr(features, "transform"):
        raise TypeError(f"Got features={features!r}, but expected None, one of {NAMED} or a transformer.")


def mapped(training_set: TrainingSet, features: Features, n_components: int) -> tuple[TransformerMixin, TrainingSet]:
    """Fit a map to some data, and return it with the data whose features are mapped.

    Parameters
    ----------
    training_set : TrainingSet
        The data.
    features : str or transformer
        As of `trellislib.LeastSquares`, but not "auto".
    n_components : int
        Landmarks of "nystroem".
    """
    X = training_set.X
    if not isinstance(features, str):
        found = clone(features).fit(X)
        return found, training_set.with_features(found.transform(X))
    scaler = (Normalizer() if sparse.issparse(X) else MinMaxScaler()).fit(X)
    X = scaler.transform(X)
    found, F = scaler, X
    if features.startswith(NYSTROEM):
        landmarks = GaussianLandmarks(n_components).fit(X, sample_weight=training_set.weight)
        found, F = make_pipeline(scaler, landmarks), landmarks.transform(X)
    if features.endswith(AND_NEIGHBOURS):
        neighbours = NeighbourLabels().fit(X, training_set.columns, training_set.weight, training_set.units)
        found = FeatureUnion([("features", found), ("labels", make_pipeline(scaler, neighbours))])
        F = _with_more(F, neighbours.training_features_)
    return found, training_set.with_features(F)


def _with_more(F: Matrix, more: np.ndarray) -> Matrix:
    """Return some features with more of them, CSR where the first are."""
    return sparse.hstack([F, sparse.csr_array(more)], format="csr") if sparse.issparse(F) else np.hstack([F, more])


def whole_repr(features: Any) -> str:
    """Return what tells a map from others: its name, or the transformer with all its parameters."""
    return features if isinstance(features, str) else features.__repr__(N_CHAR_MAX=10**9)


class MappedConditionals(Conditionals):
    """Conditionals of mapped features.

    Attributes
    ----------
    features : transformer
        The fitted map.
    fitted : Conditionals
        What is fitted to mapped features.
    """

    def __init__(self, features: TransformerMixin, fitted: Conditionals) -> None:
        self.features = features
        self.fitted = fitted

    def given(self, X: Matrix) -> Given:
        """Return the conditionals of the instances `X`, whose features are mapped first."""
        with config_context(assume_finite=True, skip_parameter_validation=True):  # X was checked by the method
            return self.fitted.given(self.features.transform(X))
