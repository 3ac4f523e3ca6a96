from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import trellislib as t
from trellislib.inspection import PredictionPath, graph_members, prediction_path
from trellislib.inspection.shares import log_odds
from trellislib.labels.graph import LabelGraph, UndirectedLabelGraph

rng = np.random.default_rng(0)
X = rng.standard_normal((80, 3))
BINARY = (X @ rng.standard_normal((3, 4)) + rng.standard_normal((80, 4)) > 0).astype(int)
BINARY[:, 3] = BINARY[:, 0] ^ (rng.random(80) < 0.1)
THREE = BINARY + (X[:, [0]] > 0.5) * [0, 1, 0, 1]
METHODS = {
    "IC": t.IndependentClassifiers(),
    "CC": t.ClassifierChain(random_state=0),
    "CC tree": t.ClassifierChain(t.PerLabel(DecisionTreeClassifier(max_depth=4, random_state=0)), random_state=0),
    "PCC": t.ProbabilisticClassifierChain(inference=t.Exhaustive(maximize="marginals"), random_state=0),
    "beam": t.ProbabilisticClassifierChain(inference=t.BeamSearch(width=3), random_state=0),
    "MCC": t.MonteCarloClassifierChain(random_state=0),
    "OCC": t.OptimalClassifierChain(),
    "BCC": t.BayesianClassifierChain(random_state=0),
    "CT": t.ClassifierTrellis(t.Logistic(), random_state=0),
    "CT sampled": t.ClassifierTrellis(inference=t.AncestralSampling(20), random_state=0),
    "CDN": t.ConditionalDependencyNetwork(random_state=0),
    "CDT": t.ClassifierDependencyTrellis(random_state=0),
}


@pytest.mark.parametrize("Y", [BINARY, THREE], ids=["binary", "three values"])
@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_codes_are_what_the_method_predicts_and_shares_add_up(method, Y):
    fitted = method.fit(X, Y)
    for row in range(3):
        seen = prediction_path(fitted, X[[row]], Y[row])
        assert_array_equal(fitted.coding_.decode(seen.codes[:, None]), fitted.predict(X[[row]]))
        assert sorted(step.label for step in seen.steps) == [0, 1, 2, 3]
        Z = fitted.coding_.indicators(seen.codes[:, None], range(4))
        for step in seen.steps:
            asked = fitted.conditionals_.given(X[[row]]).probabilities((step.label,), Z)[:, 0]
            assert_allclose(step.probabilities[1:], asked, atol=1e-12)
            total = step.from_features + step.from_inputs.sum()
            assert_allclose(total, log_odds(step.probabilities[step.of_code]), atol=1e-6)
            assert step.outcome in ("right", "lucky", "own error", "inherited error", "overruled")


def test_one_label_a_constant_label_and_sparse_features():
    one = t.ClassifierChain().fit(X, BINARY[:, :1])
    assert prediction_path(one, X[[0]]).steps[0].outcome == "unknown"
    constant = t.ClassifierChain(order=[1, 0]).fit(sparse.csr_array(X), np.column_stack([BINARY[:, 0], 0 * X[:, 0]]))
    first = prediction_path(constant, sparse.csr_array(X[[0]]), [1, 0]).steps[0]
    assert (first.label, first.code, first.outcome) == (1, 0, "right")


def test_a_constant_label_among_labels_of_several_values_has_no_other_value():
    Y = np.column_stack([THREE[:, 1], np.zeros(len(X), dtype=int)])
    seen = prediction_path(t.ClassifierChain(order=[1, 0]).fit(X, Y), X[[0]], Y[0])
    constant, after = seen.steps
    assert (constant.of_code, constant.code, constant.outcome) == (0, 0, "right")
    assert_allclose(after.if_changed, after.probabilities[[after.of_code]])


@pytest.mark.parametrize("Y", [BINARY, THREE], ids=["binary", "three values"])
def test_an_input_that_changes_takes_its_most_probable_other_value(Y):
    chain = t.ClassifierChain(t.Logistic(), order=[0, 1, 2, 3]).fit(X, Y)
    coding = chain.coding_
    for row in range(5):
        seen, given = prediction_path(chain, X[[row]]), chain.conditionals_.given(X[[row]])
        last = seen.of(3)
        for place, one in enumerate(last.inputs):
            p = seen.of(one).probabilities
            other = max((code for code in range(len(p)) if code != seen.codes[one]), key=lambda code: p[code])
            codes = seen.codes.copy()
            codes[one] = other
            asked = given.probabilities((3,), coding.indicators(codes[:, None], range(4)))[:, 0]
            expected = [1 - asked.sum(), *asked][last.of_code]
            assert_allclose(last.if_changed[place], expected, atol=1e-9)
            assert abs(expected - last.probabilities[last.of_code]) > 1e-6  # as no input is without effect


