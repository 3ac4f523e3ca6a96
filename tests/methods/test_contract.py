"""What holds of every method, whatever its structure: scikit-learn's contract, and ours."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import has_fit_parameter

from trellislib import (
    AncestralSampling,
    BeamSearch,
    ClassifierTrellis,
    Exhaustive,
    GibbsSampling,
    Greedy,
    IndependentClassifiers,
    LeastSquares,
    Logistic,
    MultiOutputForest,
    PerLabel,
    ProbabilisticClassifierChain,
    ThresholdedClassifier,
)
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph
from trellislib.methods import METHODS, prediction
from trellislib.methods.base import as_learner
from trellislib.running.progress import CancelledError

pytestmark = pytest.mark.filterwarnings("ignore:Got width=2 for 1 label")

FEW_SWEEPS = GibbsSampling(20, 5)
LIGHT = {
    "CC": {"order": "random"},
    "ECC": {"n_estimators": 3},
    "MCC": {"n_orders": 3},
    "EBCC": {"n_estimators": 3},
    "CDN": {"inference": FEW_SWEEPS},
    "CT": {"width": 2},
    "ECT": {"n_estimators": 3, "width": 2},
    "CDT": {"width": 2, "inference": FEW_SWEEPS},
    "ECDT": {"n_estimators": 2, "width": 2, "inference": GibbsSampling(10, 2)},
    "EPS": {"n_estimators": 3},
    "RAkEL": {"labelset_size": 2},
    "RGE": {"n_estimators": 2, "inference": GibbsSampling(10, 2)},
    "MOF": {"n_estimators": 5},
}
VARIANTS = {
    "CC-beam": ("CC", {"inference": BeamSearch(3)}),
    "CC-sampled-joint": ("CC", {"inference": AncestralSampling(20, maximize="joint")}),
    "PCC-marginals": ("PCC", {"inference": Exhaustive(maximize="marginals")}),
    "CT-sampled": ("CT", {"inference": AncestralSampling(20)}),
    "ECC-soft": ("ECC", {"voting": "soft", "max_samples": 0.67}),
    "LP-marginals": ("LP", {"maximize": "marginals"}),
    "PS-marginals": ("PS", {"maximize": "marginals"}),
    "RAkEL-disjoint": ("RAkEL", {"overlapping": False}),
}
BASES = {
    "least-squares": LeastSquares(),
    "logistic": LogisticRegression(),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    "svm": LinearSVC(random_state=0),
}
FAMILY = [*METHODS, "thresholded"]
WITH_BASE = [key for key in FAMILY if key != "MOF"]  # a forest brings its own trees
WITH_WEIGHTS = [key for key in FAMILY if key != "EPS"]
NOTHING_RANDOM = ("IC", "PCC", "LP", "PS")
SAMPLED = ("PCC", "CDN", "CDT", "ECDT", "RGE")  # their inference needs probabilities
GREEDY = ("IC", "CC", "MCC", "OCC", "BCC", "CT", "LP", "PS")  # decide with a base that has none, and then give none
JOINT = ("PCC", "LP", "PS", "CC-beam", "CC-sampled-joint")  # decide on all labels together, not one by one


def made(key, base=None, *, seed=3, **settings):
    """Return a method of the family, or a variant of one, with light settings."""
    if key == "thresholded":
        return ThresholdedClassifier(
            ClassifierTrellis(base, width=2, random_state=seed), threshold=0.5, random_state=seed, **settings
        )
    key, special = VARIANTS.get(key, (key, {}))
    settings = LIGHT.get(key, {}) | special | settings
    accepted = METHODS[key].method().get_params(deep=False)
    if "random_state" in accepted:
        settings = {"random_state": seed} | settings
    if "estimator" in accepted:
        settings = {"estimator": base} | settings
    return METHODS[key].method(**settings)


every_method = pytest.mark.parametrize("key", FAMILY)
every_variant = pytest.mark.parametrize("key", [*FAMILY, *VARIANTS])
every_method_with_a_base = pytest.mark.parametrize("key", WITH_BASE)
every_method_with_weights = pytest.mark.parametrize("key", WITH_WEIGHTS)
two_bases = pytest.mark.parametrize("base", [BASES["least-squares"], BASES["tree"]], ids=["least-squares", "tree"])
both_kinds = pytest.mark.parametrize("valued", [False, True], ids=["binary", "valued"])


def why_it_fails(estimator):
    """Return scikit-learn's checks that cannot hold of `estimator`, with the reason."""
    is_chain = isinstance(estimator, ProbabilisticClassifierChain) and estimator.inference is None
    if getattr(estimator, "maximize", None) != "joint" and not (is_chain and estimator.estimator is None):
        return {}
    check = "check_classifier_multioutput"
    if isinstance(estimator.estimator, LogisticRegression):
        return {check: "not the argmax of the marginals; lbfgs also warns that 100 steps are few for that data"}
    return {check: "predicts the most probable label set, which is not always made of the most probable values"}


