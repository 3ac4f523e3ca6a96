"""What structures gain, beside how near they are to the truth."""

import pandas as pd
import pytest

from trellislib.figures import structure_gains_figure


def test_means_are_large_and_draws_small():
    rows = [(0, "truth", 1.0, 0.02), (0, "FS", 0.5, 0.01), (1, "truth", 1.0, 0.04), (1, "FS", 0.7, -0.03)]
    figure = structure_gains_figure(pd.DataFrame(rows, columns=["data set", "structure", "f", "gain"]))
    small = [trace for trace in figure.data if trace.showlegend is False]
    large = [trace for trace in figure.data if trace.showlegend is None]
    assert [trace.name for trace in large] == ["truth", "FS"]
    assert [(*trace.x, *trace.y) for trace in large] == [pytest.approx((1.0, 3.0)), pytest.approx((0.6, -1.0))]
    assert [trace.error_y.array[0] for trace in large] == pytest.approx([1.0, 2.0])  # half of the difference of two
    assert list(small[1].x) == [0.5, 0.7]
    assert list(small[1].y) == pytest.approx([1.0, -3.0])
    assert list(small[1].customdata) == [0, 1]
    assert all(one.marker.size < other.marker.size for one, other in zip(small, large, strict=True))
    assert len({trace.marker.symbol for trace in large}) == 2  # not by colour alone
