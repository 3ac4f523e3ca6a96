"""The Paper page: published numbers as they are printed, ours as they are computed, and a page that always stays."""

import ast
import contextlib
import io
import sqlite3
import sys
import threading
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sentences import Containing, has_line, holds

from trellislib.data import obtain, simulate_room
from trellislib.experiment import Split, Store, StoreError, run
from trellislib.paper import EXPERIMENTS, published, rank_table

EXPERIMENT_TITLES = {
    "results": "Results and times (Tables 7 and 8, Figure 6)",
    "structure": "Searched structure (Table 2)",
    "placement": "Hill climbing (Table 6)",
    "room": "MAP against CT in the room (Tables 9 and 10)",
}
N_CHARTS = {
    "FS against LEAD on known graphs (Appendix A)": 0,
    "Graphical models (Figure 3)": 4,
    "Graphs of Music (Figure 4)": 0,
    "Three trellises (Figure 5)": 3,
    "The room (Figure 7)": 1,
    "Easy, medium and hard graphs (Figure 8)": 3,
    "Methods (Table 3)": 0,
    "Complexity and measured exponents (Table 4)": 0,
    "Data sets (Table 5)": 0,
} | dict.fromkeys(EXPERIMENT_TITLES.values(), 0)
N_CHARTS[EXPERIMENT_TITLES["results"]] = 1  # the published one
MISSING = "not on this machine"


@pytest.fixture(autouse=True)
def nothing_here(tmp_path, monkeypatch):
    """No data but those that are simulated or come with a package."""
    monkeypatch.delenv("TRELLISLIB_DATA", raising=False)
    monkeypatch.setenv("TRELLISLIB_CACHE", str(tmp_path / "downloads"))


@pytest.fixture
def page(visitor):
    """Open the page, by default where nothing but the experiment is chosen."""

    def opened(item="results"):
        visitor.go("paper").set("item", EXPERIMENT_TITLES.get(item, item))
        return visitor

    return opened


def arff(n_rows, n_labels, seed):
    """Return made-up data in the form of Mulan: features first, labels last and named in the XML."""
    x = np.random.default_rng(seed).normal(size=(n_rows, 3))
    Y = (x @ np.random.default_rng(7).normal(size=(3, n_labels)) > 0.2).astype(int)
    lines = ["@relation made", *(f"@attribute x{j} numeric" for j in range(3))]
    lines += [f"@attribute y{j} {{0,1}}" for j in range(n_labels)]
    rows = [
        ",".join([*map("{:.3f}".format, values), *map(str, of_labels)]) for values, of_labels in zip(x, Y, strict=True)
    ]
    return "\n".join([*lines, "@data", *rows])


@pytest.fixture
def folder(tmp_path):
    """A folder with small data under the names of Music and Scene."""
    path = tmp_path / "data"
    (path / "scene").mkdir(parents=True)
    labels = "<labels>" + "".join(f'<label name="y{j}"></label>' for j in range(4)) + "</labels>"
    (path / "emotions.arff").write_text(arff(60, 4, 0))
    (path / "emotions.xml").write_text(labels)
    (path / "scene" / "scene-train.arff").write_text(arff(40, 4, 1))
    (path / "scene" / "scene-test.arff").write_text(arff(20, 4, 2))
    (path / "scene" / "scene.xml").write_text(labels)
    return path


@pytest.fixture
def run_here(page, folder):
    """Run an experiment by its button on the small data, and wait for it."""

    def started(key):
        visitor = page(key).set("data folder", str(folder))
        return visitor.click(f"run {key}").wait()

    return started


def table(visitor):
    """Return the first table as a reader sees it, but for the stars of bold numbers."""

    def read(text):
        return str(text).replace("\\", "")

    return visitor.at.table[0].value.rename(index=read, columns=read).map(read)


def button(visitor, key):
    (found,) = [one for one in visitor.at.button if one.key == key]
    return found


