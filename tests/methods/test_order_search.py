"""Chains in the best of some orders (MCC), or of all (OCC), against loops by hand."""

from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn import multioutput
from sklearn.linear_model import LogisticRegression
from sklearn.utils import check_random_state

from trellislib import ClassifierChain, MonteCarloClassifierChain, OptimalClassifierChain
from trellislib.metrics import MEASURES

LOGISTIC = LogisticRegression(C=10.0)


def problem(n_labels=3, n_instances=60, seed=0):
    """Features, and labels that depend on each other in a ring."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_instances, 3))
    noise = rng.standard_normal((n_instances, n_labels))
    Y = (X @ rng.standard_normal((3, n_labels)) + noise + np.roll(noise, 1, axis=1) > 0).astype(int)
    return X, Y


class Noting(LogisticRegression):
    """Notes on which rows, and on how many inputs, it is fitted."""

    fits: list = []  # noqa: RUF012

    def fit(self, X, y, sample_weight=None):
        Noting.fits.append((tuple(np.sort(X[:, 0])), X.shape[1]))
        return super().fit(X, y, sample_weight)


def rows_of(method, X, Y):
    """Return the rows that orders are compared on, and those that they are trained on, by what a classifier saw."""
    Noting.fits = []
    method.set_params(estimator=Noting()).fit(X, Y)
    trained = np.isin(X[:, 0], Noting.fits[0][0])
    return np.flatnonzero(~trained), np.flatnonzero(trained)


def exact_match(Y, predicted):
    return float((predicted == Y).all(axis=1).mean())


@pytest.mark.parametrize("method", [MonteCarloClassifierChain, OptimalClassifierChain])
def test_the_best_order_on_held_out_rows_is_chosen_and_trained_on_all(method):
    X, Y = problem()
    held, trained = rows_of(method(random_state=1), X, Y)
    assert len(held) == round(0.33 * 60)
    fitted = method(LOGISTIC, random_state=1).fit(X, Y)
    by_hand = {
        order: exact_match(
            Y[held], multioutput.ClassifierChain(LOGISTIC, order=order).fit(X[trained], Y[trained]).predict(X[held])
        )
        for order in fitted.payoffs_
    }
    assert fitted.payoffs_ == pytest.approx(by_hand)
    assert len(set(by_hand.values())) > 1
    best = max(by_hand.values())
    assert fitted.graph_.order == next(order for order, payoff in by_hand.items() if payoff == best)
    whole = multioutput.ClassifierChain(LOGISTIC, order=fitted.graph_.order).fit(X, Y)
    assert_array_equal(fitted.predict(X), whole.predict(X))


def test_every_random_order_that_was_tried_is_reported():
    X, Y = problem(4)
    fitted = MonteCarloClassifierChain(n_orders=7, random_state=0).fit(X, Y)
    rng = check_random_state(0)
    assert list(fitted.payoffs_) == list(dict.fromkeys(tuple(rng.permutation(4).tolist()) for _ in range(7)))
    few = MonteCarloClassifierChain(n_orders=50, random_state=0).fit(*problem(2))
    assert sorted(few.payoffs_) == [(0, 1), (1, 0)]
    assert set(MonteCarloClassifierChain(random_state=0).fit(*problem(1)).payoffs_) == {(0,)}


@pytest.mark.parametrize("n_labels", [1, 2, 3])
def test_all_orders_are_tried(n_labels):
    fitted = OptimalClassifierChain(random_state=0).fit(*problem(n_labels))
    assert list(fitted.payoffs_) == list(permutations(range(n_labels)))


@pytest.mark.parametrize("method", [MonteCarloClassifierChain, OptimalClassifierChain])
def test_without_rows_held_out_orders_are_compared_where_they_were_trained(method):
    X, Y = problem()
    fitted = method(LOGISTIC, held_out=0.0, random_state=0).fit(X, Y)
    for order, payoff in fitted.payoffs_.items():
        chain = multioutput.ClassifierChain(LOGISTIC, order=order).fit(X, Y)
        assert payoff == pytest.approx(exact_match(Y, chain.predict(X)))


@pytest.mark.parametrize("name", [key for key, measure in MEASURES.items() if measure.needs == "labels"])
def test_a_payoff_by_name_is_that_score_higher_being_better(name):
    X, Y = problem()
    fitted = OptimalClassifierChain(payoff=name, held_out=0.0).fit(X, Y)
    sign = 1 if MEASURES[name].higher_is_better else -1
    for order, payoff in fitted.payoffs_.items():
        predicted = ClassifierChain(order=order).fit(X, Y).predict(X)
        assert payoff == pytest.approx(sign * MEASURES[name].function(Y, predicted))
    assert fitted.payoffs_[fitted.graph_.order] == max(fitted.payoffs_.values())


def test_a_payoff_may_be_any_function():
    X, Y = problem()

    def payoff(Y, predicted):
        return -float((Y[:, 2] == predicted[:, 2]).mean())

    fitted = OptimalClassifierChain(LOGISTIC, payoff=payoff, held_out=0.0).fit(X, Y)
    worst = {
        order: (ClassifierChain(LOGISTIC, order=order).fit(X, Y).predict(X)[:, 2] == Y[:, 2]).mean()
        for order in permutations(range(3))
    }
    assert worst[fitted.graph_.order] == min(worst.values())


def test_equal_payoffs_leave_the_first_order():
    fitted = OptimalClassifierChain(payoff=lambda Y, P: 1.0).fit(*problem())
    assert fitted.graph_.order == (0, 1, 2)


def test_the_log_likelihood_of_the_true_vectors():
    X, Y = problem()
    for weights in (None, np.random.default_rng(0).random(len(X))):
        fitted = OptimalClassifierChain(LOGISTIC, payoff="log-likelihood", held_out=0.0).fit(X, Y, weights)
        for order, payoff in fitted.payoffs_.items():
            likelihood = np.zeros(len(X))
            for place, label in enumerate(order):
                inputs = np.hstack([X, Y[:, sorted(order[:place])]])
                p = LogisticRegression(C=10.0).fit(inputs, Y[:, label], weights).predict_proba(inputs)
                likelihood += np.log(p[np.arange(len(X)), Y[:, label]])
            assert payoff == pytest.approx(np.average(likelihood, weights=weights), abs=1e-9)


@pytest.mark.parametrize("n_labels", [2, 3, 4])
def test_orders_share_their_fits(n_labels):
    X, Y = problem(n_labels)
    Noting.fits = []
    OptimalClassifierChain(Noting(), random_state=0).fit(X, Y)
    compared = [fit for fit in Noting.fits if len(fit[0]) < 60]
    assert len(compared) == n_labels * 2 ** (n_labels - 1)
    assert len(Noting.fits) - len(compared) == n_labels  # of the best order, on all rows
    Noting.fits = []
    OptimalClassifierChain(Noting(), held_out=0.0).fit(X, Y)
    assert len(Noting.fits) == n_labels * 2 ** (n_labels - 1)  # the best order is among them


def test_more_labels_are_refused_with_the_number_of_their_orders():
    X, Y = problem(8)
    with pytest.raises(ValueError, match=r"8 labels .*8! = 40320 orders.*max_labels=7.*MonteCarlo"):
        OptimalClassifierChain().fit(X, Y)
    with pytest.raises(ValueError, match=r"4 labels .*4! = 24 orders"):
        OptimalClassifierChain(max_labels=3).fit(X, Y[:, :4])
    with pytest.raises(ValueError, match=r"200 labels have 200! orders"):  # more than a float can hold
        OptimalClassifierChain().fit(X, np.tile(Y, (1, 25)))


def test_scores_of_rankings_are_no_payoff():
    ranking = next(key for key, measure in MEASURES.items() if measure.needs == "scores")
    with pytest.raises(ValueError, match=rf"Got payoff='{ranking}', .*expected .*log-likelihood"):
        MonteCarloClassifierChain(payoff=ranking).fit(*problem())


def test_few_instances_are_all_trained_on():
    X, Y = problem(2, n_instances=2)
    assert MonteCarloClassifierChain(held_out=0.9, random_state=0).fit(X, Y).predict(X).shape == (2, 2)
    assert OptimalClassifierChain().fit(X[:1], Y[:1]).predict(X).shape == (2, 2)
