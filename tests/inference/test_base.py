import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib.inference import AncestralSampling, BeamSearch, Exhaustive, GibbsSampling, Greedy, Inferred
from trellislib.inference.ancestral import log_probability
from trellislib.inference.base import drawn_codes, joint_or_marginals
from trellislib.labels.coding import LabelCoding

MIXED = LabelCoding([np.arange(2), np.arange(4), np.arange(1), np.arange(3)])
BINARY = LabelCoding([np.arange(2)] * 3)


def test_codes_are_drawn_as_often_as_they_are_probable():
    u = (np.arange(1000) + 0.5) / 1000
    p = np.repeat([[0.25], [0.1], [0.2], [0.4], [0.0]], 1000, axis=1)  # of the labels 3 (of 3 values), then 1 (of 4)
    codes = drawn_codes(p, MIXED, (3, 1), np.vstack([u, u]))
    assert np.bincount(codes[0], minlength=3).tolist() == [650, 250, 100]
    assert np.bincount(codes[1], minlength=4).tolist() == [400, 200, 400, 0]
    binary = drawn_codes(p[:2], BINARY, (2, 0), np.vstack([u, u]))
    assert np.bincount(binary[0]).tolist() == [750, 250]
    assert np.bincount(binary[1]).tolist() == [900, 100]


@pytest.mark.parametrize("u", [0.0, 0.5, 1 - 2**-53])
def test_what_is_certain_is_drawn(u):
    one = np.array([[u]])
    assert [drawn_codes(np.array([[p]]), BINARY, (0,), one).item() for p in (0.0, 1.0)] == [0, 1]
    of_three = ([[0.0], [0.0]], [[1.0], [0.0]], [[0.0], [1.0]])
    assert [drawn_codes(np.array(p), MIXED, (3,), one).item() for p in of_three] == [0, 1, 2]


def test_one_number_draws_the_same_of_every_instance_alike():
    p = np.array([[0.3, 0.7, 0.3], [0.3, 0.1, 0.3]])
    assert drawn_codes(p, MIXED, (3,), np.array([[0.35]])).tolist() == [[1, 1, 1]]
    assert drawn_codes(p, BINARY, (0, 1), np.array([[0.5], [0.2]])).tolist() == [[0, 1, 0], [1, 0, 1]]


def test_the_logarithm_of_a_probability_by_hand():
    p = np.array([[0.2, 0.2], [0.3, 0.3], [0.1, 0.6]])  # the labels 3 and 0
    found = log_probability(p, np.array([[0, 2], [1, 0]]), MIXED, (3, 0))
    assert_allclose(found, np.log([0.5 * 0.1, 0.3 * 0.4]))
    found = log_probability(p, np.array([[0, 1], [1, 1], [1, 0]]), BINARY, (0, 1, 2))
    assert_allclose(found, np.log([0.8 * 0.3 * 0.1, 0.2 * 0.3 * 0.4]))
    assert np.isfinite(log_probability(np.array([[1.0]]), np.array([[0]]), BINARY, (0,))).all(), "of what cannot be"


def test_what_is_inferred_of_codes_and_of_marginals():
    codes = np.array([[0, 1], [3, 0], [0, 0], [1, 2]])
    inferred = Inferred(codes, MIXED)
    assert inferred.columns.T.tolist() == [[0, 0, 0, 1, 0, 1, 0], [1, 0, 0, 0, 0, 0, 1]]
    assert inferred.marginals is None
    marginals = np.array([[0.5, 0.6], [0.1, 0.2], [0.1, 0.2], [0.5, 0.4], [0.0, 0.0], [0.3, 0.2], [0.4, 0.1]])
    inferred = Inferred.of_marginals(marginals, MIXED)
    assert inferred.codes.tolist() == [[0, 1], [3, 3], [0, 0], [2, 0]]  # ties go to the lower code
    assert_array_equal(inferred.columns, MIXED.indicators(inferred.codes, range(4)))
    assert inferred.marginals is marginals


def test_what_may_be_maximized():
    assert joint_or_marginals("joint")
    assert not joint_or_marginals("marginals")
    with pytest.raises(ValueError, match=r"Got maximize='both', .*expected 'joint' .*'marginals'"):
        joint_or_marginals("both")


@pytest.mark.parametrize("make", [AncestralSampling, BeamSearch, Exhaustive])
def test_something_else_to_maximize_is_refused(problems, make):
    with pytest.raises(ValueError, match="maximize='mode'"):
        problems("least-squares").infer(make(maximize="mode"))


@pytest.mark.parametrize(
    ("inference", "name"),
    [
        (AncestralSampling, "n_samples"),
        (BeamSearch, "width"),
        (Exhaustive, "max_vectors"),
        (GibbsSampling, "n_iterations"),
        (GibbsSampling, "n_chains"),
    ],
)
@pytest.mark.parametrize("number", [0, -3, 1.5, "ten", None, True])
def test_a_number_that_is_no_number_is_refused(problems, inference, name, number):
    problem = problems("least-squares")
    problem.graph = problem.graph.undirected() if inference is GibbsSampling else problem.graph
    with pytest.raises(ValueError, match=rf"Got {name}={number!r}, .*expected .*integer .*least 1"):
        problem.infer(inference(**{name: number}))


def test_what_each_inference_needs():
    kinds = [Greedy, AncestralSampling, BeamSearch, Exhaustive, GibbsSampling]
    assert [kind.needs_probabilities for kind in kinds] == [False, True, True, True, True]
    assert [kind.needs_order for kind in kinds] == [True, True, True, True, False]


def test_numbers_held_per_instance():
    assert [kind().cells(MIXED, 100) for kind in (Greedy, AncestralSampling)] == [8 * 7, 7]
    assert GibbsSampling(n_chains=3).cells(MIXED, 100) == 3 * GibbsSampling(n_chains=1).cells(MIXED, 100) >= 3 * 7
    assert BeamSearch(width=5).cells(MIXED, 3) == 35
    assert BeamSearch(width=5).cells(MIXED, 100) == 500
    assert Exhaustive().cells(MIXED, 100) == 2 * 4 * 2 * 3
