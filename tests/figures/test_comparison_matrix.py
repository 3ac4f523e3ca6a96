import numpy as np
import pandas as pd
import pytest
from drawings import assert_readable, of_kind, shown_text, text_at

from trellislib.figures import comparison_matrix, export
from trellislib.figures.drawing import Line, Rectangle
from trellislib.ranking import nemenyi, wilcoxon_holm

RNG = np.random.default_rng(0)
MANY = pd.DataFrame(
    RNG.normal(size=(11, 30)) + np.arange(30) / 5,
    columns=[f"method number {number} {'x' * number}" for number in range(30)],
)


def test_cells_by_hand():
    scores = pd.DataFrame({"IC": [0.5, 0.4, 0.5], "CT": [0.6, 0.6, 0.5]})
    drawing = comparison_matrix(wilcoxon_holm(scores))
    texts = shown_text(drawing)
    assert texts[2:6] == ["1  CT (1.17)", "+0.100", "2 / 1 / 0", "p 0.5"]
    assert texts[6:10] == ["2  IC (1.83)", "-0.100", "0 / 1 / 2", "p 0.5"]
    assert not of_kind(drawing, Line), "neither differs significantly"
    orange, blue = of_kind(drawing, Rectangle)
    assert orange.color != blue.color
    assert orange.hover == "CT against IC: +0.100, 2 / 1 / 0, p 0.5"


@pytest.mark.parametrize("test", [nemenyi, wilcoxon_holm])
@pytest.mark.parametrize("n_methods", [3, 12, 30])
def test_names_are_whole_and_apart(test, n_methods):
    found = test(MANY.iloc[:, :n_methods])
    drawing = comparison_matrix(found)
    assert_readable(drawing)
    for name in found.average_ranks.index:
        assert any(name in text for text in shown_text(drawing))
    n_different = sum(found.differs(one, other) for one, other in found.pairs[["method", "other"]].to_numpy())
    assert len(of_kind(drawing, Line)) == 2 * n_different
    assert text_at(drawing, str(n_methods))


def test_what_did_not_finish_has_no_mean_difference():
    scores = pd.DataFrame({"a": [0.5, 0.6], "b": [np.nan, np.nan], "c": [0.4, 0.4]})
    texts = shown_text(comparison_matrix(wilcoxon_holm(scores, unfinished="last")))
    assert texts.count("none") == 4
    assert "+0.150" in texts


@pytest.mark.parametrize("kind", ["svg", "pdf", "png", "tikz"])
def test_in_all_formats(kind):
    assert export(comparison_matrix(nemenyi(MANY.iloc[:, :4])), kind)