def both(printed, ours):
    """Return a cell as the page shows it."""
    text = "DNF" if pd.isna(printed) else f"{printed:.3f}"
    return f"{text}\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}**{'-' if pd.isna(ours) else f'{ours:.3f}'}**"


def executed(code):
    """Run the Python of a page and return its names and what it prints."""
    names, shown_text = {}, io.StringIO()
    with contextlib.redirect_stdout(shown_text):
        exec(code, names)
    return names, shown_text.getvalue()


@pytest.mark.parametrize("item", N_CHARTS)
def test_every_item_opens_without_data_and_its_code_draws_its_figures(page, same_figures, item, capsys):
    visitor = page(item)
    holds(visitor.title, "paper", "here")
    assert len(visitor.charts) == N_CHARTS[item]
    assert visitor.takeaway.endswith(".")
    assert not visitor.errors
    assert not visitor.warnings
    assert "Pattern Recognition 48" in visitor.captions
    if "Music" not in item:  # whose figures need data
        same_figures(visitor)


@pytest.mark.parametrize("item", [*EXPERIMENT_TITLES, *list(N_CHARTS)[:9]])
def test_every_item_opens_with_data(page, folder, monkeypatch, item):
    monkeypatch.setenv("TRELLISLIB_DATA", str(folder))
    visitor = page(item)
    assert not visitor.errors
    if item in ("structure", "placement"):
        assert MISSING not in visitor.captions.lower()
        assert "In the folder: Music, Scene." in visitor.captions


def test_missing_data_sets_are_named_and_offered(page):
    visitor = page("structure")
    has_line(visitor.captions, "Not", "machine", "Music", "Scene", "Download")
    assert button(visitor, "fetch emotions").label == "Download Music (0.4 MB)"
    assert button(visitor, "fetch scene").label == "Download Scene (6.2 MB)"
    run_it = button(visitor, "run structure")
    assert (run_it.label, run_it.disabled) == (Containing("None of its data sets"), True)
    visitor.set("item", EXPERIMENT_TITLES["results"])
    assert "from an installed package: Yeast;" in visitor.captions
    has_line(
        visitor.captions, "Not", "machine", "Music", "Scene", "Medical", "Enron", "TMC2007", "MediaMill", "Delicious"
    )
    assert "simulated: Local400, Local10k." in visitor.captions
    assert sum(one.key.startswith("fetch ") for one in visitor.at.button if one.key) >= 5
    run_it = button(visitor, "run results")
    has_line(run_it.label, "Run", "3", "10 data sets")
    assert not run_it.disabled


def test_a_missing_music_is_offered_where_it_is_drawn(page):
    visitor = page("Graphs of Music (Figure 4)")
    holds(visitor.takeaway, "Music", "not on this machine", "download", "folder")
    assert button(visitor, "fetch emotions")
    assert "obtain('emotions') or fetch('emotions')" in visitor.code


def test_music_is_drawn_from_the_folder(page, folder):
    visitor = page("Graphs of Music (Figure 4)").set("data folder", str(folder))
    assert len(visitor.charts) == 2
    assert visitor.takeaway.startswith("FS finds ")
    _, shown_text = executed(visitor.code)
    edges = dict(line.split(" ", 1) for line in shown_text.splitlines())
    for structure in ("FS", "LEAD"):
        assert (
            f"{structure}{' finds' * (structure == 'FS')} {len(ast.literal_eval(edges[structure]))}" in visitor.takeaway
        )


