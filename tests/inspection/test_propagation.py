"""Error propagation: by hand, against the prediction paths of all instances, and with unknown values."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import trellislib as t
from trellislib.inspection import (
    by_level,
    edge_effects,
    graph_members,
    instances_by_outcome,
    level_name,
    prediction_path,
    propagation,
)
from trellislib.inspection.outcomes import outcomes, true_codes
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph

rng = np.random.default_rng(3)
X = rng.standard_normal((70, 3))
BINARY = (X @ rng.standard_normal((3, 4)) + rng.standard_normal((70, 4)) > 0).astype(int)
BINARY[:, 3] = BINARY[:, 0] ^ (rng.random(70) < 0.1)
THREE = BINARY + (X[:, [0]] > 0.5) * [0, 1, 0, 1]
METHODS = {
    "IC": t.IndependentClassifiers(),
    "CC": t.ClassifierChain(random_state=0),
    "CC, naive Bayes": t.ClassifierChain(t.PerLabel(GaussianNB()), random_state=0),
    "PCC": t.ProbabilisticClassifierChain(random_state=0),
    "CT": t.ClassifierTrellis(t.Logistic(), random_state=0),
    "CT sampled": t.ClassifierTrellis(inference=t.AncestralSampling(10), random_state=0),
    "CDT": t.ClassifierDependencyTrellis(inference=t.GibbsSampling(20, 5), random_state=0),
}


@pytest.mark.parametrize("Y", [BINARY, THREE], ids=["binary", "three values"])
@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_it_counts_the_outcomes_of_the_paths_of_all_instances(method, Y):
    fitted = method.fit(X[:50], Y[:50])
    table = propagation(fitted, X[50:], Y[50:])
    paths = [prediction_path(fitted, X[[row]], Y[row]) for row in range(50, 70)]
    assert table["label"].tolist() == [step.label for step in paths[0].steps]
    assert table["place"].tolist() == [0, 1, 2, 3]
    for row in table.itertuples():
        steps = [seen.of(row.label) for seen in paths]
        outcome = [step.outcome for step in steps]
        assert (row.level, row.n_inputs, row.n_rows) == (steps[0].level, len(steps[0].inputs), 20)
        assert_allclose(row.given_predicted, np.mean([step.code == step.true for step in steps]))
        assert_allclose(row.given_true, np.mean([step.given_true == step.true for step in steps]))
        counts = [outcome.count(one) for one in ("own error", "inherited error", "overruled", "lucky")]
        assert [row.n_own, row.n_inherited, row.n_overruled, row.n_lucky] == counts
        assert_allclose(row.lost, row.given_true - row.given_predicted, atol=1e-12)
        if isinstance(fitted.inference_, t.Greedy):
            assert row.n_overruled == 0
            assert_allclose(row.lost, (row.n_inherited - row.n_lucky) / 20, atol=1e-12)


def test_inherited_errors_and_lucky_labels_by_hand():
    """Label 0 is decided by the sign of x, label 1 copies label 0, as one tree of depth 1 each finds in training."""
    x, first = [[-1.0], [-1.0], [-1.0], [1.0], [1.0], [1.0]], np.array([0, 0, 1, 1, 1, 0])
    tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    chain = t.ClassifierChain(tree, order=[0, 1]).fit(x, np.column_stack([first, first]))
    true = [[0, 0], [1, 1], [1, 1], [0, 1], [1, 0]]  # of which [0, 0], [0, 0], [1, 1], [1, 1], [1, 1] is predicted
    table = propagation(chain, [[-1.0], [-1.0], [1.0], [1.0], [1.0]], true)
    assert table["label"].tolist() == [0, 1]
    assert_allclose(table["given_predicted"], [0.6, 0.6])
    assert_allclose(
        table["given_true"], [0.6, 0.6]
    )  # label 1 inherits an error in the second row and is lucky in the fourth
    assert_allclose(table["most_frequent"], [0.6, 0.6])
    assert table[["n_own", "n_inherited", "n_lucky"]].to_numpy().tolist() == [[2, 0, 0], [1, 1, 1]]


def test_labels_without_inputs_lose_nothing_under_greedy_inference():
    for method in (t.IndependentClassifiers(), t.ClassifierTrellis(random_state=0)):
        table = propagation(method.fit(X[:50], BINARY[:50]), X[50:], BINARY[50:])
        first = table[table["n_inputs"] == 0]
        assert len(first) >= 1
        assert_array_equal(first["given_true"], first["given_predicted"])
        assert (first[["n_inherited", "n_lucky"]] == 0).all(axis=None)


def test_values_not_seen_in_training_are_left_out_of_labels_and_of_those_that_depend_on_them():
    chain = t.ClassifierChain(order=[0, 1, 2, 3]).fit(X[:50], THREE[:50])
    Y = THREE[50:].copy()
    Y[:3, 1] = 9
    table = propagation(chain, X[50:], Y)
    assert table["n_rows"].tolist() == [20, 17, 17, 17]
    assert_allclose(table["given_true"].iloc[2:], propagation(chain, X[53:], Y[3:])["given_true"].iloc[2:])
    unknown = propagation(chain, X[50:], np.full((20, 4), 9))
    assert unknown["n_rows"].tolist() == [0] * 4
    assert unknown[["given_predicted", "given_true", "most_frequent", "lost"]].isna().all(axis=None)


def test_sparse_data_blocks_and_learners_without_probabilities_agree(monkeypatch):
    chain = t.ClassifierChain(order=[0, 1, 2, 3]).fit(X[:50], BINARY[:50])
    whole = propagation(chain, X[50:], BINARY[50:])
    monkeypatch.setattr(type(chain), "_block_rows", lambda method: 7)
    pd.testing.assert_frame_equal(propagation(chain, X[50:], sparse.csr_array(BINARY[50:])), whole)
    machine = t.ClassifierChain(t.PerLabel(LinearSVC()), order=[0, 1, 2, 3]).fit(X[:50], BINARY[:50])
    right = (machine.predict(X[50:]) == BINARY[50:]).mean(axis=0)
    assert_allclose(propagation(machine, X[50:], BINARY[50:])["given_predicted"], right)


def test_members_of_ensembles():
    ensemble = t.EnsembleClassifierChains(n_estimators=2, random_state=0).fit(X[:50], BINARY[:50])
    for member in graph_members(ensemble):
        table = propagation(member, X[50:], BINARY[50:]).set_index("label")
        right = (member.predict(X[50:]) == BINARY[50:]).mean(axis=0)
        assert_allclose(table["given_predicted"].sort_index(), right)


def test_levels_are_averaged():
    table = pd.DataFrame(
        {
            "level": [0, 1, 1, 1],
            "n_rows": [40, 30, 10, 0],
            "given_predicted": [0.9, 0.5, 0.7, np.nan],
            "given_true": [0.9, 0.6, 1.0, np.nan],
            "most_frequent": [0.5, 0.5, 0.6, np.nan],
            "lost": [0.0, 0.1, 0.3, np.nan],
            "n_own": [1, 2, 3, 0],
            "n_inherited": [0, 1, 4, 0],
            "n_overruled": [0, 0, 2, 0],
            "n_lucky": [0, 0, 1, 0],
        }
    )
    levels = by_level(table)
    assert levels["level"].tolist() == [0, 1]
    assert levels["n_labels"].tolist() == [1, 2]  # the third cannot be judged
    means = levels[["given_predicted", "given_true", "most_frequent", "lost"]]
    assert_allclose(means.loc[1], [0.55, 0.7, 0.525, 0.15])  # of 40 values, 30 are of the first of them
    counts = levels[["n_rows", "n_own", "n_inherited", "n_overruled", "n_lucky"]]
    assert counts.to_numpy().tolist() == [[40, 1, 0, 0, 0], [40, 5, 5, 2, 1]]
    none = by_level(table.assign(n_rows=[40, 0, 0, 0]))
    assert none["n_labels"].tolist() == [1, 0]
    assert none[["given_predicted", "given_true", "most_frequent", "lost"]].loc[1].isna().all()


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_a_level_is_the_share_of_its_values_that_are_right(method):
    """Of some labels the truth is not known everywhere, and these count less."""
    fitted = method.fit(X[:50], BINARY[:50])
    Y = BINARY[50:].copy()
    Y[:15, 2] = 9
    table, predicted = propagation(fitted, X[50:], Y), fitted.predict(X[50:])
    for row in by_level(table).itertuples():
        right = []
        for label in table["label"][table["level"] == row.level]:
            judged = (Y[:, [label, *fitted.graph_.inputs[label]]] < 2).all(axis=1)
            right += (predicted == Y)[judged, label].tolist()
        assert row.n_rows == len(right)
        assert_allclose(row.given_predicted, np.mean(right))


def test_instances_are_found_by_the_outcomes_of_their_labels():
    """As above by hand: of label 1, the second row is an inherited error, the fourth lucky, and the fifth an own error.

    In the last two rows, a value was not seen in training; of the last but one, label 1 is wrong all the same.
    """
    x, first = [[-1.0], [-1.0], [-1.0], [1.0], [1.0], [1.0]], np.array([0, 0, 1, 1, 1, 0])
    tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    chain = t.ClassifierChain(tree, order=[0, 1]).fit(x, np.column_stack([first, first]))
    true = [[0, 0], [1, 1], [1, 1], [0, 1], [1, 0], [7, 1], [0, 7]]
    found = instances_by_outcome(chain, [[-1.0], [-1.0], [1.0], [1.0], [1.0], [-1.0], [-1.0]], true)
    assert {outcome: places.tolist() for outcome, places in found.items()} == {
        "own error": [1, 3, 4],
        "inherited error": [1],
        "overruled": [],
        "lucky": [3],
        "wrong": [1, 3, 4, 5],
    }


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_instances_by_outcome_are_those_of_their_paths(method):
    Y = THREE.copy()
    Y[50:60, 2] = 9  # not seen in training
    fitted = method.fit(X[:50], THREE[:50])
    found = instances_by_outcome(fitted, X[50:], Y[50:])
    paths = [prediction_path(fitted, X[[row]], Y[row]).steps for row in range(50, 70)]
    wrong = [row for row, steps in enumerate(paths) if any(step.true not in (None, step.code) for step in steps)]
    assert found.pop("wrong").tolist() == wrong
    for outcome, places in found.items():
        assert places.tolist() == [
            row for row, steps in enumerate(paths) if outcome in {step.outcome for step in steps}
        ]


def test_one_label_may_be_a_vector():
    one = t.ClassifierChain().fit(X[:50], BINARY[:50, 0])
    column, vector = (propagation(one, X[50:], Y) for Y in (BINARY[50:, :1], BINARY[50:, 0]))
    pd.testing.assert_frame_equal(column, vector)
    assert edge_effects(one, X[:50], BINARY[:50, 0], X[50:], BINARY[50:, 0]).empty
    two = t.ClassifierChain().fit(X[:50], BINARY[:50, :2])
    with pytest.raises(ValueError, match=r"Got labels .*shape \(20,\), .*expected \(n_instances, 2\)"):
        propagation(two, X[50:], BINARY[50:, 0])


def test_codes_of_the_truth():
    coding = LabelCoding([np.array(["a", "b"]), np.array(["x", "y", "z"])])
    assert true_codes(np.array([["b", "z"], ["a", "w"]]), coding).tolist() == [[1, 0], [2, -1]]
    with pytest.raises(ValueError, match=r"Got labels .*shape \(1, 3\), .*expected \(n_instances, 2\)"):
        true_codes([["a", "x", "x"]], coding)


def test_codes_of_sparse_truth_take_no_more_memory_than_the_codes():
    Y = sparse.random_array((2_000, 300), density=0.01, format="csr", rng=np.random.default_rng(0))
    Y.data[:] = 1
    coding = LabelCoding([np.arange(2)] * 300)
    tracemalloc.start()
    codes = true_codes(Y, coding)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1.2 * codes.nbytes
    assert_array_equal(codes, Y.toarray().T)


def test_outcomes_by_hand():
    right, would, inputs = np.array([[1, 1, 1], [1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 1, 1], [1, 0, 1]], bool).T
    expected = ["right", "lucky", "inherited error", "own error", "overruled", "right"]
    assert outcomes(right, would, inputs).tolist() == expected
    assert str(outcomes(True, False, False)) == "lucky"


@pytest.mark.parametrize("method", [t.ProbabilisticClassifierChain(), t.ConditionalDependencyNetwork(random_state=0)])
def test_no_error_is_inherited_from_inputs_that_are_right(method):
    """What PCC decides jointly or Gibbs sampling draws may be wrong though its most probable value is right."""
    fitted = method.fit(X[:50], BINARY[:50])
    table = propagation(fitted, X[50:], BINARY[50:]).set_index("label")
    roots = table[table["n_inputs"] == 0]
    assert (roots[["n_inherited", "n_lucky"]] == 0).all(axis=None)
    for row in range(50, len(X)):
        for step in prediction_path(fitted, X[[row]], BINARY[row]).steps:
            has_wrong_input = any(
                code != BINARY[row, one] for one, code in zip(step.inputs, step.input_codes, strict=True)
            )
            assert has_wrong_input or step.outcome not in ("inherited error", "lucky")
            assert not has_wrong_input or step.outcome != "overruled"


def test_names_of_levels():
    chain, undirected = LabelGraph.chain([0, 1, 2]), LabelGraph.chain([0, 1, 2]).undirected()
    graphs = (chain, LabelGraph([(), (0,), (1,)]), undirected, LabelGraph([()]))
    assert [level_name(graph) for graph in graphs] == ["place in the chain", "wavefront", "colour", "wavefront"]


def test_other_numbers_of_instances_are_refused():
    chain = t.ClassifierChain().fit(X, BINARY)
    with pytest.raises(ValueError, match=r"Got labels .*3 instances, .*expected 2"):
        propagation(chain, X[:2], BINARY[:3])


@pytest.mark.parametrize("method", [t.ClassifierChain(), t.EnsembleClassifierChains(n_estimators=2, random_state=0)])
def test_methods_that_are_not_fitted_or_have_several_graphs_are_refused(method):
    if isinstance(method, t.EnsembleClassifierChains):
        method.fit(X, BINARY)
    for look in (
        propagation,
        lambda one, X, Y: edge_effects(one, X, Y, X, Y),
        lambda one, X, Y: prediction_path(one, X[[0]]),
    ):
        with pytest.raises(ValueError, match=r"expected .*method .*label graph|is not fitted yet"):
            look(method, X, BINARY)


def test_labels_of_other_instances_are_refused():
    chain = t.ClassifierChain(order=[0, 1, 2, 3]).fit(X, BINARY)
    for args in ((X, BINARY, X, BINARY[:9]), (X, BINARY[:9], X, BINARY)):
        with pytest.raises(ValueError, match=r"Got labels .*9 instances, .*expected 70"):
            edge_effects(chain, *args)
