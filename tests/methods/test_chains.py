"""Chains: their orders, and what is most probable along them."""

from itertools import permutations, product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import mutual_info_score
from sklearn.tree import DecisionTreeClassifier

from trellislib import (
    BeamSearch,
    ClassifierChain,
    ConditionalDependencyNetwork,
    Exhaustive,
    GibbsSampling,
    IndependentClassifiers,
    LeastSquares,
    ProbabilisticClassifierChain,
)

LOGISTIC = LogisticRegression(C=10.0)
TREE = DecisionTreeClassifier(max_depth=3, min_samples_leaf=5, random_state=0)
bases = pytest.mark.parametrize("base", [LOGISTIC, TREE], ids=["logistic", "tree"])


def problem(n_labels=4, seed=0, valued=False):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, 3))
    noise = rng.standard_normal((60, n_labels))
    Y = (X @ rng.standard_normal((3, n_labels)) + noise + np.roll(noise, 1, axis=1) > 0).astype(int)
    if valued:
        Y[:, 1] += Y[:, 0]
    return X, Y


def enumerated(base, order, X, Y, X_test):
    """Return every label vector and its probability, (n_instances, n_vectors), from classifiers fitted by hand."""
    indicators = [(Y[:, [label]] == np.unique(Y[:, label])[1:]).astype(float) for label in range(Y.shape[1])]
    vectors = np.array(list(product(*(range(Y[:, label].max() + 1) for label in range(Y.shape[1])))))
    probability = np.ones((len(X_test), len(vectors)))
    for place, label in enumerate(order):
        before = [indicators[other] for other in order[:place]]
        fitted = type(base)(**base.get_params()).fit(np.hstack([X, *before]), Y[:, label])
        for number, vector in enumerate(vectors):
            given = [np.tile(vector[other] == np.unique(Y[:, other])[1:], (len(X_test), 1)) for other in order[:place]]
            probability[:, number] *= fitted.predict_proba(np.hstack([X_test, *given]))[:, vector[label]]
    return vectors, probability


@bases
@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 0, 3, 1]])
def test_exhaustive_inference_is_enumeration(base, order):
    X, Y = problem()
    vectors, probability = enumerated(base, order, X, Y, X)
    assert_allclose(probability.sum(axis=1), 1.0)
    marginals = probability @ vectors
    joint = ProbabilisticClassifierChain(base, order=order).fit(X, Y)
    assert_array_equal(joint.predict(X), vectors[probability.argmax(axis=1)])
    assert_allclose(joint.predict_proba(X), marginals, atol=1e-9)
    by_label = ProbabilisticClassifierChain(base, order=order, inference=Exhaustive(maximize="marginals")).fit(X, Y)
    assert_array_equal(by_label.predict(X), (marginals > 0.5).astype(int))
    assert_allclose(by_label.predict_proba(X), marginals, atol=1e-9)


def test_exhaustive_inference_over_labels_of_more_values():
    X, Y = problem(3, valued=True)
    vectors, probability = enumerated(TREE, [1, 0, 2], X, Y, X)
    fitted = ProbabilisticClassifierChain(TREE, order=[1, 0, 2]).fit(X, Y)
    assert_array_equal(fitted.predict(X), vectors[probability.argmax(axis=1)])
    for label, P in enumerate(fitted.predict_proba(X)):
        expected = [probability[:, vectors[:, label] == value].sum(axis=1) for value in range(P.shape[1])]
        assert_allclose(P, np.transpose(expected), atol=1e-9)


@bases
@pytest.mark.parametrize("valued", [False, True])
def test_a_beam_as_wide_as_there_are_vectors_is_exhaustive(base, valued):
    X, Y = problem(3, valued=valued)
    exhaustive = ProbabilisticClassifierChain(base).fit(X, Y)
    wide = ProbabilisticClassifierChain(base, inference=BeamSearch(12)).fit(X, Y)
    assert_array_equal(wide.predict(X), exhaustive.predict(X))
    for one, other in zip(wide.predict_proba(X), exhaustive.predict_proba(X), strict=True):
        assert_allclose(one, other, atol=1e-9)
    narrow = ProbabilisticClassifierChain(base, inference=BeamSearch(1)).fit(X, Y)
    assert_array_equal(narrow.predict(X), ClassifierChain(base).fit(X, Y).predict(X))


