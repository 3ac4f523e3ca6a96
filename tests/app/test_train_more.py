"""What Train offers beyond one comparison: repeats, other data sets, limits of a fit, fits that are there already."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from components import catalogue
from pandas.testing import assert_frame_equal
from sentences import Containing, has_line, holds

from trellislib.data.dataset import PartiallyLabelled
from trellislib.experiment import Given, Store


def newest(visitor):
    return visitor.workspace().runs[0]


def fits_of(run):
    """Return the numbers that the results file gives to the fits of a run."""
    return set(Store().results([run]).fits.index)


def test_ten_times_ten_folds(small):
    small.go("train").set("learner", catalogue.LEAST_SQUARES).set("decide", catalogue.AS_INFERRED)
    small.set("methods", ["IC"]).set("folds", 10).set("repeats", 10)
    holds(small.at.button(key="train").label, "Train 1 method", "10 x 10 folds", "small")
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
    holds(small.at.button(key="train").label, "Train 2 methods", "2 folds", "2 data sets")
    has_line(small.captions, "trellis", "default width", "yeast 3")
    offered = small.code
    small.click("train").wait(seconds=120)
    code = newest(small).code
    assert set(code.splitlines()) <= set(offered.splitlines())
    results = newest(small).job.result

    assert results.datasets == ("solar-flare", "yeast")
    assert results.methods == ("IC", "CT")
    assert all(what in newest(small).title for what in ("1: ", "IC", "CT", "solar-flare", "yeast"))
    small.go("compare")
    found = {}
    exec(code, found)
    for key in ("hamming_score", "exact_match"):
        assert_frame_equal(found["result"].table(key), results.table(key), check_exact=True)
    assert [of_set["CT"].width for of_set in found["methods"]] == [1, 3], "3 is the default of 14 labels"
    assert small.widget("score").value == "accuracy"
    assert list(small.at.table[0].value.index) == ["yeast", "Average rank"]
    has_line(small.captions, "solar-flare", "accuracy", "more than two values")


def test_the_loaded_set_is_not_offered_again(visitor):
    visitor.go("train")
    assert visitor.widget("train_also").options == ["movies", "solar-flare"]
    visitor.set("train_also", ["solar-flare"]).choose_packaged("solar-flare").go("train")

    assert visitor.widget("train_also").options == ["yeast", "movies"]
    assert visitor.widget("train_also").value == []


def test_the_other_data_sets_of_a_visit_can_be_trained_on_too(small):
    small.choose_packaged("solar-flare").go("train")
    assert small.widget("train_also").options == ["yeast", "small", "movies"]
    small.set("methods", ["IC"]).set("folds", 2).set("train_also", ["small"]).click("train").wait()

    results = small.workspace().runs[0].job.result
    assert sorted(results.fits["dataset"].unique()) == ["small", "solar-flare"]


def test_a_fit_over_its_time_does_not_finish_and_is_reported(visitor):
    """Case B50: an endless fit ends itself, and the others go on."""
    forest = next(one for one in catalogue.BASE_LEARNERS if one.name == "Random forest")
    visitor.go("train").set("learner", forest).set("parameter-Random-forest", 300).set("methods", ["IC"])
    visitor.set("protocol", "Split").set("fit_seconds", 1.0)
    assert "Budget(seconds=1.0" in visitor.code
    visitor.click("train").wait(seconds=60)

    assert newest(visitor).job.state == "done"
    has_line(newest(visitor).title, "most 1 s", "fit")
    (fit,) = newest(visitor).job.result.fits.itertuples()
    assert fit.status == "over time"
    visitor.go("compare")
    assert visitor.warnings == [Containing("IC", "not finish", "1 of 1 fits", "more than 1 s")]
    has_line(visitor.takeaway, "No fit", "run succeeded")
    assert not visitor.errors


def test_a_fit_within_its_limits_is_done(small):
    small.go("train").set("methods", ["IC"]).set("folds", 2).set("fit_seconds", 60.0).set("fit_memory", 2.0)
    small.click("train").wait()

    has_line(newest(small).title, "most 60 s", "2 GiB", "fit")
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


# ---------------------------------------------------------------- as published, with gaps, with unknown labels


def with_more(visitor, **more):
    """Give the loaded data what a file could have said of them."""
    workspace = visitor.workspace()
    workspace.sets.add(replace(workspace.loaded, dataset=replace(workspace.dataset, **more)))
    return visitor


def test_a_published_division_is_offered_where_there_is_one(small):
    assert small.go("train").widget("protocol").options == ["Cross-validation", "Split"]
    with_more(small, n_train=50).go("train")
    assert small.widget("protocol").options == ["Cross-validation", "Split", "As published"]
    assert small.widget("protocol").value == "Cross-validation"
    small.set("methods", ["IC"]).set("protocol", "As published")
    with pytest.raises(KeyError):
        small.widget("train_also")
    assert "Given(n_train=50)" in small.code
    small.click("train").wait()
    fits = newest(small).job.result.fits

    has_line(newest(small).title, "published", "50", "80 rows train")
    assert set(fits["protocol"]) == {Given(50).words}
    assert fits["status"].eq("done").all()
    assert set(newest(small).code.splitlines()) <= set(small.code.splitlines())


def test_groups_that_a_published_division_divides_are_counted(small):
    with_more(small, n_train=50, groups=pd.Series(np.arange(80) // 20, name="who")).go("train")
    has_line(small.text, "who", "together", "4 groups")
    small.set("protocol", "As published")
    has_line(small.text, "1 of 4 groups", "who", "too high")


def test_a_single_group_is_nothing_to_train_on(small):
    with_more(small, groups=pd.Series(["ann"] * 80, name="who"))
    for page in ("train", "inspect"):
        small.go(page)
        assert not small.errors
        holds(small.notices, "at least two groups", "who")


def test_data_without_a_published_division_are_folded_again(small):
    with_more(small, n_train=50).go("train").set("protocol", "As published")
    with_more(small, n_train=None).run()
    assert small.widget("protocol").value == "Cross-validation"
    assert small.widget("folds").value == 5
    small.at.query_params["protocol"] = "As published"
    small.go("compare").go("train")
    assert small.widget("protocol").value == "Cross-validation"


@pytest.fixture
def gappy(visitor, meka_arff):
    """A visitor with a small data set, a feature of which is missing in 8 of 40 rows."""
    rows = [f"{n % 2},{n // 2 % 2},{'?' if n % 5 == 0 else n},{n % 7}" for n in range(40)]
    return visitor.upload(("gaps.arff", meka_arff(dict.fromkeys("ab", "0,1"), rows)))


def test_missing_features_are_a_choice_only_where_some_are_missing(small):
    with pytest.raises(KeyError):
        small.go("train").widget("fill")


@pytest.mark.parametrize(
    ("fill", "words", "strategy"),
    [
        ("automatic", "filled with the mean of the training rows.", "'mean'"),
        ("median", "filled with the median of the training rows.", "'median'"),
        ("most frequent", "filled with the most frequent value of the training rows.", "'most_frequent'"),
        ("zero", "filled with 0.", "'constant'"),
    ],
)
def test_how_missing_features_are_filled_is_a_choice(gappy, fill, words, strategy):
    gappy.go("train").set("fill", fill)
    has_line(gappy.captions, "8 missing feature cells", f"{words}")
    assert (f"strategy={strategy}" in gappy.code) == (strategy != "'mean'"), "the mean is what it does anyway"
    assert "SimpleImputer(keep_empty_features=True" in gappy.code
    gappy.set("methods", ["IC"]).set("folds", 2).click("train").wait()

    assert (f"missing features {fill}" in newest(gappy).title) == (fill != "automatic")
    assert newest(gappy).job.result.fits["status"].eq("done").all()


def test_trees_take_missing_features_as_they_are(gappy):
    (tree,) = [learner for learner in catalogue.BASE_LEARNERS if learner.name == "Decision tree"]
    gappy.go("train").set("methods", ["IC", "CT"]).set("learner", tree)
    has_line(gappy.captions, "IC", "CT take missing feature cells")
    assert "SimpleImputer" not in gappy.code
    gappy.set("fill", "mean")
    has_line(gappy.captions, "8 missing feature cells", "filled", "mean", "training rows")
    assert "SimpleImputer" in gappy.code


def test_each_method_is_given_what_it_takes(gappy):
    gappy.go("train").set("methods", ["IC", "MOF"])
    has_line(gappy.captions, "filled", "mean", "training rows", "IC", "MOF takes missing feature cells")


def test_what_takes_no_missing_features_is_left_out_where_they_stay(gappy):
    gappy.go("train").set("methods", ["IC", "MOF"]).set("fill", "as they are")

    assert gappy.warnings == [Containing("IC", "left out", "no missing features", "filled")]
    holds(gappy.at.button(key="train").label, "Train 1 method", "5 folds", "gaps")


def test_instances_with_unknown_labels_are_counted_and_take_part(small):
    data = small.workspace().dataset
    known = np.tile([True, False, True], (6, 1))
    with_more(small, incomplete=PartiallyLabelled(data.X[:6], data.Y[:6], known)).go("train").set("methods", ["IC"])
    has_line(small.captions, "6 instances", "some unknown labels", "take part")
    small.set("folds", 2).click("train").wait()

    results = newest(small).job.result
    assert results.fits["status"].eq("done").all()
    assert any("6 train, unknown labels filled" in note for note in results.notes)


def test_methods_decide_for_the_score_that_is_asked_for(small):
    small.go("train").set("methods", ["IC", "CT"]).set("folds", 2)
    assert small.widget("decide").value == "accuracy"
    small.set("decide", catalogue.AS_INFERRED).set("train_thresholds", "one per label").set("decide", "exact match")
    with pytest.raises(KeyError):  # which the decision replaces
        small.widget("train_thresholds")
    assert "decide='exact_match'" in small.code.replace('"', "'")
    small.click("train").wait()
    run = newest(small)

    assert "decided for exact match" in run.title
    assert run.job.result.fits["status"].eq("done").all()


def test_labels_of_more_values_are_decided_for_the_scores_that_they_have(visitor):
    visitor.choose_packaged("solar-flare").go("train")
    assert visitor.widget("decide").options == ["Hamming score", "exact match", "as the paper does"]


def test_the_automatic_base_learner_says_what_it_takes(small):
    small.go("train").set("methods", ["IC", "CT"]).set("folds", 2)
    assert small.widget("learner").value == catalogue.AUTOMATIC
    has_line(small.captions, "Automatic", "features and penalties", "for each set of training rows")
    assert "LeastSquares('loo', features='auto')" in small.code.replace('"', "'").replace("alpha=", "")
    small.set("parameter-Automatic-least-squares-kernel", 100).click("train").wait()

    has_line(newest(small).title, "Automatic", "Landmarks = 100")
    assert newest(small).job.result.fits["status"].eq("done").all()


def test_a_penalty_by_leave_one_out_is_offered(small):
    small.go("train").set("learner", catalogue.LEAST_SQUARES).set("parameter-Least-squares", "loo")
    small.set("methods", ["IC"]).set("folds", 2)
    small.click("train").wait()
    has_line(newest(small).title, "Least squares", "alpha = loo")
