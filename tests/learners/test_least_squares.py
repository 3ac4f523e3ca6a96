from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax
from sklearn.linear_model import Ridge

from trellislib.graphs import trellis
from trellislib.inference import Greedy
from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.labels.graph import LabelGraph, UndirectedLabelGraph
from trellislib.learners import LeastSquares, linear
from trellislib.learners.training_set import TrainingSet
from trellislib.running.progress import CancelledError

GRAPHS = {
    "independent": LabelGraph.independent(5),
    "chain": LabelGraph.chain([3, 0, 4, 1, 2]),
    "trellis": trellis(np.ones((5, 5)), 2, "left-up-diagonals", random_state=0),
    "pair": LabelGraph([(), (), (), (0,), ()]),
    "dag": LabelGraph([(2, 4), (0, 2, 3, 4), (), (2,), ()]),
}
UNDIRECTED = {
    "undirected-complete": UndirectedLabelGraph.complete(5),
    "undirected-lattice": GRAPHS["trellis"].undirected(),
    "undirected-pair": UndirectedLabelGraph.of_edges(5, [(4, 1)]),
    "undirected-star": UndirectedLabelGraph.of_edges(5, [(2, other) for other in (0, 1, 3, 4)]),
    "undirected-none": UndirectedLabelGraph([()] * 5),
}
ALL = GRAPHS | UNDIRECTED

every_graph = pytest.mark.parametrize("graph", ALL.values(), ids=ALL)


def binary_data(n_instances=40, n_features=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_instances, n_features))
    noise = rng.standard_normal((n_instances, 5))
    return X, (X @ rng.standard_normal((n_features, 5)) + noise > 0.3).astype(int)


def valued_data():
    """Labels of 2, 3, 4, 1 and 2 values."""
    X, Y = binary_data(60)
    Y[:, 1] += Y[:, 0]
    Y[:, 2] += Y[:, 1]
    Y[:, 3] = 0
    return X, Y


def fit(X, Y, graph, alpha=1.0, weight=None):
    training_set = TrainingSet.of(X, Y, weight)
    return LeastSquares(alpha).prepare(training_set).fit(graph), training_set.coding


def decide(fitted, graph, coding, X):
    """Decide greedily; return the conditionals of X, the codes and their columns, which must agree."""
    given_X = fitted.given(X)
    inferred = Greedy().infer(given_X, graph, coding, X.shape[0])
    everything = range(coding.n_labels)
    assert_array_equal(inferred.columns, coding.indicators(inferred.codes, everything))
    assert_array_equal(given_X.decide(everything, inferred.columns), inferred.codes)  # given those on its parents
    return given_X, inferred.codes, inferred.columns


def dense(matrix):
    return matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix)


def assert_is_ridge(X, Y, graph, alpha=1.0, tolerance=1e-8, weight=None):
    """Compare weights, intercepts and scores of every column with scikit-learn's Ridge on joined columns."""
    fitted, coding = fit(X, Y, graph, alpha, weight)
    Z, X_dense = dense(coding.encode(Y)), dense(X).astype(float)
    given_X = fitted.given(X)
    scores = given_X.scores(range(coding.n_labels), Z.T)
    on_inputs = dense(fitted.on_inputs)
    for label, others in enumerate(graph.inputs):
        of_others = coding.columns(others)
        inputs = np.hstack([X_dense, Z[:, of_others]])
        for column in coding.columns([label]):
            ridge = Ridge(alpha, solver="svd").fit(inputs, Z[:, column], sample_weight=weight)
            assert_allclose(scores[column], ridge.predict(inputs), atol=tolerance)
            weights = np.concatenate([fitted.on_features[:, column], on_inputs[column, of_others]])
            assert_allclose(weights, ridge.coef_, atol=tolerance, rtol=tolerance)
            assert_allclose(fitted.intercept[column], ridge.intercept_, atol=tolerance, rtol=tolerance)
            assert not on_inputs[column, np.setdiff1d(np.arange(coding.n_columns), of_others)].any()
    asked = list(getattr(graph, "order", range(graph.n_labels)))[
        ::-1
    ]  # labels may be asked in any order, and come in that order
    assert_allclose(given_X.scores(asked, Z.T), scores[coding.columns(asked)], atol=tolerance)
    assert_array_equal(given_X.decide(asked, Z.T), coding.decide(given_X.scores(asked, Z.T), asked))
    without = np.where(np.isin(np.arange(coding.n_columns), coding.columns(graph.inputs[asked[0]])), Z, 7.0)
    assert_allclose(  # nothing but the inputs is read
        given_X.scores(asked[:1], without.T), scores[coding.columns(asked[:1])], atol=tolerance
    )


