import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib.inference import Exhaustive
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Given, base


def test_everything_is_looked_at(problem):
    vectors, joint = problem.enumerate()
    assert_allclose(joint.sum(axis=0), 1.0)
    found = problem.infer(Exhaustive())
    assert_array_equal(found.codes, vectors[joint.argmax(axis=0)].T)
    assert_array_equal(found.columns, problem.coding.indicators(found.codes, range(problem.coding.n_labels)))
    assert_allclose(found.marginals, problem.marginals(), atol=1e-12)
    by_label = problem.infer(Exhaustive(maximize="marginals"))
    assert_allclose(by_label.marginals, found.marginals)
    expected = problem.coding.decide(problem.marginals(), range(problem.coding.n_labels))
    assert_array_equal(by_label.codes, expected)


@pytest.mark.parametrize("learner", ["least-squares", "logistic"])
@pytest.mark.parametrize("seed", range(6))
def test_random_graphs(problems, learner, seed):
    rng = np.random.default_rng(seed)
    problem = problems(learner, tuple(rng.integers(2, 5, 4)), chain=seed % 3 == 0, seed=seed)
    vectors, joint = problem.enumerate()
    found = problem.infer(Exhaustive())
    assert_array_equal(found.codes, vectors[joint.argmax(axis=0)].T)
    assert_allclose(found.marginals, problem.marginals(), atol=1e-12)


def test_the_most_probable_vector_need_not_be_that_of_the_most_probable_values():
    class Table(Given):  # p(0, 0) = .4, p(1, 0) = p(1, 1) = .3
        decide = None

        def tiled(self, times):
            return self

        def probabilities(self, labels, Z):
            return np.full((1, Z.shape[1]), 0.6) if labels == (0,) else 0.5 * Z[:1]

    coding = LabelCoding([np.arange(2)] * 2)
    together, apart = (
        Exhaustive(maximize=what).infer(Table(), LabelGraph.chain([0, 1]), coding, 1) for what in ("joint", "marginals")
    )
    assert together.codes.T.tolist() == [[0, 0]]
    assert apart.codes.T.tolist() == [[1, 0]]
    assert_allclose(together.marginals.T, [[0.6, 0.3]])


@pytest.mark.parametrize("rows", [1, 5, 20])
def test_blocks_change_nothing(problem, monkeypatch, rows):
    whole = problem.infer(Exhaustive())
    monkeypatch.setattr(base, "TABLE_ROWS", rows)
    blocks = problem.infer(Exhaustive())
    assert_array_equal(blocks.codes, whole.codes)
    assert_allclose(blocks.marginals, whole.marginals, atol=1e-14)


def test_a_conditional_is_asked_for_once_per_vector_of_the_parents(problems):
    problem = problems("least-squares", (2, 3, 2, 4))
    asked = {}

    class Noting(Given):
        decide = None

        def __init__(self, inner):
            self.inner = inner

        def tiled(self, times):
            return Noting(self.inner.tiled(times))

        def probabilities(self, labels, Z):
            asked[labels] = asked.get(labels, 0) + Z.shape[1]
            return self.inner.probabilities(labels, Z)

    Exhaustive().infer(Noting(problem.given), problem.graph, problem.coding, 7)
    n_values = np.array([2, 3, 2, 4])
    alone = tuple(label for label, of in enumerate(problem.graph.parents) if not of)
    expected = {
        (label,): 7 * n_values[list(of)].prod(dtype=int) for label, of in enumerate(problem.graph.parents) if of
    }
    expected[alone] = 7
    assert asked == expected


def test_one_instance_or_none(problem):
    whole = problem.infer(Exhaustive())
    for row in range(3):
        alone = problem.infer(Exhaustive(), which=[row])
        assert_array_equal(alone.codes, whole.codes[:, [row]])
        assert_allclose(alone.marginals, whole.marginals[:, [row]], atol=1e-12)


def test_too_many_vectors_are_refused_with_their_number(problems):
    coding = LabelCoding([np.arange(2)] * 20)
    words = (
        "Exhaustive inference over 20 labels would examine 1.05e+06 label vectors per instance, above "
        "max_vectors=32768: use BeamSearch() or AncestralSampling() instead."
    )
    with pytest.raises(ValueError, match=re.escape(words)):
        Exhaustive().refuse(coding)
    Exhaustive(max_vectors=2**20).refuse(coding)
    with pytest.raises(ValueError, match=r"1e\+03 label vectors"):
        Exhaustive(max_vectors=999).refuse(LabelCoding([np.arange(10)] * 3))
    Exhaustive(max_vectors=1000).refuse(LabelCoding([np.arange(10)] * 3))
    with pytest.raises(ValueError, match=r"48 label vectors .*instance, above max_vectors=47"):
        problems("least-squares", (2, 3, 2, 4)).infer(Exhaustive(max_vectors=47))


def test_more_vectors_than_a_float_can_count_are_refused():
    with pytest.raises(ValueError, match=r"1100 labels .*examine 10\^331 label vectors"):
        Exhaustive().refuse(LabelCoding([np.arange(2)] * 1100))
