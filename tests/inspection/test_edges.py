"""The gain of each edge: compared with methods of the graph without it, fitted by hand."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.stats import norm
from sklearn.tree import DecisionTreeClassifier

import trellislib as t
from trellislib.inference.draws import Draws
from trellislib.inspection import edge_effects
from trellislib.inspection.edges import _rounds
from trellislib.labels.graph import LabelGraph, UndirectedLabelGraph
from trellislib.learners import as_learner
from trellislib.learners.training_set import TrainingSet
from trellislib.metrics import MEASURES
from trellislib.metrics.per_instance import EXAMPLE_WISE, per_instance_scores
from trellislib.running.progress import CancelledError

rng = np.random.default_rng(5)
X = rng.standard_normal((120, 4))
BINARY = (X @ rng.standard_normal((4, 5)) + 1.5 * rng.standard_normal((120, 5)) > 0).astype(int)
BINARY[:, 3] = BINARY[:, 0] ^ (rng.random(120) < 0.1)
THREE = BINARY + (X[:, [0]] > 0.5) * [0, 1, 0, 1, 0]
SEEN, HELD = slice(0, 80), slice(80, 120)
TREE = t.PerLabel(DecisionTreeClassifier(max_depth=4, random_state=0))
METHODS = {
    "CC": t.ClassifierChain(order=[3, 1, 0, 2, 4]),
    "CC tree": t.ClassifierChain(TREE, order=[3, 1, 0, 2, 4]),
    "CT": t.ClassifierTrellis(t.Logistic(), random_state=0),
    "PCC": t.ProbabilisticClassifierChain(random_state=0),
    "CT sampled": t.ClassifierTrellis(inference=t.AncestralSampling(20), random_state=0),
    "CDT": t.ClassifierDependencyTrellis(inference=t.GibbsSampling(20, 5), random_state=0),
    "CDN": t.ConditionalDependencyNetwork(inference=t.GibbsSampling(20, 5), random_state=0),
}


def without_by_hand(method, Y, edge):
    """Fit all labels of the graph without an edge, and predict by the inference of the method on its own graph."""
    if isinstance(method.graph_, LabelGraph):
        parents = [[one for one in of if (one, label) != edge] for label, of in enumerate(method.graph_.parents)]
        graph = LabelGraph(parents, method.graph_.order)
    else:
        graph = UndirectedLabelGraph.of_edges(5, [one for one in method.graph_.edges if one != edge])
    training = as_learner(method.estimator).prepare(TrainingSet(X[SEEN], Y[SEEN], method.coding_))
    given = training.fit(graph).given(X[HELD])
    inferred = method.inference_.infer(given, method.graph_, method.coding_, 40, Draws(X[HELD], method._seed))
    return method.coding_.decode(inferred.codes)


@pytest.mark.parametrize("Y", [BINARY, THREE], ids=["binary", "three values"])
@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_the_gain_of_an_edge_is_the_difference_to_the_graph_without_it(method, Y):
    fitted = method.fit(X[SEEN], Y[SEEN])
    table = edge_effects(fitted, X[SEEN], Y[SEEN], X[HELD], Y[HELD], measure="hamming_score")
    assert {(row.parent, row.child) for row in table.itertuples()} == set(fitted.graph_.edges)
    assert table["gain"].is_monotonic_decreasing
    with_all = fitted.predict(X[HELD])
    right = with_all == Y[HELD]
    for row in table.itertuples():
        without = without_by_hand(fitted, Y, (row.parent, row.child)) == Y[HELD]
        ends = [row.child] if isinstance(fitted.graph_, LabelGraph) else [row.parent, row.child]
        assert_allclose([row.score_with, row.score_without], [right.mean(), without.mean()])
        assert_allclose([row.child_with, row.child_without], [right[:, ends].mean(), without[:, ends].mean()])
        difference = right.mean(axis=1) - without.mean(axis=1)
        assert_allclose(row.gain, difference.mean(), atol=1e-12)
        assert_allclose(row.gain_error, difference.std(ddof=1) / np.sqrt(40), atol=1e-12)
        assert_allclose(row.child_gain, row.child_with - row.child_without, atol=1e-12)


@pytest.mark.parametrize("measure", EXAMPLE_WISE)
def test_scores_are_the_means_of_those_of_instances(measure):
    chain = t.ClassifierChain().fit(X[SEEN], BINARY[SEEN])
    predicted = chain.predict(X[HELD])
    score = MEASURES[measure].function(BINARY[HELD], predicted)
    assert_allclose(per_instance_scores(measure, BINARY[HELD], predicted).mean(), score)
    table = edge_effects(chain, X[SEEN], BINARY[SEEN], X[HELD], BINARY[HELD], measure=measure)
    assert_allclose(table["score_with"], score)
    assert_allclose(table["score_with"] - table["score_without"], table["gain"], atol=1e-12)


def test_edges_that_help_for_sure_and_p_values_corrected_for_their_number():
    """Label 0 is 1 where both others are, a corner of the features that a linear learner finds by the labels alone."""
    features = rng.standard_normal((1000, 2))
    others = (features > 0).astype(int)
    Y = np.column_stack([others.all(axis=1), others])
    chain = t.ClassifierChain(order=[2, 1, 0]).fit(features[:500], Y[:500])
    table = edge_effects(chain, features[:500], Y[:500], features[500:], Y[500:])
    table = table.set_index(["parent", "child"])
    z = (table["gain"].abs() / table["gain_error"]).fillna(0)
    alone = pd.Series(2 * norm.sf(z), table.index).sort_values()
    holm = np.minimum(np.maximum.accumulate(alone * [3, 2, 1]), 1)
    assert_allclose(table["p"].loc[alone.index], holm)
    assert (table.loc[[(1, 0), (2, 0)], "p"] < 1e-3).all()
    assert (table.loc[[(1, 0), (2, 0)], "gain"] > 0.01).all()
    assert table.loc[(2, 1), "p"] > 0.05


def test_a_gain_that_all_rows_have_has_a_p_value_of_0():
    """Label 1 is 0 in most rows, yet 1 in most of those in which label 0, predicted always, is 1."""
    Y_train, x = np.repeat([[1, 1], [1, 0], [0, 0]], [33, 27, 40], axis=0), np.zeros((100, 1))
    chain = t.ClassifierChain(TREE, order=[0, 1]).fit(x, Y_train)
    (row,) = edge_effects(chain, x, Y_train, x[:9], Y_train[:9], measure="exact_match").itertuples()
    assert (row.gain, row.gain_error, row.p) == (1.0, 0.0, 0.0)


def test_the_whole_graph_is_fitted_once_whatever_the_number_of_blocks(monkeypatch):
    fits = []
    chain = t.ClassifierChain(t.Logistic(), order=[0, 1]).fit(X[:40], BINARY[:40, :2])
    training = chain.prepared(X[:40], BINARY[:40, :2])
    fit = type(training).fit
    monkeypatch.setattr(type(training), "fit", lambda *a, **k: fits.append(a[1]) or fit(*a, **k))
    monkeypatch.setattr(type(chain), "_blocks", lambda _, rows: [rows[:5], rows[5:10], rows[10:]])
    edge_effects(chain, X[:40], BINARY[:40, :2], X[40:], BINARY[40:, :2])
    assert len(fits) == 2


def test_some_edges_in_any_order_are_those_of_all():
    chain = t.ClassifierChain(order=[0, 1, 2, 3, 4]).fit(X[SEEN], BINARY[SEEN])
    arrays = X[SEEN], BINARY[SEEN], X[HELD], BINARY[HELD]
    whole = edge_effects(chain, *arrays).set_index(["parent", "child"])
    some = edge_effects(chain, *arrays, edges=[(3, 4), (0, 3), (3, 4)]).set_index(["parent", "child"])
    assert sorted(some.index) == [(0, 3), (3, 4)]
    columns = [column for column in whole if column != "p"]
    assert_allclose(some[columns], whole.loc[some.index, columns])


@pytest.mark.parametrize("learner", [t.LeastSquares(), t.Logistic(), TREE], ids=lambda one: type(one).__name__)
def test_weights_of_training_rows_are_those_of_the_fit(learner):
    """As in `fit`, a weight of 2 is an instance that stands there twice, and one of 0 is one left out."""
    rows, weight = np.arange(80), np.tile([0, 1, 2, 1], 20)
    chain = t.ClassifierChain(learner, order=[0, 1, 2, 3, 4]).fit(X[SEEN], BINARY[SEEN], weight)
    found = edge_effects(chain, X[SEEN], BINARY[SEEN], X[HELD], BINARY[HELD], sample_weight=weight)
    repeated = np.repeat(rows, weight)
    expected = edge_effects(chain, X[repeated], BINARY[repeated], X[HELD], BINARY[HELD])
    if not isinstance(learner, t.Logistic):  # whose fits are within 1e-3 of each other
        assert_allclose(found.sort_values(["parent", "child"]), expected.sort_values(["parent", "child"]), atol=1e-12)
    predicted = chain.predict(X[HELD])
    assert_allclose(found["score_with"], MEASURES["accuracy"].function(BINARY[HELD], predicted))
    with pytest.raises(ValueError, match=r"Got .*sample_weight .*negative, .*all .*zero"):
        edge_effects(chain, X[SEEN], BINARY[SEEN], X[HELD], BINARY[HELD], sample_weight=-weight)


@pytest.mark.parametrize("of", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_an_unknown_value_in_a_row_of_weight_0_is_no_error(of):
    Y, weight = BINARY[SEEN].copy(), np.ones(80)
    Y[7, 2], weight[7] = 9, 0
    chain = t.ClassifierChain(order=[0, 1, 2, 3, 4]).fit(X[SEEN], of(Y), weight)
    found = edge_effects(chain, X[SEEN], of(Y), X[HELD], BINARY[HELD], sample_weight=weight)
    rest = np.flatnonzero(weight)
    pd.testing.assert_frame_equal(found, edge_effects(chain, X[rest], Y[rest], X[HELD], BINARY[HELD]))
    with pytest.raises(ValueError, match=r"Got training labels .*values .*method .*not fitted"):
        edge_effects(chain, X[SEEN], of(Y), X[HELD], BINARY[HELD], sample_weight=np.ones(80))


def test_an_edge_that_changes_nothing_has_no_gain_and_a_p_value_of_1():
    """The second label is the sign of the feature, whatever the first, a coin, is."""
    x = np.repeat([[-1.0], [1.0]], 20, axis=0)
    Y = np.column_stack([np.tile([0, 1], 20), x[:, 0] > 0]).astype(int)
    chain = t.ClassifierChain(t.PerLabel(DecisionTreeClassifier(max_depth=1, random_state=0)), order=[0, 1]).fit(x, Y)
    (row,) = edge_effects(chain, x, Y, x, Y).itertuples()
    assert (row.gain, row.gain_error, row.p) == (0.0, 0.0, 1.0)


def test_sparse_data_and_blocks_agree(monkeypatch):
    chain = t.ClassifierChain(order=[0, 1, 2, 3, 4]).fit(X[SEEN], BINARY[SEEN])
    whole = edge_effects(chain, X[SEEN], BINARY[SEEN], X[HELD], BINARY[HELD])
    monkeypatch.setattr(type(chain), "_block_rows", lambda method: 9)
    labels = sparse.csr_array(BINARY)
    in_blocks = edge_effects(chain, X[SEEN], labels[SEEN], X[HELD], labels[HELD])
    assert_allclose(in_blocks, whole, atol=1e-12)


@pytest.mark.parametrize("name", ["CC", "CT sampled", "CDT"])
def test_instances_with_values_not_seen_are_left_out(name):
    method = METHODS[name].fit(X[SEEN], THREE[SEEN])
    Y = THREE[HELD].copy()
    Y[:5, 1] = 9
    found = edge_effects(method, X[SEEN], THREE[SEEN], X[HELD], Y, measure="exact_match")
    of_rest = edge_effects(method, X[SEEN], THREE[SEEN], X[85:], THREE[85:], measure="exact_match")
    assert_allclose(found, of_rest)


def test_the_known_rows_of_the_test_set_are_checked_once_and_no_others_predicted(monkeypatch):
    checked, traced, chain = [], [], t.ClassifierChain(TREE).fit(X[SEEN], BINARY[SEEN])
    Y = BINARY[HELD].copy()
    Y[:5, 1] = 9
    validated, trace = type(chain)._validated, type(chain)._trace
    monkeypatch.setattr(type(chain), "_validated", lambda self, X: checked.append(len(X)) or validated(self, X))
    monkeypatch.setattr(type(chain), "_trace", lambda self, X, *more: traced.append(len(X)) or trace(self, X, *more))
    edge_effects(chain, X[SEEN], BINARY[SEEN], X[HELD], Y)
    assert sorted(checked) == [40, 80]
    assert set(traced) == {35}


def test_a_graph_without_edges_has_none():
    independent = t.IndependentClassifiers().fit(X[SEEN], BINARY[SEEN])
    assert edge_effects(independent, X[SEEN], BINARY[SEEN], X[HELD], BINARY[HELD]).empty


@pytest.mark.parametrize("graph", [LabelGraph.chain(range(6)), UndirectedLabelGraph.complete(6)])
def test_no_conditional_changes_twice_in_a_round_and_rounds_are_few(graph):
    rounds = _rounds(graph, graph.edges)
    assert sorted(edge for group in rounds for edge in group) == sorted(graph.edges)
    for group in rounds:
        changed = [end for edge in group for end in (edge[1:] if isinstance(graph, LabelGraph) else edge)]
        assert len(set(changed)) == len(changed)
    assert len(rounds) <= 2 * 5 - 1


def test_progress_and_cancel():
    chain = t.ClassifierChain(TREE).fit(X[SEEN], BINARY[SEEN])
    arrays, reported = (X[SEEN], BINARY[SEEN], X[HELD], BINARY[HELD]), []
    edge_effects(chain, *arrays, progress=lambda done, total, what: reported.append((done, total)))
    done = [one for one, _ in reported]
    assert done == sorted(done)
    assert reported[-1] == (24, 24)  # of 10 edges a fit and a prediction each, and the whole graph as for 4 of them
    assert {0, 1, 2, 3, 4} <= set(done)  # reported label by label
    with pytest.raises(CancelledError):
        edge_effects(chain, *arrays, cancelled=lambda: True)


def test_unknown_edges_measures_and_values_are_refused():
    chain = t.ClassifierChain(order=[0, 1, 2, 3, 4]).fit(X[SEEN], BINARY[SEEN])
    arrays = X[SEEN], BINARY[SEEN], X[HELD], BINARY[HELD]
    with pytest.raises(ValueError, match=r"Got .*edge \(1, 0\), .*expected .*graph's"):
        edge_effects(chain, *arrays, edges=[(1, 0)])
    with pytest.raises(ValueError, match=r"Got .*measure 'micro_f1', .*expected .*accuracy"):
        edge_effects(chain, *arrays, measure="micro_f1")
    with pytest.raises(ValueError, match=r"Got training labels .*values .*method .*not fitted"):
        edge_effects(chain, X[SEEN], BINARY[SEEN] + 1, X[HELD], BINARY[HELD])
    with pytest.raises(ValueError, match=r"Got no instance .*values all occur .*training"):
        edge_effects(chain, X[SEEN], BINARY[SEEN], X[HELD], BINARY[HELD] + 5)
    three = t.ClassifierChain().fit(X[SEEN], THREE[SEEN])
    with pytest.raises(ValueError, match=r"Got .*measure 'accuracy', .*expected .*hamming_score, exact_match"):
        edge_effects(three, X[SEEN], THREE[SEEN], X[HELD], THREE[HELD])
    with pytest.raises(ValueError, match=r"Got .*measure 'micro_f1', .*expected"):
        per_instance_scores("micro_f1", BINARY, BINARY)