@every_graph
@pytest.mark.parametrize("sparse_Y", [False, True], ids=["dense-Y", "CSR-Y"])
@pytest.mark.parametrize("sparse_X", [False, True], ids=["dense-X", "CSR-X"])
@pytest.mark.parametrize("data", [binary_data, valued_data], ids=["binary", "valued"])
def test_every_label_is_a_ridge_regression(data, sparse_X, sparse_Y, graph):
    X, Y = data()
    X = np.where(np.abs(X) < 0.3, 0.0, X)
    assert_is_ridge(sparse.csr_array(X) if sparse_X else X, sparse.csr_array(Y) if sparse_Y else Y, graph)


@every_graph
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_more_features_than_instances(form, graph):
    X, Y = binary_data(n_instances=12, n_features=30)
    assert_is_ridge(form(X), Y, graph, alpha=0.5)
    assert_is_ridge(form(X), sparse.csr_array(Y), graph, alpha=0.5)


@pytest.mark.parametrize("alpha", [1e-3, 0.1, 10.0, 1e4])
def test_any_penalty(alpha):
    X, Y = binary_data()
    assert_is_ridge(X, Y, GRAPHS["chain"], alpha)
    assert_is_ridge(X, Y, GRAPHS["dag"], alpha)
    assert_is_ridge(X, Y, UNDIRECTED["undirected-complete"], alpha)
    assert_is_ridge(X, Y, UNDIRECTED["undirected-lattice"], alpha)


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_any_graph(data):
    n_labels = data.draw(st.integers(1, 6))
    order = data.draw(st.permutations(range(n_labels)))
    parents = [()] * n_labels
    for place, label in enumerate(order[1:], 1):
        parents[label] = tuple(data.draw(st.sets(st.sampled_from(order[:place]))))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    n_instances = data.draw(st.integers(2, 20))
    Y = rng.integers(0, data.draw(st.integers(2, 4)), (n_instances, n_labels))
    X = rng.standard_normal((n_instances, data.draw(st.integers(1, 8))))
    weight = rng.random(n_instances) if data.draw(st.booleans()) else None
    assert_is_ridge(X, Y, LabelGraph(parents), weight=weight)
    assert_is_ridge(X, Y, LabelGraph(parents).undirected(), weight=weight)
    assert_is_ridge(X, Y, UndirectedLabelGraph.complete(n_labels), weight=weight)


@every_graph
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("n_features", [4, 90], ids=["primal", "dual"])
def test_weights_of_instances_are_those_of_ridge(form, n_features, graph):
    X, Y = binary_data(60, n_features)
    Y[:, 1] += Y[:, 0]
    weight = np.random.default_rng(1).random(60) * 3
    weight[:5] = 0
    assert_is_ridge(form(X), form(Y), graph, weight=weight)


@pytest.mark.parametrize("data", [binary_data, valued_data], ids=["binary", "valued"])
@every_graph
def test_weights_are_repetitions(data, graph):
    X, Y = data()
    times = np.random.default_rng(0).integers(0, 4, len(X))
    coding = LabelCoding.of(Y)
    repeated = TrainingSet(np.repeat(X, times, axis=0), np.repeat(Y, times, axis=0), coding)
    expected = LeastSquares().prepare(repeated).fit(graph)
    fitted = LeastSquares().prepare(TrainingSet(X, Y, coding, times.astype(float))).fit(graph)
    assert_allclose(fitted.on_features, expected.on_features, atol=1e-10)
    assert_allclose(dense(fitted.on_inputs), dense(expected.on_inputs), atol=1e-10)
    assert_allclose(fitted.intercept, expected.intercept, atol=1e-10)
    assert_allclose(fitted.slopes, expected.slopes, rtol=1e-5)


@pytest.mark.parametrize("data", [binary_data, valued_data], ids=["binary", "valued"])
def test_one_training_serves_many_graphs(data):
    training_set = TrainingSet.of(*data(), np.linspace(0, 2, len(data()[0])))
    training = LeastSquares(0.3).prepare(training_set)
    for graph in [*ALL.values(), *ALL.values()]:
        fitted, fresh = training.fit(graph), LeastSquares(0.3).prepare(training_set).fit(graph)
        for name in ("on_features", "intercept", "slopes"):
            assert_array_equal(getattr(fitted, name), getattr(fresh, name))
        assert_array_equal(dense(fitted.on_inputs), dense(fresh.on_inputs))


