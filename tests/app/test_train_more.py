"""What Train offers beyond one comparison: repeats, other data sets, limits of a fit, fits that are there already."""

import catalogue
import pytest
from pandas.testing import assert_frame_equal

from trellislib.experiment import Store


def newest(visitor):
    return visitor.workspace().runs[0]


def fits_of(run):
    """Return the numbers that the results file gives to the fits of a run."""
    return set(Store().results([run]).fits.index)


def test_ten_times_ten_folds(small):
    small.go("train").set("methods", ["IC"]).set("folds", 10).set("repeats", 10)
    assert small.at.button(key="train").label == "Train 1 method in 10 x 10 folds on small"
    small.click("train").wait()
    fits = newest(small).job.result.fits

    assert fits.groupby(["repeat", "fold"]).ngroups == 100
    assert fits["status"].eq("done").all()
    assert newest(small).title.endswith("10 x 10-fold")
    small.go("compare")
    assert "over 100 fits" in small.captions


def test_repeats_need_folds(small):
    small.go("train").set("repeats", 3).set("protocol", "Split")

    with pytest.raises(KeyError):
        small.widget("repeats")
    assert small.at.button(key="train").label == "Train 3 methods on small"


def test_several_data_sets_at_once(small, capsys):
    """The methods are set for each data set, and the Python of the run gives exactly the same numbers."""
    small.choose_packaged("solar-flare").go("trellis").set("width", 1)
    small.go("train").set("methods", ["IC", "CT"]).set("folds", 2).set("train_seed", 3).set("train_also", ["yeast"])
    assert small.at.button(key="train").label == "Train 2 methods in 2 folds on 2 data sets"
    assert "Elsewhere the trellis is as wide as it is by default: on yeast 3 labels." in small.captions
    offered = small.code
    small.click("train").wait(seconds=120)
    code = newest(small).code
    assert set(code.splitlines()) <= set(offered.splitlines())
    results = newest(small).job.result

    assert results.datasets == ("solar-flare", "yeast")
    assert results.methods == ("IC", "CT")
    assert newest(small).title.startswith("1: IC, CT on solar-flare, yeast, ")
    small.go("compare")
    found = {}
    exec(code, found)
    for key in ("hamming_score", "exact_match"):
        assert_frame_equal(found["result"].table(key), results.table(key), check_exact=True)
    assert [of_set["CT"].width for of_set in found["methods"]] == [1, 3], "3 is the default of 14 labels"
    assert small.widget("score").value == "accuracy"
    assert list(small.at.table[0].value.index) == ["yeast", "Average rank"]
    assert "Without solar-flare, where accuracy is not defined." in small.captions


def test_the_loaded_set_is_not_offered_again(visitor):
    visitor.go("train")
    assert visitor.widget("train_also").options == ["movies", "solar-flare"]
    visitor.set("train_also", ["solar-flare"]).choose_packaged("solar-flare").go("train")

    assert visitor.widget("train_also").options == ["yeast", "movies"]
    assert visitor.widget("train_also").value == []


def test_a_fit_over_its_time_does_not_finish_and_says_so(visitor):
    """Case B50: an endless fit ends itself, and the others go on."""
    forest = next(one for one in catalogue.BASE_LEARNERS if one.name == "Random forest")
    visitor.go("train").set("learner", forest).set("parameter-Random-forest", 300).set("methods", ["IC"])
    visitor.set("protocol", "Split").set("fit_seconds", 1.0)
    assert "Budget(seconds=1.0" in visitor.code
    visitor.click("train").wait(seconds=60)

    assert newest(visitor).job.state == "done"
    assert "at most 1 s a fit" in newest(visitor).title
    (fit,) = newest(visitor).job.result.fits.itertuples()
    assert fit.status == "over time"
    visitor.go("compare")
    assert visitor.warnings == ["IC did not finish 1 of 1 fits: It took more than 1 s."]
    assert "No fit of this run succeeded" in visitor.takeaway
    assert not visitor.errors


def test_a_fit_within_its_limits_is_done(small):
    small.go("train").set("methods", ["IC"]).set("folds", 2).set("fit_seconds", 60.0).set("fit_memory", 2.0)
    small.click("train").wait()

    assert "at most 60 s and 2 GiB a fit" in newest(small).title
    fits = newest(small).job.result.fits
    assert fits["status"].eq("done").all(), fits["reason"].unique()
    assert fits["memory_mib"].between(1, 2048).all()


@pytest.mark.parametrize(("again", "n_new"), [(False, 2), (True, 6)])
def test_fits_that_are_there_are_taken_unless_asked_otherwise(small, again, n_new):
    small.go("train").set("methods", ["IC", "CC"]).set("folds", 2).click("train").wait()
    small.set("methods", ["IC", "CC", "CT"]).set("again", again).click("train").wait()

    assert len(fits_of(2)) == 6
    assert len(fits_of(2) - fits_of(1)) == n_new
    small.go("compare").set("runs", [1, 2])
    assert list(small.at.table[0].value.columns) == ["IC", "CC", "CT"]
    assert "DNF" not in "".join(small.at.table[0].value.to_numpy().ravel())
