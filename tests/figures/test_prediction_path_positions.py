"""Positions of the labels in the figure of a prediction path."""

import numpy as np

from trellislib import (
    ClassifierChain,
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    ConditionalDependencyNetwork,
    IndependentClassifiers,
)
from trellislib.figures import prediction_path_positions
from trellislib.graphs import lattice_positions, ring_positions
from trellislib.inspection import prediction_path


def fitted_path(method, n_labels, rows=60):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 3))
    Y = (X[:, :1] + rng.normal(size=(rows, n_labels)) > 0).astype(int)
    fitted = method.fit(X, Y)
    return fitted, prediction_path(fitted, X[:1])


def test_a_trellis_is_drawn_in_its_lattice():
    method, seen = fitted_path(ClassifierTrellis(width=3, random_state=0), 6)
    places = lattice_positions(method.graph_)
    expected = (places - places.min(axis=0)) / np.ptp(places, axis=0)
    np.testing.assert_allclose(prediction_path_positions(seen, 0), expected)
    assert expected.min() == 0
    assert expected.max() == 1


def test_an_undirected_graph_is_drawn_in_the_lattice_that_it_comes_from():
    method, seen = fitted_path(ClassifierDependencyTrellis(width=2, random_state=0), 4)
    places = lattice_positions(method.trellis_)
    np.testing.assert_allclose(
        prediction_path_positions(seen, 0, method.trellis_), (places - places.min(axis=0)) / np.ptp(places, axis=0)
    )


def test_a_chain_goes_round_in_the_order_of_prediction():
    _, seen = fitted_path(ClassifierChain(order=[2, 0, 1]), 3)
    np.testing.assert_allclose(prediction_path_positions(seen, 0)[[2, 0, 1]], ring_positions(3))


def test_labels_without_edges_stand_in_rows():
    _, seen = fitted_path(IndependentClassifiers(), 5)
    expected = [[0, 1], [0.5, 1], [1, 1], [0, 0.5], [0.5, 0.5]]
    np.testing.assert_allclose(prediction_path_positions(seen, 2), expected)


def test_one_label_has_a_place():
    _, seen = fitted_path(IndependentClassifiers(), 1)
    np.testing.assert_allclose(prediction_path_positions(seen, 0), [[0, 1]])


def test_other_graphs_stand_at_given_positions_or_on_a_ring():
    graph = ClassifierTrellis(width=3, random_state=0)
    method, seen = fitted_path(graph, 6)
    elsewhere = np.random.default_rng(1).random((6, 2))
    assert method.graph_.edges
    np.testing.assert_allclose(
        prediction_path_positions(seen, 0, elsewhere=elsewhere), prediction_path_positions(seen, 0)
    )
    _, seen = fitted_path(ConditionalDependencyNetwork(random_state=0), 4)
    np.testing.assert_allclose(prediction_path_positions(seen, 0, elsewhere=elsewhere[:4]), ring_positions(4))


def test_of_many_labels_those_near_to_the_step_are_placed(monkeypatch):
    monkeypatch.setattr("trellislib.figures.prediction_path.MOST_DRAWN", 6)
    method, seen = fitted_path(ClassifierTrellis(width=5, random_state=0), 20)
    step = 12
    label = seen.steps[step].label
    shown = np.flatnonzero(np.isfinite(prediction_path_positions(seen, step)).all(axis=1))
    assert len(shown) == 6
    assert {label, *method.graph_.inputs[label]} <= set(shown.tolist())


def test_labels_not_connected_to_the_step_fill_up(monkeypatch):
    monkeypatch.setattr("trellislib.figures.prediction_path.MOST_DRAWN", 3)
    _, seen = fitted_path(IndependentClassifiers(), 8)
    positions = prediction_path_positions(seen, 7)
    assert np.flatnonzero(np.isfinite(positions[:, 0])).tolist() == [0, 1, seen.steps[7].label]