@pytest.mark.parametrize("measure", ["accuracy", "hamming_score", "exact_match", "train_seconds", "test_seconds"])
def test_published_scores_and_ranks_are_those_of_the_paper(page, measure):
    visitor = page("results").set("paper_results_measure", measure)
    shown = table(visitor)
    printed, (_, averages) = EXPERIMENTS["results"].published(measure), rank_table(measure)
    digits = 0 if "seconds" in measure else 3
    for name, method in printed.stack(future_stack=True).index:
        value = printed.loc[name, method]
        cell = shown.loc[name, method].replace("*", "")
        assert cell.split(" ")[0] == ("DNF" if pd.isna(value) else f"{value:.{digits}f}")
    if digits:  # the paper took the ranks of times before it rounded them
        assert shown.loc["Average rank"].astype(float).to_numpy() == pytest.approx(averages.to_numpy(), abs=0.0051)


def test_published_spreads_are_those_of_the_paper(page):
    printed = published("structure").set_index(["dataset", "method"])
    shown = table(page("structure"))
    for name, method in printed.index:
        mean, spread = printed.loc[(name, method), ["mean", "spread"]]
        text = shown.loc[name, method].replace("*", "")
        assert text.startswith(f"{mean:.3f} ± {spread:.3f} (")


def test_the_published_diagram_agrees_with_the_paper(page):
    visitor = page("results")
    over = "the 8 data sets that all methods finished"
    has_line(visitor.captions, "ECC", "ECT", "better than IC", "CDT", "accuracy", "0.10", over)
    has_line(visitor.captions, "Nothing", "run", "yet")
    holds(visitor.takeaway, "None", "66 numbers", "accuracy", "measured here")


def test_a_run_is_shown_next_to_the_published_numbers(run_here, folder):
    visitor = run_here("structure")
    experiment = EXPERIMENTS["structure"]
    results = Store().results()
    ours, printed = experiment.measured(results, "accuracy"), experiment.published("accuracy")
    shown = table(visitor)
    assert ours.shape == (2, 5)
    for name in ("Music", "Scene"):
        for method in experiment.methods:
            assert shown.loc[name, method] == both(printed.loc[name, method], ours.loc[name, method])
    has_line(visitor.takeaway, "Of", "paper's 10 numbers", "accuracy 10", "measured")
    visitor.set("paper_structure_numbers", "difference")
    difference = (ours - printed).loc["Scene", "EBCC-LEAD"]
    assert table(visitor).loc["Scene", "EBCC-LEAD"] == f"{difference:+.3f}"
    visitor.set("paper_structure_numbers", "ours")
    spread = results.spread("accuracy").loc["Music", "IC"]
    assert (
        table(visitor).loc["Music", "IC"].replace("*", "").startswith(f"{ours.loc['Music', 'IC']:.3f} ± {spread:.3f}")
    )
    visitor.set("paper_structure_numbers", "published")
    assert table(visitor).loc["Music", "IC"].replace("*", "").startswith("0.517 ± ")


def test_base_learners_and_ensembles_are_not_mixed(run_here):
    visitor = run_here("structure")
    visitor.set("paper_ensembles", "code")
    has_line(visitor.takeaway, "None", "paper's 10 numbers")
    visitor.set("paper_ensembles", "text").set("paper_learner", "logistic")
    has_line(visitor.takeaway, "None", "paper's 10 numbers")
    visitor.set("paper_learner", "fast")
    has_line(visitor.takeaway, "Of", "paper's 10 numbers")


def test_the_code_gives_the_same_numbers(run_here, results_file, tmp_path, monkeypatch):
    visitor = run_here("structure")
    before = Store().results().table("accuracy")
    monkeypatch.setenv("TRELLISLIB_STORE", str(tmp_path / "other.sqlite"))
    code = Store(results_file).runs().code[1]
    assert "results = Store().results([1])" in visitor.code
    names, shown_text = executed(code)
    pd.testing.assert_frame_equal(names["results"].table("accuracy"), before)
    assert f"{before.loc['Music', 'OCC']:.6f}"[:7] in shown_text