@parametrize_with_checks(
    [made(key) for key in FAMILY]
    # IC and CC differ from CT by the graph alone, and ECC is made of CC.
    + [made(key, LogisticRegression()) for key in ("PCC", "CT", "LP")]
    + [made("CT", Logistic()), made("IC", "auto")]
    + [made(key) for key in ("PCC-marginals", "LP-marginals", "PS-marginals")],
    expected_failed_checks=why_it_fails,
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def problem(n_labels=3, n_instances=60, seed=0):
    """Features, some of them 0, and labels that follow them closely."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n_instances, 4)) < 0.3, 0.0, rng.standard_normal((n_instances, 4)))
    Y = (X @ rng.standard_normal((4, n_labels)) + 0.3 * rng.standard_normal((n_instances, n_labels)) > 0).astype(int)
    return X, Y


def mixed_problem():
    """Labels of 2, 3 and 4 values."""
    X, Y = problem(3)
    Y[:, 1] += Y[:, 0]
    Y[:, 2] += Y[:, 1]
    return X, Y


def data(valued):
    return mixed_problem() if valued else problem()


def few(key, n_labels):
    """Return `n_labels`, or as many as all orders of can be tried in a test."""
    return min(n_labels, 4) if key == "OCC" else n_labels


def share_right(Y, predicted):
    return float((np.asarray(Y) == np.asarray(predicted)).mean())


def assert_same(one, other, X, **tolerance):
    """Two fitted methods, or one before and after, say the same of `X`."""
    assert_array_equal(dense(one.predict(X)), dense(other.predict(X)))
    if hasattr(one, "predict_proba"):
        for P, Q in zip(one.predict_proba(X), other.predict_proba(X), strict=True):
            assert_allclose(P, Q, **tolerance)


def dense(Y):
    return Y.toarray() if sparse.issparse(Y) else Y


# Labels of every number and kind


@every_method
@pytest.mark.parametrize("n_labels", [1, 2, 4, 10])
def test_any_number_of_labels(key, n_labels):
    X, Y = problem(few(key, n_labels))
    fitted = made(key).fit(X, Y)
    predicted = fitted.predict(X)
    assert predicted.shape == Y.shape
    assert predicted.dtype == Y.dtype
    assert [values.tolist() for values in fitted.classes_] == [[0, 1]] * Y.shape[1]
    assert fitted.n_features_in_ == 4
    if n_labels < 10:  # of ten labels no set comes twice, and nothing is left of pruned sets
        assert share_right(Y, predicted) > 0.7


@every_method
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_the_coding_is_that_of_the_labels(key, form):
    X, Y = mixed_problem()
    method = made(key).fit(X, form(Y))
    expected = LabelCoding.of(form(Y))
    assert_array_equal(method.coding_.starts, expected.starts)
    assert [of.tolist() for of in method.coding_.classes] == [of.tolist() for of in expected.classes]
    assert method.classes_ is method.coding_.classes
    assert not hasattr(made(key), "coding_")
    refitted = method.fit(X, form(Y[:, :2]))
    assert refitted.coding_.n_labels == len(refitted.classes_) == refitted.predict(X).shape[1] == 2


@every_method
@two_bases
def test_one_label_as_a_vector(key, base):
    X, Y = problem(1)
    vector, column = made(key, base).fit(X, Y.ravel()), made(key, base).fit(X, Y)
    assert vector.predict(X).shape == (60,)
    assert_array_equal(vector.predict(X), column.predict(X).ravel())
    assert vector.classes_.tolist() == [0, 1]
    assert [of.tolist() for of in vector.coding_.classes] == [[0, 1]]
    P = vector.predict_proba(X)
    assert P.shape == (60, 2)
    assert_allclose(P.sum(axis=1), 1.0)
    assert_allclose(P[:, [1]], column.predict_proba(X), atol=1e-300)  # 0 in the one, nearly 0 in the other


@every_method
def test_more_labels_than_instances(key):
    X, Y = problem(few(key, 10), n_instances=3 if key == "OCC" else 7)
    assert made(key).fit(X, Y).predict(X).shape == Y.shape


@every_variant
@pytest.mark.parametrize("base", ["least-squares", "tree"])
def test_labels_of_more_values(key, base):
    X, Y = mixed_problem()
    fitted = made(key, BASES[base]).fit(X, Y)
    predicted = fitted.predict(X)
    assert [values.tolist() for values in fitted.classes_] == [[0, 1], [0, 1, 2], [0, 1, 2, 3]]
    assert all(set(column) <= set(of) for column, of in zip(predicted.T, fitted.classes_, strict=True))
    assert share_right(Y, predicted) > 0.5  # by chance a third
    P = fitted.predict_proba(X)
    assert [of_label.shape for of_label in P] == [(60, 2), (60, 3), (60, 4)]
    for label, of_label in enumerate(P):
        assert_allclose(of_label.sum(axis=1), 1.0)
        assert (of_label >= 0).all()
        if key not in JOINT:
            chosen = np.take_along_axis(of_label, predicted[:, [label]], axis=1)
            assert_allclose(chosen, of_label.max(axis=1, keepdims=True))


@every_method
@pytest.mark.parametrize(
    "values",
    [np.array([-1, 1]), np.array(["no", "yes"]), np.array(["no", "yes"], dtype=object), np.array([2.0, 5.0])],
    ids=["plus-minus", "strings", "objects", "floats"],
)
def test_how_values_are_written_does_not_matter(key, values):
    X, Y = problem()
    expected, fitted = made(key).fit(X, Y), made(key).fit(X, values[Y])
    assert_array_equal(fitted.predict(X), values[expected.predict(X)])
    assert fitted.predict(X).dtype == values.dtype
    assert all(of.tolist() == values.tolist() for of in fitted.classes_)
    assert_allclose(fitted.predict_proba(X), expected.predict_proba(X))


@every_method
def test_strings_of_several_lengths(key):
    X, Y = mixed_problem()
    words = np.array(["", "warm", "cold and wet", "dry"])
    predicted = made(key).fit(X, words[Y]).predict(X)
    assert predicted.dtype == words.dtype
    vector = made(key).fit(X, words[Y[:, 2]]).predict(X)
    assert share_right(words[Y[:, 2]], vector) > 0.4


@every_method
@both_kinds
def test_sparse_features_and_labels(key, valued):
    X, Y = data(valued)
    base = BASES["tree"] if valued else BASES["least-squares"]
    expected = made(key, base).fit(X, Y)
    features_only = made(key, base).fit(sparse.csr_matrix(X), Y).predict(sparse.csr_matrix(X))
    assert isinstance(features_only, np.ndarray)
    assert share_right(expected.predict(X), features_only) > 0.98
    labels_only = made(key, base).fit(X, sparse.csr_array(Y)).predict(X)
    assert sparse.issparse(labels_only)
    assert labels_only.format == "csr"
    assert labels_only.dtype == Y.dtype
    assert_array_equal(labels_only.toarray(), expected.predict(X))
    both = made(key, base).fit(sparse.csr_array(X), sparse.csr_array(Y)).predict(sparse.csr_array(X))
    assert sparse.issparse(both)
    assert_array_equal(both.toarray(), features_only)


@every_method
@two_bases
@pytest.mark.parametrize("value", [0, 1])
def test_a_label_constant_in_training_is_predicted_as_that_constant(key, base, value):
    X, Y = problem()
    Y[:, 2] = value
    for labels in (sparse.csr_array(Y), np.array(["no", "yes"])[Y]):
        fitted = made(key, base).fit(X, labels)
        assert (dense(fitted.predict(3 * X))[:, 2] == dense(labels)[0, 2]).all()
        assert (np.abs(fitted.predict_proba(X)[:, 2] - value) < 0.1).all()


@every_method
@two_bases
def test_all_labels_constant(key, base):
    X, Y = problem()
    Y[:] = [0, 1, 0]
    assert_array_equal(made(key, base).fit(X, Y).predict(X), Y)


@every_method
def test_numbers_on_a_scale_are_no_labels(key):
    X, _ = problem()
    with pytest.raises(ValueError, match="continuous"):
        made(key).fit(X, X)


@every_method
def test_columns_stand_in_label_order(key):
    """Each label has a feature of its own, and so is told from the others."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    Y = (X > 0).astype(int)
    predicted = made(key).fit(X, Y).predict(X)
    agreement = (predicted[:, :, None] == Y[:, None, :]).mean(axis=0)
    assert_array_equal(agreement.argmax(axis=1), range(3))


# Missing cells


@every_method
def test_missing_cells_go_to_a_base_that_takes_them(key):
    X, Y = problem()
    X[::7, 1] = np.nan
    fitted = made(key, BASES["tree"]).fit(X, Y)
    assert share_right(Y, fitted.predict(X)) > 0.7
    assert fitted.predict_proba(X).shape == Y.shape


def test_missing_cells_go_through_thresholds_to_a_forest():
    X, Y = problem()
    X[::7, 1] = np.nan
    method = ThresholdedClassifier(MultiOutputForest(8, random_state=0), cv=2, random_state=0)
    assert share_right(Y, method.fit(X, Y).predict(X)) > 0.7


@every_method_with_a_base
@pytest.mark.parametrize("base", ["least-squares", "logistic"])
def test_missing_cells_are_refused_for_a_base_that_does_not(key, base):
    X, Y = problem()
    gaps = X.copy()
    gaps[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        made(key, BASES[base]).fit(gaps, Y)
    with pytest.raises(ValueError, match="NaN"):
        made(key, BASES[base]).fit(X, Y).predict(gaps)


@every_method
def test_a_missing_label_value_is_named(key):
    X, Y = problem()
    gaps = Y.astype(float)
    gaps[3, 2] = gaps[5, 0] = np.nan
    where = "the value of label 2 in instance 3 and 1 more missing label values"
    for labels in (gaps, sparse.csr_array(gaps)):
        with pytest.raises(ValueError, match=where):
            made(key).fit(X, labels)
    words = np.array(["no", "yes"], dtype=object)[Y]
    words[3, 2] = None
    with pytest.raises(ValueError, match=r"value .*label 2 .*instance 3: leave"):
        made(key).fit(X, words)
    with pytest.raises(ValueError, match=r"value .*label 'c' .*instance 3"):
        made(key).fit(X, pd.DataFrame(gaps, columns=list("abc")))
    with pytest.raises(ValueError, match=r"value .*label 0 .*instance 5"):
        made(key).fit(X, gaps[:, 0])
    with pytest.raises(ValueError, match=r"value .*label 'rain' .*instance 5"):
        made(key).fit(X, pd.Series(gaps[:, 0], name="rain"))


# Seeds, copies and parameters


@every_method
def test_the_same_seed_gives_the_same_result(key):
    X, Y = problem()
    first, second = made(key).fit(X, Y), made(key).fit(X, Y)
    assert_same(first, second, X, rtol=0)
    assert_same(first, first.fit(X[:30], Y[:30]).fit(X, Y), X, rtol=0)


@pytest.mark.parametrize("key", [key for key in METHODS if key not in NOTHING_RANDOM])
def test_different_seeds_give_different_results(key):
    X, Y = problem()
    settings = {"RAkEL": {"n_labelsets": 2}, "EBCC": {"n_estimators": 2}}.get(key, {})  # else all there are
    results = {
        made(key, seed=seed, **settings).fit(X, Y).predict_proba(X + 0.5).round(9).tobytes() for seed in range(5)
    }
    assert len(results) > 1


@pytest.mark.parametrize("key", NOTHING_RANDOM)
def test_without_anything_random_no_seed_is_asked_for_or_none_matters(key):
    X, Y = problem()
    assert_same(made(key, seed=0).fit(X, Y), made(key, seed=1).fit(X, Y), X, rtol=0)


@every_method
def test_clone_and_pickle(key):
    X, Y = problem()
    fitted = made(key, BASES["tree"]).fit(X, Y)
    assert_same(pickle.loads(pickle.dumps(fitted)), fitted, X, rtol=0)
    unfitted = clone(fitted)
    with pytest.raises(NotFittedError):
        unfitted.predict(X)
    assert_same(unfitted.fit(X, Y), fitted, X, rtol=0)


@every_method_with_a_base
def test_parameters_of_the_base_are_reached_from_outside(key):
    before = "estimator__" if key == "thresholded" else ""
    nested = made(key, PerLabel(LogisticRegression(C=2.0), n_jobs=1))
    assert nested.get_params()[f"{before}estimator__estimator__C"] == 2.0
    nested.set_params(**{f"{before}estimator__estimator__C": 0.5, f"{before}estimator__n_jobs": None})
    assert nested.get_params()[f"{before}estimator__estimator__C"] == 0.5
    X, Y = problem()
    grid = {f"{before}estimator__alpha": [0.1, 1e5]}
    search = GridSearchCV(made(key, LeastSquares()), grid, cv=2).fit(X, Y)
    assert search.best_params_ == {f"{before}estimator__alpha": 0.1}


WRONG = [
    ("CC", {"order": [0, 1]}),
    ("CC", {"order": "best"}),
    ("PCC", {"order": [0, 1, 2, 2]}),
    ("PCC", {"inference": Exhaustive(max_vectors=0)}),
    ("PCC", {"inference": Exhaustive(maximize="both")}),
    ("PCC", {"inference": BeamSearch(0)}),
    ("ECC", {"n_estimators": 0}),
    ("ECC", {"n_estimators": 2.5}),
    ("ECC", {"max_samples": 0.0}),
    ("ECC", {"max_samples": 1.5}),
    ("ECC", {"voting": "loud"}),
    ("ECC", {"threshold": "best"}),
    ("ECC", {"threshold": 1.5}),
    ("MCC", {"n_orders": 0}),
    ("MCC", {"payoff": "best"}),
    ("MCC", {"held_out": 1.0}),
    ("OCC", {"max_labels": 0}),
    ("OCC", {"held_out": -0.1}),
    ("BCC", {"structure": LabelGraph.independent(5)}),
    ("EBCC", {"n_estimators": -1}),
    ("CDN", {"inference": GibbsSampling(5, 5)}),
    ("CDN", {"inference": GibbsSampling(0, 0)}),
    ("CT", {"width": 0}),
    ("CT", {"parents": "zig-zag"}),
    ("CT", {"parents": [(0, 1)]}),
    ("CT", {"placement": "best"}),
    ("CT", {"dependence": "best"}),
    ("CT", {"inference": AncestralSampling(0)}),
    ("CT", {"inference": AncestralSampling(maximize="both")}),
    ("ECT", {"width": 1.5}),
    ("ECT", {"dependence": np.ones((2, 2))}),
    ("CDT", {"dependence": np.ones((4, 3))}),
    ("ECDT", {"placement": "best"}),
    ("LP", {"maximize": "both"}),
    ("PS", {"min_count": 0}),
    ("PS", {"n_subsets": -1}),
    ("PS", {"maximize": "both"}),
    ("EPS", {"min_count": 0}),
    ("EPS", {"max_samples": 2}),
    ("RAkEL", {"labelset_size": 0}),
    ("RAkEL", {"n_labelsets": 0}),
    ("RAkEL", {"threshold": -1}),
    ("RGE", {"graph": "ring"}),
    ("MOF", {"n_estimators": 0}),
    ("IC", {"estimator": LeastSquares(0.0)}),
]


@pytest.mark.parametrize(("key", "wrong"), WRONG, ids=[f"{key}-{next(iter(wrong))}" for key, wrong in WRONG])
def test_a_parameter_out_of_range_is_refused(key, wrong):
    X, Y = problem()
    with pytest.raises(ValueError, match="Got"):
        made(key, **wrong).fit(X, Y).predict(X)


@every_method_with_a_base
@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (Ridge(), r"estimator=Ridge\(\)"),
        ("logistic", "estimator='logistic'"),
        (3, "estimator=3"),
        (LogisticRegression, "LogisticRegression"),  # the class, not an instance
        (make_pipeline(StandardScaler(), Ridge()), "Ridge"),
    ],
    ids=["regressor", "string", "number", "class", "pipeline"],
)
def test_a_base_that_is_no_classifier_is_named(key, wrong, name):
    X, Y = problem(3)
    with pytest.raises(TypeError, match=rf"(?s){name}.*expected .*learner .*trellislib .*classifier"):
        made(key, wrong).fit(X, Y)


