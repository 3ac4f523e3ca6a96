"""Least squares without a row, checked against fits without it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import linalg, sparse
from scipy.special import expit
from sklearn.linear_model import Ridge

from trellislib.graphs import trellis
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph, UndirectedLabelGraph
from trellislib.learners import LeastSquares
from trellislib.learners.calibration import slopes_of
from trellislib.learners.ridge import leave_one_out_errors
from trellislib.learners.training_set import TrainingSet, evenly_spread

LATTICE = trellis(np.ones((5, 5)), 2, "left-up-diagonals", random_state=0)
GRAPHS = {
    "independent": LabelGraph.independent(5),
    "chain": LabelGraph.chain([3, 0, 4, 1, 2]),
    "trellis": LATTICE,
    "dag": LabelGraph([(2, 4), (0, 2, 3, 4), (), (2,), ()]),
    "undirected-complete": UndirectedLabelGraph.complete(5),
    "undirected-lattice": LATTICE.undirected(),
}
every_graph = pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)


def data(n_instances=20, n_features=4, valued=False, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_instances, n_features))
    Y = (X[:, :4] @ rng.standard_normal((4, 5)) + rng.standard_normal((n_instances, 5)) > 0.3).astype(int)
    if valued:
        Y[:, 1] += Y[:, 0]
        Y[:, 2] += Y[:, 1]
    X[np.abs(X) < 0.3] = 0
    return X, Y


def dense(matrix):
    return matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix)


def ridge_scores(X, Z, alpha, weight):
    """Fitted values of ridge regression by least squares on rows that stand for the penalty; its intercept is free."""
    root = np.sqrt(weight)[:, None]
    with_penalty = np.vstack([root * np.hstack([np.ones((len(X), 1)), X]), np.eye(X.shape[1] + 1)[1:] * alpha**0.5])
    found = np.linalg.lstsq(with_penalty, np.vstack([root * Z, np.zeros((X.shape[1], Z.shape[1]))]), rcond=None)[0]
    return found[0] + X @ found[1:]


def test_the_oracle_is_ridge_regression():
    X, Y = data()
    weight = np.random.default_rng(0).random(len(X))
    ridge = Ridge(0.3).fit(X, Y, sample_weight=weight)
    assert_allclose(ridge_scores(X, Y, 0.3, weight), ridge.predict(X), atol=1e-12)


def refitted_scores(X, Y, graph, alphas, weight=None):
    """Scores of every row for true inputs, by ridge regressions of penalty ``alphas[label]`` without the row."""
    coding = LabelCoding.of(Y)
    Z, X = coding.encode(Y), dense(X)
    scores = np.empty_like(Z.T)
    for label, others in enumerate(graph.inputs):
        joined = np.hstack([X, Z[:, coding.columns(others)]])
        for row in range(len(X)):
            others = np.ones(len(X)) if weight is None else weight.copy()
            others[row] = max(others[row] - 1, 0)  # of a row of some copies, one is left out
            of_label = coding.columns([label])
            scores[of_label, row] = ridge_scores(joined, Z[:, of_label], alphas[label], others)[row]
    return scores


def held_out_scores(learner, training_set, graph, Z=None):
    """Scores of every row for its true inputs, or those of Z, by `held_out`."""
    Z = dense(training_set.columns).T if Z is None else Z
    scores = np.full_like(Z, np.nan)
    for rows, given in learner.prepare(training_set).held_out(graph):
        scores[:, rows] = given.scores(range(training_set.n_labels), Z[:, rows])
    return scores


@every_graph
@pytest.mark.parametrize("n_features", [4, 40], ids=["few-features", "many-features"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("valued", [False, True], ids=["binary", "valued"])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_scores_without_a_row_are_those_of_a_fit_without_it(graph, n_features, form, valued, weighted):
    X, Y = data(n_features=n_features, valued=valued)
    weight = 3 * np.random.default_rng(1).random(len(X)) + 0.1 if weighted else None
    found = held_out_scores(LeastSquares(0.7), TrainingSet.of(form(X), Y, weight), graph)
    assert_allclose(found, refitted_scores(X, Y, graph, [0.7] * 5, weight), atol=1e-8)


@every_graph
@pytest.mark.parametrize("n_features", [4, 40], ids=["few-features", "many-features"])
@pytest.mark.parametrize("valued", [False, True], ids=["binary", "valued"])
def test_penalties_of_their_own(graph, n_features, valued):
    X, Y = data(n_features=n_features, valued=valued)
    training_set = TrainingSet.of(X, Y)
    training = LeastSquares("loo").prepare(training_set)
    alphas = penalties(training_set)
    assert len(set(alphas)) > 1
    fitted, coding = training.fit(graph), training_set.coding
    Z = training_set.columns
    scores, without = fitted.given(X).scores(range(5), Z.T), held_out_scores(LeastSquares("loo"), training_set, graph)
    expected = refitted_scores(X, Y, graph, alphas)
    for label, others in enumerate(graph.inputs):
        columns, joined = coding.columns([label]), np.hstack([X, Z[:, coding.columns(others)]])
        plain = ridge_scores(joined, Z[:, columns], alphas[label], np.ones(len(X))).T
        if len(columns) == 1:  # on the scale of log-odds, which is the same for the scores without the row
            factor, shift = np.polyfit(plain[0], scores[columns[0]], 1)
            assert factor > -1e-12
            plain, expected[columns] = factor * plain + shift, factor * expected[columns] + shift
        assert_allclose(scores[columns], plain, atol=1e-8)
        assert_allclose(without[columns], expected[columns], atol=1e-8)


def penalties(training_set):
    """The penalty of each label with the least squared leave-one-out error."""
    alphas, errors, _ = leave_one_out_errors(training_set, "loo")
    return alphas[errors.argmin(axis=0)]


@pytest.mark.parametrize("n_features", [3, 40], ids=["few-features", "many-features"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_errors_of_each_penalty_are_those_of_refits(n_features, form, weighted):
    X, Y = data(n_features=4, valued=True)
    X = X[:, :3] if n_features == 3 else data(n_features=40)[0]
    weight = np.random.default_rng(1).integers(1, 4, len(X)).astype(float) if weighted else None
    training_set = TrainingSet.of(form(X), sparse.csr_array(Y), weight)
    alphas, errors, _ = leave_one_out_errors(training_set, "loo")
    Z = dense(training_set.columns)
    for place in (0, 8, 16):
        scores = refitted_scores(X, Y, GRAPHS["independent"], [alphas[place]] * 5, weight)
        squares = (Z.T - scores) ** 2 @ (np.ones(len(X)) if weight is None else weight)
        assert_allclose(errors[place], np.add.reduceat(squares, training_set.coding.starts[:-1]), rtol=1e-8)


def test_penalties_of_very_many_labels_are_chosen_on_some_rows(monkeypatch):
    training_set, again = (TrainingSet.of(*data(n_instances=1500)) for _ in range(2))
    _, errors, leverages = leave_one_out_errors(training_set, 0.7)
    monkeypatch.setattr("trellislib.learners.calibration.CELLS", 0)
    _, fewer, same = leave_one_out_errors(again, 0.7)
    assert_allclose(same, leverages)
    ((_, given),) = LeastSquares(0.7).prepare(training_set).held_out(GRAPHS["independent"])
    Z = training_set.columns.T
    squares = (given.scores(range(5), Z) - Z) ** 2
    assert_allclose(errors[0], squares.sum(axis=1))
    assert_allclose(fewer[0], squares[:, evenly_spread(1500, 1000)].sum(axis=1))


@pytest.mark.parametrize("factor", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("n_features", [4, 40], ids=["few-features", "many-features"])
def test_the_grid_suits_features_of_any_scale(factor, n_features):
    X, Y = data(n_instances=50, n_features=n_features)
    one, other = (LeastSquares("loo").prepare(TrainingSet.of(scaled, Y)) for scaled in (X, factor * X))
    P, Q = (
        training.fit(GRAPHS["independent"]).given(scaled).probabilities(range(5), Y.T)
        for training, scaled in ((one, X), (other, factor * X))
    )
    assert_allclose(Q, P, atol=1e-8)
    assert_allclose(penalties(other.training_set), factor**2 * penalties(one.training_set), rtol=1e-8)


@pytest.mark.parametrize("n_features", [4, 90], ids=["few-features", "many-features"])
def test_a_second_graph_decomposes_nothing(n_features, monkeypatch):
    decomposed = []
    eigh = linalg.eigh
    monkeypatch.setattr(linalg, "eigh", lambda *given, **options: decomposed.append(1) or eigh(*given, **options))
    X, Y = data(n_instances=50, n_features=n_features)
    training_set = TrainingSet.of(X, Y)
    for graph in GRAPHS.values():
        LeastSquares("loo").prepare(training_set).fit(graph)
        for _ in LeastSquares("loo").prepare(training_set).held_out(graph):
            pass
    assert len(decomposed) == 1


@every_graph
@pytest.mark.parametrize("alpha", [0.7, "loo"])
def test_other_values_of_the_inputs_count_as_with_all_rows(graph, alpha):
    X, Y = data(n_instances=40)
    training_set = TrainingSet.of(X, Y)
    Z = np.random.default_rng(1).integers(2, size=(5, 40)).astype(float)
    fitted = LeastSquares(alpha).prepare(training_set).fit(graph)
    true = held_out_scores(LeastSquares(alpha), training_set, graph)
    other = held_out_scores(LeastSquares(alpha), training_set, graph, Z)
    assert_allclose(other - true, dense(fitted.on_inputs @ (Z - Y.T)), atol=1e-9)


@every_graph
@pytest.mark.parametrize("alpha", [0.7, "loo"])
def test_rows_may_come_in_several_parts(graph, alpha, monkeypatch):
    training_set = TrainingSet.of(*data(n_instances=40))
    whole = held_out_scores(LeastSquares(alpha), training_set, graph)
    monkeypatch.setattr("trellislib.learners.least_squares.HELD_OUT_CELLS", 5 * 7)
    parts = list(LeastSquares(alpha).prepare(training_set).held_out(graph))
    assert [len(rows) for rows, _ in parts] == [7] * 5 + [5]
    assert_allclose(held_out_scores(LeastSquares(alpha), training_set, graph), whole, atol=1e-12)


@pytest.mark.parametrize("alpha", [0.7, "loo"])
def test_constant_labels_stay_certain(alpha):
    X, Y = data(n_instances=40)
    Y[:, 0], Y[:, 3] = 0, 1
    training_set = TrainingSet(X, Y, LabelCoding([np.array([0, 1])] * 5))
    given = LeastSquares(alpha).prepare(training_set).fit(LATTICE).given(X)
    assert_allclose(given.probabilities([0, 3], Y.T.astype(float)), [[0.0] * 40, [1.0] * 40], atol=1e-12)
    assert_array_equal(given.decide([0, 3], Y.T.astype(float)), Y[:, [0, 3]].T)


def test_one_instance_and_features_that_say_nothing():
    for X, Y in (([[1.0, 2.0]], [[0, 1]]), (np.zeros((6, 2)), [[0, 1]] * 3 + [[1, 1]] * 3)):
        training_set = TrainingSet(np.array(X), np.array(Y), LabelCoding([np.array([0, 1])] * 2))
        given = LeastSquares("loo").prepare(training_set).fit(LabelGraph.chain([0, 1])).given(np.array(X))
        P = given.probabilities([0, 1], np.array(Y).T.astype(float))
        assert_allclose(P, np.array(Y).mean(axis=0)[:, None] * np.ones_like(P), atol=1e-9)


@pytest.mark.parametrize("alpha", [0.7, "loo"])
def test_probabilities_agree_with_decisions(alpha):
    X, Y = data(n_instances=60)
    given = LeastSquares(alpha).prepare(TrainingSet.of(X, Y)).fit(LATTICE).given(X)
    everything = range(5)
    assert_array_equal(given.decide(everything, Y.T), given.probabilities(everything, Y.T) > 0.5)


def test_a_penalty_that_is_none_is_refused():
    with pytest.raises(ValueError, match=r"alpha='auto'.*above 0 or 'loo'"):
        LeastSquares("auto").prepare(TrainingSet.of(*data()))


def log_loss(Y, P):
    P = np.clip(P, 1e-12, 1 - 1e-12)
    return -np.mean(Y * np.log(P) + (1 - Y) * np.log(1 - P))


@pytest.mark.parametrize("alpha", [1e-3, "loo"])
def test_probabilities_beat_base_rates_where_fitted_scores_do_not(alpha):
    rng = np.random.default_rng(0)
    X, W = rng.standard_normal((400, 60)), rng.standard_normal((60, 5)) / 4
    Y = (X @ W + rng.standard_normal((400, 5)) > 0).astype(int)
    seen, new = slice(100), slice(100, None)
    training_set = TrainingSet.of(X[seen], Y[seen])
    graph = LabelGraph.independent(5)
    fitted = LeastSquares(alpha).prepare(training_set).fit(graph)
    base = log_loss(Y[new], Y[seen].mean(axis=0))
    assert log_loss(Y[new].T, fitted.given(X[new]).probabilities(range(5), Y[new].T)) < base
    overfitted = LeastSquares(1e-3).prepare(training_set).fit(graph)
    scores = overfitted.given(X[seen]).scores(range(5), Y[seen].T)
    slopes = slopes_of(scores, Y[seen].T, np.ones(100), training_set.coding)
    margins = 2 * overfitted.given(X[new]).scores(range(5), Y[new].T) - 1
    assert log_loss(Y[new].T, expit(slopes[:, None] * margins)) > base


def test_many_inputs_for_the_rows_are_held_out_in_folds():
    """Weights of inputs that all rows have a say in would carry the held-out row's labels into its own score."""
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((60, 3)), rng.integers(0, 2, (60, 40))
    graph = LabelGraph.chain(range(40))
    parts = list(LeastSquares().prepare(TrainingSet.of(X, Y)).held_out(graph))
    assert len(parts) == 5
    assert sorted(np.concatenate([rows for rows, _ in parts]).tolist()) == list(range(60))


