"""What the Data page asks about files that do not say it all, and that Python makes the same data of the answers."""

import io

import numpy as np
import pandas as pd
import pytest
from sentences import Containing, alike, has_line, holds
from state.choices import Choices, Questions, is_clear
from state.linked import Linked
from views.data.choosing import separators
from views.data.using import few

from trellislib.data import DataError, Table, load, read_table
from trellislib.experiment import evaluate
from trellislib.methods import Baseline
from trellislib.models import default_method

CSV = b"x,z,sunny,warm\n0.5,1.5,1,0\n0.1,2.5,0,0\n0.9,0.5,1,1\n0.3,1.0,0,1\n"
TAGS = b"x,tags\n0.5,sea|sky\n0.1,sky\n0.2,\n0.7,boat|sea|sky\n0.8,boat|sky\n"
VALUES = b"x,z,sky,roof,warm\n1,5,blue,blue,1\n2,5,grey,grey,0\n3,5,blue,grey,1\n4,5,grey,grey,0\n"
GAPS = b"x,a,b\n" + b"1,1,0\n2,,1\n3,0,\n4,,\n5,0,1\n6,1,1\n"
YEAST = "yeast: N = 2,417 · D = 103 · L = 14"


@pytest.fixture
def same_python(tmp_path, monkeypatch):
    """See that the Python of the page makes the data that the page shows."""

    def check(visitor, **files):
        for name, content in files.items():
            (tmp_path / name.replace("_", ".")).write_bytes(content)
        monkeypatch.chdir(tmp_path)
        found = {}
        exec(visitor.code, found)
        assert found["data"].digest == visitor.workspace().dataset.digest
        assert found["data"].notes == visitor.workspace().dataset.notes

    return check


def test_a_csv_is_asked_about_and_used_as_proposed(visitor, same_python):
    visitor.upload(("sky.csv", CSV))

    has_line(visitor.text, "sky.csv", "not say", "4 columns", "labels", "Proposed", "sunny", "warm")
    assert visitor.question("label choice").value == "the last columns"
    assert visitor.question("label count").value == 2
    assert list(visitor.table("z").columns) == ["x", "z", "sunny", "warm"]
    assert visitor.loaded == YEAST, "nothing is loaded before it was agreed to"
    keys = [element.key or "" for kind in ("button_group", "selectbox") for element in visitor.at.get(kind)]
    assert not any(key.startswith(("relevant", "missing", "text")) for key in keys), "nothing else is open"

    visitor.click("accept")
    holds(visitor.loaded, "sky", "N = 4", "D = 2", "L = 2")
    assert "load('sky.csv', labels=-2)" in visitor.code
    assert not visitor.errors
    same_python(visitor, sky_csv=CSV)


@pytest.mark.parametrize(
    ("answers", "labels", "sentence"),
    [
        ({"label_count": 1}, ("warm",), "labels=-1"),
        ({"label_choice": "the first columns", "first_count": 3}, ("x", "z", "sunny"), "labels=3"),
        ({"label_choice": "chosen by name", "label_names": ["warm"]}, ("warm",), "labels=['warm']"),
        ({"label_choice": "chosen by name", "label_names": ["warm", "sunny"]}, ("warm", "sunny"), "labels=['warm', "),
    ],
)
def test_the_ways_to_choose_which_columns_are_labels(visitor, same_python, answers, labels, sentence):
    content = b"x,z,sunny,warm\n0,1,1,0\n1,2,0,0\n0,0,1,1\n1,1,0,1\n"
    visitor.upload(("sky.csv", content)).answer(**answers).click("accept")

    assert visitor.workspace().dataset.label_names == labels
    assert sentence in visitor.code
    same_python(visitor, sky_csv=content)


def test_no_label_at_all_cannot_be_used(visitor):
    visitor.upload(("sky.csv", CSV)).answer(label_choice="chosen by name", label_names=[])

    assert visitor.at.button(key="accept").disabled
    (warning,) = visitor.warnings
    alike(warning, "sky.csv: no column was chosen to be a label; choose at least one.")


def test_labels_that_cannot_be_are_one_sentence(visitor):
    said = b"said,x,sunny,warm\n" + b"".join(b"so long ago %d,%d,%d,1\n" % (i, i, i % 2) for i in range(8))
    visitor.upload(("sky.csv", said)).answer(label_choice="chosen by name", label_names=["said", "sunny"])

    (warning,) = visitor.warnings
    alike(warning, "sky.csv: column 'said' holds free text and cannot be a label.")
    assert visitor.at.button(key="accept").disabled
    assert visitor.loaded == YEAST