def test_what_becomes_a_learner():
    learner, per_label, classifier = LeastSquares(2.0), PerLabel(LinearSVC()), LogisticRegression(C=3.0)
    assert as_learner(learner) is learner
    assert as_learner(per_label) is per_label
    assert as_learner(None).get_params() == LeastSquares().get_params()
    wrapped = as_learner(classifier)
    assert isinstance(wrapped, PerLabel)
    assert wrapped.estimator is classifier
    pipeline = make_pipeline(StandardScaler(), classifier)
    assert as_learner(pipeline).estimator is pipeline


@pytest.mark.parametrize("key", ["IC", "CC", "CT", "ECC"])
def test_the_base_may_be_a_pipeline_or_a_search(key):
    X, Y = problem(3)
    scaled = make_pipeline(StandardScaler(), LogisticRegression())
    searched = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=2)
    for base in (scaled, searched):
        fitted = made(key, base).fit(X, Y)
        assert share_right(Y, fitted.predict(X)) > 0.7
        assert fitted.predict_proba(X).shape == Y.shape


@pytest.mark.parametrize("key", ["CC", "PCC", "MCC", "OCC", "BCC", "CDN", "CT", "CDT"])
def test_an_inference_that_is_none_or_that_its_graph_does_not_allow_is_refused(key):
    X, Y = problem()
    with pytest.raises(TypeError, match="Got inference='greedy'"):
        made(key, inference="greedy").fit(X, Y)
    other = Greedy() if key in ("CDN", "CDT") else GibbsSampling()
    with pytest.raises(ValueError, match=rf"an? (un)?directed graph, .*{METHODS[key].method.__name__} .*not"):
        made(key, inference=other).fit(X, Y)


