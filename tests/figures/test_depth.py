"""A label in the plane, and scores by degree of dependence."""

import numpy as np
import pandas as pd
import pytest

from trellislib.data import simulate_lamps
from trellislib.figures import METHOD_STYLES, depth_figure, label_in_plane_figure


def test_a_label_is_drawn_where_it_is_and_crossed_where_it_is_wrong():
    data = simulate_lamps(100, random_state=0)
    has, has_not, wrong = label_in_plane_figure(data, 2, np.ones(100)).data
    truth = data.Y[:, 2] == 1
    assert (list(has.x), list(has.y)) == (data.X[truth, 0].tolist(), data.X[truth, 1].tolist())
    assert list(wrong.x) == list(has_not.x) == data.X[~truth, 0].tolist()
    assert [trace.name.split(" (")[0] for trace in (has, has_not, wrong)] == ["one", "not one", "predicted wrongly"]
    assert len({trace.marker.symbol for trace in (has, has_not, wrong)}) == 3  # not by colour alone


def test_means_have_their_deviation_over_draws():
    rows = [(0.0, 0, "IC", 0.2), (0.0, 1, "IC", 0.4), (1.0, 0, "IC", 0.1), (1.0, 1, "IC", 0.1)]
    table = pd.DataFrame(rows, columns=["dependence", "draw", "method", "exact_match"])
    figure = depth_figure(table, dependence=1.0)
    (line,) = figure.data
    assert (list(line.x), list(line.y)) == ([0, 1], pytest.approx([0.3, 0.1]))
    assert list(line.error_y.array) == pytest.approx([np.sqrt(0.02), 0])
    assert line.marker.color == METHOD_STYLES["IC"].color
    assert [shape.x0 for shape in figure.layout.shapes] == [1]
    assert not depth_figure(table).layout.shapes