@every_graph
@pytest.mark.parametrize("data", [binary_data, valued_data], ids=["binary", "valued"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_tiled_conditionals_are_those_of_tiled_instances(data, graph, form):
    X, Y = data()
    fitted, coding = fit(form(X), form(Y), graph)
    rng = np.random.default_rng(0)
    codes = np.array([rng.integers(0, len(values), 3 * len(X)) for values in coding.classes])
    Z = coding.indicators(codes, range(5))
    tiled, expected = fitted.given(form(X)).tiled(3), fitted.given(form(np.tile(X, (3, 1))))
    for labels in [range(5), (3, 1), (2,)]:
        assert_allclose(tiled.probabilities(labels, Z), expected.probabilities(labels, Z), atol=1e-12)
        assert_array_equal(tiled.decide(labels, Z), expected.decide(labels, Z))


@every_graph
def test_features_of_unlike_sizes(graph):
    X, Y = binary_data()
    assert_is_ridge(X * [1e-4, 1.0, 1e3, 1e5], Y, graph)


def test_features_far_from_zero():
    # Years, identifiers, time stamps: the spread is what matters, and scikit-learn centres before it multiplies.
    X, Y = binary_data(n_instances=200)
    X = np.round(X * 1024) / 1024  # so that nothing is lost in adding
    near, _ = fit(X, Y, GRAPHS["dag"])
    far, _ = fit(X + 2.0**30, Y, GRAPHS["dag"])
    assert_allclose(far.on_features, near.on_features, atol=1e-8)


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int64, bool, np.float32])
def test_the_type_of_sparse_features_does_not_matter(kind):
    X = np.random.default_rng(0).integers(0, 12, (300, 3)) % (2 if kind is bool else 12)
    Y = (X[:, [0, 1]] > X.mean()).astype(int)
    graph = LabelGraph.chain([0, 1])
    expected, _ = fit(X.astype(float), Y, graph)
    for form in (np.asarray, sparse.csr_array):
        fitted, _ = fit(form(X.astype(kind)), Y, graph)
        assert_allclose(fitted.on_features, expected.on_features, atol=1e-5)


@every_graph
def test_constant_labels_and_features(graph):
    X, Y = binary_data()
    X[:, 1] = 3.0
    Y[:, 0], Y[:, 2] = 1, 0
    assert_is_ridge(X, Y, graph)
    for weight in (None, np.random.default_rng(0).random(len(X))):
        fitted, coding = fit(X, Y, graph, weight=weight)
        P = fitted.given(X).probabilities(range(5), Y.T)
        assert (P[0] == 1).all(), "for certain, so that no sample says otherwise"
        assert (P[2] == 0).all()
        assert ((P[[1, 3, 4]] > 0) & (P[[1, 3, 4]] < 1)).all()
        assert_array_equal(coding.decide(P, range(5))[[0, 2]], Y.T[[0, 2]])


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_constant_labels_are_decided_as_that_constant(graph):
    X, Y = valued_data()
    Y[:, 0], Y[:, 2] = 1, 3
    fitted, coding = fit(X, Y, graph)
    _, codes, _ = decide(fitted, graph, coding, X)
    assert_array_equal(coding.decode(codes)[:, [0, 2, 3]], Y[:, [0, 2, 3]])
    assert (fitted.given(X).probabilities([0, 2, 3], np.zeros((coding.n_columns, len(X)))) == 0).all()


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_a_value_that_is_constant_in_training_is_certain_among_others(graph):
    X, Y = valued_data()
    Y[:, 2] = 2
    coding = LabelCoding([*LabelCoding.of(Y).classes[:2], np.arange(4), *LabelCoding.of(Y).classes[3:]])
    fitted = LeastSquares().prepare(TrainingSet(X, Y, coding)).fit(graph)
    P = fitted.given(X).probabilities([2], coding.encode(Y).T)
    assert_array_equal(P.T, np.tile([0.0, 1.0, 0.0], (len(X), 1)))


def test_one_instance_and_equal_labels():
    assert_is_ridge(np.array([[1.0, 2.0]]), np.array([[1, 0]]), LabelGraph.chain([0, 1]))
    X, Y = binary_data()
    assert_is_ridge(X, Y[:, [0, 0, 0, 1, 1]], GRAPHS["chain"])
    assert_is_ridge(X, Y[:, [0, 0, 0, 1, 1]], GRAPHS["dag"])


