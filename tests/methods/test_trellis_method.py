"""The classifier trellis: what guides the placement of its labels, and its shape."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import mutual_info_score
from sklearn.model_selection import KFold

from trellislib import (
    ClassifierChain,
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    EnsembleClassifierTrellises,
    LeastSquares,
)
from trellislib.dependence import (
    InformationRows,
    ResidualGram,
    co_occurrence,
    mutual_information,
    pair_counts,
    residual_information,
)
from trellislib.graphs import Trellis, explained_trellis, searched_trellis, trellis
from trellislib.labels.graph import LabelGraph
from trellislib.learners.training_set import TrainingSet
from trellislib.methods.structure_score import cross_validated_score
from trellislib.running.progress import CancelledError


def problem(n_labels=8, n_instances=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_instances, 3))
    noise = rng.standard_normal((n_instances, n_labels))
    Y = (X @ rng.standard_normal((3, n_labels)) + noise + np.roll(noise, 1, axis=1) > 0.4).astype(int)
    return X, Y


@pytest.mark.parametrize("seed", range(3))
def test_what_guides_the_placement(seed):
    X, Y = problem(seed=seed)
    drawn = np.random.default_rng(seed).random((8, 8))
    guides = {
        "mutual-information": mutual_information(Y),
        "co-occurrence": co_occurrence(pair_counts(Y)),
        "residual": residual_information(X, Y),
        "matrix": drawn + drawn.T,
    }
    found = []
    for name, matrix in guides.items():
        dependence = matrix if name == "matrix" else name
        method = ClassifierTrellis(width=3, parents="left-up-diagonal", dependence=dependence, random_state=seed)
        found.append(method.fit(X, Y).graph_)
        assert found[-1] == trellis(matrix, 3, "left-up-diagonal", random_state=seed)
    assert len({graph.order for graph in found}) > 2


def test_by_default_mutual_information_does():
    X, Y = problem(4)
    information = np.array([[mutual_info_score(one, other) for other in Y.T] for one in Y.T])
    assert ClassifierTrellis(random_state=0).fit(X, Y).graph_ == trellis(information, random_state=0)


def test_weights_count_in_what_guides_it():
    X, Y = problem()
    weight = np.random.default_rng(1).integers(0, 4, len(X))
    for dependence in ("mutual-information", "co-occurrence", "residual"):
        method = ClassifierTrellis(dependence=dependence, random_state=0)
        weighted = method.fit(X, Y, weight).graph_
        assert weighted == method.fit(np.repeat(X, weight, axis=0), np.repeat(Y, weight, axis=0)).graph_


@pytest.mark.parametrize("shape", [(8, 7), (7, 7), (8,), (9, 9)])
def test_a_matrix_of_another_size_is_refused(shape):
    with pytest.raises(ValueError, match=r"Got dependence .*shape .*each .*8 labels"):
        ClassifierTrellis(dependence=np.ones(shape)).fit(*problem())


@pytest.mark.parametrize("name", ["best", "information", ""])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(ValueError, match=rf"Got dependence='{name}', .*expected .*or .*matrix"):
        ClassifierTrellis(dependence=name).fit(*problem())


def test_co_occurrence_is_for_binary_labels():
    X, Y = problem()
    Y[:, 0] += Y[:, 1]
    with pytest.raises(ValueError, match="binary"):
        ClassifierTrellis(dependence="co-occurrence").fit(X, Y)


def test_a_trellis_takes_its_shape_from_its_parameters():
    X, Y = problem()
    fitted = ClassifierTrellis(width=3, parents=[(-1, 0)], random_state=0).fit(X, Y)
    assert fitted.graph_.width == 3
    assert fitted.graph_.offsets == ((-1, 0),)
    assert ClassifierTrellis().fit(X, Y).graph_.width == 2  # the square root of 8, rounded down
    random = [ClassifierTrellis(placement="random", random_state=seed).fit(X, Y).graph_.order for seed in range(4)]
    assert len(set(random)) == 4


def test_explained_placement_is_that_of_the_residuals():
    X, Y = problem()
    data = TrainingSet.of(X, Y)
    expected = explained_trellis(ResidualGram(data.regression(1.0), data.counts), 3, random_state=2)
    for base in (None, LogisticRegression()):  # whatever the base learner
        method = ClassifierTrellis(base, width=3, placement="explained", random_state=2)
        assert method.fit(X, Y).graph_ == expected


@pytest.mark.parametrize("kind", [ClassifierTrellis, ClassifierDependencyTrellis])
def test_a_search_starts_from_the_climbed_trellis_and_stays_within_its_budget(monkeypatch, kind):
    X, Y = problem()
    tried = []

    def searched(start, payoff, *, n_swaps, **rest):
        tried.append((start, payoff(start), n_swaps))
        return start

    monkeypatch.setattr("trellislib.methods.trellis.searched_trellis", searched)
    method = kind(placement="search", n_swaps=7, random_state=0).fit(X, Y)
    assert tried[0][0] == ClassifierTrellis(random_state=0).fit(X, Y).graph_
    assert tried[0][2] == 7
    assert 0 < tried[0][1] < 1
    assert method.predict(X).shape == Y.shape


def test_a_search_finds_a_trellis_that_scores_more_on_its_own_folds(monkeypatch):
    X, Y = problem(n_instances=150)
    found = []

    def watched(start, payoff, **rest):
        best = searched_trellis(start, payoff, **rest)
        found.append((payoff(start), payoff(best)))
        return best

    monkeypatch.setattr("trellislib.methods.trellis.searched_trellis", watched)
    fit = [ClassifierTrellis(placement="search", n_swaps=40, random_state=0).fit(X, Y).graph_ for _ in range(2)]
    assert found[0][1] > found[0][0]
    assert fit[0] == fit[1]


@pytest.mark.parametrize("n_labels", [7, 9])
def test_rows_of_information_of_another_size_are_refused(n_labels):
    rows = InformationRows(pair_counts(problem(n_labels)[1]))
    with pytest.raises(ValueError, match=r"Got dependence .*shape .*each .*8 labels"):
        ClassifierTrellis(dependence=rows).fit(*problem())


def test_members_do_not_carry_what_guided_them():
    X, Y = problem(n_labels=60, n_instances=300)
    method = EnsembleClassifierTrellises(dependence="residual", n_estimators=3, random_state=0).fit(X, Y)
    assert [member.dependence for member in method.estimators_] == ["residual"] * 3
    assert len(pickle.dumps(method)) < 3 * 8 * 60**2


def test_the_value_of_a_graph_is_its_score_by_cross_validation():
    X, Y = problem(n_instances=90)
    rng = np.random.RandomState(5)
    splits = KFold(3, shuffle=True, random_state=np.random.RandomState(5)).split(X)
    worth = cross_validated_score(TrainingSet.of(X, Y), LeastSquares(0.5), "exact_match", rng)
    scores = [
        ClassifierChain(LeastSquares(0.5)).fit(X[train], Y[train]).score(X[test], Y[test]) for train, test in splits
    ]
    assert worth(LabelGraph.chain(range(8))) == pytest.approx(np.mean(scores))


def test_on_one_instance_no_graph_scores_more():
    X, Y = problem(n_instances=1)
    method = ClassifierTrellis(placement="search", n_swaps=3, random_state=0).fit(X, Y)
    assert method.graph_ == ClassifierTrellis(random_state=0).fit(X, Y).graph_


def test_the_payoff_of_a_search():
    X, Y = problem()
    three = np.clip(Y + (X[:, :1] > 0.5), 0, 2)
    for payoff in (None, "exact_match"):
        ClassifierTrellis(placement="search", n_swaps=2, payoff=payoff, random_state=0).fit(X, three)
    with pytest.raises(ValueError, match=r"payoff='accuracy', .*expected .*\['hamming_score', 'exact_match'\]"):
        ClassifierTrellis(placement="search", payoff="accuracy").fit(X, three)
    with pytest.raises(ValueError, match=r"Got placement='best', .*expected"):
        ClassifierTrellis(placement="best").fit(X, Y)


def test_a_search_reports_its_progress_and_can_be_cancelled():
    X, Y = problem()
    reported = []
    method = ClassifierTrellis(placement="search", n_swaps=4, random_state=0)
    method.fit(X, Y, progress=lambda *what: reported.append(what))
    assert reported[:4] == [(number, 8, "swaps") for number in (1, 2, 3, 4)]
    assert reported[-1] == (16, 16, "labels")
    answers = iter([False, False, True])
    with pytest.raises(CancelledError):
        method.fit(X, Y, cancelled=lambda: next(answers))


@pytest.mark.parametrize("form", [list, tuple, np.array])
@pytest.mark.parametrize("method", [ClassifierTrellis, ClassifierDependencyTrellis])
def test_labels_that_somebody_has_placed_stay_there(method, form):
    X, Y = problem()
    order = [5, 0, 7, 2, 1, 3, 6, 4]
    fitted = method(width=3, placement=form(order), random_state=0).fit(X, Y)
    placed = fitted.graph_ if method is ClassifierTrellis else fitted.trellis_

    assert placed == Trellis(order, 3, [(0, -1), (-1, 0)])
    assert (fitted.predict(X) == clone(fitted).fit(X, Y).predict(X)).all()


@pytest.mark.parametrize("order", [[0, 1, 2], [0] * 8, [*range(7), 8]])
def test_a_placement_of_other_labels_is_refused(order):
    with pytest.raises(ValueError, match=r"expected .*8 labels once"):
        ClassifierTrellis(placement=order).fit(*problem())
