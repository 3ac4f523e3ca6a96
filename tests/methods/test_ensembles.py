"""Ensembles against votes by hand."""

import networkx as nx
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import multioutput
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from trellislib import (
    AncestralSampling,
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    EnsembleBayesianClassifierChains,
    EnsembleClassifierChains,
    EnsembleClassifierDependencyTrellises,
    EnsembleClassifierTrellises,
    EnsemblePrunedSets,
    GibbsSampling,
    RandomGraphEnsemble,
)
from trellislib.methods import trellis

LOGISTIC = LogisticRegression(C=10.0)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
SWEEPS = GibbsSampling(20, 5)
bases = pytest.mark.parametrize("base", [LOGISTIC, TREE], ids=["logistic", "tree"])
ENSEMBLES = [
    EnsembleClassifierChains,
    EnsembleBayesianClassifierChains,
    EnsembleClassifierTrellises,
    EnsembleClassifierDependencyTrellises,
    EnsemblePrunedSets,
    RandomGraphEnsemble,
]


def problem(n_labels=4, n_instances=50, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_instances, 3))
    noise = rng.standard_normal((n_instances, n_labels))
    Y = (X @ rng.standard_normal((3, n_labels)) + noise + np.roll(noise, 1, axis=1) > 0.3).astype(int)
    return X, Y


@bases
@pytest.mark.parametrize("n_estimators", [1, 4, 5])
def test_chains_vote(base, n_estimators):
    X, Y = problem()
    fitted = EnsembleClassifierChains(base, n_estimators=n_estimators, random_state=0).fit(X, Y)
    orders = [list(member.graph_.order) for member in fitted.estimators_]
    assert len(orders) == n_estimators
    assert len({tuple(order) for order in orders}) > n_estimators / 2
    votes = np.mean([multioutput.ClassifierChain(base, order=order).fit(X, Y).predict(X) for order in orders], axis=0)
    tied = np.isclose(votes, 0.5)
    assert_allclose(fitted.predict_proba(X)[~tied], votes[~tied], atol=1e-12)
    assert tied.any() == (n_estimators == 4)
    assert_array_equal(fitted.predict(X)[~tied], (votes > 0.5)[~tied])
    # Two of four are no majority: the average of the members' probabilities decides.
    average = np.mean([member.predict_proba(X) for member in fitted.estimators_], axis=0)
    assert_array_equal(fitted.predict(X)[tied], (average > 0.5)[tied])
    assert_allclose(fitted.predict_proba(X)[tied], 0.5 + (average[tied] - 0.5) / 6, atol=1e-9)


@bases
def test_soft_votes_are_averages(base):
    X, Y = problem()
    fitted = EnsembleClassifierChains(base, n_estimators=4, voting="soft", random_state=0).fit(X, Y)
    chains = [multioutput.ClassifierChain(base, order=list(m.graph_.order)).fit(X, Y) for m in fitted.estimators_]
    average = np.mean([chain.predict_proba(X) for chain in chains], axis=0)
    assert_allclose(fitted.predict_proba(X), average, atol=1e-9)
    assert_array_equal(fitted.predict(X), (average > 0.5).astype(int))


def test_a_label_of_more_values_takes_the_value_with_most_votes():
    X, Y = problem()
    Y[:, 1] += Y[:, 0] + Y[:, 2]
    fitted = EnsembleClassifierChains(TREE, n_estimators=4, random_state=0).fit(X, Y)
    votes = np.sum([m.predict(X)[:, 1, None] == np.arange(4) for m in fitted.estimators_], axis=0)
    average = np.mean([m.predict_proba(X)[1] for m in fitted.estimators_], axis=0)
    of_most = np.where(votes == votes.max(axis=1, keepdims=True), average, -1.0)
    assert_array_equal(fitted.predict(X)[:, 1], of_most.argmax(axis=1))  # of equally many votes the more probable value
    assert (np.sort(votes, axis=1)[:, -2:] == 2).all(axis=1).any()
    assert_allclose(fitted.predict_proba(X)[1], votes / 4, atol=1 / 6)
    order, by_votes = fitted.predict_proba(X)[1].argsort(axis=1), votes.argsort(axis=1)
    clear = (np.sort(votes, axis=1)[:, -2:] != 2).any(axis=1)
    assert_array_equal(order[clear, -1], by_votes[clear, -1])