@pytest.mark.parametrize("key", ["placement", "results", "room"])
def test_runs_of_scripts_appear(page, folder, key):
    experiment, visitor = EXPERIMENTS[key], page(key)
    plan = experiment.plan("fast", {"emotions", "scene"})
    datasets = [small_room()] if key == "room" else [obtain(name, folder) for name in plan.datasets]
    store = Store()
    number = store.begin(experiment.run_title("fast"), "script")
    results = run(datasets, plan.methods, Split(), store=store, number=number)
    visitor.run()
    name, method = datasets[0].name, experiment.methods[1]
    printed, ours = (
        of.loc[name, method] for of in (experiment.published("accuracy"), experiment.measured(results, "accuracy"))
    )
    assert table(visitor).loc[name, method] == both(printed, ours)
    assert visitor.takeaway.startswith("Of the paper's ")


def small_room():
    return replace(simulate_room(60, width=8, n_sensors=6, random_state=0), name="Local400")


def test_times_are_in_seconds(page, folder):
    experiment, visitor = EXPERIMENTS["results"], page("results")
    plan, store = experiment.plan("fast", {"emotions"}), Store()
    run(
        [obtain("emotions", folder)],
        plan.methods,
        Split(),
        store=store,
        number=store.begin(experiment.run_title("fast")),
    )
    visitor.set("paper_results_measure", "test_seconds")
    seconds = experiment.measured(store.results(), "test_seconds").loc["Music", "CDT"]
    assert table(visitor).loc["Music", "CDT"].split("**")[1] == f"{seconds:.3g}"
    assert table(visitor).loc["Delicious", "CDT"].startswith("31,985\N{NO-BREAK SPACE}")
    has_line(visitor.captions, "test time", "seconds", "fit", "lower", "better")
    assert "in the median they take" in visitor.takeaway or "to the second" in visitor.takeaway


def test_other_data_under_the_same_name_do_not_hide_the_newest_run(run_here, folder):
    visitor = run_here("structure")
    (folder / "emotions.arff").write_text(arff(50, 4, 9))
    visitor.click("run structure").wait()
    newest = EXPERIMENTS["structure"].measured(Store().results([2]), "accuracy")
    assert table(visitor).loc["Music", "IC"] == both(0.517, newest.loc["Music", "IC"])


def test_cancel_keeps_what_was_finished(page, folder, monkeypatch):
    """The second data set is not loaded before the run was cancelled."""
    from views.paper import experiments

    load, loading, go_on = experiments.load, threading.Event(), threading.Event()

    def slow(key, where):
        if key == "scene":
            loading.set()
            assert go_on.wait(60)
        return load(key, where)

    monkeypatch.setattr(experiments, "load", slow)
    visitor = page("structure").set("data folder", str(folder)).click("run structure")
    visitor.wait(loading.is_set)
    assert button(visitor, "run structure").disabled
    visitor.click("cancel paper 1")
    go_on.set()
    visitor.wait()
    cell = table(visitor)
    ours = EXPERIMENTS["structure"].measured(Store().results(), "accuracy")
    assert cell.loc["Music", "IC"] == both(0.517, ours.loc["Music", "IC"])
    assert cell.loc["Scene", "IC"] == both(0.595, float("nan"))
    has_line([info.value for info in visitor.at.info], "last run", "cancelled")
    has_line(visitor.takeaway, "Of", "paper's 10 numbers", "accuracy 5", "measured")


def test_a_download_without_a_network_is_one_sentence(page, monkeypatch):
    for server in ("MULAN", "OPENML"):
        monkeypatch.setattr(sys.modules["trellislib.data.sets.fetching"], server, "http://127.0.0.1:9/none")
    visitor = page("structure").click("fetch emotions")
    visitor.wait(lambda: not visitor.workspace().downloads["emotions"].is_active)
    (warning,) = visitor.warnings
    has_line(warning, "Music", "set", "not", "fetched", "http://127.0.0.1:9/none/emotions/emotions.arff cannot")
    assert warning.count(". ") == 0
    assert table(visitor).loc["Scene", "IC"]
    assert button(visitor, "fetch emotions")


