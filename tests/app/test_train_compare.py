"""Train and Compare: runs that go on while pages come and go, their scores, and the Python that gives the same."""

import html
import io
import json
import re
import threading

import pandas as pd
import pytest
from components import catalogue
from pandas.testing import assert_frame_equal
from sentences import has_line, holds

from trellislib import experiment
from trellislib.experiment import TIMES, Store
from trellislib.methods import METHODS
from trellislib.summaries import about_calibration
from trellislib.summaries.depth import about_depth


@pytest.fixture
def trained(small):
    """The same after a run of IC, CC and CT with least squares."""
    small.go("train").set("folds", 3).click("train").wait()
    return small


@pytest.fixture
def held(monkeypatch):
    """Hold evaluations before their last fit until told to go on."""
    let_go, begun = threading.Event(), threading.Event()
    run = experiment.run

    def slow(*args, progress, cancelled, **kwargs):
        def stopped():
            if let_go.wait(0.01):
                return cancelled()
            return cancelled()

        def reported(done, total, what):
            progress(done, total, what)
            if done >= total / 2:
                begun.set()
                while not let_go.wait(0.01) and not cancelled():
                    pass

        return run(*args, progress=reported, cancelled=stopped, **kwargs)

    monkeypatch.setattr(experiment, "run", slow)
    yield begun, let_go
    let_go.set()


def newest(visitor):
    return visitor.workspace().runs[0]


def result(visitor):
    """Return what came of the newest run, which is on one data set."""
    results = newest(visitor).job.result
    (name,) = results.datasets
    return results.of_dataset(name)


def scores(result):
    summary = result.summary()
    return summary[[column for column in summary if column[0] not in TIMES]]


def shown_scores(visitor):
    """Return the table of the Compare page."""
    return visitor.at.table[0].value


def test_train_by_the_button(small):
    small.go("train")
    holds(small.widget("train").label, "Train 3 methods", "5 folds", "small")
    small.click("train").wait()

    assert newest(small).job.state == "done"
    assert result(small).folds_done().to_dict() == {"IC": 5, "CC": 5, "CT": 5}
    (shown,) = [line for line in small.text.splitlines() if line.startswith("1: ")]
    assert all(what in shown for what in ("IC", "CC", "CT", "on small", "Automatic", "accuracy", "5-fold", "done in"))


def test_the_default_comparison_is_one_click(small):
    small.go("compare")
    has_line(small.takeaway, "No method", "trained", "small yet")
    small.click("train-default").wait()

    assert newest(small).job.result.methods == ("IC", "CC", "CT")
    assert small.takeaway.split()[0] in ("IC", "CC", "CT")
    assert len(small.charts) == 3


def test_results_survive_pages_choices_and_reruns(trained):
    """Case B44: one training, whatever is clicked afterwards."""
    run, first = newest(trained), result(trained).summary()
    trained.go("compare")
    table = shown_scores(trained)
    trained.set("score", "macro_f1").set("label_score", "recall").run()
    for view in ("start", "data", "dependence", "trellis", "train", "compare"):
        trained.go(view)
    trained.run().run()

    assert trained.workspace().runs == [run]
    assert trained.workspace().started == 1
    assert_frame_equal(result(trained).summary(), first)
    assert_frame_equal(shown_scores(trained), table)
    assert trained.widget("score").value == "macro_f1"


def test_results_survive_a_refresh(trained, visit):
    again = visit(trained.at.query_params["workspace"]).go("compare")

    assert len(again.charts) == 3
    assert again.workspace() is trained.workspace()


def test_results_survive_another_data_set(trained):
    trained.choose_packaged("solar-flare").go("compare")

    assert len(trained.charts) == 3
    assert trained.widget("runs").value == [1]
    assert "on small" in trained.widget("runs").options[0]


def test_the_sentence_names_the_best(trained):
    trained.go("compare").set("score", "hamming_score")
    mean = scores(result(trained))["hamming_score", "mean"]

    assert trained.takeaway.startswith(mean.idxmax())
    assert f"{mean.max():.3f}" in trained.takeaway