def test_labels_downstream_of_a_label():
    graphs = LabelGraph([(), (0,), (1,), (), (3,)]), UndirectedLabelGraph.of_edges(5, [(0, 1), (1, 2), (3, 4)])
    directed, undirected = (PredictionPath((), graph, None, np.zeros(5, int), None) for graph in graphs)
    assert [directed.downstream(label) for label in range(5)] == [(1, 2), (2,), (), (4,), ()]
    assert [undirected.downstream(label) for label in range(5)] == [(1, 2), (0, 2), (0, 1), (4,), (3,)]


def test_an_error_with_an_input_of_unknown_truth_is_not_judged():
    chain = t.ClassifierChain(order=[0, 1]).fit(X, BINARY[:, :2])
    decided = prediction_path(chain, X[[0]]).codes
    seen = prediction_path(chain, X[[0]], [7, 1 - decided[1]])
    assert [step.outcome for step in seen.steps] == ["unknown", "unknown"]
    assert prediction_path(chain, X[[0]], [7, decided[1]]).steps[1].outcome == "right"


def test_shares_of_a_linear_learner_do_not_depend_on_the_other_inputs():
    chain = t.ClassifierChain(order=[0, 1, 2, 3]).fit(X, BINARY)
    shares = [prediction_path(chain, X[[0]], set_to={0: 1, 1: second, 2: 1}).of(3).from_inputs[0] for second in (0, 1)]
    assert shares[0] != 0
    assert_allclose(*shares, atol=1e-6)


def test_exhaustive_inference_of_an_intervention_is_the_truncated_factorisation():
    method = t.ProbabilisticClassifierChain(inference=t.Exhaustive(), order=[0, 1, 2, 3]).fit(X, BINARY)
    for row in range(5):
        given = method.conditionals_.given(X[[row]])
        marginal, best, highest = np.zeros(4), None, -1.0
        total = 0.0
        for codes in product((0, 1), repeat=4):
            if codes[1] != 1:
                continue
            Z = np.array(codes, dtype=float)[:, None]
            p = given.probabilities(range(4), Z)[:, 0]
            joint = np.prod([p[k] if codes[k] else 1 - p[k] for k in (0, 2, 3)])
            total += joint
            marginal += joint * Z[:, 0]
            if joint > highest:
                best, highest = codes, joint
        seen = prediction_path(method, X[[row]], set_to={1: 1})
        assert_allclose(total, 1)
        assert_allclose(seen.marginals, marginal, atol=1e-9)
        assert_array_equal(seen.codes, best)
        assert_allclose(seen.of(0).probabilities, prediction_path(method, X[[row]]).of(0).probabilities)
        assert seen.of(1).outcome == "set"
    assert seen.downstream(1) == (2, 3)


def test_several_instances_unknown_labels_and_learners_without_probabilities_are_refused():
    chain = t.ClassifierChain().fit(X, BINARY)
    with pytest.raises(ValueError, match=r"Got 2 instances, .*expected"):
        prediction_path(chain, X[:2])
    with pytest.raises(ValueError, match=r"Got label 4, .*expected .*0 .*3"):
        prediction_path(chain, X[[0]], set_to={4: 1})
    with pytest.raises(ValueError, match=r"Got code 2 .*label 0, .*expected .*0 .*1"):
        prediction_path(chain, X[[0]], set_to={0: 2})
    with pytest.raises(ValueError, match=r"expected .*base learner .*gives probabilities"):
        prediction_path(t.ClassifierChain(t.PerLabel(LinearSVC())).fit(X, BINARY), X[[0]])


ENSEMBLES = (
    t.EnsembleClassifierChains,
    t.EnsembleBayesianClassifierChains,
    t.EnsembleClassifierTrellises,
    t.EnsembleClassifierDependencyTrellises,
    t.RandomGraphEnsemble,
)


@pytest.mark.parametrize("kind", ENSEMBLES)
def test_members_of_ensembles_decide_as_they_predict(kind):
    ensemble = kind(t.PerLabel(GaussianNB()), n_estimators=2, random_state=0).fit(X[:40], THREE[:40])
    for member in graph_members(ensemble):
        seen = prediction_path(member, X[[0]], THREE[0])
        assert_array_equal(member.coding_.decode(seen.codes[:, None]), member.predict(X[[0]]))
