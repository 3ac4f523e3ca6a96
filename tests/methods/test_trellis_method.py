"""The classifier trellis: what guides the placement of its labels, and its shape."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from trellislib import ClassifierTrellis
from trellislib.dependence import co_occurrence, mutual_information, pair_counts, residual_information
from trellislib.graphs import trellis


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
    with pytest.raises(ValueError, match=r"Got dependence of shape .*each of 8 labels"):
        ClassifierTrellis(dependence=np.ones(shape)).fit(*problem())


@pytest.mark.parametrize("name", ["best", "information", ""])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(ValueError, match=f"Got dependence='{name}', but expected one of .*or a matrix"):
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