def test_table_and_downloads_agree_with_the_result(trained, downloads):
    trained.go("compare")
    of_run = result(trained)
    table = shown_scores(trained)

    assert list(table.columns) == ["IC", "CC", "CT"]
    for method in table:
        mean, spread = (scores(of_run).loc[method, ("exact_match", of)] for of in ("mean", "std"))
        assert f"{mean:.3f} ± {spread:.3f}" in table.loc["Exact match ↑", method]
    rank = scores(of_run)["exact_match", "rank"]
    starred = table.loc["Exact match ↑"].map(lambda cell: "★" in cell)
    assert starred.to_dict() == rank.eq(rank.min()).to_dict()

    texts = {key: content() for key, content in downloads.items() if key.endswith(" csv")}
    tables = {label: pd.read_csv(io.StringIO(text)) for label, text in texts.items()}
    fits = tables["small-fits csv"]
    assert fits["exact_match"].groupby(fits["method"]).mean().to_dict() == pytest.approx(
        scores(of_run)["exact_match", "mean"].to_dict()
    )
    labels = tables["small-labels csv"]
    assert list(labels["label"].unique()) == ["a", "b", "c"]
    summary = pd.read_csv(io.StringIO(texts["small-scores csv"]), header=[0, 1], index_col=0)
    assert summary["exact_match", "mean"].to_dict() == scores(of_run)["exact_match", "mean"].to_dict()
    trained.run()
    assert {key: downloads[key]() for key in texts} == texts, "a second download holds the same"


def test_the_report_has_the_answer_the_data_and_the_python(trained, downloads):
    trained.go("compare")
    page = html.unescape(downloads["small-report html"]())
    holds(page, trained.takeaway, trained.workspace().dataset.digest, "80 rows")
    assert trained.code in page
    assert "evaluate(" in page


def test_two_runs_are_listed_separately_and_removed(trained):
    trained.set("methods", ["IC", "CT"]).click("train").wait()
    assert [run.number for run in trained.workspace().runs] == [2, 1]
    trained.go("compare")
    options, runs = trained.widget("runs").options, trained.workspace().runs
    assert len(options) == len(runs)
    assert all(option.startswith(f"{run.title} (") for option, run in zip(options, runs, strict=True))
    assert list(shown_scores(trained).columns) == ["IC", "CT"]

    trained.click("remove")
    assert list(shown_scores(trained).columns) == ["IC", "CC", "CT"]
    trained.click("remove")
    assert trained.workspace().runs == []
    assert "No method is trained" in trained.takeaway
    assert Store().runs().empty


def test_removed_runs_are_brought_back(trained):
    trained.set("methods", ["IC", "CT"]).click("train").wait().go("compare")
    before, files = trained.widget("runs").options, Store().results().fits
    trained.set("runs", [2, 1]).click("remove")
    assert Store().runs().empty
    trained.go("data").go("compare").click("undo removed runs")

    assert trained.widget("runs").options == before
    assert trained.widget("runs").value == [2, 1]
    assert_frame_equal(Store().results().fits, files)
    assert "undo removed runs" not in [button.key for button in trained.at.button]


def test_the_newest_run_is_answered_on_top_of_the_form(trained):
    summary = trained.workspace().runs[0].job.result.of_dataset("small").summary()["accuracy"]
    table = trained.table("Training time (s)")

    best = summary["rank"].idxmin()
    has_line(trained.text, best, "accuracy", f"{summary.loc[best, 'mean']:.3f}")
    assert list(table.index) == list(summary["rank"].sort_values().index)
    first, *_, last = table.columns
    assert first.startswith("Accuracy")
    assert last.startswith("Exact match")
    before = [button.key for button in trained.at.main.button]
    assert before.index("clear 1") < before.index("train")


def test_clear_leaves_the_results(trained):
    """On the Train page a run goes from the list only; the results file keeps it."""
    trained.click("clear 1")

    assert trained.workspace().runs == []
    assert "clear 1" not in [button.key for button in trained.at.button]
    trained.click("undo removed runs")
    assert [run.number for run in trained.workspace().runs] == [1]
    trained.click("clear 1").go("compare")
    assert list(shown_scores(trained).columns) == ["IC", "CC", "CT"]


