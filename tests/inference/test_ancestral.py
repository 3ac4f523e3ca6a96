import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib.inference import AncestralSampling, Exhaustive
from trellislib.inference.ancestral import _strata
from trellislib.inference.draws import Draws
from trellislib.learners import Given


def test_marginals_approach_the_exact_ones(problem):
    # A conditional probability varies by no more than what it is the probability of, m (1 - m), so that four standard
    # errors of 2,000 samples are at most 4 sqrt(m (1 - m) / 2000): with strata, 500 keep to that.
    exact = problem.marginals()
    found = problem.infer(AncestralSampling(500))
    assert (np.abs(found.marginals - exact) <= 4 * np.sqrt(exact * (1 - exact) / 2000) + 1e-12).all()
    expected = problem.coding.decide(found.marginals, range(problem.coding.n_labels))
    assert_array_equal(found.codes, expected)


def test_many_samples_find_the_most_probable_vector(problem):
    # At least one in 48 draws is the most probable vector: that 400 draws all miss it has probability 2e-4.
    found = problem.infer(AncestralSampling(400, maximize="joint"))
    assert_array_equal(found.codes, problem.infer(Exhaustive()).codes)
    assert_allclose(found.marginals, problem.infer(AncestralSampling(400)).marginals, atol=1e-14)


def test_few_samples_take_the_best_of_what_was_drawn(problem):
    drawn = []

    class Noting(Given):
        decide = tiled = None

        def probabilities(self, labels, Z):
            p = problem.given.probabilities(labels, Z)
            drawn.append((labels, Z.copy()))
            return p

    n_levels = len(problem.graph.levels)
    found = AncestralSampling(4, maximize="joint").infer(Noting(), problem.graph, problem.coding, 7)
    vectors, joint = problem.enumerate()
    probability = {tuple(vector): p for vector, p in zip(vectors, joint, strict=True)}
    reached = np.array([probability[tuple(codes)][row] for row, codes in enumerate(found.codes.T)])
    assert len(drawn) == 4 * n_levels
    assert [labels for labels, _ in drawn] == list(problem.graph.levels) * 4
    for sample in range(1, 4):  # the columns that the next sample starts from are all of this one's
        Z = drawn[sample * n_levels][1]
        codes = [
            np.arange(1, stop - start + 1) @ Z[start:stop]
            for start, stop in zip(problem.coding.starts[:-1], problem.coding.starts[1:], strict=True)
        ]
        lower = [probability[tuple(column)][row] for row, column in enumerate(np.array(codes, dtype=int).T)]
        assert (reached >= np.array(lower) - 1e-15).all()


def test_roots_are_exact_after_one_sample(problem):
    roots = [label for label, parents in enumerate(problem.graph.parents) if not parents]
    columns = problem.coding.columns(roots)
    found = problem.infer(AncestralSampling(1))
    assert_allclose(found.marginals[columns], problem.marginals()[columns], atol=1e-12)


@pytest.mark.parametrize("maximize", ["joint", "marginals"])
def test_a_seed_gives_the_same_result(problem, maximize):
    inference = AncestralSampling(20, maximize=maximize)
    first, again, other = (problem.infer(inference, seed) for seed in (1, 1, 2))
    assert_array_equal(first.codes, again.codes)
    assert_array_equal(first.marginals, again.marginals)
    assert (first.marginals != other.marginals).any()


@pytest.mark.parametrize("maximize", ["joint", "marginals"])
def test_instances_together_or_alone(problem, maximize):
    inference = AncestralSampling(20, maximize=maximize)
    whole = problem.infer(inference, 3)
    for row in range(3):
        alone = problem.infer(inference, 3, which=[row])
        assert_array_equal(alone.codes, whole.codes[:, [row]])
        assert_allclose(alone.marginals, whole.marginals[:, [row]], atol=1e-12)


@pytest.mark.parametrize("n_samples", [1, 2, 10])
def test_each_label_has_one_number_in_each_stratum(n_samples):
    strata = _strata(n_samples, 5, seed=0)
    assert strata.shape == (n_samples, 5)
    assert_allclose(np.sort(strata, axis=0) * n_samples, np.tile(np.arange(n_samples)[:, None], 5))


def test_instances_do_not_share_their_luck(problem):
    """Of many equal instances in one place, each is predicted alike; told apart by their places, they are not."""
    X = np.repeat(problem.X[:1], 200, axis=0)
    given = problem.fitted.given(X)
    infer = AncestralSampling(1).infer
    alike = infer(given, problem.graph, problem.coding, 200, Draws(X)).marginals
    apart = infer(given, problem.graph, problem.coding, 200).marginals
    assert_allclose(alike, np.repeat(alike[:, :1], 200, axis=1))
    exact = problem.marginals()[:, 0]
    assert (np.abs(apart.mean(axis=1) - exact) <= 4 * np.sqrt(exact * (1 - exact) / 200) + 1e-12).all()
    assert (apart.std(axis=1) > 0).any()