# Weights


@every_method_with_weights
@both_kinds
def test_integer_weights_are_repetitions(key, valued):
    """Members that see all rows, and trees grown on all rows, may be random and still not tell them apart."""
    X, Y = data(valued)
    weight = np.random.default_rng(1).integers(0, 4, len(X))
    search = {"held_out": 0.0, "payoff": "log-likelihood"}  # else rows are drawn, and decisions paid for unweighted
    settings = search if key in ("MCC", "OCC") else {}
    weighted = made(key, **settings).fit(X, Y, weight)
    repeated = made(key, **settings).fit(np.repeat(X, weight, axis=0), np.repeat(Y, weight, axis=0))
    assert_same(weighted, repeated, X, atol=1e-6)


@every_method_with_weights
def test_a_weight_of_zero_leaves_an_instance_out(key):
    X, Y = problem()
    kept = np.random.default_rng(2).random(len(X)) < 0.7
    spoilt = np.where(kept[:, None], Y, 7)  # a value that would be seen
    weighted = made(key).fit(X, spoilt, kept.astype(float))
    assert_same(weighted, made(key).fit(X[kept], Y[kept]), X, atol=1e-9)


@every_method_with_weights
@pytest.mark.parametrize("wrong", [np.ones(59), np.ones((60, 1)), -np.ones(60), np.zeros(60), np.full(60, np.nan)])
def test_weights_that_are_none_are_refused(key, wrong):
    X, Y = problem()
    with pytest.raises(ValueError, match="sample_weight"):
        made(key).fit(X, Y, sample_weight=wrong)


