import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib.inference import BeamSearch, Exhaustive
from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Given


@pytest.mark.parametrize("maximize", ["joint", "marginals"])
@pytest.mark.parametrize("beyond", [0, 50])
def test_as_wide_as_there_are_vectors_it_is_exhaustive(problem, maximize, beyond):
    n_vectors = int((np.diff(problem.coding.starts) + 1).prod())
    found = problem.infer(BeamSearch(n_vectors + beyond, maximize=maximize))
    expected = problem.infer(Exhaustive(maximize=maximize))
    assert_array_equal(found.codes, expected.codes)
    assert_array_equal(found.columns, expected.columns)
    assert_allclose(found.marginals, expected.marginals, atol=1e-12)


def test_as_wide_as_there_are_beginnings_it_finds_the_best(problem):
    n_values = np.diff(problem.coding.starts) + 1
    found = problem.infer(BeamSearch(int(n_values.prod() // n_values[problem.graph.order[-1]])))
    assert_array_equal(found.codes, problem.infer(Exhaustive()).codes)


def test_one_wide_it_is_greedy_by_probabilities(problem):
    given, coding = problem.given, problem.coding
    Z = np.zeros((coding.n_columns, 7))
    codes = np.zeros((coding.n_labels, 7), dtype=int)
    for label in problem.graph.order:
        codes[label] = with_first_value(given.probabilities((label,), Z)).argmax(axis=0)
        Z[coding.columns([label])] = coding.indicators(codes[[label]], [label])
    for maximize in ("joint", "marginals"):
        found = problem.infer(BeamSearch(1, maximize=maximize))
        assert_array_equal(found.codes, codes)
        assert_array_equal(found.columns, Z)
        assert_array_equal(found.marginals, Z)


@pytest.mark.parametrize("width", [1, 2, 3, 7])
def test_a_beam_is_the_slow_search(problem, width):
    """Search instance by instance with lists; compare the vectors kept by their marginals."""
    given, coding = problem.given, problem.coding
    found = problem.infer(BeamSearch(width))
    for row in range(7):
        beam = [(0.0, (), np.zeros((coding.n_columns, 7)))]
        for label in problem.graph.order:
            longer = []
            for log_joint, codes, Z in beam:
                for code, p in enumerate(with_first_value(given.probabilities((label,), Z))[:, row]):
                    then = Z.copy()
                    then[coding.columns([label])] = coding.indicators(np.full((1, 7), code), [label])
                    longer.append((log_joint + np.log(p), (*codes, code), then))
            beam = sorted(longer, key=lambda one: -one[0])[:width]
        assert found.codes[list(problem.graph.order), row].tolist() == list(beam[0][1])
        weight = np.exp([log_joint for log_joint, *_ in beam])
        marginals = np.average([Z[:, row] for *_, Z in beam], axis=0, weights=weight)
        assert_allclose(found.marginals[:, row], marginals, atol=1e-10)


@pytest.mark.parametrize("width", [1, 2, 4, 9])
def test_no_beam_finds_a_more_probable_vector_than_there_is(problem, width):
    vectors, joint = problem.enumerate()
    probability = {tuple(vector): p for vector, p in zip(vectors, joint, strict=True)}
    found = problem.infer(BeamSearch(width)).codes
    reached = [probability[tuple(codes)][row] for row, codes in enumerate(found.T)]
    assert (reached <= joint.max(axis=0) + 1e-15).all()


class Even(Given):
    """All values of every label are equally probable."""

    decide = None

    def __init__(self, coding):
        self.coding = coding

    def tiled(self, times):
        return self

    def probabilities(self, labels, Z):
        widths = np.diff(self.coding.starts)[list(labels)]
        return np.repeat(1 / (np.repeat(widths, widths) + 1), Z.shape[1]).reshape(-1, Z.shape[1])


def test_ties_go_to_lower_codes_of_the_labels_that_come_first():
    coding = LabelCoding([np.arange(2)] * 3)
    found = BeamSearch(3).infer(Even(coding), LabelGraph.chain([2, 0, 1]), coding, 2)
    assert found.codes.T.tolist() == [[0, 0, 0]] * 2
    assert_allclose(found.marginals.T, [[1 / 3, 1 / 3, 0]] * 2)  # kept, in order 2, 0, 1: 000, 001 and 010
    valued = LabelCoding([np.arange(3), np.arange(2)])
    found = BeamSearch(4).infer(Even(valued), LabelGraph.chain([0, 1]), valued, 1)
    assert found.codes.T.tolist() == [[0, 0]]
    assert_allclose(found.marginals.T, [[1 / 2, 0, 1 / 2]])  # kept: 00, 01, 10, 11


@pytest.mark.parametrize("width", [2, 5])
def test_instances_together_or_alone(problem, width):
    whole = problem.infer(BeamSearch(width))
    for row in range(3):
        alone = problem.infer(BeamSearch(width), which=[row])
        assert_array_equal(alone.codes, whole.codes[:, [row]])
        assert_allclose(alone.marginals, whole.marginals[:, [row]], atol=1e-12)