def test_a_folder_that_is_not_there_is_refused(page, tmp_path):
    visitor = page("structure").set("data folder", str(tmp_path / "none"))
    assert visitor.errors == [Containing(f"{tmp_path / 'none'}", "no such folder", "name", "data sets")]
    assert table(visitor).loc["Music", "IC"]


@pytest.mark.parametrize("item", [*EXPERIMENT_TITLES, "Graphs of Music (Figure 4)", "Data sets (Table 5)"])
def test_a_variable_that_names_no_folder_does_not_stop_the_page(page, tmp_path, monkeypatch, item):
    monkeypatch.setenv("TRELLISLIB_DATA", str(tmp_path / "none"))
    (error,) = page(item).errors
    assert "which the variable TRELLISLIB_DATA names" in error


@pytest.mark.parametrize("damage", ["text", "foreign"])
def test_a_store_that_cannot_be_used_leaves_published_numbers_and_runs_of_the_visit(run_here, results_file, damage):
    if damage == "text":
        results_file.write_text("no results, but a text of someone else\n" * 9)
    else:
        with sqlite3.connect(results_file) as connection:
            connection.execute("CREATE TABLE other (x)")
    visitor = run_here("structure")
    (warning,) = visitor.warnings
    has_line(warning, "Results", "this visit", "not saved")
    ours = EXPERIMENTS["structure"].measured(visitor.workspace().runs[0].job.result, "accuracy")
    assert table(visitor).loc["Scene", "ECC"] == both(0.698, ours.loc["Scene", "ECC"])
    visitor.set("item", EXPERIMENT_TITLES["results"])
    assert table(visitor).loc["Music", "IC"] == "0.483 (7)"


def test_a_store_that_cannot_be_written_shows_what_it_has_and_runs_of_the_visit(page, folder, monkeypatch):
    experiment = EXPERIMENTS["placement"]
    plan, store = experiment.plan("fast"), Store()
    number = store.begin(experiment.run_title("fast"))
    kept = run([obtain("emotions", folder)], plan.methods, Split(), store=store, number=number)
    visitor = page("placement")
    assert table(visitor).loc["Music", "CT-HC"] == both(0.541, kept.table("accuracy").loc["Music", "CT-HC"])

    def refuse(*args):
        raise StoreError("results.sqlite: it can only be read.")

    monkeypatch.setattr(Store, "begin", refuse)
    visitor.set("item", EXPERIMENT_TITLES["structure"]).set("data folder", str(folder)).click("run structure").wait()
    ours = EXPERIMENTS["structure"].measured(visitor.workspace().runs[0].job.result, "accuracy")
    assert table(visitor).loc["Music", "OCC"] == both(0.58, ours.loc["Music", "OCC"])


def test_what_was_downloaded_can_be_run(page, folder, tmp_path, monkeypatch):
    def fetch(key, *, progress, cancelled):
        target = tmp_path / "downloads" / key
        target.mkdir(parents=True)
        for path in folder.glob(f"{key}.*"):
            (target / path.name).write_bytes(path.read_bytes())

    monkeypatch.setattr("state.workspace.fetch", fetch)
    visitor = page("structure").click("fetch emotions")
    visitor.wait(lambda: not visitor.workspace().downloads["emotions"].is_active)
    has_line(visitor.captions, "Downloaded", "Music", "to be downloaded", "Scene")
    has_line(visitor.captions, "Not", "machine", "Scene", "Download")
    has_line(button(visitor, "run structure").label, "Run", "1", "2 data sets")


def test_a_file_that_cannot_be_read_is_named(page, folder):
    (folder / "emotions.arff").write_text("no arff")
    visitor = page("structure").set("data folder", str(folder)).click("run structure").wait()
    (warning,) = visitor.warnings
    has_line(warning, "Data set 1", "2", "left out")
    assert "emotions.arff" in warning
    has_line(visitor.takeaway, "Of", "paper's 10 numbers", "accuracy 5", "measured")