def test_results_of_another_visitor_appear(trained, visit):
    other = visit().go("compare")

    assert list(shown_scores(other).columns) == ["IC", "CC", "CT"]
    assert other.workspace().runs == []
    assert_frame_equal(shown_scores(other), shown_scores(trained.go("compare")))


def test_a_newcomer_reads_what_methods_are_called(small):
    small.go("train")
    assert small.widget("methods").options[0] == "IC · Independent classifiers"
    assert small.widget("methods").value == ["IC", "CC", "CT"]


@pytest.mark.parametrize("written", [["CT", "IC"], ["IC · Independent classifiers", "CT · Classifier trellis"]])
def test_a_link_names_methods_by_key_or_in_words(visitor, written):
    visitor.at.query_params["methods"] = written
    visitor.go("train")
    assert set(visitor.widget("methods").value) == {"IC", "CT"}
    assert set(visitor.set("folds", 3).widget("methods").value) == {"IC", "CT"}


def test_a_run_that_ends_is_the_one_that_is_shown(trained):
    trained.go("compare").go("train").set("methods", ["IC"]).click("train").go("compare").wait()

    assert trained.widget("runs").value == [2]
    trained.set("runs", [1]).go("data").go("compare")
    assert trained.widget("runs").value == [1], "what was chosen since then stays"


def test_a_run_that_another_has_removed_is_not_missed(trained, visit):
    other = visit(trained.at.query_params["workspace"]).go("compare")
    trained.set("methods", ["IC"]).click("train").wait().go("compare").click("remove")
    other.run()
    assert other.widget("runs").value == [1]
    trained.click("remove")

    assert "No method is trained" in other.run().takeaway


def test_a_running_run_is_shown_with_its_progress(small, held):
    begun, let_go = held
    small.go("train").click("train")
    assert begun.wait(30)
    small.run()

    (bar,) = small.at.progress
    assert 40 <= bar.value <= 70
    assert re.search(r"C[CT]? on small, fit \d of 5", bar.text)
    assert "so far" in bar.text
    small.go("start").go("compare")
    assert len(small.at.progress) == 1, "it goes on while pages come and go"
    has_line(small.takeaway, "appear", "run", "ends")
    let_go.set()
    small.wait()
    assert not small.at.progress
    assert newest(small).job.state == "done"


def test_cancel_keeps_the_finished_fits(small, held):
    begun, _ = held
    small.go("train").click("train")
    assert begun.wait(30)
    small.run().click("cancel 1")
    run = newest(small)
    small.wait(lambda: not run.job.is_active)
    assert run.job.state == "cancelled"

    kept = len(run.job.result.fits)
    assert 0 < kept < 15
    assert f"{kept} fits kept" in small.text
    small.go("compare")
    assert "DNF" in "".join(shown_scores(small).to_numpy().ravel())
    assert any("cancelled" in info.value for info in small.at.info)
    assert small.takeaway


def test_a_cancelled_run_is_not_called_empty_while_its_last_fit_ends(small, monkeypatch):
    """Between the click and the end of the fit that is on its way, the page does not say that nothing was kept."""
    begun, let_go, run = threading.Event(), threading.Event(), experiment.run

    def stubborn(*args, progress, cancelled, **kwargs):
        result = run(*args, progress=progress, **kwargs)
        begun.set()
        assert let_go.wait(30)
        return result

    monkeypatch.setattr(experiment, "run", stubborn)
    small.go("train").click("train")
    assert begun.wait(30)
    small.run().click("cancel 1").run()
    shown_text = small.text
    let_go.set()

    assert "0 fits kept" not in shown_text


def test_a_failing_base_learner_is_shown_with_its_reason(visitor):
    """Case B50: multinomial naive Bayes refuses the negative features of yeast."""
    visitor.go("train").set("learner", learner("Naive Bayes (multinomial)")).set("folds", 2)
    assert "refuses negative features" in visitor.at.warning[0].value, "told before"
    visitor.click("train").wait()
    assert newest(visitor).job.state == "done"
    visitor.go("compare")

    assert not visitor.errors
    reasons = [warning.value for warning in visitor.at.warning]
    assert any("Negative values" in reason for reason in reasons)
    assert len(reasons) == 3
    assert visitor.takeaway.endswith(".")