def test_a_column_that_lists_labels(visitor, same_python):
    visitor.upload(("sky.csv", TAGS))

    has_line(visitor.text, "Proposed", "column tags lists", "separated", "bars")
    assert visitor.question("label choice").value == "listed in one column"
    assert (visitor.question("label column").value, visitor.question("separator").value) == ("tags", "|")
    has_line(visitor.captions, "3 labels", "boat", "sea", "sky")

    visitor.answer(separator=";")
    has_line(visitor.captions, "4 labels", "boat|sea|sky", "boat|sky", "sea|sky", "sky")
    has_line(visitor.text, "Proposed", "first", "column tags lists", "separated", "bars")
    alike(visitor.warnings, ["No cell of tags has semicolons between two labels: see what separates them."])
    visitor.answer(separator="|").click("accept")
    expected = [[0, 1, 1], [0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 0, 1]]
    np.testing.assert_array_equal(visitor.workspace().dataset.Y, expected)
    assert "load('sky.csv', split=('tags', '|'))" in visitor.code
    same_python(visitor, sky_csv=TAGS)


def test_which_value_is_relevant_is_asked_once_for_labels_that_share_them(visitor, same_python):
    visitor.upload(("sky.csv", VALUES)).answer(label_choice="the last columns", label_count=3)
    asked = [box for box in visitor.at.get("button_group") if (box.key or "").startswith("relevant")]

    assert len(asked) == 1, "sky and roof share their values, warm has 0 and 1"
    assert asked[0].label == "Relevant in 2 labels"
    assert asked[0].value is None, "nothing says it, so nothing is guessed"
    assert "Choose the relevant value." in visitor.captions
    assert visitor.at.button(key="accept").disabled
    asked[0].set_value("blue")
    visitor.run()
    assert "Choose the relevant value." not in visitor.captions
    visitor.click("accept")

    data = visitor.workspace().dataset
    np.testing.assert_array_equal(data.Y, [[1, 1, 1], [0, 0, 0], [1, 0, 1], [0, 0, 0]])
    assert data.label_values == (("grey", "blue"), ("grey", "blue"), ("0", "1"))
    assert "relevant={'sky': 'blue', 'roof': 'blue'}" in visitor.code
    same_python(visitor, sky_csv=VALUES)


@pytest.mark.parametrize(("policy", "n_rows", "n_incomplete"), [("set aside", 3, None), ("masked", 3, 2)])
def test_rows_that_lack_labels_are_as_the_person_chooses(visitor, same_python, policy, n_rows, n_incomplete):
    visitor.upload(("sky.csv", GAPS)).answer(label_choice="the last columns", label_count=2)
    box = visitor.question("missing labels")

    holds(box.label, "3 of 6 rows")
    holds(box.help, "2 of these rows")
    assert list(box.options) == [Containing("3 left out"), Containing(2, "masked", "1 left out")]
    visitor.answer(missing_labels=policy).click("accept")
    data = visitor.workspace().dataset
    assert data.n_instances == n_rows
    assert (data.incomplete and data.incomplete.X.shape[0]) == n_incomplete
    same_python(visitor, sky_csv=GAPS)


def test_texts_and_features_that_are_not_wanted(visitor, same_python):
    rows = [
        f"{n},7,the wind blew from the {side} on day {n * n},{n % 2},{n // 2 % 2}"
        for n, side in enumerate(["north", "south", "east", "west"] * 10)
    ]
    content = "\n".join(["id,one,note,a,b", *rows]).encode()
    visitor.upload(("sky.csv", content)).answer(label_choice="the last columns", label_count=2)

    assert visitor.question("text").label == "1 column of text"
    visitor.answer(text="tf-idf", leave_out=["id"], drop_constant=True).click("accept")
    features = visitor.workspace().dataset.feature_names
    assert all(name.startswith("note: ") for name in features), features
    assert "note: north" in features
    assert "text='tf-idf', leave_out=['id'], drop_constant=True" in visitor.code
    same_python(visitor, sky_csv=content)