def test_pruned_sets_on_drawn_rows_take_no_weights():
    X, Y = problem()
    method = made("EPS")
    assert not has_fit_parameter(method, "sample_weight")
    with pytest.raises(TypeError, match="sample_weight"):
        method.fit(X, Y, sample_weight=np.ones(60))
    with pytest.raises(TypeError, match=r"Got sample_weight, .*EnsemblePrunedSets\(.* takes no weights"):
        ThresholdedClassifier(method).fit(X, Y, sample_weight=np.ones(60))


@pytest.mark.parametrize("key", [key for key in WITH_BASE if key != "EPS"])
def test_a_base_without_weights_is_named(key):
    X, Y = problem()
    with pytest.raises(TypeError, match=r"Got sample_weight, .*KNeighborsClassifier\(\) takes no weights"):
        made(key, KNeighborsClassifier()).fit(X, Y, np.ones(60))


# Frames, lists and names


@every_method
def test_frames_have_their_names_checked_and_given_back(key):
    X, Y = problem()
    X = pd.DataFrame(X, columns=["a", "b", "c", "d"], index=range(100, 160))
    Y = pd.DataFrame(Y, columns=list("xyz"))
    fitted = made(key).fit(X, Y)
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert fitted.label_names_in_.tolist() == list("xyz")
    predicted = fitted.predict(X)
    assert_array_equal(predicted, made(key).fit(X.to_numpy(), Y.to_numpy()).predict(X.to_numpy()))
    frame = fitted.predict_frame(X)
    assert frame.columns.tolist() == list("xyz")
    assert frame.index.equals(X.index)
    assert_array_equal(frame, predicted)
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(X[["b", "a", "c", "d"]])


