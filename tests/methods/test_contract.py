import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers, LeastSquares, PerLabel
from trellislib.coding import LabelCoding
from trellislib.methods import base as methods_base
from trellislib.methods.base import as_learner

METHODS = {
    "IC": IndependentClassifiers,
    "CC": lambda estimator=None: ClassifierChain(estimator, order="random", random_state=3),
    "CT": lambda estimator=None: ClassifierTrellis(estimator, random_state=3),
}
BASES = {
    "least-squares": LeastSquares(),
    "logistic": LogisticRegression(),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    "svm": LinearSVC(random_state=0),
}

every_method = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
every_base = pytest.mark.parametrize("base", BASES.values(), ids=BASES)


@parametrize_with_checks(
    [
        make(estimator)
        for make in (IndependentClassifiers, ClassifierChain, ClassifierTrellis)
        for estimator in (None, LogisticRegression())
    ]
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def problem(n_labels=5, n_instances=60, seed=0):
    """Features, some of them 0, and labels that follow them closely."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n_instances, 4)) < 0.3, 0.0, rng.standard_normal((n_instances, 4)))
    Y = (X @ rng.standard_normal((4, n_labels)) + 0.3 * rng.standard_normal((n_instances, n_labels)) > 0).astype(int)
    return X, Y


def mixed_problem():
    """Labels of 2, 3, 4 and 2 values."""
    X, Y = problem(4)
    Y[:, 1] += Y[:, 0]
    Y[:, 2] += Y[:, 1]
    return X, Y


def share_right(Y, predicted):
    return float((np.asarray(Y) == np.asarray(predicted)).mean())


@every_method
@every_base
@pytest.mark.parametrize("n_labels", [1, 2, 12])
def test_any_number_of_labels(method, base, n_labels):
    X, Y = problem(n_labels)
    fitted = method(base).fit(X, Y)
    predicted = fitted.predict(X)
    assert predicted.shape == Y.shape
    assert predicted.dtype == Y.dtype
    assert share_right(Y, predicted) > 0.75
    assert [values.tolist() for values in fitted.classes_] == [[0, 1]] * n_labels
    assert fitted.n_features_in_ == 4
    assert fitted.graph_.n_labels == n_labels


@every_method
@every_base
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("data", [problem, mixed_problem], ids=["binary", "valued"])
def test_the_coding_is_that_of_the_labels(method, base, form, data):
    X, Y = data()
    method_ = method(base).fit(X, form(Y))
    expected = LabelCoding.of(form(Y))
    assert_array_equal(method_.coding_.starts, expected.starts)
    assert [of.tolist() for of in method_.coding_.classes] == [of.tolist() for of in expected.classes]
    assert method_.classes_ is method_.coding_.classes
    assert not hasattr(method(base), "coding_")
    refitted = method_.fit(X, form(Y[:, :2]))
    assert refitted.coding_.n_labels == refitted.graph_.n_labels == len(refitted.classes_) == 2


@every_method
@every_base
def test_one_label_as_a_vector(method, base):
    X, Y = problem(1)
    vector, column = method(base).fit(X, Y.ravel()), method(base).fit(X, Y)
    assert vector.predict(X).shape == (60,)
    assert_array_equal(vector.predict(X), column.predict(X).ravel())
    assert vector.classes_.tolist() == [0, 1]
    assert [of.tolist() for of in vector.coding_.classes] == [[0, 1]]
    if hasattr(vector, "predict_proba"):
        P = vector.predict_proba(X)
        assert P.shape == (60, 2)
        assert_allclose(P.sum(axis=1), 1.0)
        assert_allclose(P[:, [1]], column.predict_proba(X))


@every_method
@every_base
def test_more_labels_than_instances(method, base):
    X, Y = problem(20, n_instances=9)
    assert method(base).fit(X, Y).predict(X).shape == (9, 20)


@every_method
@every_base
def test_labels_of_more_values(method, base):
    X, Y = mixed_problem()
    fitted = method(base).fit(X, Y)
    predicted = fitted.predict(X)
    assert [values.tolist() for values in fitted.classes_] == [[0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1]]
    assert all(set(column) <= set(of) for column, of in zip(predicted.T, fitted.classes_, strict=True))
    assert share_right(Y, predicted) > 0.6
    if hasattr(fitted, "predict_proba"):
        P = fitted.predict_proba(X)
        assert [of_label.shape for of_label in P] == [(60, 2), (60, 3), (60, 4), (60, 2)]
        for label, of_label in enumerate(P):
            assert_allclose(of_label.sum(axis=1), 1.0)
            assert (of_label >= 0).all()
            assert_array_equal(of_label.argmax(axis=1), predicted[:, label])


@every_method
@every_base
@pytest.mark.parametrize(
    "values",
    [np.array([-1, 1]), np.array(["no", "yes"]), np.array(["no", "yes"], dtype=object), np.array([2.0, 5.0])],
    ids=["plus-minus", "strings", "objects", "floats"],
)
def test_how_values_are_written_does_not_matter(method, base, values):
    X, Y = problem()
    expected = method(base).fit(X, Y)
    fitted = method(base).fit(X, values[Y])
    assert fitted.graph_ == expected.graph_
    assert_array_equal(fitted.predict(X), values[expected.predict(X)])
    assert all(of.tolist() == values.tolist() for of in fitted.classes_)
    if hasattr(fitted, "predict_proba"):
        assert_allclose(fitted.predict_proba(X), expected.predict_proba(X))


@every_method
@every_base
def test_strings_of_one_label_and_of_several_lengths(method, base):
    X, Y = mixed_problem()
    words = np.array(["", "warm", "cold and wet", "dry"])
    predicted = method(base).fit(X, words[Y]).predict(X)
    assert predicted.dtype == words.dtype
    vector = method(base).fit(X, words[Y[:, 2]]).predict(X)
    assert share_right(words[Y[:, 2]], vector) > 0.5


@every_method
@pytest.mark.parametrize("data", [problem, mixed_problem], ids=["binary", "valued"])
@every_base
def test_sparse_features_and_labels(method, base, data):
    X, Y = data()
    expected = method(base).fit(X, Y)
    features_only = method(base).fit(sparse.csr_matrix(X), Y).predict(sparse.csr_matrix(X))
    assert isinstance(features_only, np.ndarray)
    assert share_right(expected.predict(X), features_only) > 0.98
    labels_only = method(base).fit(X, sparse.csr_array(Y)).predict(X)
    assert sparse.issparse(labels_only)
    assert labels_only.format == "csr"
    assert labels_only.dtype == Y.dtype
    assert_array_equal(labels_only.toarray(), expected.predict(X))
    both = method(base).fit(sparse.csr_array(X), sparse.csr_array(Y)).predict(sparse.csr_array(X))
    assert sparse.issparse(both)
    assert_array_equal(both.toarray(), features_only)


@every_method
@every_base
@pytest.mark.parametrize("value", [0, 1])
def test_a_label_constant_in_training_is_predicted_as_that_constant(method, base, value):
    X, Y = problem()
    Y[:, 2] = value
    for labels in (Y, sparse.csr_array(Y), np.array(["no", "yes"])[Y], 2 * Y - 1):
        fitted = method(base).fit(X, labels)
        predicted = fitted.predict(3 * X)
        predicted = predicted.toarray() if sparse.issparse(predicted) else predicted
        constant = labels[0, 2]
        assert (predicted[:, 2] == constant).all()


@every_method
@pytest.mark.parametrize("base", [BASES["least-squares"], BASES["logistic"]], ids=["least-squares", "logistic"])
@pytest.mark.parametrize("values", [np.array([0, 1]), np.array([-1, 1]), np.array(["no", "yes"])])
@pytest.mark.parametrize("value", [0, 1])
def test_a_constant_label_has_a_probability_on_its_side(method, base, values, value):
    X, Y = problem()
    Y[:, 2] = value
    P = method(base).fit(X, values[Y]).predict_proba(X)[:, 2]
    assert (np.abs(P - value) < 0.1).all(), f"always {values[value]!r}, so of {values[1]!r}, but got {P[0]}"


@every_method
@every_base
def test_all_labels_constant(method, base):
    X, Y = problem()
    Y[:] = [0, 1, 0, 1, 1]
    assert_array_equal(method(base).fit(X, Y).predict(X), Y)


@every_method
def test_missing_cells_go_to_a_base_that_takes_them(method):
    X, Y = problem()
    X[::7, 1] = np.nan
    fitted = method(BASES["tree"]).fit(X, Y)
    assert share_right(Y, fitted.predict(X)) > 0.75
    assert fitted.predict_proba(X).shape == Y.shape


@every_method
@pytest.mark.parametrize("base", ["least-squares", "logistic"])
def test_missing_cells_are_refused_for_a_base_that_does_not(method, base):
    X, Y = problem()
    gaps = X.copy()
    gaps[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        method(BASES[base]).fit(gaps, Y)
    with pytest.raises(ValueError, match="NaN"):
        method(BASES[base]).fit(X, Y).predict(gaps)


@every_method
def test_a_missing_label_is_refused(method):
    X, Y = problem()
    gaps = Y.astype(float)
    gaps[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        method().fit(X, gaps)


@every_method
def test_numbers_on_a_scale_are_no_labels(method):
    X, _ = problem()
    with pytest.raises(ValueError, match="continuous"):
        method().fit(X, X)


@every_base
def test_columns_stand_in_label_order_whatever_the_order_of_the_chain(base):
    X, Y = problem()
    shuffled = [3, 1, 4, 0, 2]
    moved = ClassifierChain(base, order=range(5)).fit(X, Y[:, shuffled])
    chain = ClassifierChain(base, order=shuffled).fit(X, Y)
    assert chain.graph_.order == tuple(shuffled)
    assert_array_equal(chain.predict(X)[:, shuffled], moved.predict(X))
    if hasattr(chain, "predict_proba"):
        assert_allclose(chain.predict_proba(X)[:, shuffled], moved.predict_proba(X), atol=1e-10)


@pytest.mark.parametrize("base", ["least-squares", "logistic"])
@pytest.mark.parametrize("order", [[0, 1], [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 3], [1, 2, 3, 4, 5], "best"])
def test_an_order_that_is_none_is_refused(base, order):
    with pytest.raises(ValueError, match="order"):
        ClassifierChain(BASES[base], order=order).fit(*problem())


@pytest.mark.parametrize("order", [np.array([2, 0, 1]), (2, 0, 1), [2, 0, 1]])
def test_an_order_may_be_any_sequence(order):
    X, Y = problem(3)
    assert ClassifierChain(order=order).fit(X, Y).graph_.order == (2, 0, 1)


def test_a_trellis_takes_its_shape_from_its_parameters():
    X, Y = problem(8)
    fitted = ClassifierTrellis(width=3, parents=[(-1, 0)], random_state=0).fit(X, Y)
    assert fitted.graph_.width == 3
    assert fitted.graph_.offsets == ((-1, 0),)
    assert ClassifierTrellis().fit(X, Y).graph_.width == 2
    random = [ClassifierTrellis(placement="random", random_state=seed).fit(X, Y).graph_.order for seed in range(4)]
    assert len(set(random)) == 4


@pytest.mark.parametrize("wrong", [{"width": 0}, {"parents": "zig-zag"}, {"parents": [(0, 1)]}, {"placement": "best"}])
def test_a_trellis_out_of_range_is_refused(wrong):
    with pytest.raises(ValueError, match="Got"):
        ClassifierTrellis(**wrong).fit(*problem())


@every_method
@every_base
def test_the_same_seed_gives_the_same_result(method, base):
    X, Y = problem()
    first, second = method(base).fit(X, Y), method(base).fit(X, Y)
    assert first.graph_ == second.graph_
    assert_array_equal(first.predict(X), second.predict(X))
    assert_array_equal(first.fit(X[:30], Y[:30]).fit(X, Y).predict(X), second.predict(X))


@every_method
@every_base
def test_clone_and_pickle(method, base):
    X, Y = problem()
    fitted = method(base).fit(X, Y)
    copied = pickle.loads(pickle.dumps(fitted))
    assert copied.graph_ == fitted.graph_
    assert_array_equal(copied.predict(X), fitted.predict(X))
    unfitted = clone(fitted)
    assert not hasattr(unfitted, "graph_")
    with pytest.raises(NotFittedError):
        unfitted.predict(X)
    assert_array_equal(unfitted.fit(X, Y).predict(X), fitted.predict(X))


@every_method
def test_parameters_of_the_base_are_reached_from_outside(method):
    nested = method(PerLabel(LogisticRegression(C=2.0), n_jobs=1))
    assert nested.get_params()["estimator__estimator__C"] == 2.0
    nested.set_params(estimator__estimator__C=0.5, estimator__n_jobs=None)
    assert nested.estimator.estimator.C == 0.5
    assert method(LeastSquares(3.0)).get_params()["estimator__alpha"] == 3.0
    X, Y = problem()
    search = GridSearchCV(method(LeastSquares()), {"estimator__alpha": [0.1, 1e5]}, cv=2).fit(X, Y)
    assert search.best_params_ == {"estimator__alpha": 0.1}


@every_method
@every_base
def test_predictions_do_not_depend_on_which_rows_are_predicted_together(method, base, monkeypatch):
    X, Y = problem()
    fitted = method(base).fit(X, Y)
    together = fitted.predict(X)
    rows = range(0, len(X), 6)
    assert_array_equal(np.vstack([fitted.predict(X[[row]]) for row in rows]), together[rows])
    backwards = fitted.predict(X[::-1])
    assert_array_equal(backwards[::-1], together)
    if hasattr(fitted, "predict_proba"):
        P = fitted.predict_proba(X)
        assert_allclose(np.vstack([fitted.predict_proba(X[[row]]) for row in rows]), P[rows], atol=1e-12)
    monkeypatch.setattr(methods_base, "BLOCK_CELLS", 7 * fitted.graph_.n_labels)  # seven rows a block
    assert_array_equal(fitted.predict(X), together)
    if hasattr(fitted, "predict_proba"):
        assert_allclose(fitted.predict_proba(X), P, atol=1e-12)


@every_method
def test_blocks_of_sparse_and_valued_labels(method, monkeypatch):
    X, Y = mixed_problem()
    fitted = method().fit(X, sparse.csr_array(Y))
    whole, P = fitted.predict(X).toarray(), fitted.predict_proba(X)
    monkeypatch.setattr(methods_base, "BLOCK_CELLS", 1)  # one row a block
    assert_array_equal(fitted.predict(X).toarray(), whole)
    for one, other in zip(fitted.predict_proba(X), P, strict=True):
        assert_allclose(one, other, atol=1e-12)


@every_method
@every_base
def test_pandas_frames(method, base):
    X, Y = problem()
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    labels = pd.DataFrame(Y, columns=list("vwxyz"))
    fitted = method(base).fit(frame, labels)
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert_array_equal(fitted.predict(frame), method(base).fit(X, Y).predict(X))
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(frame[["b", "a", "c", "d"]])


@every_method
@every_base
def test_probabilities_are_there_where_the_base_has_them(method, base):
    X, Y = problem()
    unfitted = method(base)
    fitted = clone(unfitted).fit(X, Y)
    has = base is not BASES["svm"]
    assert hasattr(unfitted, "predict_proba") is has
    assert hasattr(fitted, "predict_proba") is has
    if has:
        P = fitted.predict_proba(X)
        assert P.shape == Y.shape
        assert ((P >= 0) & (P <= 1)).all()
        assert_array_equal(P > 0.5, fitted.predict(X) == 1)


@every_method
def test_lists_and_a_vector_of_predictions(method):
    X, Y = problem(3)
    assert_array_equal(method().fit(X.tolist(), Y.tolist()).predict(X.tolist()), method().fit(X, Y).predict(X))


@every_method
@pytest.mark.parametrize("values", [None, np.array(["no", "yes", "so", "la"])], ids=["codes", "strings"])
@pytest.mark.parametrize("data", [problem, mixed_problem], ids=["binary", "valued"])
def test_score_is_the_share_of_instances_that_are_all_right(method, values, data):
    X, Y = data()
    Y = Y if values is None else values[Y]
    fitted = method().fit(X, Y)
    right = (fitted.predict(X) == Y).all(axis=1)
    assert 0 < right.mean() < 1
    assert fitted.score(X, Y) == pytest.approx(right.mean())
    assert type(fitted.score(X, Y)) is float
    assert fitted.score(X, fitted.predict(X)) == 1.0
    assert fitted.score(X, pd.DataFrame(Y)) == pytest.approx(right.mean())
    weights = np.random.default_rng(0).random(len(X))
    assert fitted.score(X, Y, sample_weight=weights) == pytest.approx(weights[right].sum() / weights.sum())
    assert fitted.score(X, Y, right.astype(float)) == 1.0
    if values is None:
        assert fitted.score(X, sparse.csr_array(Y)) == pytest.approx(right.mean())
        of_sparse = method().fit(X, sparse.csr_array(Y))
        assert of_sparse.score(X, sparse.csr_array(Y)) == pytest.approx(right.mean())
        assert of_sparse.score(X, Y) == pytest.approx(right.mean())


@every_method
def test_score_of_one_label(method):
    X, Y = problem(1)
    vector, column = method().fit(X, Y.ravel()), method().fit(X, Y)
    right = (column.predict(X) == Y).mean()
    assert 0 < right < 1
    assert vector.score(X, Y.ravel()) == pytest.approx(right)
    assert column.score(X, Y) == pytest.approx(right)


@every_method
@pytest.mark.parametrize("fitted_on", ["vector", "column"])
def test_score_of_one_label_written_the_other_way_is_right_or_refused(method, fitted_on):
    X, Y = problem(1)
    right = (method().fit(X, Y).predict(X) == Y).mean()
    mine, other = (Y.ravel(), Y) if fitted_on == "vector" else (Y, Y.ravel())
    try:
        found = method().fit(X, mine).score(X, other)
    except ValueError:
        return
    assert found == pytest.approx(right)


@every_method
@pytest.mark.parametrize(
    "part",
    [np.s_[:, :1], np.s_[:1], np.s_[:, :2], np.s_[:-1]],
    ids=["one label", "one instance", "fewer labels", "fewer instances"],
)
def test_score_by_a_part_of_the_labels_is_refused(method, part):
    X, Y = problem(3)
    with pytest.raises(ValueError):  # and not spread over all labels or instances
        method().fit(X, Y).score(X, Y[part])


@every_method
def test_the_base_may_be_a_pipeline_or_a_search(method):
    X, Y = problem(3)
    scaled = make_pipeline(StandardScaler(), LogisticRegression())
    searched = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=2)
    for base in (scaled, searched):
        fitted = method(base).fit(X, Y)
        assert share_right(Y, fitted.predict(X)) > 0.75
        assert fitted.predict_proba(X).shape == Y.shape


@every_method
@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (Ridge(), r"estimator=Ridge\(\)"),
        ("logistic", "estimator='logistic'"),
        (3, "estimator=3"),
        (LogisticRegression, "LogisticRegression"),  # the class, not an instance
        (StandardScaler(), r"estimator=StandardScaler\(\)"),
        (make_pipeline(StandardScaler(), Ridge()), "Ridge"),
    ],
    ids=["regressor", "string", "number", "class", "transformer", "pipeline"],
)
def test_a_base_that_is_no_classifier_is_named(method, wrong, name):
    X, Y = problem(3)
    with pytest.raises(TypeError, match=name):
        method(wrong).fit(X, Y)
    with pytest.raises(TypeError, match=f"(?s){name}.*expected a learner of trellislib or a classifier"):
        as_learner(wrong)
    assert not hasattr(method(wrong), "predict_proba")


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


@every_method
def test_a_classifier_that_sets_its_own_threshold_keeps_it(method):
    X, Y = problem()
    strict = method(FixedThresholdClassifier(LogisticRegression(), threshold=0.9)).fit(X, Y)
    predicted, P = strict.predict(X), strict.predict_proba(X)
    assert (predicted == (P >= 0.9)).all()
    assert ((P > 0.5) & (predicted == 0)).any()


@every_method
def test_asked_before_it_is_fitted(method):
    X, Y = problem()
    for call in (lambda m: m.predict(X), lambda m: m.predict_proba(X), lambda m: m.score(X, Y)):
        for base in (None, LogisticRegression()):
            with pytest.raises(NotFittedError):
                call(method(base))


@every_method
def test_progress_ends_at_the_number_of_labels(method):
    told = []
    method(LogisticRegression()).fit(*problem(), progress=lambda done, total, what: told.append((done, total)))
    assert told == [(label, 5) for label in range(1, 6)]