@pytest.mark.parametrize("alpha", [0, -1.0, float("nan")])
def test_a_penalty_that_is_none_is_refused(alpha):
    with pytest.raises(ValueError, match=f"alpha={alpha}"):
        fit(*binary_data(), GRAPHS["chain"], alpha)


@every_graph
@pytest.mark.parametrize("alike", ["features", "labels"])
def test_a_penalty_too_small_for_equal_columns_is_named(graph, alike):
    # Whether a factorisation notices is a matter of the last bit, so many are tried; what it says must help.
    raised = []
    for seed in range(20):
        X, Y = binary_data(seed=seed)
        try:
            fit(
                X[:, [0, 0, 0]] if alike == "features" else X, Y if alike == "features" else Y[:, [0] * 5], graph, 1e-18
            )
        except ValueError as error:
            raised.append(error)
    assert [error for error in raised if "raise alpha" not in str(error) or "alpha=1e-18" not in str(error)] == []
    assert {type(error) for error in raised} <= {ValueError}  # LinAlgError is one, too


# Four rows whose sums are all powers of two: what is singular is so to the last bit.
SIGNS = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
HALVES = np.array([[1, 1], [1, 0], [0, 1], [0, 0]])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize(
    ("X", "Y", "graph"),
    [
        (SIGNS[:, [0, 0]], HALVES, LabelGraph.independent(2)),
        (SIGNS[:, [0] * 16], HALVES, LabelGraph.independent(2)),  # the dual form
        (np.zeros((4, 1)), HALVES[:, [0, 0, 1]], LabelGraph.chain([0, 1, 2])),
        (np.zeros((4, 1)), HALVES[:, [0, 0, 1, 1]], LabelGraph([(), (), (0, 1), ()])),
    ],
    ids=["features", "features-dual", "chain", "dag"],
)
def test_what_is_exactly_alike_is_refused_in_words(X, Y, graph, form):
    with pytest.raises(ValueError, match=r"much alike .*alpha=1e-30: scale .*raise alpha") as refused:
        fit(form(X), Y, graph, 1e-30)
    assert type(refused.value) is ValueError  # LinAlgError is one, too
    assert_is_ridge(form(X), Y, graph, alpha=1e-3)  # and raising it helps


@pytest.mark.parametrize("data", [binary_data, valued_data], ids=["binary", "valued"])
@every_graph
def test_probabilities_are_probabilities_and_agree_with_decisions(data, graph):
    X, Y = data()
    fitted, coding = fit(X, Y, graph)
    given_X, Z = fitted.given(X), coding.encode(Y).T
    codes = given_X.decide(range(coding.n_labels), Z)
    scores, P = given_X.scores(range(coding.n_labels), Z), given_X.probabilities(range(coding.n_labels), Z)
    assert P.shape == (coding.n_columns, len(X))
    for label in range(coding.n_labels):
        columns = coding.columns([label])
        shares = with_first_value(P[columns])
        assert_allclose(shares.sum(axis=0), 1.0)
        assert (shares > 0).all() == (Y[:, label].min() < Y[:, label].max())
        assert (shares.argmax(axis=0) == codes[label]).all()
        assert_allclose(shares, softmax(fitted.slopes[label] * of_values(scores[columns]), axis=0), rtol=1e-6)
        assert_allclose(given_X.probabilities([label], Z), P[columns])
    asked = [3, 1, 4, 0, 2]
    assert_allclose(given_X.probabilities(asked, Z), P[coding.columns(asked)])


def of_values(scores):
    """What a slope multiplies: scores of two values, of more their logarithms, none of them below that of 0.001."""
    scores = np.vstack([1 - scores.sum(axis=0), scores])
    return scores if len(scores) == 2 else np.log(np.maximum(scores, 0.001))


def test_values_that_hardly_ever_occur_get_no_share_of_their_own():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3000, 3))  # says nothing
    Y = rng.choice(6, size=(3000, 1), p=[0.5, 0.3, 0.1, 0.06, 0.03, 0.01])
    fitted, coding = fit(X, Y, LabelGraph.independent(1))
    P = with_first_value(fitted.given(X).probabilities([0], coding.encode(Y).T)).mean(axis=1)
    assert_allclose(P, np.bincount(Y.ravel()) / 3000, atol=0.015)


