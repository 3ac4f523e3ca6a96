"""Figures of a method that is looked into, on what a small fitted one gives: they draw what it predicts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import trellislib as t
from trellislib.figures import (
    edge_effects_figure,
    log_odds_figure,
    prediction_path_figure,
    prediction_path_positions,
    propagation_figure,
    running_marginals_figure,
    sweeps_figure,
)
from trellislib.inspection import by_level, edge_effects, gibbs_runs, level_name, prediction_path, propagation

rng = np.random.default_rng(2)
X = rng.standard_normal((90, 3))
Y = (X @ rng.standard_normal((3, 4)) + rng.standard_normal((90, 4)) > 0).astype(int)
Y[:, 3] = Y[:, 0] ^ (rng.random(90) < 0.1)
NAMES, VALUES = ["a", "b", "c", "d"], [["no", "yes"]] * 4
METHODS = {
    "CC": t.ClassifierChain(order=[3, 1, 0, 2]),
    "PCC": t.ProbabilisticClassifierChain(random_state=0),
    "CT": t.ClassifierTrellis(random_state=0),
    "CDT": t.ClassifierDependencyTrellis(random_state=0),
}


@pytest.fixture(params=METHODS.values(), ids=METHODS)
def fitted(request):
    return request.param.fit(X[:60], Y[:60])


def test_a_prediction_is_drawn_with_its_outcomes_and_its_log_odds(fitted):
    for row in range(60, 65):
        seen = prediction_path(fitted, X[[row]], Y[row])
        figure = prediction_path_figure(
            seen, NAMES, VALUES, prediction_path_positions(seen, 3, getattr(fitted, "trellis_", None))
        )
        outcomes = {label: trace.name for trace in figure.data if trace.customdata for label in trace.customdata}
        assert outcomes == {step.label: step.outcome for step in seen.steps}
        texts = {label: text for trace in figure.data if trace.customdata
                 for label, text in zip(trace.customdata, trace.text, strict=True)}  # fmt: skip
        for label, value in enumerate(fitted.predict(X[[row]])[0]):
            assert texts[label].startswith(f"{NAMES[label]}<br>{VALUES[label][value]} (p ")
        for step in seen.steps:
            (bar,) = log_odds_figure(step, NAMES, VALUES).data
            p = step.probabilities[1]
            assert_allclose(bar.x[-1], np.log(p / (1 - p)), atol=1e-6)
            assert_allclose(sum(bar.x[:-1]), bar.x[-1], atol=1e-6)


def test_a_test_set_is_drawn_by_the_share_of_its_values_that_are_right(fitted):
    table = propagation(fitted, X[60:], Y[60:])
    drawn = {trace.name: trace for trace in propagation_figure(by_level(table), level_name(fitted.graph_)).data}
    is_right = fitted.predict(X[60:]) == Y[60:]
    expected = [is_right[:, of["label"]].mean() for _, of in table.groupby("level")]
    assert_allclose(drawn["given predicted inputs"].y, expected)
    effects = edge_effects(fitted, X[:60], Y[:60], X[60:], Y[60:])
    bars = edge_effects_figure(effects, NAMES).data
    assert_array_equal(sorted(gain for bar in bars for gain in bar.x), sorted(effects["gain"]))


def test_sweeps_are_drawn_as_they_are_sampled():
    fitted = METHODS["CDT"].fit(X[:60], Y[:60])
    runs = gibbs_runs(fitted, X[[60]])
    assert_array_equal(sweeps_figure(runs, NAMES).data[0].z, runs.codes[0].T)
    own = running_marginals_figure(runs, 2, "c = yes").data[0]
    assert_allclose(own.y[-1], runs.running_marginals()[0, -1, 2])
