"""What is put before a method is fitted on training rows only, and keeps sparse features sparse."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

from trellislib import ClassifierTrellis, IndependentClassifiers, Logistic, ThresholdedClassifier
from trellislib.data import Dataset
from trellislib.data.dataset import PartiallyLabelled
from trellislib.methods import METHODS
from trellislib.methods.preprocessing import SCALINGS, n_gaps, takes_gaps, with_preprocessing


def data_of(X):
    Y = np.array([[0, 1], [1, 0], [1, 1], [0, 0]])
    return Dataset(X, Y, tuple("xyz"[: X.shape[1]]), ("a", "b"), (("0", "1"),) * 2, "small")


def features(X, scaling, rows, fill="automatic"):
    """Return what the method would see of all rows after a fit on some."""
    data = data_of(X)
    return with_preprocessing(IndependentClassifiers(), scaling, data, fill)[:-1].fit(data.X[rows]).transform(data.X)


X = np.array([[0.0, 1.0], [2.0, 5.0], [4.0, 9.0], [10.0, -3.0]])


def test_nothing_is_put_before_a_method_that_needs_nothing():
    method = IndependentClassifiers()
    assert with_preprocessing(method, "as they are", data_of(X)) is method


def test_gaps_take_the_mean_of_the_training_rows():
    gappy = X.copy()
    gappy[3, 0] = np.nan
    assert features(gappy, "as they are", slice(0, 3))[3].tolist() == [2.0, -3.0]


def test_scaling_is_by_the_training_rows():
    np.testing.assert_allclose(features(X, "to [0, 1]", slice(0, 3))[3], [2.5, -0.5])
    np.testing.assert_allclose(
        features(X, "to unit variance", slice(0, 3)), (X - X[:3].mean(axis=0)) / X[:3].std(axis=0)
    )


@pytest.mark.parametrize(("scaling", "divisor"), [("to [0, 1]", [4.0, 9.0]), ("to unit variance", X[:3].std(axis=0))])
def test_sparse_features_are_only_divided(scaling, divisor):
    scaled = features(sparse.csr_array(X), scaling, slice(0, 3))
    assert sparse.issparse(scaled)
    np.testing.assert_allclose(scaled.toarray(), X / divisor)


@pytest.mark.parametrize("scaling", SCALINGS[1:])
def test_the_method_comes_last(scaling):
    method = IndependentClassifiers()
    made = with_preprocessing(method, scaling, data_of(X))
    assert isinstance(made, Pipeline)
    assert made[-1] is method


def test_an_unknown_scaling_is_refused():
    with pytest.raises(ValueError, match=r"Got .*scaling 'large', .*expected .*'as .*are'"):
        with_preprocessing(IndependentClassifiers(), "large", data_of(X))


# ---------------------------------------------------------------- gaps

FORMS = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
GAPPY = np.array([[1.0, np.nan], [1.0, np.nan], [4.0, np.nan], [np.nan, 7.0]])  # the last row is not trained on


@FORMS
@pytest.mark.parametrize(
    ("fill", "value"), [("automatic", 2.0), ("mean", 2.0), ("median", 1.0), ("most frequent", 1.0), ("zero", 0.0)]
)
def test_gaps_are_filled_by_the_training_rows(fill, value, form):
    """The second feature has no value in them: it stays a feature, filled with 0, without a warning."""
    filled = features(form(GAPPY), "as they are", slice(0, 3), fill)

    assert sparse.issparse(filled) == (form is not np.asarray)
    assert (filled.toarray() if sparse.issparse(filled) else filled).tolist() == [
        [1.0, 0.0],
        [1.0, 0.0],
        [4.0, 0.0],
        [value, 7.0],
    ]


def test_cells_that_a_sparse_array_does_not_store_are_zeros_and_no_gaps():
    X = sparse.csr_array(np.array([[np.nan, 1.0], [0.0, 1.0], [3.0, 1.0], [0.0, 0.0]]))
    assert features(X, "as they are", slice(0, 3)).toarray()[:, 0].tolist() == [1.5, 0.0, 3.0, 0.0]


def test_columns_of_one_nominal_feature_take_the_shares_of_its_values():
    X = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [np.nan, np.nan]])
    np.testing.assert_allclose(features(X, "as they are", slice(0, 4))[3], [2 / 3, 1 / 3])


@pytest.mark.parametrize("scaling", SCALINGS[1:])
@FORMS
def test_filled_features_are_scaled(scaling, form):
    filled = features(form(GAPPY), scaling, slice(0, 3))
    assert np.isfinite(filled.toarray() if sparse.issparse(filled) else filled).all()


@pytest.mark.parametrize(
    ("method", "takes"),
    [
        (IndependentClassifiers(), False),
        (IndependentClassifiers(Logistic()), False),
        (IndependentClassifiers(LogisticRegression()), False),
        (IndependentClassifiers(DecisionTreeClassifier()), True),
        (ClassifierTrellis(RandomForestClassifier()), True),
        (ThresholdedClassifier(ClassifierTrellis(DecisionTreeClassifier())), True),
        (ThresholdedClassifier(ClassifierTrellis()), False),
        (METHODS["MOF"].method(), True),
        (RandomForestClassifier(), True),
        (HistGradientBoostingClassifier(), True),
    ],
    ids=lambda value: str(value)[:60],
)
def test_gaps_stay_where_the_base_learner_takes_them(method, takes):
    data = data_of(GAPPY)
    assert takes_gaps(method, data) == takes
    made = with_preprocessing(method, "as they are", data)
    assert (made is method) == takes
    assert not takes_gaps(method, data_of(sparse.csr_array(GAPPY)))
    assert list(with_preprocessing(method, "as they are", data, "mean").named_steps) == ["fill", "method"]
    assert with_preprocessing(method, "as they are", data, "as they are") is method


@pytest.mark.parametrize("key", METHODS)
@pytest.mark.parametrize("fill", ["automatic", "median"])
def test_every_method_trains_on_gaps(key, fill):
    """With trees also where they stay, in training and in prediction."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3))
    Y = (X + rng.standard_normal((40, 3)) / 4 > 0).astype(int)
    X[rng.random(X.shape) < 0.2] = np.nan
    data = Dataset(X, Y, tuple("xyz"), tuple("abc"), (("0", "1"),) * 3)
    make = METHODS[key].method
    tree = {} if key == "MOF" else {"estimator": DecisionTreeClassifier(max_depth=3, random_state=0)}
    seed = {"random_state": 0} if "random_state" in make().get_params(deep=False) else {}

    predicted = with_preprocessing(make(**tree, **seed), "as they are", data, fill).fit(X[:30], Y[:30]).predict(X[30:])
    assert (predicted == Y[30:]).mean() > 0.5


