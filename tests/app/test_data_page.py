"""The Data page: packaged sets, simulations, and the numbers of what is loaded."""

import re

import pytest
from sentences import has_line, holds

YEAST = "yeast: N = 2,417 · D = 103 · L = 14"


@pytest.mark.parametrize(
    ("name", "loaded"),
    [
        ("movies", "movies: N = 17,029 · D = 827 · L = 21"),
        ("solar-flare", "solar-flare: N = 1,066 · D = 27 · L = 3"),
        ("yeast", YEAST),
    ],
)
def test_packaged_sets_are_chosen_by_name(visitor, name, loaded):
    visitor.choose_packaged("solar-flare").choose_packaged(name)

    assert visitor.loaded == loaded
    assert visitor.takeaway.startswith(f"{name} has ")
    assert visitor.at.selectbox(key="packaged").value == name


def test_metrics_of_yeast(visitor):
    shown = {metric.label: metric.value for metric in visitor.go("data").at.metric}

    assert shown["Instances N"] == "2,417"
    assert shown["Cardinality"] == "4.24"
    assert shown["Density"] == "0.303"
    assert shown["Label sets"] == "198"
    assert shown["Unlabelled"] == "0"


def test_room_is_simulated_by_its_form(visitor, number):
    visitor.choose_source("Light-sensor room")
    number(visitor, "Tiles per side W").set_value(4)
    number(visitor, "Instances N").set_value(300)
    number(visitor, "Sensors D").set_value(8)
    visitor.press("Simulate the room")

    assert not visitor.errors
    assert visitor.loaded.endswith("N = 300 · D = 8 · L = 16")
    found = {}
    exec(visitor.code, found)
    assert found["data"].digest == visitor.workspace().dataset.digest


def test_label_dag_is_simulated_by_its_form(visitor, number):
    visitor.choose_source("Label DAG")
    number(visitor, "Labels L").set_value(7)
    number(visitor, "Instances N").set_value(120)
    number(visitor, "delta").set_value(0.3)
    visitor.press("Simulate the labels")

    assert not visitor.errors
    assert visitor.loaded.endswith("N = 120 · D = 10 · L = 7")
    found = {}
    exec(visitor.code, found)
    assert found["data"].digest == visitor.workspace().dataset.digest


def test_difficulty_sets_alpha_and_sigma(visitor, number):
    from trellislib.data import DIFFICULTIES

    visitor.choose_source("Label DAG")
    for difficulty, values in DIFFICULTIES.items():
        visitor.set("difficulty", difficulty)
        assert {"alpha": number(visitor, "alpha").value, "sigma2": number(visitor, "sigma²").value} == values


def test_label_dag_that_cannot_be_is_one_sentence(visitor, number):
    visitor.choose_source("Label DAG")
    number(visitor, "Features D").set_value(2)
    number(visitor, "Relevant features T").set_value(5)
    visitor.press("Simulate the labels")

    assert len(visitor.errors) == 1
    assert visitor.loaded == YEAST


def test_the_chosen_source_stays_through_pages(visitor):
    visitor.choose_source("Label DAG").go("trellis").go("data")

    assert visitor.widget("way").value == "Label DAG"


def test_numbers_of_the_label_table(visitor, meka_arff):
    rows = ["1,0,0.5,1", "1,1,0.1,2", "1,0,0.2,3", "0,0,0.9,4"]
    visitor.upload(("four.arff", meka_arff({"often": "0,1", "rare": "0,1"}, rows)))
    table = visitor.table("IRLbl")

    assert table.loc["often", "frequency"] == 0.75
    assert table.loc["rare", "frequency"] == 0.25
    assert table.loc["rare", "IRLbl"] == 3
    sets = visitor.table("labels")
    assert sets["labels"].tolist() == ["often", "often, rare", "(none)"]
    assert sets["instances"].tolist() == [2, 1, 1]
    has_line(visitor.takeaway, "rare", "3 times rarer than often")