def test_too_many_vectors_are_refused_before_anything_is_fitted():
    X, _ = problem()
    Y = np.random.default_rng(0).integers(0, 2, (60, 16))

    class NeverFitted(LogisticRegression):
        def fit(self, X, y, sample_weight=None):
            raise AssertionError("fitted")

    with pytest.raises(ValueError, match=r"16 labels .* 6\.55e\+04 label vectors .* max_vectors=32768"):
        ProbabilisticClassifierChain(NeverFitted()).fit(X, Y)
    with pytest.raises(ValueError, match=r"3 labels .*examine 8 label vectors"):
        ProbabilisticClassifierChain(NeverFitted(), inference=Exhaustive(max_vectors=7)).fit(X, Y[:, :3])
    assert ProbabilisticClassifierChain(inference=Exhaustive(max_vectors=8)).fit(X, Y[:, :3]).predict(X).shape == (
        60,
        3,
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_order_by_frequency(seed):
    X, Y = problem(5, seed=seed)
    order = ClassifierChain(order="frequency").fit(X, Y).graph_.order
    assert list(order) == sorted(range(5), key=lambda label: (-Y[:, label].sum(), label))


@pytest.mark.parametrize("seed", range(3))
def test_the_order_by_information(seed):
    X, Y = problem(5, seed=seed)
    information = np.array([[mutual_info_score(one, other) for other in Y.T] for one in Y.T])
    np.fill_diagonal(information, 0.0)
    expected = [int(information.sum(axis=1).argmax())]
    while len(expected) < 5:
        rest = [label for label in range(5) if label not in expected]
        expected.append(max(rest, key=lambda label: information[label, expected].sum()))
    assert list(ClassifierChain(order="information").fit(X, Y).graph_.order) == expected


def test_weights_count_in_the_orders():
    X = np.zeros((4, 1))
    Y = [[1, 0], [1, 0], [0, 1], [0, 0]]
    assert ClassifierChain(order="frequency").fit(X, Y).graph_.order == (0, 1)
    assert ClassifierChain(order="frequency").fit(X, Y, [1, 1, 3, 1]).graph_.order == (1, 0)


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 2, 3, 4], [0, 1, 2, 2], [1, 2, 3, 4], "best"])
def test_an_order_that_is_none_is_refused(order):
    for base in (None, LOGISTIC):
        with pytest.raises(ValueError, match="order"):
            ClassifierChain(base, order=order).fit(*problem())


@pytest.mark.parametrize("order", [np.array([2, 0, 1]), (2, 0, 1), [2, 0, 1]])
def test_an_order_may_be_any_sequence(order):
    assert ClassifierChain(order=order).fit(*problem(3)).graph_.order == (2, 0, 1)


@pytest.mark.parametrize("base", [LeastSquares(), LOGISTIC, TREE])
def test_columns_stand_in_label_order_whatever_the_order_of_the_chain(base):
    X, Y = problem()
    shuffled = [3, 1, 0, 2]
    moved = ClassifierChain(base, order=range(4)).fit(X, Y[:, shuffled])
    chain = ClassifierChain(base, order=shuffled).fit(X, Y)
    assert chain.graph_.order == tuple(shuffled)
    assert_array_equal(chain.predict(X)[:, shuffled], moved.predict(X))
    assert_allclose(chain.predict_proba(X)[:, shuffled], moved.predict_proba(X), atol=1e-10)


def test_a_random_order_is_one_of_all_and_each_comes_up():
    X, Y = problem(3)
    found = {ClassifierChain(order="random", random_state=seed).fit(X, Y).graph_.order for seed in range(40)}
    assert found == set(permutations(range(3)))


# The features say nothing: of five rows, three are (0, 0) and one each (1, 0) and (1, 1).
X_DULL = np.zeros((5, 1))
Y_DULL = np.array([[0, 0], [0, 0], [0, 0], [1, 0], [1, 1]])


def test_a_conditional_along_a_greedy_path_is_no_marginal():
    greedy = ClassifierChain(DecisionTreeClassifier()).fit(X_DULL, Y_DULL)
    assert_array_equal(greedy.predict([[0.0]]), [[0, 0]])
    assert_allclose(greedy.predict_proba([[0.0]]), [[0.4, 0.0]], atol=1e-12)  # p(y_2 = 1 | y_1 = 0)
    for inference in (Exhaustive(), BeamSearch(4)):
        exact = ClassifierChain(DecisionTreeClassifier(), inference=inference).fit(X_DULL, Y_DULL)
        assert_allclose(exact.predict_proba([[0.0]]), [[0.4, 0.2]])  # 0.4 times 0.5
    assert_allclose(
        IndependentClassifiers(DecisionTreeClassifier()).fit(X_DULL, Y_DULL).predict_proba([[0.0]]), [[0.4, 0.2]]
    )


def test_sampling_two_labels_finds_the_marginals():
    """p(y_1 = 1 | y_2) is 1/4 and 1, p(y_2 = 1 | y_1) is 0 and 1/2; their chain has one stationary distribution."""
    sampled = ConditionalDependencyNetwork(DecisionTreeClassifier(), inference=GibbsSampling(1500, 100), random_state=0)
    assert_allclose(sampled.fit(X_DULL, Y_DULL).predict_proba([[0.0]]), [[0.4, 0.2]], atol=0.04)


def test_the_most_probable_vector_is_not_made_of_the_most_probable_values():
    # (0, 0) has 4 of 11 rows, but most rows have a 1 in the first place: 3 with (1, 0), 3 and 1 with others.
    Y = np.array([[0, 0]] * 4 + [[1, 0]] * 3 + [[1, 1]] * 3 + [[0, 1]])
    X = np.zeros((11, 1))
    joint = ProbabilisticClassifierChain(DecisionTreeClassifier()).fit(X, Y)
    assert_array_equal(joint.predict([[0.0]]), [[0, 0]])
    assert_allclose(joint.predict_proba([[0.0]]), [[6 / 11, 4 / 11]])
    by_label = ProbabilisticClassifierChain(DecisionTreeClassifier(), inference=Exhaustive(maximize="marginals"))
    assert_array_equal(by_label.fit(X, Y).predict([[0.0]]), [[1, 0]])
