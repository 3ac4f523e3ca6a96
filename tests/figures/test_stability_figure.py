"""Many seeds at once."""

import numpy as np
import pytest

from trellislib.figures import seeds_figure, stability_figure
from trellislib.figures.stability import MATRIX_LABELS, SEED_MARKS
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
    assert all(part in figure.data[0].hovertext[1][2] for part in ("a and &lt;b&gt;", "50%"))
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


def test_sparse_shares_are_drawn_as_others_are():
    found = placement_stability(random_dependence(80), n_seeds=4)
    names = [f"label {number}" for number in range(80)]
    whole, few = (stability_figure(given, names) for given in (found.together, found.tied))
    assert whole.layout.yaxis.ticktext == few.layout.yaxis.ticktext
    np.testing.assert_array_equal(whole.data[0].z, few.data[0].z)


def test_labels_of_no_pair_make_up_the_number():
    together = np.zeros((40, 40))
    together[30, 35] = together[35, 30] = 0.5
    shown = stability_figure(together, [str(number) for number in range(40)]).layout.yaxis.ticktext
    assert shown == (*(str(number) for number in range(MATRIX_LABELS - 2)), "30", "35")


def test_each_way_has_its_marks_as_far_as_they_go():
    ways = {f"way {number}": np.array([number, 2.0]) for number in range(len(SEED_MARKS))}
    points = [trace for trace in seeds_figure(ways, "captured").data if trace.mode == "markers"]
    assert [trace.name for trace in points] == list(ways)
    assert len({(trace.marker.symbol, trace.marker.color) for trace in points}) == len(ways)
    with pytest.raises(ValueError, match=r"Got 6 ways .*place labels, .*expected .*most 5"):
        seeds_figure(ways | {"one more": np.zeros(2)}, "captured")