def test_a_failing_method_does_not_stop_the_others(small, monkeypatch):
    from components import catalogue
    from sklearn.naive_bayes import MultinomialNB

    from trellislib import ClassifierTrellis

    make = catalogue.method

    def method(name, *args):
        return ClassifierTrellis(MultinomialNB()) if name == "CT" else make(name, *args)

    monkeypatch.setattr(catalogue, "method", method)
    small.go("train").set("folds", 3).click("train").wait().go("compare")
    table = shown_scores(small)

    assert set(table["CT"]) == {"DNF (0 of 3 folds)"}
    assert not table["IC"].str.contains("DNF").any()
    assert small.takeaway.split()[0] in ("IC", "CC")
    (warning,) = small.warnings
    has_line(warning, "CT", "not finish 3", "3 fits", "Negative values")


def test_a_run_that_failed_as_a_whole_is_shown_with_its_reason(small, monkeypatch):
    def broken(*args, **kwargs):
        raise ValueError("the *disk* is full")

    monkeypatch.setattr(experiment, "run", broken)
    small.go("train").click("train").wait()

    assert "failed: the *disk* is full" in small.text
    assert "*disk*" not in "".join(element.value for element in small.at.main.markdown)
    small.go("compare")
    assert "No method is trained" in small.takeaway


def test_linear_svm_has_no_ranking_scores(small):
    small.go("train").set("learner", learner("Linear SVM")).set("decide", catalogue.AS_INFERRED).set("folds", 2)
    small.click("train").wait().go("compare")

    assert "Macro AUC" not in small.widget("score").options
    assert not [name for name in shown_scores(small).index if "AUC" in name or "Ranking" in name]
    assert "AUC" not in small.widget("label_score").options
    assert not small.at.warning


def test_a_score_that_the_next_run_lacks_breaks_nothing(small):
    small.go("train").set("folds", 2).click("train").wait()
    small.go("compare").set("score", "macro_auc").set("label_score", "auc")
    small.go("train").set("learner", learner("Linear SVM")).set("decide", catalogue.AS_INFERRED)
    small.click("train").wait().go("compare")

    assert small.widget("runs").options[0].startswith(newest(small).title)
    assert small.widget("runs").value == [2]
    assert len(small.charts) == 2


def test_pairs_are_tested_over_the_folds(trained):
    trained.go("compare").set("score", "accuracy")
    found = result(trained).tests("accuracy")
    table = trained.table("p (Holm)")
    assert len(table) == len(found.means) * (len(found.means) - 1) // 2
    assert list(table["Lead"]) == [f"{lead:+.3f}" for lead in found.pairs["lead"]]
    has_line(trained.captions, f"over {found.n_splits} folds", "Holm")
    significant = bool(found.better_pairs)
    assert ("significantly better" in trained.takeaway) == significant


def test_a_split_has_no_spread(small):
    small.go("train").set("protocol", "Split").set("share", 50).click("train").wait().go("compare")

    assert "One split, so no spread" in small.captions
    has_line(small.captions, "One split", "no p-value", "folds")
    assert "±" not in "".join(shown_scores(small).to_numpy().ravel())


def test_no_method_is_nothing_to_train(small):
    small.go("train").set("methods", [])

    assert small.at.button(key="train").disabled


def test_solar_flare_can_be_compared(visitor):
    """Labels of more than two values have their own scores."""
    visitor.choose_packaged("solar-flare").go("train").set("folds", 2).click("train").wait().go("compare")

    assert list(result(visitor).folds_done()) == [2, 2, 2]
    assert visitor.widget("score").options == ["Hamming score", "Exact match"]