@every_method
def test_a_frame_of_predictions_without_names(key):
    X, Y = problem()
    fitted = made(key).fit(X, pd.DataFrame(Y, columns=list("xyz"))).fit(X, Y)  # names of the last fit, which had none
    frame = fitted.predict_frame(X)
    assert not hasattr(fitted, "label_names_in_")
    assert (frame.columns.tolist(), frame.index.tolist()) == ([0, 1, 2], list(range(60)))
    assert_array_equal(frame, fitted.predict(X))
    of_sparse = made(key).fit(X, sparse.csr_array(Y)).predict_frame(X)
    assert all(isinstance(dtype, pd.SparseDtype) for dtype in of_sparse.dtypes)
    assert_array_equal(of_sparse, frame)
    of_series = made(key).fit(X, pd.Series(Y[:, 0], name="rain")).predict_frame(X)
    assert of_series.columns.tolist() == ["rain"]
    assert made(key).fit(X, Y[:, 0]).predict_frame(X).columns.tolist() == [0]


@every_method
def test_lists(key):
    X, Y = problem(3)
    assert_array_equal(made(key).fit(X.tolist(), Y.tolist()).predict(X.tolist()), made(key).fit(X, Y).predict(X))


# Predictions


@every_variant
@both_kinds
def test_predictions_do_not_depend_on_which_rows_are_predicted_together(key, valued, monkeypatch):
    X, Y = data(valued)
    fitted = made(key).fit(X, Y)
    X = X[:10]
    together, P = fitted.predict(X), fitted.predict_proba(X)
    P = P if valued else [P]

    def assert_alike(chosen):
        assert_array_equal(fitted.predict(X[chosen]), together[chosen])
        of_chosen = fitted.predict_proba(X[chosen])
        for one, other in zip(of_chosen if valued else [of_chosen], P, strict=True):
            assert_allclose(one, other[chosen], atol=1e-12)

    assert_alike([7])
    assert_alike(slice(None, None, -1))
    monkeypatch.setattr(prediction, "FEWEST_ROWS", 1)
    for cells in (1, 7 * fitted._cells()):  # one row a block, and seven
        monkeypatch.setattr(prediction, "BLOCK_CELLS", cells)
        assert_alike(slice(None))


