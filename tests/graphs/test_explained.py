import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, Ridge

from trellislib.dependence import ResidualGram
from trellislib.graphs import explained_trellis
from trellislib.learners.training_set import TrainingSet


def data(n_labels=7, values=2, n_instances=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_instances, 3))
    scores = X @ rng.standard_normal((3, n_labels)) + rng.standard_normal((n_instances, n_labels)).cumsum(axis=1)
    return X, np.clip(np.round(scores), 0, values - 1).astype(int)


def residuals(X, Y, alpha=1.0):
    training_set = TrainingSet.of(X, Y)
    return ResidualGram(training_set.regression(alpha), training_set.counts)


def placed_by_hand(X, Y, cells, first, alpha):
    """Place labels by regressing the residuals of every label on those of the parents, one by one."""
    training_set = TrainingSet.of(X, Y)
    Z, starts = training_set.columns, training_set.coding.starts
    R = Z - LinearRegression().fit(X, Z).predict(X)  # as alpha goes to 0
    order = [first]
    for parents in cells[1:]:
        best, most = None, -np.inf
        for label in range(Y.shape[1]):
            if label in order:
                continue
            mine = R[:, starts[label] : starts[label + 1]]
            gain = 0.0
            if parents:
                theirs = np.hstack([R[:, starts[order[p]] : starts[order[p] + 1]] for p in parents])
                weights = Ridge(alpha, fit_intercept=False).fit(theirs, mine).coef_.reshape(mine.shape[1], -1).T
                gain = np.einsum("nk,nk->", mine, theirs @ weights) / (mine**2).sum()
            if gain > most + 1e-9:
                best, most = label, gain
        order.append(best)
    return tuple(order)


@pytest.mark.parametrize("values", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_each_label_is_the_one_that_its_parents_explain_best(values, seed):
    X, Y = data(values=values, seed=seed)
    found = explained_trellis(residuals(X, Y, alpha=1e-9), width=3, alpha=0.5, random_state=seed)
    place = {label: cell for cell, label in enumerate(found.order)}
    cells = [[place[parent] for parent in found.parents[label]] for label in found.order]
    assert found.order == placed_by_hand(X, Y, cells, found.order[0], alpha=0.5)


def test_a_constant_label_is_explained_by_nothing():
    X, Y = data()
    Y[:, 3] = 1
    assert explained_trellis(residuals(X, Y), width=2, parents=[(0, -1), (-1, 0)], random_state=0).order[-1] == 3


def test_the_width_is_the_default_one_and_arguments_are_checked():
    X, Y = data(n_labels=9)
    assert explained_trellis(residuals(X, Y), random_state=0).width == 3
    with pytest.raises(ValueError, match="width=0"):
        explained_trellis(residuals(X, Y), 0)
    with pytest.raises(ValueError, match="earlier cell"):
        explained_trellis(residuals(X, Y), 2, [(0, 1)])