def test_a_run_that_fails_shows_the_reason(page, folder, monkeypatch):
    def broken(*args, **kwargs):
        raise ValueError("The disk is full.")

    monkeypatch.setattr("views.paper.experiments.run", broken)
    visitor = page("structure").set("data folder", str(folder)).click("run structure").wait()
    assert visitor.errors == [Containing("failed", "The disk is full.")]


def test_the_appendix_and_its_code_give_the_same_numbers(page):
    visitor = page("FS against LEAD on known graphs (Appendix A)").set("paper_batch_size", 2)
    names, _ = executed(visitor.code)
    shown = table(visitor)
    assert shown.loc["Published"].tolist() == ["0.278", "0.263"]
    for name, measure in {"Ours, directed": "f", "Ours, without directions": "skeleton_f"}.items():
        ours = names["measured_f"](names["found"], measure).iloc[0]
        assert shown.loc[name].tolist() == [f"{value:.3f}" for value in ours]
    best = max(("FS", "LEAD"), key=lambda method: float(shown.loc["Ours, directed", method]))
    has_line(visitor.takeaway, f"{best} finds more", "graph", "2 simulated sets")


def test_the_code_of_music_draws_its_graphs(page, folder, same_figures, capsys):
    visitor = page("Graphs of Music (Figure 4)").set("data folder", str(folder))
    assert len(visitor.charts) == 2
    same_figures(visitor)


@pytest.mark.parametrize("measure", ["accuracy", "train_seconds"])
def test_the_code_of_results_draws_published_and_ours(page, folder, same_figures, measure, capsys):
    experiment, visitor = EXPERIMENTS["results"], page("results")
    plan, store = experiment.plan("fast", {"emotions", "scene"}), Store()
    number = store.begin(experiment.run_title("fast"), "script")
    run([obtain(key, folder) for key in ("emotions", "scene")], plan.methods, Split(), store=store, number=number)
    visitor.set("paper_results_measure", measure)
    assert len(visitor.charts) == 2
    same_figures(visitor)


ADDRESS = {
    "item": "Easy, medium and hard graphs (Figure 8)",
    "paper_difficulty": "Hard",
    "paper_seed": "3",
    "paper_learner": "Logistic",
    "paper_ensembles": "As in the code",
    "paper_results_measure": "Exact match",
    "paper_batch_seed": "1",
    "paper_batch_size": "5",
}


def test_an_address_names_the_view(visitor, same_figures, capsys):
    for key, value in ADDRESS.items():
        visitor.at.query_params[key] = value
    visitor.go("paper")
    assert (visitor.widget("paper_difficulty").value, visitor.widget("paper_seed").value) == ("hard", 3)
    same_figures(visitor)
    visitor.set("item", EXPERIMENT_TITLES["results"])
    assert visitor.widget("paper_results_measure").value == "exact_match"
    assert visitor.widget("paper_learner").value == "logistic"
    assert visitor.widget("paper_ensembles").value == "code"


@pytest.mark.parametrize("wrong", ["nonsense", "-1", "1e99", ""])
def test_a_wrong_address_gives_the_defaults(visitor, wrong):
    for key in ADDRESS:
        visitor.at.query_params[key] = wrong
    visitor.go("paper")
    first = visitor.widget("item").value
    for item in ("Easy, medium and hard graphs (Figure 8)", EXPERIMENT_TITLES["results"]):
        visitor.set("item", item)
    assert first
    assert not visitor.errors


def test_the_hard_graphs_can_be_chosen(page):
    visitor = page("Easy, medium and hard graphs (Figure 8)")
    easy = visitor.charts[1].proto.spec
    visitor.set("paper_difficulty", "hard")
    assert visitor.charts[1].proto.spec != easy
    has_line(visitor.takeaway, "F-measure", "found edges", "without directions", "easy")