def test_without_probabilities_a_tie_is_decided_without_the_last_member():
    X, Y = problem()
    odd, even = (
        EnsembleClassifierChains(LinearSVC(), n_estimators=n, random_state=0).fit(X, Y).predict(X) for n in (3, 4)
    )
    assert_array_equal(even, odd)


def test_a_tie_is_one_at_a_threshold_of_one_half_alone():
    X, Y = problem()
    fitted = EnsembleClassifierChains(TREE, n_estimators=4, threshold=0.25, random_state=0).fit(X, Y)
    assert (fitted.predict_proba(X) == 0.25).any()
    assert_array_equal(fitted.predict(X), fitted.predict_proba(X) > 0.25)


class Spy(DecisionTreeClassifier):
    """Notes the first feature of the rows that it is fitted on."""

    seen: list = []  # noqa: RUF012

    def fit(self, X, y, sample_weight=None):
        Spy.seen.append(tuple(np.sort(X[:, 0])))
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("method", ENSEMBLES)
@pytest.mark.parametrize(("share", "expected"), [(0.5, 20), (0.67, 27), (0.01, 1)])
def test_each_member_sees_its_share_of_the_rows(method, share, expected):
    X, Y = problem(2, n_instances=40)
    X[:, 0] = np.arange(40)
    Y[:] = np.arange(80).reshape(40, 2) // 2 % 2  # two label sets, either often enough
    Spy.seen = []
    method(Spy(), n_estimators=2, max_samples=share, random_state=0).fit(X, Y)
    if expected > 1:
        assert {len(set(rows)) == len(rows) == expected for rows in Spy.seen} == {True}  # without replacement
        assert len(set(Spy.seen)) == 2  # other rows for each member
    else:
        assert Spy.seen == []  # of one row every label is constant


def test_members_see_all_rows_by_default():
    X, Y = problem()
    Spy.seen = []
    EnsembleClassifierChains(Spy(), n_estimators=2, random_state=0).fit(X, Y)
    assert set(Spy.seen) == {tuple(np.sort(X[:, 0]))}


def test_a_label_constant_in_what_a_member_sees():
    X, Y = problem()
    Y[:, 0] = 0
    Y[3, 0] = 1  # in few members' rows
    for method in ENSEMBLES:
        fitted = method(n_estimators=3, max_samples=0.3, random_state=0).fit(X, Y)
        assert set(np.unique(fitted.predict(X)[:, 0])) <= {0, 1}


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.9])
def test_a_label_is_relevant_above_the_threshold(threshold):
    X, Y = problem()
    fitted = EnsembleClassifierChains(n_estimators=5, voting="soft", threshold=threshold, random_state=0).fit(X, Y)
    assert fitted.threshold_ == threshold
    assert_array_equal(fitted.predict(X), fitted.predict_proba(X) > threshold)


@pytest.mark.parametrize("method", [EnsembleClassifierChains, EnsembleClassifierTrellises, EnsemblePrunedSets])
def test_tuned_thresholds_leave_the_members_as_they_are(method):
    X, Y = problem()
    plain = method(n_estimators=3, random_state=0).fit(X, Y)
    tuned = method(n_estimators=3, threshold="cardinality", random_state=0).fit(X, Y)
    per_label = method(n_estimators=3, threshold="per-label", random_state=0).fit(X, Y)
    assert 0 < tuned.threshold_ < 1
    assert per_label.threshold_.shape == (4,)
    for fitted in (tuned, per_label):
        assert_allclose(fitted.predict_proba(X), plain.predict_proba(X))
        assert_array_equal(fitted.predict(X), fitted.predict_proba(X) > fitted.threshold_)


def test_the_authors_form():
    X, Y = problem()
    method = EnsembleClassifierChains(max_samples=0.67, voting="soft", threshold="cardinality", random_state=0)
    fitted = method.fit(X, Y)
    assert fitted.predict(X).sum() == pytest.approx(Y.sum(), rel=0.25)


