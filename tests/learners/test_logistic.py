import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from trellislib.graphs import trellis
from trellislib.labels.graph import LabelGraph, UndirectedLabelGraph
from trellislib.learners import Logistic, PerLabelConditionals, logistic
from trellislib.learners.ridge import leave_one_out_errors
from trellislib.learners.training_set import TrainingSet
from trellislib.running.progress import CancelledError

GRAPHS = {
    "independent": LabelGraph.independent(5),
    "chain": LabelGraph.chain([3, 0, 4, 1, 2]),
    "trellis": trellis(np.ones((5, 5)), 2, "left-up-diagonals", random_state=0),
    "undirected": trellis(np.ones((5, 5)), 2, random_state=0).undirected(),
    "undirected-complete": UndirectedLabelGraph.complete(5),
    "pair": LabelGraph([(), (), (), (0,), ()]),
}
every_graph = pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
both_forms = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])


def data(n_instances=80, n_features=4, n_labels=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_instances, n_features))
    noise = rng.standard_normal((n_instances, n_labels))
    return X, (X @ rng.standard_normal((n_features, n_labels)) + noise > 0.3).astype(int)


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)


def fit(X, Y, graph, weight=None, **parameters):
    return Logistic(**parameters).prepare(TrainingSet.of(X, Y, weight)).fit(graph)


def coefficients(fitted, label, inputs):
    """Return the coefficients of a label as scikit-learn has them, and the intercept."""
    on_inputs = dense(fitted.on_inputs)[label]
    assert not np.delete(on_inputs, list(inputs)).any()
    weights = 2 * np.concatenate([fitted.on_features[:, label], on_inputs[list(inputs)]])
    return weights, 2 * fitted.intercept[label] - 1


def exact(X, y, C, weight):
    # Newton's steps with exact Hessians, as L-BFGS stops early on features of unlike sizes.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at rounding level its line search gives up
        return LogisticRegression(C=C, solver="newton-cholesky", tol=1e-8, max_iter=10_000).fit(X, y, weight)


def assert_is_sklearn(X, Y, graph, C=1.0, weight=None, atol=1e-3, rtol=1e-3, **parameters):
    fitted = fit(X, Y, graph, weight, C=C, **parameters)
    X, Y = dense(X), dense(Y)
    P = fitted.given(X).probabilities(range(Y.shape[1]), Y.T)
    for label, inputs in enumerate(graph.inputs):
        joined = np.hstack([X, Y[:, list(inputs)]])
        expected = exact(joined, Y[:, label], C, weight)
        weights, intercept = coefficients(fitted, label, inputs)
        assert_allclose(weights, expected.coef_[0], atol=atol, rtol=rtol)
        assert_allclose(intercept, expected.intercept_[0], atol=atol * (1 + np.abs(X).max()), rtol=rtol)
        assert_allclose(P[label], expected.predict_proba(joined)[:, 1], atol=2e-3)


@every_graph
@both_forms
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weights"])
def test_every_label_is_a_logistic_regression(graph, form, weighted):
    X, Y = data()
    weight = np.random.default_rng(1).random(len(X)) * 2 if weighted else None
    if weighted:
        weight[:5] = 0
    assert_is_sklearn(form(np.where(np.abs(X) < 0.3, 0, X)), form(Y), graph, weight=weight)


@every_graph
@pytest.mark.parametrize("C", [1e-4, 1e-2, 100.0, 1e4])
def test_any_penalty(graph, C):
    assert_is_sklearn(*data(), graph, C)


@both_forms
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weights"])
def test_penalties_follow_from_leave_one_out_errors_of_least_squares(form, weighted, monkeypatch):
    monkeypatch.setattr(logistic, "MOST_APART", np.inf)
    X, Y = data(200)
    weight = np.random.default_rng(2).random(len(X)) + 0.1 if weighted else None
    fitted = fit(form(X), form(Y), LabelGraph.chain([0, 1, 2, 3, 4]), weight, C="loo")
    alphas, errors, _ = leave_one_out_errors(TrainingSet.of(form(X), form(Y), weight), "loo")
    share = np.average(Y, axis=0, weights=weight)
    C = 1 / (alphas[errors.argmin(axis=0)] * share * (1 - share))
    assert len(set(C.round(6))) > 1
    for label in range(5):
        joined = np.hstack([X, Y[:, :label]])
        weights, _ = coefficients(fitted, label, range(label))
        assert_allclose(weights, exact(joined, Y[:, label], C[label], weight).coef_[0], atol=2e-3, rtol=2e-3)