@pytest.mark.parametrize("scaling", ["to [0, 1]", "to unit variance"])
def test_code_of_yeast_gives_exactly_the_same_numbers(visitor, downloads, scaling, capsys):
    visitor.go("trellis").set("width", 5).set("pattern", "custom").set("parent-2+0", True).set("seed", 3)
    visitor.go("train").set("scaling", scaling).set("folds", 2).set("train_seed", 11)
    visitor.set("order-CC-PCC", "random").set("learner", catalogue.LEAST_SQUARES).set("parameter-Least-squares", 10.0)
    offered = visitor.code
    visitor.click("train").wait()
    code = newest(visitor).code
    assert set(code.splitlines()) <= set(offered.splitlines()), "Train shows the code of the run"
    visitor.go("compare")
    assert downloads["yeast-training py"]() == f"# {newest(visitor).title}\n{code}\n"
    assert Store().runs().code[1] == code
    found = {}
    exec(code, found)

    of_run = result(visitor)
    assert found["result"].folds_done().to_dict() == {"IC": 2, "CC": 2, "CT": 2}
    assert_frame_equal(scores(found["result"]), scores(of_run), check_exact=True)
    assert_frame_equal(found["result"].label_scores(), of_run.label_scores(), check_exact=True)
    assert found["methods"]["CT"].get_params()["steps"][-1][1].parents == [(0, -1), (-1, 0), (-2, 0)]
    assert found["methods"]["CT"].get_params()["steps"][-1][1].width == 5


def test_every_method_trains_with_its_defaults(small):
    small.go("train").set("folds", 2).set("methods", list(METHODS))
    assert "MOF grows its own trees" in small.captions
    assert not small.at.warning, "three labels are few enough for all"
    small.click("train").wait(seconds=240)
    of_run = result(small)

    assert of_run.folds_done().to_dict() == dict.fromkeys(METHODS, 2), of_run.fits["reason"].unique()
    holds(newest(small).title, "1: IC, CC, PCC, ECC", "14 more", "small", "Automatic", "accuracy", "2-fold")
    small.go("compare")
    assert len(small.charts) == 3
    assert sorted(small.table("Training time (s)").index) == sorted(METHODS)
    assert len(small.widget("label_methods-1").value) == 4
    drawn = [trace["name"] for trace in json.loads(small.charts[0].proto.spec)["data"]]
    assert drawn == list(METHODS)


def test_the_page_describes_the_methods(visitor, unescaped):
    visitor.go("train")
    reported = visitor.at.table[0].value.to_string()

    for key, entry in METHODS.items():
        assert f"**{key}**" in reported
        assert entry.name in unescaped(reported)


def test_methods_that_would_be_refused_are_left_out_with_a_warning(visitor):
    visitor.go("train").set("methods", ["IC", "OCC"]).set("protocol", "Split")
    has_line(visitor.warnings[0], "OCC", "left out", "tries every order", "most", "7 labels")
    assert visitor.at.button(key="train").label == "Train 1 method on yeast"
    visitor.click("train").wait().go("compare")
    assert visitor.takeaway.startswith("IC ")


def test_methods_with_probabilities_from_scores_are_named(small):
    small.go("train").set("methods", ["IC", "PCC", "ECC", "CDT", "LP", "MOF"]).set("decide", catalogue.AS_INFERRED)
    assert not any("gives no probabilities" in caption.value for caption in small.at.caption)
    small.set("learner", next(one for one in catalogue.BASE_LEARNERS if one.name == "Linear SVM"))
    (shown_text,) = [caption.value for caption in small.at.caption if "gives no probabilities" in caption.value]
    assert "PCC, CDT need" in shown_text


def test_options_are_those_of_the_selected_methods(small):
    def offered():
        return {box.label for box in [*small.at.selectbox, *small.at.number_input]}

    small.go("train").set("methods", ["IC"])
    assert "Inference" not in offered()
    small.set("methods", ["BCC"])
    assert {"Structure", "Parents at most", "Inference"} <= offered()
    assert "Residuals" not in offered()
    small.set("structure-BCC-EBCC", "LEAD")
    assert "Residuals" in offered()
    small.set("methods", ["PCC"])
    assert "Beam width b" not in offered()
    small.set("inference-PCC", "beam search")
    assert "Beam width b" in offered()