def test_declared_labels_of_which_something_is_open_are_asked_about(visitor, meka_arff):
    """The file says which columns are labels, and not which of two words means that a label applies."""
    content = meka_arff({"sky": "blue,grey", "warm": "0,1"}, ["blue,1,0.5,1", "grey,0,0.1,1", "blue,0,0.2,3"])
    visitor.upload(("sky.arff", content))

    assert visitor.loaded == YEAST
    assert "sky.arff has 2 labels" in visitor.text
    assert visitor.question("label choice").value == "as the file says"
    visitor.answer(**{"relevant ('blue', 'grey')": "grey"}).click("accept")
    assert visitor.loaded.startswith("sky: ")
    assert "load('sky.arff', relevant={'sky': 'grey'})" in visitor.code


def test_answers_stay_with_their_file(visitor):
    visitor.upload(("one.csv", CSV), ("two.csv", CSV.replace(b"x", b"y"))).answer(label_count=1)
    first, second = (upload.number for upload in visitor.workspace().dropped.pending)

    visitor.set("pending", second)
    assert visitor.widget(f"label count {second}").value == 2
    visitor.set("pending", first)
    assert visitor.widget(f"label count {first}").value == 1
    visitor.go("start").go("data")
    assert visitor.widget(f"label count {first}").value == 1, "also while another page was looked at"


def test_the_choice_of_labels_can_be_mended(visitor, same_python):
    visitor.upload(("sky.csv", VALUES)).answer(label_choice="the last columns", label_count=3)
    visitor.answer(**{"relevant ('blue', 'grey')": "grey"}).click("accept")
    wrong = visitor.workspace().dataset
    visitor.click("mend")

    has_line(visitor.text, "sky.csv", "not say", "5 columns", "labels", "Chosen", "sky", "roof", "warm")
    assert visitor.widget("label count mend 1").value == 3, "as they are now"
    assert visitor.widget("relevant ('blue', 'grey') mend 1").value == "grey"
    visitor.set("label count mend 1", 2)
    visitor.click("leave mended")
    assert visitor.workspace().dataset is wrong

    visitor.click("mend")
    assert visitor.widget("label count mend 2").value == 3, "what was not agreed to is forgotten"
    visitor.set("label count mend 2", 1).click("accept mended")
    assert visitor.workspace().dataset.label_names == ("warm",)
    assert [kept.dataset.name for kept in visitor.workspace().sets] == ["yeast", "sky"], "it takes the place"
    assert "mend" in [button.key for button in visitor.at.button]
    same_python(visitor, sky_csv=VALUES)


@pytest.mark.parametrize(
    ("content", "separator", "warning"),
    [
        (b"x,tags\n1,sea|sky\n2,sky\n3,sea|boat;sky\n4,boat;sea\n", "|", "2 labels hold semicolons, such as boat;sea"),
        (b"x,tags\n" + b"".join(b"%d,%c-%c-q.r\n" % (n, n + 65, n + 66) for n in range(14)), ".", "14 different cells"),
        (b"x,tags\n" + b"".join(b"%d,%c|%c\n" % (n, n % 4 + 65, n % 3 + 65) for n in range(14)), "|", None),
    ],
)
def test_what_separates_labels_is_doubted(visitor, content, separator, warning):
    visitor.upload(("sky.csv", content)).answer(
        label_choice="listed in one column", label_column="tags", separator=separator
    )

    assert [text.startswith(warning or "") for text in visitor.warnings] == [True] * (warning is not None)
    assert not visitor.at.button(key="accept").disabled, "it may be right"


@pytest.mark.parametrize(("separator", "word"), [(",", "commas"), (", ", "commas"), (" ", "blanks"), ("::", "'::'")])
def test_separators_in_a_word(separator, word):
    assert separators(separator) == word


def test_names_with_commas_are_distinguished():
    assert few(["sea", "sky"]) == "sea and sky"
    assert few(["sea, deep", "sky"]) == "'sea, deep' and 'sky'"


def test_a_number_begins_with_the_columns_at_that_end_that_look_like_labels(visitor):
    visitor.upload(("sky.csv", b"tags,x,a,b\nsea|sky,0.5,1,0\nsky,0.1,0,1\nsea|sky|boat,0.9,1,1\nboat,0.3,0,0\n"))
    assert visitor.question("label choice").value == "listed in one column"
    visitor.answer(label_choice="the last columns")
    assert visitor.question("label count").value == 2
    visitor.answer(label_choice="the first columns")
    assert visitor.question("first count").value == 1


