"""The critical distance over the number of data sets, drawn."""

import pytest

from trellislib.figures import critical_distance_figure
from trellislib.ranking import critical_distance


def test_every_point_is_the_critical_distance():
    figure = critical_distance_figure(5, 0.8, "gap of CT and <IC>", 8, 40, alpha=0.05)
    curve, gap, here = figure.data
    assert list(curve.x) == list(range(2, 41))
    assert list(curve.y) == pytest.approx([critical_distance(5, number, 0.05) for number in range(2, 41)])
    assert list(gap.x) == list(curve.x)
    assert set(gap.y) == {0.8}
    assert gap.name == "gap of CT and &lt;IC&gt;"
    assert (list(here.x), list(here.y)) == ([8], pytest.approx([critical_distance(5, 8, 0.05)]))


@pytest.mark.parametrize(("n_datasets", "most"), [(0, 8), (8, 7), (1, 1)])
def test_a_number_out_of_range_is_refused(n_datasets, most):
    with pytest.raises(ValueError, match=r"expected .*integer .*least"):
        critical_distance_figure(5, 0.8, "gap", n_datasets, most)