@pytest.mark.parametrize("placement", ["hill-climbing", "random"])
def test_trellises_share_a_matrix_and_are_what_they_would_be_alone(placement, monkeypatch):
    X, Y = problem(6)
    computed = []
    whole = trellis.information_of_residuals
    monkeypatch.setattr(trellis, "information_of_residuals", lambda residuals: computed.append(1) or whole(residuals))
    settings = {"width": 3, "parents": "left-up-diagonal", "placement": placement, "dependence": "residual"}
    for method, alone, more in (
        (EnsembleClassifierTrellises, ClassifierTrellis, {}),
        (EnsembleClassifierTrellises, ClassifierTrellis, {"inference": AncestralSampling(10)}),
        (EnsembleClassifierDependencyTrellises, ClassifierDependencyTrellis, {"inference": SWEEPS}),
    ):
        computed.clear()
        fitted = method(n_estimators=4, random_state=0, **settings, **more).fit(X, Y)
        assert len(computed) == (placement != "random")
        seeds = [member.random_state for member in fitted.estimators_]
        assert len(set(seeds)) == 4
        for member, seed in zip(fitted.estimators_, seeds, strict=True):
            single = alone(random_state=seed, **settings, **more).fit(X, Y)
            assert member.graph_ == single.graph_
            assert_array_equal(member.predict(X), single.predict(X))


@pytest.mark.parametrize(("n_labels", "n_estimators"), [(1, 10), (3, 10), (6, 4)])
def test_discovered_graphs_lead_away_from_different_labels(n_labels, n_estimators):
    X, Y = problem(n_labels)
    fitted = EnsembleBayesianClassifierChains(structure="tree", n_estimators=n_estimators, random_state=0).fit(X, Y)
    assert len(fitted.estimators_) == min(n_estimators, n_labels)
    roots = [member.graph_.order[0] for member in fitted.estimators_]
    assert len(set(roots)) == len(roots)
    assert all(member.graph_.parents[root] == () for member, root in zip(fitted.estimators_, roots, strict=True))
    skeletons = {member.graph_.undirected().edges for member in fitted.estimators_}
    assert len(skeletons) == 1


def test_there_are_as_many_members_as_labels_by_default_where_labels_are_few():
    X, Y = problem(3)
    assert len(EnsembleBayesianClassifierChains(random_state=0).fit(X, Y).estimators_) == 3


def test_random_graphs_are_spanning_trees():
    X, Y = problem(7)
    fitted = RandomGraphEnsemble(n_estimators=6, inference=SWEEPS, random_state=0).fit(X, Y)
    graphs = [member.graph_ for member in fitted.estimators_]
    assert all(nx.is_tree(graph.to_networkx()) for graph in graphs)
    assert len({graph.edges for graph in graphs}) == 6


@pytest.mark.parametrize("n_labels", [6, 7])
def test_random_graphs_are_pairs(n_labels):
    X, Y = problem(n_labels)
    fitted = RandomGraphEnsemble(graph="pairs", n_estimators=6, inference=SWEEPS, random_state=0).fit(X, Y)
    graphs = [member.graph_ for member in fitted.estimators_]
    for graph in graphs:
        assert sorted(map(len, graph.neighbours)) == [0] * (n_labels % 2) + [1] * (n_labels - n_labels % 2)
    assert len({graph.edges for graph in graphs}) > 3


def test_random_graphs_average_marginals_or_vote():
    X, Y = problem()
    soft = RandomGraphEnsemble(n_estimators=3, inference=SWEEPS, random_state=0).fit(X, Y)
    average = np.mean([member.predict_proba(X) for member in soft.estimators_], axis=0)
    assert_allclose(soft.predict_proba(X), average, atol=1e-12)
    hard = RandomGraphEnsemble(n_estimators=3, inference=SWEEPS, voting="hard", random_state=0).fit(X, Y)
    votes = np.mean([member.predict(X) for member in hard.estimators_], axis=0)
    assert_allclose(hard.predict_proba(X), votes, atol=1e-12)
    assert_array_equal(hard.predict(X), (votes > 0.5).astype(int))


@pytest.mark.parametrize("method", ENSEMBLES)
def test_the_first_members_do_not_depend_on_how_many_there_are(method):
    X, Y = problem(5)
    few, more = (method(n_estimators=n, random_state=0).fit(X, Y) for n in (2, 4))
    for one, other in zip(few.estimators_, more.estimators_, strict=False):
        assert one.get_params().get("random_state") == other.get_params().get("random_state")
        assert_array_equal(one.predict(X), other.predict(X))
