import pandas as pd
import pytest
from sentences import has_line

from trellislib.ranking import fold_like
from trellislib.ranking.designs import cautions


@pytest.mark.parametrize(
    "names",
    [
        ["yeast 1", "yeast 2"],
        ["yeast fold 2", "yeast fold 3"],
        ["yeast_fold1", "yeast_fold2"],
        ["yeast-1", "yeast-10"],
        ["yeast (fold 1)", "yeast (fold 2)"],
        ["yeast [1]", "yeast [2]"],
        ["Yeast: run 1", "Yeast: run 2"],
        ["scene", "yeast/1", "yeast/2"],
    ],
)
def test_folds(names):
    assert fold_like(names) == tuple(name for name in names if name != "scene")


@pytest.mark.parametrize(
    "names", [["d1", "d2", "d3"], ["Local400", "Local10k", "TMC07"], ["tmc2007-500", "yeast"], ["a 1", "b 1"], [], [""]]
)
def test_no_folds(names):
    assert fold_like(names) == ()


def test_cautions():
    def of(names):
        return cautions(pd.DataFrame({"IC": 0.5, "CT": 0.6}, index=names))

    assert of(list("abcde")) == ()
    (few,) = of(list("abcd"))
    has_line(few, "4 data sets", "few")
    (folds,) = of(["yeast 1", "yeast 2", "yeast 3", "scene", "enron"])
    has_line(folds, "yeast 1", "yeast 2 look", "folds", "repeats", "data set")
