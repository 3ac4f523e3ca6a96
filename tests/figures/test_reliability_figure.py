"""Whether probabilities are as frequent as they say."""

import numpy as np
import pytest

from trellislib.figures import METHOD_STYLES, reliability_figure
from trellislib.metrics import reliability


def test_bins_stand_at_their_probability_and_the_share_that_is_relevant():
    true, p = np.array([[1, 0], [0, 0]]), np.array([[0.85, 0.35], [0.35, 0.35]])
    bins = {"CT": reliability(true, p), "<b>": reliability(true, 1 - p)}
    diagonal, *drawn = reliability_figure(bins).data
    assert (list(diagonal.x), list(diagonal.y)) == ([0, 1], [0, 1])
    assert [trace.name for trace in drawn] == ["CT", "&lt;b&gt;"]
    trellis = drawn[0]
    assert list(trellis.x) == pytest.approx([0.35, 0.85])
    assert list(trellis.y) == [0, 1]
    assert trellis.marker.color == METHOD_STYLES["CT"].color
    assert trellis.marker.size[0] > trellis.marker.size[1], "three cells against one"
    assert "3 cells" in trellis.hovertext[0]
    assert "1 cell " in trellis.hovertext[1]