@every_variant
@two_bases
def test_probabilities_are_such_and_agree_with_the_decision(key, base):
    X, Y = problem()
    fitted = made(key, base).fit(X, Y)
    P = fitted.predict_proba(X)
    assert P.shape == Y.shape
    assert ((P > 0) & (P < 1)).all()
    if key not in JOINT:
        assert_array_equal(P > 0.5, fitted.predict(X) == 1)


@every_method_with_a_base
def test_a_base_without_probabilities_serves(key):
    """Greedy inference needs none; sampling, comparing vectors, and thresholds have them made of the scores."""
    X, Y = problem()
    method = made(key, BASES["svm"])
    assert hasattr(method, "predict_proba") is (key not in GREEDY)
    fitted = method.fit(X, Y)
    assert hasattr(fitted, "predict_proba") is (key not in GREEDY)
    assert share_right(Y, fitted.predict(X)) > 0.7
    if key not in GREEDY:
        assert fitted.predict_proba(X).shape == Y.shape


class Commonest(ClassifierMixin, BaseEstimator):
    """Predicts the commonest class, and has neither probabilities nor scores."""

    def fit(self, X, y, sample_weight=None):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.commonest_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(X.shape[0], self.commonest_)


NEEDY = {
    **{key: (key, {}) for key in SAMPLED},
    "ECC-soft": ("ECC", {"voting": "soft"}),
    "EPS-soft": ("EPS", {"voting": "soft"}),
    "LP-marginals": ("LP", {"maximize": "marginals"}),
    "MCC-likelihood": ("MCC", {"payoff": "log-likelihood"}),
    "CT-sampled": ("CT", {"inference": AncestralSampling(5)}),
    "CC-beam": ("CC", {"inference": BeamSearch()}),
}


@pytest.mark.parametrize(("key", "settings"), NEEDY.values(), ids=NEEDY)
def test_probabilities_that_cannot_be_had_are_missed_in_a_sentence(key, settings):
    X, Y = problem()
    with pytest.raises(TypeError, match=r"Got estimator=Commonest\(\), .*gives neither probabilities nor scores"):
        made(key, Commonest(), **settings).fit(X, Y)
    fitted = made(key, BASES["svm"], **settings).fit(X, Y)
    assert share_right(Y, fitted.predict(X)) > 0.7


@pytest.mark.parametrize("key", [key for key in WITH_BASE if key not in (*SAMPLED, "thresholded", "LP", "PS", "EPS")])
def test_a_base_that_only_decides_serves_where_no_more_is_needed(key):
    X, Y = problem()
    expected = (Y.mean(axis=0) > 0.5).astype(int)
    assert_array_equal(
        made(key, Commonest(), **({"labelset_size": 1} if key == "RAkEL" else {})).fit(X, Y).predict(X),
        np.tile(expected, (60, 1)),
    )


@pytest.mark.parametrize("key", ["IC", "CC", "CT"])
def test_a_classifier_that_sets_its_own_threshold_keeps_it(key):
    X, Y = problem()
    strict = made(key, FixedThresholdClassifier(LogisticRegression(), threshold=0.9)).fit(X, Y)
    predicted, P = strict.predict(X), strict.predict_proba(X)
    assert (predicted == (P >= 0.9)).all()
    assert ((P > 0.5) & (predicted == 0)).any()