def test_of_labels_with_more_values_the_first_ones_are_counted(visitor, meka_arff):
    rows = ["red,0,0.5,1", "red,1,0.1,2", "blue,0,0.2,3", "green,0,0.9,4"]
    visitor.upload(("four.arff", meka_arff({"colour": "red,blue,green", "rare": "0,1"}, rows)))
    shown = {metric.label: metric.value for metric in visitor.at.metric}

    assert "Unlabelled" not in shown
    assert shown["First values"] == "1"
    assert ["first value of every label" in cell for cell in visitor.table("labels")["labels"]].count(True) == 1


def test_instances_that_are_partially_labelled_are_counted_next_to_the_others(visitor):
    visitor.upload(("sky.csv", b"x,a,b\n1,1,0\n2,,1\n3,0,\n4,,\n5,0,1\n6,1,1\n"))
    visitor.answer(label_choice="the last columns", label_count=2, missing_labels="masked").click("accept")
    shown = {metric.label: metric.value for metric in visitor.at.metric}

    assert shown["Instances N"] == "3 + 2 incomplete"
    holds(visitor.loaded, "sky", "N = 3 + 2 incomplete", "D = 1", "L = 2")


def test_the_report_shows_how_it_was_read_what_was_changed_and_what_is_odd(visitor, meka_arff):
    rows = [f"{n % 2},0,{n},{n % 3}" for n in range(8)]
    visitor.upload(("odd.arff", meka_arff({"some": "0,1", "never": "0,1"}, rows)))
    texts = "\n".join(element.value for element in visitor.at.main.markdown)

    has_line(texts, "**Please check**")
    has_line(visitor.text, "1 label", "relevant", "no row", "'never'")
    assert "**How it was read**" in texts
    assert "ARFF" in visitor.text
    assert "**Changed while reading**" not in texts, "nothing was"


def test_a_long_list_of_the_report_is_folded(visitor):
    rows = "\n".join(f"{n},,7,2020-01-{n:02d},{n % 2},{n // 2 % 2}" for n in range(1, 9))
    visitor.upload(("odd.csv", f"id,nothing,one,day,a,b\n{rows}\n".encode()))
    number = visitor.workspace().dropped.pending[0].number
    visitor.set(f"label choice {number}", "the last columns").set(f"label count {number}", 2).click("accept")
    data = visitor.workspace().dataset

    from trellislib.data.report import report

    found = report(data)
    for sentences in (found.read, found.changed, found.odd):
        for sentence in sentences:
            assert sentence in visitor.text
    most = max(len(sentences) for sentences in (found.read, found.changed, found.odd))
    folded = [expander.label for expander in visitor.at.expander if expander.label.endswith(" more")]
    assert f"{most - 3} more" in folded if most > 3 else not folded


@pytest.fixture
def number():
    """Return a number field by its label."""

    def by_label(visitor, label):
        (found,) = [field for field in visitor.at.number_input if re.fullmatch(label, field.label)]
        return found

    return by_label


def test_of_a_wide_data_set_the_first_and_the_last_columns_are_shown(visitor):
    """A browser stands still over a table of 100,000 columns; what is saved has all."""
    lines = ["3 900 2", *(f"{n % 2} {n}:0.5 899:{n}.5" for n in range(1, 4))]
    visitor.upload(("wide.txt", "\n".join(lines).encode()))
    features = visitor.workspace().dataset.feature_names
    shown = list(visitor.table("label 0").columns)

    assert shown == [*visitor.workspace().dataset.label_names, *features[:98], *features[-100:]]
    has_line(visitor.captions, "the first", "last 100 columns", "hides 702")


def test_the_report_of_the_data_before_is_hidden_while_files_wait_for_choices(visitor):
    assert "How it was read" in visitor.choose_packaged("yeast").text

    visitor.upload(("sky.csv", b"x,sky,warm\n0.5,1,0\n0.1,0,0\n0.9,1,1\n0.3,0,1\n"))
    assert visitor.widget("accept")
    assert "How it was read" not in visitor.text
    assert "How it was read" in visitor.click("accept").text