def test_why_nothing_is_proposed_and_a_number_that_cannot_be_are_noted(visitor):
    visitor.upload(("all.csv", b"a,b,c\n1,0,1\n0,1,1\n1,1,0\n"))

    has_line(visitor.text, "Proposed", "nothing", "every column looks", "label", "no feature", "left")
    assert visitor.at.button(key="accept").disabled
    visitor.answer(label_choice="the last columns", label_count=7)
    (warning,) = visitor.warnings
    has_line(warning, "all.csv", "7 labels", "3 columns")
    assert visitor.at.button(key="accept").disabled


def test_dates_are_shown_as_they_are_written(visitor):
    days = "\n".join(f"2024-01-0{n}T00:00:00,0.{n},{n % 2},{n // 2 % 2}" for n in range(1, 9))
    visitor.upload(("sky.csv", f"day,x,a,b\n{days}\n".encode()))

    assert visitor.table("day")["day"].tolist()[:2] == ["2024-01-01", "2024-01-02"]


def test_what_is_not_used_can_come_again(visitor):
    visitor.upload(("sky.csv", CSV)).click("leave out")
    has_line(visitor.notices, "sky.csv", "left out", "drop", "again")
    assert "does not say" not in visitor.text

    visitor.upload(("sky.csv", CSV))
    has_line(visitor.text, "sky.csv", "not say", "4 columns", "labels")


def test_what_was_read_may_be_gone(visitor, monkeypatch):
    monkeypatch.setattr("state.visit_sets.MOST_TABLE_BYTES", 100)
    visitor.upload(("sky.csv", CSV)).click("accept")

    has_line(visitor.captions, "To change label columns", "drop", "files again", "no space")
    assert "mend" not in [button.key for button in visitor.at.button]