def test_scaling_leaves_gaps_that_stay():
    method = IndependentClassifiers(DecisionTreeClassifier())
    X = np.array([[0.0, 1.0], [2.0, np.nan], [4.0, 9.0], [np.nan, 3.0]])
    scaled = with_preprocessing(method, "to [0, 1]", data_of(X))[:-1].fit_transform(X)
    assert_array_equal(scaled, [[0, 0], [0.5, np.nan], [1, 1], [np.nan, 0.25]])


def test_a_learner_that_takes_no_gaps_refuses_them_where_they_are_left():
    data = data_of(GAPPY)
    with pytest.raises(ValueError, match="contains NaN"):
        with_preprocessing(IndependentClassifiers(), "as they are", data, "as they are").fit(*data.arrays())


def test_gaps_of_partly_labelled_instances_count():
    whole, known = data_of(X), np.array([[True, False]])
    for form in (np.asarray, sparse.csr_array):
        of = PartiallyLabelled(form(np.array([[np.nan, 1.0]])), np.array([[1, 0]]), known)
        data = Dataset(
            form(X), whole.Y, whole.feature_names, whole.label_names, whole.label_values, "small", incomplete=of
        )
        assert (data.n_missing, n_gaps(data)) == (0, 1)
        assert list(with_preprocessing(IndependentClassifiers(), "as they are", data).named_steps) == ["fill", "method"]


def test_an_unknown_fill_is_refused():
    with pytest.raises(ValueError, match=r"Got .*fill 'guess', .*expected .*'automatic', 'mean'"):
        with_preprocessing(IndependentClassifiers(), "as they are", data_of(X), "guess")