def test_code_of_options_gives_exactly_the_same_numbers(small, meka_arff):
    """Nested inferences, structures, voting and thresholds are all in the Python of a run, and in its title."""
    small.choose_packaged("solar-flare").choose_source("Label DAG")
    small.press("Simulate the labels")
    small.go("train").set("methods", ["PCC", "CT", "ECC", "BCC", "CDT", "RAkEL"]).set("folds", 2).set("train_seed", 5)
    small.set("learner", catalogue.LEAST_SQUARES).set("decide", catalogue.AS_INFERRED)
    small.set("inference-PCC", "beam search").set("inference__width-PCC-BeamSearch", 3)
    small.set("inference__maximize-PCC-BeamSearch", "marginals")
    small.set("inference-CT-ECT", "ancestral sampling")
    small.set("inference__n_iterations-CDN-CDT-ECDT-RGE-GibbsSampling", 20)
    small.set("structure-BCC-EBCC", "MI tree").set("voting-ECC-EBCC-ECT-ECDT-EPS", "soft")
    small.set("overlapping-RAkEL", "disjoint").set("train_thresholds", "one per label")
    offered = small.code
    small.click("train").wait(seconds=120)
    run, found = newest(small), {}
    assert set(run.code.splitlines()) <= set(offered.splitlines())
    exec(run.code, found)

    assert found["result"].folds_done().to_dict() == dict.fromkeys(run.job.result.methods, 2)
    assert_frame_equal(scores(found["result"]), scores(result(small)), check_exact=True)
    for words in (
        "thresholds one per label",
        "PCC: inference of PCC beam search",
        "PCC: beam width b 3",
        "CT: inference ancestral sampling",
        "CDT: sweeps T 20",
        "BCC: structure MI tree",
        "ECC: voting soft",
        "RAkEL: label sets disjoint",
        "seed 5",
    ):
        assert words in run.title
    assert "members" not in run.title.lower()


def test_code_of_a_run_does_not_follow_later_choices(trained, downloads):
    code = newest(trained).code
    trained.choose_packaged("solar-flare").go("compare")

    assert code in downloads["small-training py"]()
    assert "small.arff" in code


def test_missing_cells_are_filled_and_reported(visitor, meka_arff):
    rows = [f"{n % 2},{n // 2 % 2},{'?' if n % 5 == 0 else n},{n % 7}" for n in range(40)]
    visitor.upload(("gaps.arff", meka_arff(dict.fromkeys("ab", "0,1"), rows))).go("train")

    has_line(visitor.captions, "8 missing feature cells", "filled")
    assert "SimpleImputer" in visitor.code
    visitor.set("folds", 2).click("train").wait()
    assert result(visitor).folds_done().to_dict() == {"IC": 2, "CC": 2, "CT": 2}


def learner(name):
    from components import catalogue

    return next(choice for choice in catalogue.BASE_LEARNERS if choice.name == name)


def test_how_cost_grows_is_drawn_for_every_size(small):
    small.go("train")
    for variable in ("N", "D", "L"):
        for stage in ("predict", "train"):
            small.set("growth_with", variable).set("growth_of", stage)
            assert len(small.charts) == 1


def test_the_python_of_train_draws_its_figure(visitor, same_figures, capsys):
    visitor.choose_packaged("solar-flare").go("train").set("methods", ["IC"]).set("folds", 2)
    same_figures(visitor.set("growth_with", "D").set("growth_of", "predict"))


def test_the_python_of_compare_draws_its_figures(trained, same_figures):
    """The times of the chart are those of the results file, so that the Python reads them there."""
    trained.go("compare").set("score", "macro_f1").set("label_score", "recall")
    same_figures(trained)
    same_figures(trained.set("methods-1", ["IC", "CT"]))


def test_the_calibration_of_all_methods_is_compared(trained):
    trained.go("compare")
    holds(trained.captions, about_calibration(result(trained).reliability()))


def test_the_python_of_many_methods_draws_the_labels_of_those_shown(small, same_figures):
    small.go("train").set("folds", 2).set("methods", ["IC", "CC", "CT", "LP", "PS", "BCC", "MCC"])
    small.click("train").wait(seconds=120)
    small.go("compare").set("label_methods-1", ["IC", "LP"]).set("calibration_methods-1", ["IC", "MCC"])
    same_figures(small)


TRAIN_ADDRESS = {
    "methods": ["IC", "CT"],
    "learner": "Logistic regression",
    "parameter-Logistic-regression": "10",
    "folds": "3",
    "train_seed": "7",
    "scaling": "to unit variance",
    "repeats": "2",
}