@every_method
def test_asked_before_it_is_fitted(key):
    X, Y = problem()
    for ask in ("predict", "predict_proba", "predict_frame"):
        with pytest.raises(NotFittedError):
            getattr(made(key), ask)(X)
    with pytest.raises(NotFittedError):
        made(key).score(X, Y)


# Score


@every_method
@both_kinds
def test_score_is_the_share_of_instances_that_are_all_right(key, valued):
    X, Y = data(valued)
    rng = np.random.default_rng(1)
    Y = np.where(rng.random(Y.shape) < 0.1, 1 - np.minimum(Y, 1), Y)  # so that no method is right of all
    fitted = made(key).fit(X, Y)
    right = (fitted.predict(X) == Y).all(axis=1)
    assert 0 < right.mean() < 1 or key == "MOF"
    assert fitted.score(X, Y) == pytest.approx(right.mean())
    assert type(fitted.score(X, Y)) is float
    assert fitted.score(X, fitted.predict(X)) == 1.0
    assert fitted.score(X, pd.DataFrame(Y)) == pytest.approx(right.mean())
    weights = rng.random(len(X))
    assert fitted.score(X, Y, sample_weight=weights) == pytest.approx(weights[right].sum() / weights.sum())
    assert fitted.score(X, sparse.csr_array(Y)) == pytest.approx(right.mean())
    of_sparse = made(key).fit(X, sparse.csr_array(Y))
    assert of_sparse.score(X, sparse.csr_array(Y)) == of_sparse.score(X, Y) == pytest.approx(right.mean())


@pytest.mark.parametrize("key", ["IC", "LP", "ECC"])
def test_score_of_one_label_takes_a_column_or_a_vector(key):
    X, Y = problem(1)
    vector, column = made(key).fit(X, Y.ravel()), made(key).fit(X, Y)
    right = (column.predict(X) == Y).mean()
    assert 0 < right < 1
    for fitted in (vector, column):
        assert fitted.score(X, Y) == fitted.score(X, Y.ravel()) == pytest.approx(right)


@pytest.mark.parametrize("key", ["IC", "LP", "ECC"])
@pytest.mark.parametrize(
    "part",
    [np.s_[:, :1], np.s_[:1], np.s_[:, :2], np.s_[:-1]],
    ids=["one label", "one instance", "fewer labels", "fewer instances"],
)
def test_score_by_a_part_of_the_labels_is_refused(key, part):
    X, Y = problem(3)
    with pytest.raises(ValueError):  # and not spread over all labels or instances
        made(key).fit(X, Y).score(X, Y[part])


# Progress and cancel


@every_method
@two_bases
def test_progress_runs_to_its_end_and_never_back(key, base):
    X, Y = problem()
    reported = []
    made(key, base).fit(X, Y, progress=lambda done, total, what: reported.append((done, total, what)))
    shares = [done / total for done, total, _ in reported]
    assert shares == sorted(shares)
    assert all(0 < share <= 1 for share in shares)
    assert shares[-1] == 1
    assert all(isinstance(what, str) and what for *_, what in reported)


@pytest.mark.parametrize("key", ["IC", "CC", "BCC", "CDN", "CT", "CDT"])
def test_progress_of_one_graph_counts_its_labels(key):
    reported = []
    made(key, BASES["logistic"]).fit(*problem(), progress=lambda done, total, what: reported.append((done, total)))
    assert reported == [(1, 3), (2, 3), (3, 3)]


@every_method
@two_bases
def test_work_stops_when_it_is_cancelled(key, base):
    X, Y = problem()
    asked = []
    made(key, base).fit(X, Y, cancelled=lambda: bool(asked.append(None)))
    assert asked
    for stop_at in {1, len(asked) // 2 + 1, len(asked)}:
        times = []

        def cancelled(times=times, stop_at=stop_at):
            times.append(None)
            return len(times) >= stop_at

        with pytest.raises(CancelledError):
            made(key, base).fit(X, Y, cancelled=cancelled)
        assert len(times) == stop_at


def test_a_frame_to_predict_goes_by_the_names_of_its_columns():
    X, Y = problem()
    X = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    fitted = IndependentClassifiers().fit(X, Y)
    expected = fitted.predict_frame(X)
    assert fitted.predict_frame(X[["d", "a", "c", "b"]]).equals(expected)
    with pytest.warns(UserWarning, match="'row'"):
        assert fitted.predict_frame(X.assign(row=1)).equals(expected)
    with pytest.raises(ValueError, match="c"):
        fitted.predict_frame(X[["a", "b", "d"]])
