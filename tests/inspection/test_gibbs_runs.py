import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib import ClassifierChain, ClassifierDependencyTrellis, GibbsSampling
from trellislib.inspection import GibbsRuns, gibbs_runs
from trellislib.labels.coding import LabelCoding

CODING = LabelCoding([np.array([0, 1])])
rng = np.random.default_rng(0)
X = rng.standard_normal((60, 2))
Y = (X @ rng.standard_normal((2, 4)) + rng.standard_normal((60, 4)) > 0).astype(int)


def runs_of(*chains):
    codes = np.array(chains)[:, :, None]
    return GibbsRuns(codes, codes.astype(float), 0, CODING)


def test_the_first_chain_is_the_method_s_own():
    method = ClassifierDependencyTrellis(inference=GibbsSampling(50, 10, n_chains=1), random_state=0).fit(X, Y)
    runs = gibbs_runs(method, X[[3]])
    assert_allclose(runs.running_marginals()[0, -1], method.predict_proba(X[[3]])[0])
    assert np.isnan(runs.running_marginals()[:, :10]).all()
    assert (gibbs_runs(method, X[[3]], set_to={2: 1}).codes[:, :, 2] == 1).all()
    assert_array_equal(gibbs_runs(method, X[[3]]).codes, runs.codes)


def test_r_hat_by_hand():
    # halves 0 1, 1 0, 1 1, 0 1: within (.5 + .5 + 0 + .5) / 4 = .375; means .5 .5 1 .5 have variance .0625;
    # total = .375 / 2 + .0625 = .25
    assert_allclose(runs_of([0, 1, 1, 0], [1, 1, 0, 1]).r_hat(), (0.25 / 0.375) ** 0.5)
    assert runs_of([1] * 8, [1] * 8).r_hat() == 1
    assert runs_of([1] * 8, [1] * 8).effective_sizes() == 16


def brute_effective_size(chains):
    """As in Bayesian Data Analysis, section 11.5, term by term."""
    length = len(chains[0]) // 2
    halves = [half for chain in chains for half in (chain[:length], chain[length:])]
    within = np.mean([np.var(half, ddof=1) for half in halves])
    total = (length - 1) / length * within + np.var([np.mean(half) for half in halves], ddof=1)
    rho = []
    for lag in range(1, length):
        squares = [(half[n] - half[n - lag]) ** 2 for half in halves for n in range(lag, length)]
        rho.append(1 - np.mean(squares) / (2 * total))
    last = 1
    while last + 1 < len(rho) and rho[last] + rho[last + 1] >= 0:
        last += 2
    n = len(halves) * length
    return min(n, n / max(1 + 2 * sum(rho[:last]), 1e-12))


@pytest.mark.parametrize("stickiness", [0.0, 0.5, 0.9])
def test_effective_size_term_by_term(stickiness):
    generator = np.random.default_rng(5)
    for _ in range(20):
        chains = generator.integers(2, size=(3, 40))
        stays = generator.random((3, 40)) < stickiness
        for n in range(1, 40):
            chains[:, n] = np.where(stays[:, n], chains[:, n - 1], chains[:, n])
        assert_allclose(runs_of(*chains).effective_sizes(), brute_effective_size(chains))


def test_a_first_value_of_several_is_watched_too():
    """Two chains are always at 0, two never; of ten values, each of the others is rare."""
    coding = LabelCoding([np.arange(10)])
    never = np.random.default_rng(2).integers(1, 10, size=(2, 400))
    codes = np.concatenate([np.zeros((2, 400), dtype=int), never])[:, :, None]
    assert GibbsRuns(codes, codes.astype(float), 0, coding).r_hat() == np.inf


def test_chains_start_far_apart():
    """Three labels copy each other: two change together, the third brings them back, so that all stay at the start."""
    Z = Y[:, [0, 0, 0]]
    method = ClassifierDependencyTrellis(width=3, inference=GibbsSampling(8, 0), random_state=0).fit(0 * X, Z)
    first = gibbs_runs(method, X[[0]], n_sweeps=8).codes[:3, 0]
    assert len(set(first[0].tolist())) == 1, "decisions, each given the others"
    assert first[1].tolist() == [1, 1, 1], "last values"
    assert first[2].tolist() == [0, 0, 0], "first values"


def test_later_chains_start_at_random_values():
    starts = []
    for seed in range(8):
        method = ClassifierDependencyTrellis(inference=GibbsSampling(8, 0), random_state=seed).fit(0 * X, Y[:, [0, 0]])
        starts += gibbs_runs(method, X[[0]], n_sweeps=8, n_chains=5).codes[3:, 0, 0].tolist()
    assert 3 <= sum(starts) <= 13  # of 16 coins


def test_chains_that_stick_have_a_large_r_hat_and_few_effective_draws():
    free = rng.integers(2, size=(4, 400))
    stuck = np.repeat(rng.integers(2, size=(4, 4)), 100, axis=1)
    assert runs_of(*free).r_hat() < 1.02
    assert runs_of(*free).effective_sizes() > 800
    assert runs_of(*stuck).r_hat() > 1.2
    assert runs_of(*stuck).effective_sizes() < 40
    assert runs_of([0] * 8, [1] * 8).r_hat() == np.inf


def test_three_labels_that_always_agree_mix_badly_and_two_do_not():
    coin = rng.integers(2, size=400)  # independent of the features
    features = rng.standard_normal((400, 2))
    many_times = {
        n: ClassifierDependencyTrellis(width=n, random_state=0).fit(features, np.column_stack([coin] * n))
        for n in (2, 3)
    }
    free = ClassifierDependencyTrellis(random_state=0).fit(features, rng.integers(2, size=(400, 2)))
    twins, triplets, of_free = (
        gibbs_runs(method, features[[0]], n_sweeps=200, n_burn_in=10) for method in (*many_times.values(), free)
    )
    assert triplets.r_hat().max() > 1.1 > 1.05 > max(twins.r_hat().max(), of_free.r_hat().max())
    assert triplets.effective_sizes().max() < 0.5 * twins.effective_sizes().min()
    # Two are drawn together, and seldom apart.
    assert (twins.codes[..., 0] == twins.codes[..., 1]).mean() > 0.95
    assert 0.3 < (twins.codes[:, 1:, 0] != twins.codes[:, :-1, 0]).mean() < 0.7


def test_running_marginals_are_means_after_burn_in():
    codes = np.zeros((1, 3, 1), dtype=int)
    runs = GibbsRuns(codes, np.array([[[0.5], [0.2], [0.8]]]), 1, CODING)
    assert_allclose(runs.running_marginals()[0, :, 0], [np.nan, 0.2, (0.2 + 0.8) / 2])


def test_methods_without_gibbs_sampling_and_too_few_sweeps_are_refused():
    with pytest.raises(ValueError, match="expected a method with GibbsSampling"):
        gibbs_runs(ClassifierChain().fit(X, Y), X[[0]])
    with pytest.raises(ValueError, match=r"Got 2 sweeps after burn-in, .*expected .*least 4"):
        runs_of([0, 1], [1, 0]).r_hat()