def test_an_address_names_what_to_train(visitor):
    for key, value in TRAIN_ADDRESS.items():
        visitor.at.query_params[key] = value
    visitor.go("train")

    holds(visitor.at.button(key="train").label, "Train 2 methods", "2 x 3 folds", "yeast")
    assert "C=10.0" in visitor.code
    assert "seed" in visitor.code
    assert "StandardScaler()" in visitor.code
    assert "seeds=[7]" in visitor.code


@pytest.mark.parametrize("wrong", ["nonsense", "-1", "1e99", "", "10000000"])
def test_a_wrong_address_of_train_gives_the_defaults(visitor, wrong):
    for key in [*TRAIN_ADDRESS, "protocol", "train_thresholds", "train_also", "fit_seconds", "fit_memory", "growth_of"]:
        visitor.at.query_params[key] = wrong
    visitor.go("train")

    assert "methods" not in visitor.code or visitor.at.button(key="train")
    assert not visitor.errors


def test_an_address_names_what_to_compare(trained, visit):
    trained.set("methods", ["IC", "CT"]).click("train").wait().go("compare")
    assert trained.at.query_params["runs"] == "2"
    other = visit()
    for key, value in {"runs": "1", "score": "Macro F1", "label_score": "Recall", "methods-1": ["IC", "CC"]}.items():
        other.at.query_params[key] = value
    other.go("compare")

    assert other.widget("runs").value == [1]
    assert other.widget("score").value == "macro_f1"
    assert other.widget("label_score").value == "recall"
    assert list(shown_scores(other).columns) == ["IC", "CC"]
    assert not other.at.info


@pytest.mark.parametrize("asked", ["7", "7,1", "x", "9" * 30])
def test_an_address_of_absent_runs_is_reported(trained, visit, asked):
    other = visit()
    for key, value in {"runs": asked, "score": "nonsense", "label_score": "nonsense", "methods-1": "nonsense"}.items():
        other.at.query_params[key] = value
    other.go("compare")

    shown_text = [info.value for info in other.at.info]
    number = asked.removesuffix(",1")
    sentence = f"This link is to run {number}, but this server's results file does not have it."
    assert shown_text == ([] if asked == "x" else [sentence])
    assert other.widget("runs").value == [1]
    assert list(shown_scores(other).columns) == ["IC", "CC", "CT"]
    assert not other.set("runs", []).at.info


def test_an_address_of_a_run_in_an_empty_results_file_is_reported(visitor):
    visitor.at.query_params["runs"] = "3"
    visitor.go("compare")

    has_line(visitor.at.info[0].value, "This link", "run 3")
    assert "No method is trained" in visitor.takeaway


def test_baselines_are_rows_of_every_table(small):
    small.go("train").set("folds", 3).set("methods", ["IC", "CT"])
    small.set("baselines", ["Majority", "Nobody", "Stacked"])
    assert 'Baseline(strategy="nobody")' in small.code.replace("'", '"')
    small.click("train").wait().go("compare")
    names = ["IC", "CT", "Majority", "Nobody", "Stacked"]
    assert list(shown_scores(small).columns) == names
    means = result(small).summary()["accuracy", "mean"]
    assert about_depth(means, "accuracy", without=["Majority", "Nobody"]) in small.text
    of_labels = small.table("Support")
    assert of_labels["Support"].is_monotonic_decreasing
    assert (of_labels["Nobody"] == 0).all()
    groups = small.table("Macro F1, tail")
    assert (groups.loc["Nobody"] == 0).all()
    assert list(groups.index) == names


def test_as_many_labels_in_every_row(small):
    small.go("train").set("folds", 3).set("methods", ["IC"]).set("decide", catalogue.AS_INFERRED)
    small.set("train_thresholds", "as many labels in every row")
    k = max(1, round(float(small.workspace().dataset.Y.sum(axis=1).mean())))
    assert f"decide=RankCut(k={k})" in small.code.replace(f"RankCut({k})", f"RankCut(k={k})")
    assert "import RankCut" in small.code
    small.click("train").wait()
    assert (result(small).fits["status"] == "done").all()