def test_a_wide_table_is_asked_about_by_number(visitor):
    """A browser cannot offer the names of ten thousand columns."""
    n = 6_000
    head = ",".join([f"x{j}" for j in range(n)] + ["a", "b"])
    rows = [",".join([f"0.{i + j}" for j in range(n)] + [str(i % 2), str(i // 2 % 2)]) for i in range(4)]
    visitor.upload(("wide.csv", "\n".join([head, *rows]).encode()))

    assert list(visitor.question("label choice").options) == ["the last columns", "the first columns"]
    assert visitor.table("a").shape == (4, 40)
    has_line(visitor.captions, "hides 5,962")


# The choices themselves


def table(cells, categories=None, **more):
    columns = tuple("xyzab"[: len(cells[0])])
    return Table("sky.csv", columns, categories or (None,) * len(columns), np.array(cells, dtype=float), **more)


def test_a_proposal_is_what_looks_like_labels():
    last = table([[0.5, 0.7, 1, 0], [0.1, 0.2, 0, 0], [0.3, 0.1, 1, 1]])
    assert Choices.proposed(last) == Choices(labels=-2)
    first = table([[1, 0, 0.5, 0.7], [0, 0, 0.1, 0.2], [1, 1, 0.3, 0.1]])
    assert Choices.proposed(first) == Choices(labels=2)
    scattered = table([[0.2, 1, 0.5, 0, 0.7], [0.3, 0, 0.1, 0, 0.2], [0.4, 1, 0.3, 1, 0.1]])
    assert Choices.proposed(scattered) == Choices(labels=("y", "a"))
    assert Choices.proposed(table([[0.5], [0.7]])) == Choices(labels=())
    assert Choices.proposed(table([[0.5, 1], [0.1, 0]], labels=("y",))) == Choices()


def test_what_is_by_default_is_not_written():
    assert Choices().arguments == {}
    assert Choices(labels=("a",), leave_out=("x",), split=("c", "|"), drop_constant=True).arguments == {
        "labels": ["a"],
        "split": ("c", "|"),
        "leave_out": ["x"],
        "drop_constant": True,
    }


def test_choices_make_what_load_makes():
    choices = Choices(labels=("warm", "sky"), relevant={"sky": "blue"}, leave_out=("z",))
    ours = choices.made(load_table(VALUES))

    assert ours.digest == load(VALUES, **choices.arguments).digest


def load_table(content):
    from trellislib.data import read_table

    return read_table(content, "sky.csv")


def test_what_is_clear_and_what_is_not():
    cells = [[0.5, 1], [0.1, 0], [0.2, 1]]
    assert is_clear(table(cells, labels=("y",)))
    assert not is_clear(table(cells)), "no labels"
    assert not is_clear(table(cells, labels=("y",), labels_note="It may be otherwise.")), "a doubt"
    assert not is_clear(table([*cells, [0.3, np.nan]], labels=("y",))), "a row lacks its label"
    assert not is_clear(table(cells, (None, ("blue", "grey")), labels=("y",))), "which value is relevant"
    assert is_clear(table(cells, (None, ("no", "yes")), labels=("y",)))
    continuous = table([[n, n / 7] for n in range(30)], labels=("y",))
    assert not is_clear(continuous), "no labels can be like this"
    with pytest.raises(DataError, match="continuous"):
        Questions.of(continuous, ("y",))


def test_questions_count_rows():
    gaps = table([[0.5, 1, 0], [0.1, np.nan, 1], [0.2, np.nan, np.nan], [0.4, 0, 1]], labels=("y", "z"))

    assert Questions.of(gaps, ("y", "z")) == Questions({}, n_lacking=2, n_incomplete=1)


def test_what_a_column_holds_can_be_changed(visitor, same_python):
    visitor.upload(("sky.csv", CSV))
    visitor.answer(read_as_categories=["x"])
    visitor.click("accept")
    holds(visitor.loaded, "sky", "N = 4", "D = 5", "L = 2")
    assert "kinds={'x': 'categories'}" in visitor.code
    assert not visitor.errors
    same_python(visitor, sky_csv=CSV)


LONG = b"id,x,label\n" + b"a,5,sea\na,5,sky\nb,6,sea\nc,7,sky\nc,7,sea\nd,8,sand\nd,8,sea\n"


def test_a_line_for_each_instance_and_label_is_proposed_as_such(visitor, same_python):
    visitor.upload(("sky.csv", LONG))
    has_line(visitor.text, "sky.csv", "Proposed", "line", "label", "id")
    assert visitor.question("label choice").value == "one in each line"

    visitor.click("accept")
    holds(visitor.loaded, "sky", "N = 4", "D = 1", "L = 3")
    assert "load('sky.csv', long=('id', 'label'))" in visitor.code
    assert not visitor.errors
    same_python(visitor, sky_csv=LONG)


VISITS = b"patient,x,a,b\n" + b"".join(b"p%d,%d,%d,%d\n" % (i // 3, i, i % 2, i % 5 > 2) for i in range(24))


def test_rows_that_belong_together_are_said_and_kept_together(visitor, same_python):
    visitor.upload(("visits.csv", VISITS))
    visitor.click("accept")
    has_line(visitor.text, "'patient'", "8 values", "24 rows", "groups")
    visitor.upload(("visits2.csv", VISITS))
    visitor.answer(groups="patient")
    visitor.click("accept")
    holds(visitor.loaded, "N = 24", "D = 1", "L = 2")
    assert "groups='patient'" in visitor.code
    same_python(visitor, visits2_csv=VISITS)
    visitor.go("train")
    has_line(visitor.text, "patient", "8 groups")
    assert not visitor.errors


def test_rows_count_by_a_column(visitor, same_python):
    content = VISITS.replace(b"patient,x", b"w,x").replace(b"\np", b"\n")
    visitor.upload(("survey.csv", content))
    visitor.answer(weights="w")
    visitor.click("accept")
    holds(visitor.loaded, "N = 21", "D = 1", "L = 2")
    assert "weights='w'" in visitor.code
    same_python(visitor, survey_csv=content)
    for page, sentence in (
        ("train", "Rows count by w"),
        ("dependence", "sample_weight"),
        ("graphs", ""),
        ("trellis", ""),
        ("verdict", ""),
    ):
        visitor.go(page)
        assert sentence in visitor.text + visitor.code
        assert not visitor.errors


def test_a_sheet_of_a_workbook_is_chosen(visitor, same_python):
    file = io.BytesIO()
    with pd.ExcelWriter(file) as book:
        pd.read_csv(io.BytesIO(CSV)).to_excel(book, sheet_name="old", index=False)
        pd.read_csv(io.BytesIO(CSV.replace(b"0.3,1.0,0,1\n", b""))).to_excel(book, sheet_name="new", index=False)
    visitor.upload(("sky.xlsx", file.getvalue()))
    assert visitor.question("sheet").value == "old"
    visitor.answer(sheet="new")
    visitor.click("accept")
    holds(visitor.loaded, "N = 3", "L = 2")
    assert "sheet='new'" in visitor.code
    same_python(visitor, sky_xlsx=file.getvalue())
    visitor.upload(("sky2.xlsx", file.getvalue())).click("accept")
    holds(visitor.loaded, "N = 4", "L = 2")


def test_labels_that_are_paths_may_stand_for_those_above(visitor, same_python):
    content = b"x,tags\n0.5,sea/deep@sky\n0.1,sky\n0.2,\n0.7,boat@sea/deep@sky\n0.8,boat@sky\n"
    visitor.upload(("sky.csv", content))
    visitor.answer(ancestors=True)
    visitor.click("accept")
    holds(visitor.loaded, "N = 5", "L = 4")
    assert "ancestors=True" in visitor.code
    same_python(visitor, sky_csv=content)


def test_label_columns_next_to_lists_and_columns_that_are_paths(visitor, same_python):
    content = b"x,tags,a/b,a/c\n0.5,sea|sky,1,0\n0.1,sky,0,0\n0.2,,1,1\n0.7,boat|sky,0,1\n"
    visitor.upload(("sky.csv", content))
    visitor.answer(label_choice="listed in one column").answer(separator="|")
    visitor.answer(more_labels=["a/b", "a/c"]).click("accept")
    holds(visitor.loaded, "N = 4", "L = 5")
    assert "labels=['tags', 'a/b', 'a/c']" in visitor.code
    same_python(visitor, sky_csv=content)

    rows = content.replace(b"tags,", b"").replace(b"sea|sky,", b"").replace(b",sky,", b",").replace(b",,", b",")
    visitor.upload(("paths.csv", rows.replace(b"boat|sky,", b"")))
    visitor.answer(ancestors=True).click("accept")
    holds(visitor.loaded, "N = 4", "L = 3")
    assert "ancestors=True" in visitor.code


def test_columns_that_are_no_features_are_named_and_notes_follow_the_kind_of_a_column(visitor):
    rows = [f"P{n:03d},${n % 7 + 1}.50,{n % 2},{n // 2 % 2}" for n in range(30)]
    visitor.upload(("shop.csv", "\n".join(["code,price,a,b", *rows]).encode()))
    holds(visitor.captions, "'price' was read as numbers", "code (identifiers)")

    visitor.answer(read_as_categories=["price", "code"])
    assert "read as numbers" not in visitor.captions
    assert "identifiers" not in visitor.captions
    holds(visitor.captions, "'price' and 'code' were read as categories")

    visitor.answer(read_as_categories=[], read_as_dates=["price"])
    assert any("'price'" in warning for warning in visitor.warnings)
    visitor.answer(read_as_dates=[]).click("accept")
    assert not visitor.errors


@pytest.mark.parametrize(
    "choices",
    [Choices(("tags", "a/b"), split=("tags", "|"), ancestors=True), Choices(("a/b", "a/c"), ancestors=True)],
    ids=["lists and columns", "paths"],
)
def test_a_link_says_which_label_columns_and_whether_ancestors_count(choices):
    table = read_table(b"x,tags,a/b,a/c\n0.5,sea|sky,1,0\n0.1,sky,0,0\n", "sky.csv")
    linked = Linked.read(Linked.of(choices, table).text)
    assert linked.choices(table).made(table).digest == choices.made(table).digest
    with pytest.raises(ValueError, match="cannot be read"):
        Linked.read('{"labels":2,"split":["tags","|"]}')


def test_a_text_and_labels_are_used_by_one_click_and_beat_the_baseline(visitor):
    words = {"sea": ("wave", "boat", "tide"), "sky": ("cloud", "wind", "sun"), "sand": ("dune", "beach", "shell")}
    rng = np.random.default_rng(0)
    Y = rng.random((60, 3)) < 0.5
    lines = [
        " ".join([*rng.choice(["and", "then", "we", "saw", "a"], 6), *(rng.choice(words[n]) for n in has)])
        for has in ([name for name, there in zip(words, row, strict=True) if there] for row in Y)
    ]
    rows = [f"{line},{','.join(map(str, row.astype(int)))}" for line, row in zip(lines, Y, strict=True)]
    visitor.upload(("notes.csv", "\n".join(["said,sea,sky,sand", *rows]).encode())).click("accept")
    data = visitor.workspace().dataset
    assert data.label_names == ("sea", "sky", "sand")
    assert all(name.startswith("said: ") for name in data.feature_names)
    means = evaluate(data, {"default": default_method(data), "baseline": Baseline("set")}, cv=2).summary()
    for score in ("accuracy", "exact_match"):
        default, baseline = means[score, "mean"]
        assert default > baseline + 0.2
