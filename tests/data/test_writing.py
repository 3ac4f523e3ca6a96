"""What is written reads back equal, in every form."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sentences import alike
from sklearn.datasets import load_svmlight_file

from trellislib.data import DataError, Dataset, gather, load, read_csv, read_table
from trellislib.data.dataset import PartiallyLabelled
from trellislib.data.reading.source import Source
from trellislib.data.writing import FORMS, refusal, save, written

SHARED = Path(__file__).parents[3] / "shared" / "data"
BINARY = ("0", "1")
AWKWARD = [
    "it's", '"quoted"', "a, b", "{0,1}", "back\\slash", "\\n", "tab\there", "50%", "% all", "{", "}", "a}b", "?!",
    "🌞 sun", "שלום", "é", "7", "-1.5", "1e3", "=1+1", "@cmd", "+x", "-", "'=1", "''", "sep=,", "#no", "@relation x",
    "PAR1", "a;b;c", "a|b", "1:2", "<b>&amp;", "sky -C 2", "\ufeffmark", "trellislib", "x\u2028y", "a=b",
]  # fmt: skip
ENDS = [" lead", "trail ", "two\nlines", "\n\nthree\r\nlines\n", "\ttab", "\u00a0hard"]
SIGNS = st.characters(exclude_categories=["Cs", "Cc", "Cn"])
WORDS = st.text(SIGNS, min_size=1, max_size=6).filter(lambda text: text == text.strip())
NAMES = st.sampled_from(AWKWARD) | WORDS
VALUES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "N"]), min_size=1, max_size=4) | st.sampled_from(
    ["it's", '"q"', "a, b", "{x}", "\\", "\\t", "%", "tab\there", "two\nlines", "🌞", "=1+1", "-x", "'=x", ";", "|"]
)
PAIRS = [BINARY, ("-1", "1"), ("no", "yes"), ("False", "True"), ("1", "2"), ("2", "1"), ("yes", "no"), ("blue", "red")]
SURE, AGAINST_THE_ORDER = PAIRS[:4], [("2", "1"), ("yes", "no"), ("Yes", "yes")]
NUMBERS = st.floats(allow_infinity=False) | st.integers(-5, 5).map(float) | st.just(0.0)


def is_word(value):
    """Whether a text can be told from a number, a missing cell, and from the words that mean yes and no."""
    known = {"", "?", "na", "n/a", "nan", "null", "inf", "infinity", "yes", "no", "t", "f", "y", "n", "true", "false"}
    return value == value.strip() and value.strip().lower() not in known | {"-inf", "+inf", "#n/a"}


@st.composite
def datasets(draw, names=NAMES, most_values=3, may_be_partly=True):
    n_rows, n_features, n_labels = draw(st.integers(3, 6)), draw(st.integers(1, 4)), draw(st.integers(1, 3))
    columns = draw(st.lists(names, min_size=n_features + n_labels, max_size=n_features + n_labels, unique=True))
    several = st.lists(VALUES.filter(is_word), min_size=3, max_size=3, unique_by=str.lower).map(tuple)
    kinds = st.sampled_from(PAIRS) | several if most_values > 2 else st.sampled_from(PAIRS)
    values = tuple(draw(kinds) for _ in range(n_labels))
    X = draw(hnp.arrays(float, (n_rows, n_features), elements=NUMBERS))
    X[0] = np.nan_to_num(X[0])  # a feature without any value is left out on reading
    Y = np.array([[(i + draw(st.integers(0, 2))) % len(of) if i else 0 for of in values] for i in range(n_rows)])
    for j, of_label in enumerate(values):
        Y[: len(of_label), j] = range(len(of_label))  # every value occurs
    as_stored = sparse.csr_array if draw(st.booleans()) else np.asarray
    incomplete, n_train = None, draw(st.none() | st.integers(1, n_rows - 1))
    if may_be_partly and n_labels > 1 and draw(st.booleans()):
        known = np.arange(n_labels) != draw(st.integers(0, n_labels - 1))
        of_train = None if n_train is None else draw(st.integers(0, 2))
        incomplete = PartiallyLabelled(as_stored(X[:2]), Y[:2], np.array([known, known]), of_train)
    return Dataset(
        as_stored(X), as_stored(Y), tuple(columns[n_labels:]), tuple(columns[:n_labels]), values, "sky",
        n_train=n_train, incomplete=incomplete,
    )  # fmt: skip


def read_back(data, form, **choices):
    """Return what the files of a data set hold, which may be in any order; nobody says which values are relevant."""
    files = [Source(content, name) for name, content in reversed(written(data, form).items())]
    labels = data.label_names if form == "CSV" else None
    return load(files, labels, missing_labels="masked", **choices)


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)


def meant(data, codes):
    """Return what codes mean: of two values, whether it is the relevant one."""
    return [
        [values[code] if len(values) > 2 else code for values, code in zip(data.label_values, row, strict=True)]
        for row in dense(codes)
    ]


def held(values, form):
    """Return what two values are called when they are read back."""
    return values if values in SURE or (form != "CSV" and values not in AGAINST_THE_ORDER) else BINARY


def assert_equal(one, other, form):
    assert one.feature_names == other.feature_names
    assert one.label_names == other.label_names
    for ours, theirs in zip(one.label_values, other.label_values, strict=True):
        assert theirs == held(ours, form) if len(ours) == 2 else set(ours) == set(theirs)
    np.testing.assert_array_equal(dense(one.X), dense(other.X), strict=True)  # to the last bit; nan is nan
    assert meant(one, one.Y) == meant(other, other.Y)
    assert (one.incomplete is None) == (other.incomplete is None)
    if one.incomplete is not None:
        np.testing.assert_array_equal(one.incomplete.known, other.incomplete.known)
        np.testing.assert_array_equal(dense(one.incomplete.X), dense(other.incomplete.X))
        for ours, theirs, known in zip(
            meant(one, one.incomplete.Y), meant(other, other.incomplete.Y), one.incomplete.known, strict=True
        ):
            assert np.array(ours)[known].tolist() == np.array(theirs)[known].tolist()


def sky(X=((0.5,), (0.1,)), Y=((1,), (0,)), features=("x",), labels=("sunny",), values=None, **more):
    values = values or (BINARY,) * len(labels)
    X = X if sparse.issparse(X) else np.array(X, dtype=float)
    return Dataset(X, np.array(Y), tuple(features), tuple(labels), tuple(values), "sky", **more)


slowly = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


@pytest.mark.parametrize("form", ["Mulan ARFF", "MEKA ARFF", "Parquet"])
@given(data=datasets(names=NAMES | st.sampled_from(ENDS)))
@slowly
def test_forms_that_declare_labels_read_back_equal(form, data):
    back = read_back(data, form)

    assert_equal(data, back, form)
    assert back.n_train == (data.n_train if form == "Mulan ARFF" else None)
    assert back.incomplete is None or back.incomplete.n_train == (
        data.incomplete.n_train if form == "Mulan ARFF" else None
    )
    assert back.is_dense == data.is_dense or form == "Parquet"


@given(data=datasets())
@slowly
def test_csv_reads_back_equal(data):
    assume(not refusal(data, "CSV"))

    assert_equal(data, read_back(data, "CSV"), "CSV")


@given(data=datasets(most_values=2, may_be_partly=False))
@slowly
def test_svmlight_reads_back_equal(data):
    back = read_back(data, "svmlight")

    assert_equal(data, back, "svmlight")
    np.testing.assert_array_equal(dense(data.Y), dense(back.Y))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("values", [*PAIRS, ("disagree", "agree"), ("Yes", "yes"), ("1/2/2020", "2/2/2020")])
@pytest.mark.parametrize("Y", [[[1], [0], [1]], [[1]] * 3, [[0]] * 3], ids=["both", "relevant", "irrelevant"])
def test_one_of_two_values_stays_the_relevant_one(form, values, Y):
    data = sky([[0.5], [0.1], [0.2]], Y, values=[values])
    back = read_back(data, form)

    assert dense(back.Y).tolist() == Y
    of_absent = [BINARY] if values == ("-1", "1") and form == "CSV" else []  # a column of nothing but 1
    assert back.label_values[0] in [held(values, form), *of_absent]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("value", ["0", "1", "yes", "no", "-1", "blue"])
def test_a_single_value_is_relevant_in_no_row(form, value):
    back = read_back(sky(Y=[[0], [0]], values=[(value,)]), form)

    assert dense(back.Y).tolist() == [[0], [0]]


def test_words_for_relevant_stay_in_csv():
    data = sky(Y=[[1] * 3, [0] * 3], labels="abc", values=[("no", "yes"), ("disagree", "agree"), ("p", "q")])

    assert written(data, "CSV")["sky.csv"].decode() == '"x","a","b","c"\n0.5,yes,1,1\n0.1,no,0,0\n'


@pytest.mark.parametrize("form", ["csv", "parquet", "mulan arff", "SVMLIGHT"])
def test_forms_are_named_in_capitals_or_not(form, tmp_path):
    (usual,) = [name for name in FORMS if name.lower() == form.lower()]

    assert written(sky(), form) == written(sky(), usual)
    assert save(sky(), tmp_path, form)
    assert refusal(sky(), form) == ""


@pytest.mark.parametrize("form", ["Mulan ARFF", "MEKA ARFF", "Parquet"])
@pytest.mark.parametrize("store", [np.array, sparse.csr_array])
def test_a_value_that_never_occurs_is_declared(form, store):
    data = sky(
        store([[0.5, 0.0], [0.1, 0.0]]), [[0, 1, 2], [0, 1, 2]], ("x", "nought"), ("a", "b", "c"),
        [BINARY, ("no", "yes"), ("p", "q", "r")],
    )  # fmt: skip
    back = read_back(data, form)

    assert back.label_values == data.label_values
    np.testing.assert_array_equal(dense(back.Y), data.Y)


def test_the_first_value_is_what_a_sparse_row_leaves_out():
    data = sky(sparse.csr_array([[0.0], [2.0]]), [[0], [2]], values=[("low", "mid", "top")])

    assert written(data, "Mulan ARFF")["sky.arff"].decode() == (
        "@relation sky\n\n@attribute x numeric\n@attribute sunny {low,mid,top}\n\n@data\n{}\n{0 2,1 top}\n"
    )


def test_mulan_has_labels_last_and_their_names_in_xml():
    files = written(sky(labels=['a "b" & <c>']), "Mulan ARFF")

    assert list(files) == ["sky.arff", "sky.xml"]
    assert files["sky.arff"].decode().splitlines()[2:] == [
        "@attribute x numeric", "@attribute 'a \\\"b\\\" & <c>' {0,1}", "", "@data", "0.5,1", "0.1,0",
    ]  # fmt: skip
    root = ElementTree.fromstring(files["sky.xml"])
    assert [label.get("name") for label in root] == ['a "b" & <c>']
    assert root.tag == "{http://mulan.sourceforge.net/labels}labels"


def test_meka_has_labels_first_and_their_number_in_the_relation():
    assert written(sky(), "MEKA ARFF")["sky.arff"].decode() == (
        "@relation 'sky: -C 1'\n\n@attribute sunny {0,1}\n@attribute x numeric\n\n@data\n1,0.5\n0,0.1\n"
    )


def test_a_name_that_looks_like_meka_s_hint_misleads_nobody():
    data = Dataset(np.eye(3), np.eye(3, dtype=int)[:, :1], ("a", "b", "c"), ("y",), (BINARY,), name="sky -C 2")

    assert_equal(data, read_back(data, "MEKA ARFF"), "MEKA ARFF")


def test_rows_to_train_and_to_test_on_are_two_files_of_mulan():
    incomplete = PartiallyLabelled(
        np.array([[9.0], [8.0]]), np.array([[1, 0]] * 2), np.array([[True, False]] * 2), n_train=1
    )
    data = sky([[1], [2], [3]], [[1, 0], [0, 1], [0, 0]], labels=["a", "b"], n_train=2, incomplete=incomplete)
    files = written(data, "Mulan ARFF")

    assert list(files) == ["sky-train.arff", "sky-test.arff", "sky.xml"]
    assert files["sky-train.arff"].decode().partition("@data\n")[2] == "1,1,0\n2,0,1\n9,1,?\n"
    assert files["sky-test.arff"].decode().partition("@data\n")[2] == "3,0,0\n8,1,?\n"


def test_csv_is_as_other_programs_read_it():
    data = sky([[np.nan], [-2]], [[1, 0], [0, 1]], ["=x"], ["a,b", "c"], [("=1", '"2"', "3"), BINARY])
    rows = [*csv.reader(io.StringIO(written(data, "CSV")["sky.csv"].decode()))]

    assert rows == [["'=x", "a,b", "c"], ["", '"2"', "0"], ["-2", "'=1", "1"]]


def test_the_labels_of_a_csv_file_are_proposed():
    data = sky(np.arange(8.0).reshape(4, 2) / 3, [[0, 1], [1, 0], [0, 0], [1, 1]], ["x", "z"], ["a", "b"])

    assert read_csv(written(data, "CSV")["sky.csv"]).propose_labels() == ("a", "b")


def test_svmlight_is_as_scikit_learn_reads_it():
    X = sparse.csr_array([[0.0, 0.5, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, -3.0]])
    data = sky(X, [[1, 1], [0, 0], [0, 1]], "xyz", "ab")
    content = written(data, "svmlight")["sky.svm"]

    read, labels = load_svmlight_file(io.BytesIO(content), multilabel=True, zero_based=False)
    np.testing.assert_array_equal(read.toarray(), X.toarray())
    assert labels == [(0, 1), (), (1,)]
    assert content.decode().splitlines()[1] == " 1:0"


def test_svmlight_that_was_changed_is_read_without_its_names():
    content = written(sky(labels=["a", "b"], Y=[[1, 0], [0, 1]]), "svmlight")["sky.svm"]
    more = content.replace(b"1 1:0.1", b"1,7 1:0.1")

    assert read_table(content).columns == ("x", "a", "b")
    assert read_table(more).columns == ("feature 1", "label 0", "label 1", "label 7")


@pytest.mark.parametrize(
    "sentence",
    [
        "{}",
        "[]",
        "[" * 10**5,
        '[["x"], ["a"]]',
        '[["x"], ["a"], [[1]]]',
        '[["x"], ["a"], []]',
        "[1, 2, 3]",
        '[[["x"]], ["a"], [["0"]]]',
    ],
)
def test_a_comment_that_names_nothing_is_a_comment(sentence):
    table = read_table(f"0,1 1:2\n 1:3\n# trellislib: {sentence}\n".encode())

    assert table.columns == ("feature 1", "label 0", "label 1")


def test_parquet_names_the_columns_that_are_labels():
    pq = pytest.importorskip("pyarrow.parquet")
    data = sky([[np.nan], [2]], [[1, 0], [0, 2]], labels=["a", "b"], values=[("-1", "1"), ("p", "q", "r")])
    table = pq.read_table(io.BytesIO(written(data, "Parquet")["sky.parquet"]))

    assert table.to_pydict() == {"x": [None, 2.0], "a": [1, -1], "b": ["p", "r"]}
    assert json.loads(table.schema.metadata[b"trellislib.labels"]) == [
        ["a", ["-1", "1"]],
        ["b", ["p", "q", "r"]],
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        b"\xff",
        b"1",
        b"[[",
        b"[" * 10**5,
        b'{"ab": 1}',
        b'[["a", 1]]',
        b'[["a", [1]]]',
        b'[["a", ["2", "3"]]]',
        b'[["b", ["0", "1"]]]',
        b'[[["a"], ["0", "1"]]]',
        b'[["a", ["0", "1"]], ["a", ["0", "1"]]]',
    ],
)
def test_parquet_with_wrong_metadata_on_its_labels_is_read_without_them(sentence):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"x": [0.5, 0.1], "a": [1, 0]}).replace_schema_metadata({b"trellislib.labels": sentence})
    file = io.BytesIO()
    pytest.importorskip("pyarrow.parquet").write_table(table, file)

    read = read_table(file.getvalue(), "sky.parquet")
    assert read.labels is None
    assert read.cells.tolist() == [[0.5, 1], [0.1, 0]]


@pytest.mark.parametrize("form", FORMS)
def test_a_feature_with_the_name_of_a_label_is_renamed(form):
    data = sky([[1, 2, 3], [4, 5, 6]], [[1, 1], [0, 1]], ["a", "a (2)", ""], ["a", ""])
    files = [Source(content, name) for name, content in written(data, form).items()]
    back = load(files, ["a", "label 2"] if form == "CSV" else None)

    assert back.label_names == ("a", "label 2")
    assert back.feature_names == ("a (3)", "a (2)", "feature 3")
    np.testing.assert_array_equal(dense(back.X), data.X)


def test_csv_trims_names_and_keeps_them_apart():
    data = sky([[1, 2], [3, 4]], features=[" x", "x"], labels=["two\r\n\r\nlines "], values=[(" no", "yes ")])
    table = read_csv(written(data, "CSV")["sky.csv"])

    assert table.columns == ("x", "x (2)", "two lines")
    assert table.categories[2] == ("no", "yes")


INFINITE = "has an infinite number, which is not read back; replace it."


@pytest.mark.parametrize(
    ("form", "changed", "message"),
    [
        (
            "svmlight",
            {"values": [("a", "b", "c")]},
            "svmlight cannot hold label 'sunny', which has 3 values; choose another form.",
        ),
        (
            "CSV",
            {"values": [("NA", "b", "c")]},
            "label 'sunny' has the value 'NA', which CSV takes for a missing cell; call it otherwise.",
        ),
        (
            "CSV",
            {"values": [("2024-01-31", "2024-02-29", "2024-03-31")]},
            "the values of label 'sunny' are dates in CSV, which are no label; call them otherwise, or choose another "
            "form.",
        ),
        (
            "MEKA ARFF",
            {"values": [("a", "?")]},
            "label 'sunny' has the value '?', which ARFF takes for a missing cell; call it otherwise.",
        ),
        ("Mulan ARFF", {"values": [("a", "a ")]}, "two values of label 'sunny' are the same in ARFF; rename one."),
        (
            "CSV",
            {"features": ["5.1"], "labels": ["3.5"]},
            "a CSV file cannot tell the names of these columns from its rows; rename some, or choose another form.",
        ),
        ("Parquet", {"features": ["\ud800"]}, "the name '\\ud800' has a sign that no text may have; rename it."),
        ("CSV", {"X": [[np.inf], [0]]}, f"feature 'x' {INFINITE}"),
        ("CSV", {"X": sparse.csr_array([[0, 0], [0, -np.inf]]), "features": ["x", "z"]}, f"feature 'z' {INFINITE}"),
        (
            "CSV",
            {"X": [[], []], "features": []},
            "a file needs at least one feature, but the data set has labels only.",
        ),
    ],
)
def test_what_a_form_cannot_hold_is_refused(form, changed, message):
    data = sky(**changed)

    assert refusal(data, form) == f"sky: {message}"
    with pytest.raises(DataError) as refused:
        written(data, form)
    assert str(refused.value) == f"sky: {message}"


def test_svmlight_refuses_labels_that_are_not_known():
    incomplete = PartiallyLabelled(np.array([[9.0]]), np.array([[1, 0]]), np.array([[True, False]]))
    data = sky(Y=[[1, 0], [0, 1]], labels=["a", "b"], incomplete=incomplete)

    alike(refusal(data, "svmlight"), "sky: svmlight cannot hold 1 row with unknown labels; choose another form.")


@pytest.mark.parametrize("form", ["CSV", "Parquet"])
def test_groups_and_weights_are_columns(form, tmp_path):
    """Also of rows of which some labels are unknown; a feature of the same name gives way."""
    data = replace(
        sky(X=[[1.5], [0.5]], features=["w"], Y=[[1, 0], [0, 1]], labels=["a", "b"]),
        groups=pd.Series(["p, 1", "=q"], name="patient"),
        weights=pd.Series([0.25, 3.0], name="weight"),
        incomplete=PartiallyLabelled(
            np.array([[9.0]]),
            np.array([[1, 0]]),
            np.array([[True, False]]),
            groups=pd.Series(["p, 1"], name="patient"),
            weights=pd.Series([2.0], name="weight"),
        ),
    )
    (path,) = save(data, tmp_path, form)
    read = load(path, labels=data.label_names, groups="patient", weights="weight", missing_labels="masked")

    assert read.groups.str.lstrip("'").tolist() == ["p, 1", "=q"]
    assert read.weights.tolist() == [0.25, 3.0]
    assert (read.incomplete.groups.tolist(), read.incomplete.weights.tolist()) == (["p, 1"], [2.0])
    assert (read.feature_names, read.X.tolist(), read.Y.tolist()) == (("w",), [[1.5], [0.5]], [[1, 0], [0, 1]])


@pytest.mark.parametrize("form", ["Mulan ARFF", "MEKA ARFF"])
@pytest.mark.parametrize("sparse_", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("n_train", [None, 2])
def test_groups_and_weights_of_arff(form, sparse_, n_train, tmp_path):
    """Groups are a nominal column, also where the first is left out of sparse rows; weights stand after the rows."""
    X = np.array([[1.5], [0.5], [0.0]])
    data = replace(
        sky(X=sparse.csr_array(X) if sparse_ else X, features=["w"], Y=[[1, 0], [0, 1], [1, 1]], labels=["a", "b"]),
        groups=pd.Series(["p, 1", "it's", "p, 1"], name="w"),
        weights=pd.Series([0.25, 3.0, 1.0], name="how much"),
        n_train=n_train,
        incomplete=PartiallyLabelled(
            np.array([[9.0]]),
            np.array([[1, 0]]),
            np.array([[True, False]]),
            groups=pd.Series(["new"], name="w"),
            weights=pd.Series([2.0], name="how much"),
            n_train=n_train and 0,
        ),
    )
    read = load(list(save(data, tmp_path, form)), groups="w (2)", missing_labels="masked")

    assert read.groups.tolist() == ["p, 1", "it's", "p, 1"]
    assert read.weights.tolist() == [0.25, 3.0, 1.0]
    assert (read.incomplete.groups.tolist(), read.incomplete.weights.tolist()) == (["new"], [2.0])
    assert (read.feature_names, read.n_train) == (("w",), n_train if form == "Mulan ARFF" else None)
    dense_ = [of.toarray().tolist() if sparse.issparse(of) else of.tolist() for of in (read.X, read.Y)]
    assert dense_ == [[[1.5], [0.5], [0]], [[1, 0], [0, 1], [1, 1]]]


def test_an_unknown_form_is_refused():
    with pytest.raises(ValueError, match=r"^Got .*form 'XML', .*expected .*Mulan ARFF, MEKA ARFF, CSV"):
        written(sky(), "XML")


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"the folder of real files is not there ({SHARED})")
@pytest.mark.parametrize("name", ["mulan/flags", "mulan/emotions", "mulan/birds", "mulan/medical"])
def test_published_sets_read_back_equal(name):
    (found,), _ = gather(sorted((SHARED / name).iterdir()))
    data = found.table.to_dataset()

    for form in FORMS:
        assert_equal(data, read_back(data, form), form)


@pytest.mark.parametrize("form", FORMS)
def test_files_are_saved_as_they_are_written(form, tmp_path):
    paths = save(sky(), tmp_path / "new", form)

    assert {path.name: path.read_bytes() for path in paths} == written(sky(), form)


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(DataError, match=r"^sky: .*files cannot .*written .*file \(.+\)\.$"):
        save(sky(), tmp_path / "file", "CSV")


@pytest.mark.parametrize("name", ["../../etc/passwd", "C:\\x", "", "...", "a\0b", "x" * 500, "\u202efdp.exe"])
def test_a_name_leads_nowhere(name, tmp_path):
    data = Dataset(np.eye(2), np.eye(2, dtype=int), ("x", "z"), ("a", "b"), (BINARY,) * 2, name=name)
    (path,) = save(data, tmp_path / "in", "CSV")

    assert path.parent == tmp_path / "in"
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [path]
    assert len(path.name) < 120