def test_penalties_are_within_three_times_of_a_typical_one_and_follow_the_scale_of_features():
    X, Y = data(200)
    Y[:, 4] = 0
    Y[:2, 4] = 1  # rare, so that its error says little
    graph = LabelGraph.independent(5)
    of_one, of_other = (Logistic("loo").prepare(TrainingSet.of(scale * X, Y)) for scale in (1.0, 100.0))
    C = of_one._inverse_penalties
    assert C.max() / C.min() <= 9 + 1e-9
    assert_allclose(of_other._inverse_penalties, C / 1e4)
    P, scaled = (
        training.fit(graph).given(s * X).probabilities(range(5), Y.T) for training, s in ((of_one, 1), (of_other, 100))
    )
    assert_allclose(scaled, P, atol=2e-3)


@pytest.mark.parametrize("C", ["tuned", 0, -1.0, np.inf, None])
def test_a_penalty_that_is_none_is_refused(C):
    with pytest.raises(ValueError, match=r"Got C=.*expected a number above 0 or 'loo'"):
        fit(*data(), LabelGraph.independent(5), C=C)


def test_penalties_by_leave_one_out_need_labels_of_two_values():
    X, Y = data()
    with pytest.raises(ValueError, match=r"C='loo'.*more than two values"):
        fit(X, Y + (Y * X[:, :1] > 0.5), LabelGraph.independent(5), C="loo")


@every_graph
@both_forms
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e4])
def test_separable_labels(graph, form, C):
    X, _ = data(40)
    Y = (X @ np.random.default_rng(1).standard_normal((4, 5)) > 0).astype(int)
    assert_is_sklearn(form(X), Y, graph, C)


@every_graph
@both_forms
@pytest.mark.parametrize(("n_instances", "n_features"), [(30, 60), (12, 30), (6, 2)])
def test_few_instances(graph, form, n_instances, n_features):
    X, Y = data(n_instances, n_features)
    Y[0], Y[1] = 0, 1
    assert_is_sklearn(form(X), Y, graph)


@both_forms
def test_one_label_and_one_feature(form):
    assert_is_sklearn(*map(form, data(n_features=1, n_labels=1)), LabelGraph.independent(1))


@every_graph
def test_features_far_from_zero_and_of_unlike_sizes(graph):
    X, Y = data(300)
    assert_is_sklearn(X + np.array([2000.0, -300, 0, 50]), Y, graph)
    scale = np.array([1e-3, 1.0, 1e3, 1e5])
    fitted = fit(X * scale, Y, graph)
    for label, inputs in enumerate(graph.inputs):
        joined = np.hstack([X * scale, Y[:, list(inputs)]])
        weights, intercept = coefficients(fitted, label, inputs)
        # scikit-learn's solvers do not get there: the gradient tells.
        assert_stationary(joined, Y[:, label], weights, intercept)


def assert_stationary(X, y, weights, intercept, C=1.0, tol=1e-3):
    p = expit(X @ weights + intercept)
    gradient = X.T @ (p - y) + weights / C
    centre = X.T @ (p * (1 - p)) / max((p * (1 - p)).sum(), 1e-300)
    spread = (X - centre).T @ ((p * (1 - p))[:, None] * (X - centre)) + np.eye(len(weights)) / C
    reduced = gradient - centre * (p - y).sum()
    assert reduced @ np.linalg.solve(spread, reduced) * max(C, 1) < (3 * tol) ** 2


def test_a_step_that_misses_a_flat_direction_does_not_end_the_search():
    rng = np.random.default_rng(8739)  # separable, and wide
    X = rng.standard_normal((27, 7)) * 10.0 ** rng.integers(-2, 3)
    Y = rng.integers(0, 2, (27, 3))
    fitted = fit(X, Y, LabelGraph.independent(3), C=10)
    for label in range(3):
        assert_stationary(X, Y[:, label], *coefficients(fitted, label, ()), 10)


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_the_gradient_vanishes(drawn):
    n_labels = drawn.draw(st.integers(1, 4))
    order = drawn.draw(st.permutations(range(n_labels)))
    parents = [()] * n_labels
    for place, label in enumerate(order[1:], 1):
        parents[label] = tuple(drawn.draw(st.sets(st.sampled_from(order[:place]))))
    rng = np.random.default_rng(drawn.draw(st.integers(0, 2**32 - 1)))
    n_instances, C = drawn.draw(st.integers(2, 30)), 10.0 ** drawn.draw(st.integers(-3, 3))
    X = rng.standard_normal((n_instances, drawn.draw(st.integers(1, 8)))) * 10.0 ** rng.integers(-2, 3)
    Y = rng.integers(0, 2, (n_instances, n_labels))
    form = drawn.draw(st.sampled_from([np.asarray, sparse.csr_array]))
    fitted = fit(form(X), Y, LabelGraph(parents), C=C)
    for label, inputs in enumerate(parents):
        if Y[:, label].min() < Y[:, label].max():
            weights, intercept = coefficients(fitted, label, inputs)
            assert_stationary(np.hstack([X, Y[:, list(inputs)]]), Y[:, label], weights, intercept, C)


