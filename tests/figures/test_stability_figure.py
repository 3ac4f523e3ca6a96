"""Many seeds at once."""

import numpy as np

from trellislib.figures import seeds_figure, stability_figure
from trellislib.figures.stability import MATRIX_LABELS
from trellislib.graphs import placement_stability


def random_dependence(n_labels, seed=0):
    upper = np.triu(np.random.default_rng(seed).random((n_labels, n_labels)), 1)
    return upper + upper.T


def test_each_seed_is_a_point():
    values = {"hill climbing": np.array([2.0, 4.0]), "random": np.array([1.0, 2.0])}
    figure = seeds_figure(values, "captured (nats)", bound=5.0, seed=1)
    drawn = {trace.name: trace for trace in figure.data}
    assert list(drawn["hill climbing"].y) == [2, 4]
    assert drawn["random"].customdata == (["random", 0], ["random", 1])
    assert list(drawn["mean of hill climbing"].y) == [3, 3]
    assert list(drawn["at most"].y) == [5, 5]
    assert drawn["hill climbing"].marker.symbol != drawn["random"].marker.symbol
    assert figure.layout.shapes[0].x0 == 1
    assert not seeds_figure(values, "captured", seed=7).layout.shapes  # none of these


def test_shares_in_an_order():
    together = np.array([[0, 0.5, 0.25], [0.5, 0, 0], [0.25, 0, 0]])
    figure = stability_figure(together, ["a", "<b>", "c"], [2, 0, 1])
    assert np.allclose(figure.data[0].z, [[np.nan, 0.25, 0], [0.25, np.nan, 0.5], [0, 0.5, np.nan]], equal_nan=True)
    assert list(figure.layout.yaxis.ticktext) == ["c", "a", "&lt;b&gt;"]
    assert figure.data[0].hovertext[1][2] == "a and &lt;b&gt;<br>50% of the seeds"
    assert np.array_equal(stability_figure(together, "abc").data[0].z[0, 1:], [0.5, 0.25])


def test_of_many_labels_those_in_the_most_stable_pairs():
    found = placement_stability(random_dependence(80), n_seeds=4)
    names = [f"label {number}" for number in range(80)]
    order = found.placed[0].order
    figure = stability_figure(found.together, names, order)
    shown = [names.index(name) for name in figure.layout.yaxis.ticktext]
    assert len(shown) == MATRIX_LABELS
    assert shown == sorted(shown, key=order.index)
    best = found.pairs(names, found.together)
    assert {best["label"][0], best["other label"][0]} <= set(figure.layout.yaxis.ticktext)