GROUPS = np.array([5, 5, 9, 2, 2, 2, 7, 7, 9, 5, 1, 3, 3, 3, 3, 8, 1, 2, 4, 4])


@pytest.mark.parametrize("n_features", [3, 40], ids=["few-features", "many-features"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_errors_of_each_penalty_are_those_of_refits_without_the_group(n_features, form, weighted):
    X, Y = data(n_features=max(n_features, 4), valued=True)
    X = X[:, :n_features]
    weight = np.random.default_rng(1).random(len(X)) + 0.5 if weighted else np.ones(len(X))
    training_set = TrainingSet.of(form(X), Y, weight if weighted else None, GROUPS)
    alphas, errors, _ = leave_one_out_errors(training_set, "loo")
    Z = training_set.columns
    for place in (0, 8, 16):
        squares = np.zeros(Z.shape[1])
        for group in np.unique(GROUPS):
            out = group == GROUPS
            left = Z - ridge_scores(X, Z, alphas[place], np.where(out, 0, weight))
            squares += weight[out] @ left[out] ** 2
        assert_allclose(errors[place], np.add.reduceat(squares, training_set.coding.starts[:-1]), rtol=1e-6)


@every_graph
@pytest.mark.parametrize("learner", [LeastSquares(0.7), LeastSquares("loo")], ids=["fixed", "tuned"])
def test_scores_without_a_group_are_those_of_a_fit_without_it(graph, learner):
    X, Y = data()
    training_set = TrainingSet.of(X, Y, groups=GROUPS)
    found = held_out_scores(learner, training_set, graph)
    fitted = learner.prepare(training_set)
    for rest, held, which in training_set.folds(5):
        assert not np.isin(GROUPS[which], rest.groups).any()
        training = LeastSquares(learner.alpha).prepare(rest)
        weights, on_inputs, intercept = training._weights(training._parts(graph, None))
        expected = (held.X @ weights + intercept).T + dense(on_inputs @ np.asarray(held.columns.T))
        if learner.alpha == "loo":  # brought to the scale that is fitted to all these
            expected = fitted._fit(graph, None)[1](expected)
        assert_allclose(found[:, which], expected, atol=1e-8)


def test_a_single_group_is_as_none():
    X, Y = data()
    one, none = (TrainingSet.of(X, Y, groups=groups) for groups in (np.zeros(len(X), dtype=int), None))
    assert_array_equal(
        held_out_scores(LeastSquares("loo"), one, LATTICE), held_out_scores(LeastSquares("loo"), none, LATTICE)
    )