@every_graph
def test_sparse_and_dense_agree(graph):
    X, Y = data(200)
    X = np.where(np.abs(X) < 0.7, 0, X)
    fits = [
        fit(of_x(X), of_y(Y), graph)
        for of_x in (np.asarray, sparse.csr_array)
        for of_y in (np.asarray, sparse.csr_array)
    ]
    for other in fits[1:]:
        assert_allclose(other.on_features, fits[0].on_features, atol=1e-3)
        assert_allclose(dense(other.on_inputs), dense(fits[0].on_inputs), atol=1e-3)
        assert_allclose(other.intercept, fits[0].intercept, atol=1e-3)


@pytest.mark.parametrize("kind", [np.uint8, np.int64, bool, np.float32])
@both_forms
def test_the_type_of_features_does_not_matter(kind, form):
    X = (np.random.default_rng(0).integers(0, 12, (200, 3)) % 3).astype(kind)
    _, Y = data(200)
    assert_is_sklearn(form(X), Y, GRAPHS["trellis"])


@every_graph
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weights"])
def test_constant_labels_are_certain(graph, weighted):
    X, Y = data()
    X[:, 1] = 3.0
    Y[:, 0], Y[:, 2] = 1, 0
    weight = None
    if weighted:
        Y[0, 0] = 0  # an instance of no weight
        weight = np.arange(len(X)).astype(float)
    fitted = fit(X, Y, graph, weight)
    P = fitted.given(X).probabilities(range(5), Y.T)
    assert (P[0] == 1).all()
    assert (P[2] == 0).all()
    assert ((P[[1, 3, 4]] > 0) & (P[[1, 3, 4]] < 1)).all()
    assert not fitted.on_features[:, [0, 2]].any()


@every_graph
def test_small_blocks_change_nothing(graph, monkeypatch):
    X, Y = data()
    expected = fit(X, Y, graph)
    for name, most in (("BLOCK_CELLS", 2 * len(X)), ("BLOCK_ENTRIES", 3)):
        monkeypatch.setattr(logistic, name, most)
        fitted = fit(X, Y, graph)
        assert_allclose(fitted.on_features, expected.on_features, atol=1e-3)
        assert_allclose(dense(fitted.on_inputs), dense(expected.on_inputs), atol=1e-3)


def test_graphs_share_what_they_have_in_common(monkeypatch):
    training = Logistic().prepare(TrainingSet.of(*data()))
    blocks = []
    fit_block = logistic.LogisticTraining._fit_block
    monkeypatch.setattr(
        logistic.LogisticTraining,
        "_fit_block",
        lambda self, keys, cancelled: (blocks.extend(keys), fit_block(self, keys, cancelled))[1],
    )
    one = training.fit(LabelGraph([(), (0,), (0, 1), (), ()]))
    assert len(blocks) == 5
    blocks.clear()
    other = training.fit(LabelGraph([(), (0,), (1, 0), (0,), ()]))
    assert blocks == [(3, (0,))]
    assert_array_equal(one.on_features[:, [0, 1, 2, 4]], other.on_features[:, [0, 1, 2, 4]])


def test_labels_of_more_values_are_fitted_one_by_one():
    X, Y = data()
    Y[:, 1] += Y[:, 0]
    fitted = fit(X, Y, GRAPHS["chain"], C=0.3)
    assert isinstance(fitted, PerLabelConditionals)
    assert fitted.estimators[0].C == 0.3


def test_too_few_steps_are_warned_of():
    with pytest.warns(ConvergenceWarning, match=r"5 .*5 labels .*more than max_iter=1"):
        fit(*data(), GRAPHS["chain"], max_iter=1)


@pytest.mark.parametrize(
    "wrong", [{"C": 0}, {"C": -1.0}, {"C": np.inf}, {"C": np.nan}, {"tol": 0}, {"max_iter": 0}], ids=str
)
def test_parameters_out_of_range_are_named(wrong):
    ((name, value),) = wrong.items()
    with pytest.raises(ValueError, match=f"Got {name}={value}"):
        fit(*data(), GRAPHS["chain"], **wrong)


def test_progress_counts_labels_and_work_stops(monkeypatch):
    monkeypatch.setattr(logistic, "BLOCK_CELLS", 160)
    training, reported = Logistic().prepare(TrainingSet.of(*data())), []
    for _ in range(2):
        training.fit(GRAPHS["trellis"], progress=lambda *now: reported.append(now))
    assert reported == [(2, 5, "labels"), (4, 5, "labels"), (5, 5, "labels"), (5, 5, "labels")]

    asked = []
    Logistic().prepare(TrainingSet.of(*data())).fit(GRAPHS["trellis"], cancelled=lambda: bool(asked.append(None)))
    for stop_at in (1, len(asked) // 2, len(asked)):
        times = []
        with pytest.raises(CancelledError):
            Logistic().prepare(TrainingSet.of(*data())).fit(
                GRAPHS["trellis"],
                cancelled=lambda times=times, stop_at=stop_at: times.append(0) or len(times) >= stop_at,
            )
        assert len(times) == stop_at
