"""Figures of Gibbs sampling, on runs made by hand."""

from types import SimpleNamespace

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from trellislib.figures import running_marginals_figure, sweeps_figure

NAMES = ("a<b>", "b", "c")


def made_runs(n_burn_in=2, n_chains=2, n_sweeps=6):
    rng = np.random.default_rng(0)
    conditionals = rng.random((n_chains, n_sweeps, 3))
    marginals = np.full_like(conditionals, np.nan)
    kept = conditionals[:, n_burn_in:]
    marginals[:, n_burn_in:] = kept.cumsum(axis=1) / np.arange(1, kept.shape[1] + 1)[:, None]
    return SimpleNamespace(
        codes=rng.integers(0, 2, (n_chains, n_sweeps, 3)),
        conditionals=conditionals,
        n_burn_in=n_burn_in,
        running_marginals=lambda: marginals,
    )


def test_sweeps_are_a_row_for_each_label_of_the_chain():
    runs = made_runs()
    strip, line = sweeps_figure(runs, NAMES, 1).data
    assert_array_equal(strip.z, runs.codes[1].T)
    assert list(strip.x) == [1, 2, 3, 4, 5, 6]
    assert set(line.x) == {2.5}  # after two sweeps of burn-in
    assert strip.customdata[0][0] == "a&lt;b&gt;"


def test_without_burn_in_there_is_no_line():
    assert len(sweeps_figure(made_runs(0), NAMES).data) == 1
    assert len(running_marginals_figure(made_runs(0), 0, "b = 1").data) == 2


def test_marginals_are_a_line_for_each_chain_from_the_first_sweep_after_burn_in():
    runs = made_runs()
    *chains, line = running_marginals_figure(runs, 1, "b = 1").data
    assert len(chains) == 2
    assert list(chains[0].x) == [3, 4, 5, 6]
    assert chains[1].y[0] == runs.conditionals[1, 2, 1]
    assert_allclose(chains[1].y[-1], runs.conditionals[1, 2:, 1].mean())
    assert len({chain.line.dash for chain in chains}) == 2
    assert set(line.x) == {2.5}


def test_of_many_labels_some_are_named():
    n = 100
    runs = SimpleNamespace(codes=np.zeros((1, 4, n), dtype=int), n_burn_in=1)
    axis = sweeps_figure(runs, [f"y{label}" for label in range(n)]).layout.yaxis
    assert list(axis.tickvals) == list(range(0, n, 3))
    assert axis.ticktext[1] == "y3"