def smoothed_likelihood(slope, scores, observed):
    """Platt's: of K values, the observed one counts (n + 1) / (n + K), the others share the rest."""
    n_values, n_instances = scores.shape
    counts = np.bincount(observed, minlength=n_values)[observed]
    target = np.repeat((1 / (counts + n_values))[None], n_values, axis=0)
    target[observed, np.arange(n_instances)] = (counts + 1) / (counts + n_values)
    return float((target * log_softmax(slope * scores, axis=0)).sum())


@pytest.mark.parametrize("data", [binary_data, valued_data], ids=["binary", "valued"])
@every_graph
def test_slopes_make_the_smoothed_likelihood_greatest(data, graph):
    X, Y = data()
    fitted, coding = fit(X, Y, graph, alpha=0.1)
    ((_, without_the_row),) = LeastSquares(0.1).prepare(TrainingSet.of(X, Y)).held_out(graph)
    scores = without_the_row.scores(range(coding.n_labels), coding.encode(Y).T)
    for label in np.flatnonzero(Y.min(axis=0) < Y.max(axis=0)):
        of_label = of_values(scores[coding.columns([label])])
        observed = coding.codes(Y, label)
        best = minimize_scalar(
            lambda slope, s=of_label, o=observed: -smoothed_likelihood(slope, s, o),
            bounds=(1e-6, 100),
            method="bounded",
            options={"xatol": 1e-10},
        )
        reached = smoothed_likelihood(fitted.slopes[label], of_label, observed)
        assert reached == pytest.approx(-best.fun, abs=1e-7)


def test_separable_labels_have_a_finite_slope():
    X = np.repeat([[0.0], [1.0]], 30, axis=0)
    Y = np.repeat([[0, 1], [1, 0]], 30, axis=0)
    fitted, coding = fit(X, Y, LabelGraph.independent(2), alpha=1e-6)
    P = fitted.given(X).probabilities([0, 1], coding.encode(Y).T)
    # The slope is right where the probability of what was seen is (n + 1) / (n + 2).
    assert_allclose(P[0], np.repeat([1 / 32, 31 / 32], 30), atol=1e-3)
    assert_allclose(P[1], 1 - P[0], atol=1e-3)


def test_a_label_that_is_independent_of_the_features():
    X, Y = np.zeros((10, 1)), np.repeat([[0], [1]], 5, axis=0)
    fitted, coding = fit(X, Y, LabelGraph.independent(1))
    P = fitted.given(X).probabilities([0], coding.encode(Y).T)
    assert P.shape == (1, 10)
    assert pytest.approx(0.5) == P


def test_slopes_of_many_rows_are_those_of_a_thousand():
    X, Y = binary_data(n_instances=20_000)
    fitted, coding = fit(X, Y, GRAPHS["dag"])
    scores = fitted.given(X).scores(range(5), coding.encode(Y).T)
    for label in range(5):
        of_label = with_first_value(scores[[label]])
        best = minimize_scalar(
            lambda slope, s=of_label, o=Y[:, label]: -smoothed_likelihood(slope, s, o),
            bounds=(1e-6, 100),
            method="bounded",
        )
        assert fitted.slopes[label] == pytest.approx(best.x, rel=0.25)


def test_progress_and_cancel():
    reported = []
    training = LeastSquares().prepare(TrainingSet.of(*binary_data()))
    training.fit(GRAPHS["dag"], progress=lambda *step: reported.append(step), cancelled=lambda: False)
    assert reported[-1] == (5, 5, "labels")
    with pytest.raises(CancelledError):
        training.fit(GRAPHS["dag"], cancelled=lambda: True)


def test_weights_of_few_inputs_are_kept_for_few_groups_of_labels(monkeypatch):
    monkeypatch.setattr(linear, "MOST_KEPT", 2)
    X, Y = np.random.default_rng(0).random((30, 2)), np.random.default_rng(1).integers(2, size=(30, 4))
    fitted = LeastSquares().prepare(TrainingSet.of(X, Y)).fit(LabelGraph([(), (0,), (0, 1), (2,)]))
    weights = fitted.on_inputs.toarray()
    for labels in combinations(range(4), 2):
        found = fitted.rows(np.array(labels))
        assert_array_equal(found.toarray(), weights[list(labels)])
        assert fitted.rows(np.array(labels)) is found
        assert sum(kept.shape[0] for kept in fitted._rows.values()) <= 2 * 4
    assert fitted.rows(np.array([0])) is None
