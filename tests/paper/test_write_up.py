"""Experiments as Markdown: every published number, and ours as they were measured."""

from dataclasses import replace

import pytest
from sentences import has_line

from trellislib.data import simulate_label_dag, simulate_room
from trellislib.experiment import Results, Split, run
from trellislib.paper import EXPERIMENTS
from trellislib.paper.write_up import write_up


def named(name, seed=0):
    return replace(simulate_label_dag(n_instances=60, n_labels=4, n_features=4, random_state=seed), name=name)


@pytest.fixture(scope="module")
def results():
    plan = EXPERIMENTS["results"].plan("fast")
    return run([named("Music"), named("Scene", 1), named("Yeast", 2)], plan.methods, Split())


def rows_of(text):
    """Return the rows of the first table of a text, by their first cell."""
    lines = text.partition("| --- ")[2].splitlines()[1:]
    rows = {}
    for line in lines:
        if not line.startswith("|"):
            break
        first, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows[first] = cells
    return rows


def test_every_number_is_in_its_cell(results):
    experiment = EXPERIMENTS["results"]
    text = write_up(experiment, results)
    assert text.startswith("## How good is each method, and what does it cost?\n\nTables 7 and 8. 5-fold")
    rows, printed = rows_of(text), experiment.published("accuracy")
    ours = experiment.measured(results, "accuracy")
    assert list(rows) == printed.index.tolist()
    for name in printed.index:
        for method, cell in zip(experiment.methods, rows[name], strict=True):
            left = "DNF" if printed.isna().loc[name, method] else f"{printed.loc[name, method]:.3f}"
            right = f"{ours.loc[name, method]:.3f}" if name in ours.index else "-"
            assert cell == f"{left} / **{right}**"


def test_every_measure_has_its_table_and_verdicts(results):
    text = write_up(EXPERIMENTS["results"], results)
    sections = text.split("\n### ")
    titles = [section.splitlines()[0] for section in sections[1:]]
    measures = ("Accuracy", "Hamming score", "Exact match", "Training time", "Test time")
    assert [title.split(":")[0] for title in titles] == list(measures)
    assert all("published / **ours**" in title for title in titles)
    assert [title.endswith("(s)") for title in titles] == ["time" in measure for measure in measures]
    has_line(
        sections[1],
        "- Paper",
        "average ranks IC 5.75",
        "ECC 2.12",
        "MCC 4.12",
        "EBCC 3.62",
        "CT 3.88",
        "ECT 2.62",
        "CDT 5.88",
        "8 data sets",
        "ECC",
        "ECT",
        "better than IC",
        "CDT",
        "accuracy",
        "0.10",
    )
    assert all(section.count("\n- Ours: average ranks IC ") == 1 for section in sections[1:])
    assert rows_of(sections[5])["Delicious"][6] == "31,985 / **-**"


def test_two_data_sets_have_no_verdict():
    experiment = EXPERIMENTS["structure"]
    text = write_up(experiment, run([named("Music")], experiment.plan("fast").methods, Split()))
    assert "- Paper" not in text
    has_line(text, "Of", "paper's 10 numbers", "accuracy 5", "measured")
    assert rows_of(text)["Scene"] == [f"{mean} / **-**" for mean in ("0.595", "0.698", "0.699", "0.644", "0.645")]


def test_seconds_of_the_room_are_added():
    experiment = EXPERIMENTS["room"]
    data = replace(simulate_room(60, width=8, n_sensors=6, random_state=0), name="Local400")
    results = run([data], experiment.plan("fast").methods, Split())
    total = results.table("train_seconds") + results.table("test_seconds")
    assert f"/ **{total.loc['Local400', 'CT']:.3g}** |" in write_up(experiment, results)


def test_nothing_run():
    text = write_up(EXPERIMENTS["results"], Results.of([]))
    assert text.count("None of the paper's ") == 5
    assert text.count("\n- Ours: nothing has been run") == 5
    assert "-**" in text
    assert "nan" not in text


def test_what_did_not_finish_is_explained_and_escaped():
    class Broken:
        def get_params(self, deep=False):
            return {}

        def __sklearn_clone__(self):
            return self

        def fit(self, X, Y):
            raise ValueError("a_b | <c>")

    experiment = EXPERIMENTS["structure"]
    methods = {"IC": experiment.plan("fast").methods(named("Music"))["IC"], "ECC": Broken()}
    results = run([named("Music")], methods, Split())
    text = write_up(experiment, results)
    (line,) = [line for line in text.splitlines() if line.endswith(": ECC on Music")]
    assert r"a\_b \| \<c\>" in line
    assert rows_of(text)["Music"][1] == "0.588 / **-**"
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
