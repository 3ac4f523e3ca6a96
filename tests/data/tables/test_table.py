from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sentences import Containing, alike, has_line

from trellislib.data.dataset import DataError
from trellislib.data.tables.proposals import Proposal
from trellislib.data.tables.table import CHOSEN, Table

NAN = np.nan


def table(columns, categories=None, name="toy.csv", **more):
    """Return a table of the given columns of cells."""
    categories = categories or {}
    return Table(
        name=name,
        columns=tuple(columns),
        categories=tuple(categories.get(column) for column in columns),
        cells=np.column_stack([np.asarray(cells, dtype=float) for cells in columns.values()]),
        **more,
    )


X = {"x": [0.1, 0.2, 0.3, 0.4]}


def test_zero_and_one_are_the_codes():
    data = table({**X, "a": [0, 1, 1, 0]}).to_dataset(["a"])
    assert data.Y.tolist() == [[0], [1], [1], [0]]
    assert data.label_values == (("0", "1"),)
    assert data.notes == ()
    assert data.name == "toy"


def test_minus_one_is_read_as_zero_and_noted():
    data = table({**X, "a": [-1, 1, 1, -1], "b": [-1, -1, -1, -1]}).to_dataset(["a", "b"])
    assert data.Y.tolist() == [[0, 0], [1, 0], [1, 0], [0, 0]]
    assert data.label_values == (("-1", "1"),) * 2
    alike(data.notes, ("Each of the labels 'a' and 'b' is coded -1/1, and 1 was read as relevant.",))


@pytest.mark.parametrize(
    ("categories", "cells", "values", "codes"),
    [
        (("TRUE", "FALSE"), [0, 1, 1, 0], ("FALSE", "TRUE"), [1, 0, 0, 1]),
        (("Yes", "No"), [0, 1, 1, 0], ("No", "Yes"), [1, 0, 0, 1]),
        (("t", "f"), [0, 1, 1, 0], ("f", "t"), [1, 0, 0, 1]),
        (("N", "Y"), [0, 1, 1, 0], ("N", "Y"), [0, 1, 1, 0]),
        (("yes",), [0, 0, 0, 0], ("no", "yes"), [1, 1, 1, 1]),
        (("FALSE",), [0, 0, 0, 0], ("FALSE", "TRUE"), [0, 0, 0, 0]),
        (("0", "1"), [0, 0, 0, 0], ("0", "1"), [0, 0, 0, 0]),
        (("0",), [0, 0, 0, 0], ("0", "1"), [0, 0, 0, 0]),
        (("1",), [0, 0, 0, 0], ("0", "1"), [1, 1, 1, 1]),
        (("-1",), [0, 0, 0, 0], ("-1", "1"), [0, 0, 0, 0]),
        (("1", "0"), [0, 1, 1, 0], ("0", "1"), [1, 0, 0, 1]),
        (("0.0", "1.0"), [0, 1, 1, 0], ("0", "1"), [0, 1, 1, 0]),
        (("1", "-1"), [0, 1, 1, 0], ("-1", "1"), [1, 0, 0, 1]),
        (("wet", "dry"), [0, 1, 1, 0], ("wet", "dry"), [0, 1, 1, 0]),
        (("10", "9", "8"), [0, 1, 2, 0], ("8", "9", "10"), [2, 1, 0, 2]),
        (("low", "mid", "high"), [0, 1, 2, 0], ("low", "mid", "high"), [0, 1, 2, 0]),
    ],
)
def test_categories(categories, cells, values, codes):
    data = table({**X, "a": cells}, {"a": categories}).to_dataset(["a"])
    assert data.label_values == (values,)
    assert data.Y.ravel().tolist() == codes


@pytest.mark.parametrize(
    ("cells", "values", "codes"),
    [
        ([1, 1, 1, 1], ("0", "1"), [1, 1, 1, 1]),
        ([0, 0, 0, 0], ("0", "1"), [0, 0, 0, 0]),
        ([7, 7, 7, 7], ("7",), [0, 0, 0, 0]),
        ([2, 1, 2, 1], ("1", "2"), [1, 0, 1, 0]),
        ([3, 0, 5, 0], ("0", "3", "5"), [1, 0, 2, 0]),
        ([-1, 0, 1, 0], ("-1", "0", "1"), [0, 1, 2, 1]),
        ([0.5, 0.25, 0.5, 0.25], ("0.25", "0.5"), [1, 0, 1, 0]),
    ],
)
def test_numeric_values(cells, values, codes):
    data = table({**X, "a": cells}).to_dataset(["a"])
    assert data.label_values == (values,)
    assert data.Y.ravel().tolist() == codes


def test_a_single_odd_value_is_noted():
    alike(table({**X, "a": [7] * 4}).to_dataset(["a"]).notes, ("Label 'a' has the single value 7.",))


@pytest.mark.parametrize("cells", [np.arange(21), [0.1, 0.2, 0.3] * 7, np.arange(21) / 2])
def test_continuous_targets_are_refused(cells):
    n = np.unique(cells).size
    continuous = n > 3
    toy = table({"x": np.zeros(21), "price": cells})
    if continuous:
        with pytest.raises(DataError, match=r"toy.csv: column 'price' .*continuous .*21 different.*bin"):
            toy.to_dataset(["price"])
    else:
        assert toy.to_dataset(["price"]).label_values == (("0.1", "0.2", "0.3"),)


def test_few_rows_do_not_hide_continuous_targets():
    with pytest.raises(DataError, match="continuous"):
        table({**X, "a": [1.5, 2.25, 0, 3.125]}).to_dataset(["a"])


def test_rows_with_a_missing_label_are_left_out():
    toy = table({"x": [1, NAN, 3, 4], "a": [0, 1, NAN, 1], "b": [0, NAN, NAN, 1]})
    data = toy.to_dataset(["a", "b"])
    assert data.Y.tolist() == [[0, 0], [1, 1]]
    assert data.X.ravel().tolist() == [1, 4]
    alike(data.notes, ("2 rows have a missing label and were left out (3 missing label cells).",))
    assert data.incomplete is None
    alike(
        toy.to_dataset(["a"]).notes,
        (
            "1 row has a missing label and was left out (1 missing label cell).",
            "2 feature cells are missing.",
        ),
    )
    with pytest.raises(DataError, match=r"every row lacks .*label, 'a' .*4 .*4 rows; choose other labels"):
        table({**X, "a": [NAN] * 4}).to_dataset(["a"])
    apart = table({**X, "a": [NAN, 1, NAN, NAN], "b": [1, NAN, 0, 1]})
    for policy in ("set aside", "masked"):
        with pytest.raises(DataError, match=r"every row lacks .*label, 'a' .*3 .*4 rows; choose fewer labels"):
            apart.to_dataset(["b", "a"], missing_labels=policy)


@pytest.mark.parametrize("policy", ["set aside", "masked"])
def test_values_of_rows_that_are_left_out_still_count_as_label_values(policy):
    toy = table({**X, "a": [1, 1, 1, 2], "b": [0, 1, 0, NAN]})  # the rows that are left alone would read as 0/1
    assert toy.guessed_relevant(["a"]) == {"a": ("1", "2")}
    for relevant, value in ((None, "2"), ({"a": "2"}, "2"), ({"a": "1"}, "1")):
        data = toy.to_dataset(["a", "b"], relevant=relevant, missing_labels=policy)
        assert data.label_values[0][1] == value
        assert data.Y[:, 0].tolist() == [int(value == "1")] * 3


def test_nominal_features_become_indicators():
    toy = table(
        {"sex": [0, 1, NAN, 0], "hue": [0, 2, 1, NAN], "agree": [0, 1, 1, 0], **X, "a": [0, 1, 0, 1]},
        {"sex": ("m", "f"), "hue": ("red", "green", "blue"), "agree": ("yes", "no")},
    )
    data = toy.to_dataset(["a"])
    assert data.feature_names == ("sex", "hue=red", "hue=green", "hue=blue", "agree", "x")
    np.testing.assert_array_equal(
        data.X,
        [
            [0, 1, 0, 0, 1, 0.1],
            [1, 0, 0, 1, 0, 0.2],
            [NAN, 0, 1, 0, 0, 0.3],
            [0, NAN, NAN, NAN, 1, 0.4],
        ],
    )
    alike(
        data.notes,
        (
            "1 categorical column became 3 columns of 0 and 1: 'hue'.",
            "Of two categories, 1 is 'f' of 'sex'.",
            "2 feature cells are missing.",
        ),
    )


def test_a_sparse_table_gives_the_same_data_set_as_a_dense_one():
    rng = np.random.default_rng(0)
    cells = np.column_stack(
        [
            rng.choice([0.0, 0.0, 2.5, NAN], 60),
            rng.choice([0.0, 1.0, 2.0], 60),
            rng.choice([0.0, 1.0], 60),
            rng.choice([0.0, 1.0], 60),
            rng.choice([-1.0, 0.0, 1.0], 60),
            rng.choice([0.0, 1.0, NAN], 60, p=[0.5, 0.45, 0.05]),
        ]
    )
    columns, categories = (
        ("x", "hue", "sure", "a", "b", "c"),
        (
            None,
            ("red", "green", "blue"),
            ("yes", "no"),
            ("TRUE", "FALSE"),  # a left-out cell is TRUE, hence code 1
            None,  # a left-out cell is 0, hence code 1 of -1, 0, 1
            ("0", "1"),
        ),
    )
    dense = Table("t", columns, categories, cells).to_dataset(["c", "a", "b"])
    thin = Table("t", columns, categories, sparse.csr_array(cells)).to_dataset(["c", "a", "b"])
    assert sparse.issparse(thin.X)
    assert sparse.issparse(thin.Y)
    np.testing.assert_array_equal(thin.X.toarray(), dense.X)
    np.testing.assert_array_equal(thin.Y.toarray(), dense.Y)
    assert thin.notes == dense.notes
    assert thin.label_values == dense.label_values
    assert (thin.Y.data > 0).all()


def test_columns_that_cannot_be_used():
    toy = table(
        {"id": [0, 1, 2, 3], "day": [0, 1, 2, 3], **X, "a": [0, 1, 0, 1]},
        {"id": tuple("wxyz"), "day": tuple("abcd")},
        unusable={"id": "free text", "day": "dates"},
    )
    data = toy.to_dataset(["a"])
    assert data.feature_names == ("x",)
    alike(
        data.notes,
        (
            "Column 'id' holds free text and was left out of the features.",
            "Column 'day' holds dates that are all alike or cannot be read and was left out of the features.",
        ),
    )
    with pytest.raises(DataError, match=r"column 'id' holds free text .*cannot .*label"):
        toy.to_dataset(["id"])
    with pytest.raises(DataError, match=r"no feature .*'id' holds free text .*'day' holds dates.*tf-idf"):
        replace(toy, cells=np.floor(toy.cells)).to_dataset(["x", "a"])


def test_a_column_without_values_is_no_feature():
    data = table({"gone": [NAN] * 4, **X, "a": [0, 1, 0, 1]}).to_dataset(["a"])
    assert data.feature_names == ("x",)
    alike(data.notes, ("Column 'gone' holds no value at all and was left out of the features.",))


def test_a_nominal_column_of_very_many_values_is_no_feature():
    names = tuple(f"v{i}" for i in range(201))
    toy = table({"town": np.arange(201), "x": np.arange(201), "a": np.arange(201) % 2}, {"town": names})
    data = toy.to_dataset(["a"])
    assert data.feature_names == ("x",)
    has_line(data.notes[0], "'town' holds more than 200 categories")


@pytest.mark.parametrize(
    ("labels", "cause"),
    [
        (["Sunn"], "toy.csv: there is no column 'Sunn' to be a label; the nearest name is 'sunny'."),
        (["qqq"], "toy.csv: there is no column 'qqq' to be a label."),
        (["sunny", "sunny"], "toy.csv: the label 'sunny' is named twice."),
        ([], "toy.csv: no column was chosen to be a label; choose at least one."),
    ],
)
def test_wrong_choices_are_named(labels, cause):
    with pytest.raises(DataError) as caught:
        table({**X, "sunny": [0, 1, 0, 1]}).to_dataset(labels)
    alike(str(caught.value), cause)


def test_what_the_file_declares_is_proposed():
    assert table({**X, "a": [0, 1, 0, 1], "b": [0, 1, 0, 1]}, labels=("a",)).propose_labels() == ("a",)


def test_a_table_without_rows_is_refused():
    with pytest.raises(DataError, match="no rows"):
        Table("t", ("x",), (None,), np.empty((0, 1)))
    with pytest.raises(DataError, match="do not fit"):
        Table("t", ("x", "y"), (None,), np.empty((1, 1)))


MASKED = {"x": [1, NAN, 3, 4, 5], "a": [-1, 1, NAN, 1, NAN], "b": [0, NAN, NAN, 2, 3]}


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_partially_labelled_rows_are_set_aside(form):
    toy = replace(table(MASKED), cells=form(table(MASKED).cells))
    data = toy.to_dataset(["a", "b"], missing_labels="masked")
    as_array = np.asarray if data.is_dense else sparse.csr_array.toarray
    assert as_array(data.Y).tolist() == [[0, 0], [1, 1]]
    assert as_array(data.X).ravel().tolist() == [1, 4]
    assert data.label_values == (("-1", "1"), ("0", "2", "3"))  # also of what only a masked row holds
    np.testing.assert_array_equal(as_array(data.incomplete.X).ravel(), [NAN, 5])
    assert data.incomplete.known.tolist() == [[True, False], [False, True]]
    assert data.incomplete.Y[data.incomplete.known].tolist() == [1, 2]
    alike(
        data.notes[:2],
        (
            "2 rows lack some labels and were kept apart, what is missing masked (2 missing label cells).",
            "1 row has no known label and was left out.",
        ),
    )


def test_a_single_label_masks_nothing():
    data = table(MASKED).to_dataset(["a"], missing_labels="masked")
    assert data.incomplete is None
    alike(data.notes[0], "2 rows have no known label and were left out.")


def test_masks_out_of_proportion_are_refused_before_they_are_made(monkeypatch):
    monkeypatch.setattr("trellislib.data.tables.label_columns.MAX_MASKED_CELLS", 3)
    with pytest.raises(DataError, match=r"masking 2 rows .*2 labels takes .*much memory; set .*rows"):
        table(MASKED).to_dataset(["a", "b"], missing_labels="masked")


def test_the_relevant_value_is_the_one_that_is_given():
    toy = table({**X, "a": [1, 2, 2, 1], "sky": [0, 1, 1, 1], "n": [1, 2, 3, 1]}, {"sky": ("blue", "grey")})
    guessed = toy.to_dataset(["a", "sky"])
    alike(
        guessed.notes,
        (
            "Label 'a' is coded 1/2, and 2 was read as relevant.",
            "Label 'sky' is coded blue/grey, and grey was read as relevant.",
        ),
    )
    expected = toy.to_dataset(["a", "sky"], relevant={"sky": "blue", "a": 2.0})
    assert expected.Y.tolist() == [[0, 1], [1, 0], [1, 0], [0, 0]]
    assert expected.label_values == (("1", "2"), ("grey", "blue"))
    alike(expected.notes[1], "Label 'sky' is coded grey/blue, and blue is relevant, as was said.")
    assert toy.guessed_relevant(["sky", "n", "a"]) == {"sky": ("blue", "grey"), "a": ("1", "2")}


@pytest.mark.parametrize(
    ("relevant", "cause"),
    [
        ({"sky": "red"}, "toy.csv: column 'sky' has the values 'blue' and 'grey', but no 'red'."),
        ({"n": "2"}, "toy.csv: column 'n' has 3 values, and only of two can one be the relevant one."),
        ({"one": "5"}, "toy.csv: column 'one' has 1 value, and only of two can one be the relevant one."),
        ({"Sky": "blue"}, "toy.csv: 'Sky' is no label, so it has no relevant value; the nearest name is 'sky'."),
    ],
)
def test_wrong_relevant_values_are_named(relevant, cause):
    toy = table({**X, "sky": [0, 1, 1, 1], "n": [1, 2, 3, 1], "one": [5] * 4}, {"sky": ("blue", "grey")})
    with pytest.raises(DataError) as caught:
        toy.to_dataset(["sky", "n", "one"], relevant=relevant)
    alike(str(caught.value), cause)


def test_the_source_of_the_labels_is_in_the_provenance():
    toy = table(
        {**X, "a": [0, 1, 0, 1], "b": [0, 0, 1, 1]},
        labels=("a",),
        labels_source="toy.xml",
        provenance=("Read as CSV.",),
    )
    alike(toy.to_dataset().provenance, ("Read as CSV.", "1 label, according to toy.xml."))
    assert toy.to_dataset(["a"]).provenance == toy.to_dataset().provenance
    assert toy.to_dataset(["b"]).provenance[1] == "1 label, chosen by name."
    assert replace(toy, labels_source=CHOSEN).to_dataset().provenance[1] == "1 label, chosen by name."
    alike(replace(toy, labels_source="").to_dataset().provenance[1], "1 label, according to the file.")


def test_nothing_declares_which_columns_are_labels():
    with pytest.raises(DataError, match=r"toy.csv: nothing .*file says .*guess .*'a' .*'b' \(2 columns\)"):
        table({**X, "a": [0, 1, 0, 1], "b": [0, 1, 1, 1]}).to_dataset()


def test_rows_to_train_on_are_counted_among_those_that_remain():
    cells = {**X, "a": [NAN, 1, 0, NAN], "b": [1, 0, 1, 0]}
    assert table(cells, n_train=2).to_dataset(["b"]).n_train == 2
    assert table(cells, n_train=2).to_dataset(["a"]).n_train == 1
    for n_train, what in ((1, "train"), (3, "test")):
        data = table(cells, n_train=n_train).to_dataset(["a"])
        assert data.n_train is None
        has_line(data.notes[1], "No row", f"{what}", "knows every label")


def test_columns_that_are_not_wanted():
    toy = table({**X, "id": [1, 2, 3, 4], "a": [0, 1, 0, 1]})
    data = toy.to_dataset(["a"], leave_out=["id"])
    assert data.feature_names == ("x",)
    alike(data.notes, ("Column 'id' was left out, as asked.",))
    assert toy.to_dataset(["a"], leave_out=["id"]).Y.tolist() == toy.to_dataset(["a"]).Y.tolist()
    with pytest.raises(DataError, match=r"no column 'ID' .*leave out; .*nearest name .*'id'"):
        toy.to_dataset(["a"], leave_out=["ID"])
    with pytest.raises(DataError, match=r"'a' cannot .*label .*left out"):
        toy.to_dataset(["a"], leave_out=["id", "a"])


def test_what_was_noted_of_a_column_goes_with_it():
    of_id, of_others = "Column 'id' only numbers the rows.", ("Column 'id 2' is odd.", "Columns 'id' and 'x' are odd.")
    toy = table(
        {"id": [1, 2, 3, 4], **X, "a": [0, 1, 0, 1], "b": [0, 1, 1, 1]},
        notes=(of_id, *of_others),
        labels=("a", "b"),
        unusable={"id": "identifiers"},
    )
    left = toy.without(["b", "id"], "as the owner says")
    assert (left.columns, left.labels, left.unusable) == (("x", "a"), ("a",), {})
    alike(left.notes, (*of_others, "Columns 'id' and 'b' were left out, as the owner says."))
    assert toy.without([], "as asked") is toy
    assert of_id not in toy.to_dataset(leave_out=["id"]).notes
    with pytest.raises(DataError, match=r"every column .*left out"):
        toy.without(toy.columns, "as asked")


def test_missing_feature_cells_are_counted_as_the_data_set_has_them():
    toy = table(
        {"hue": [NAN, 1, 2, 0, NAN], "x": [1, NAN, 3, 4, NAN], "a": [0, 1, 0, 1, NAN], "b": [0, 1, 1, 0, 1]},
        {"hue": ("red", "green", "blue")},
    )
    for policy in ("set aside", "masked"):
        data = toy.to_dataset(["a", "b"], missing_labels=policy)
        assert data.missing == {"hue": 1, "x": 1}  # cells of the file, not of the three indicators
        alike(data.notes[-1], "2 feature cells are missing.")


def test_what_is_declared_is_the_proposal():
    bits = {"a": [0, 1, 0, 1], "b": [0, 1, 1, 1]}
    assert table({**X, **bits}, labels=("a",)).proposal() == Proposal(("a",))
    assert table({**X, **bits}).proposal() == Proposal(("a", "b"))
    assert table(bits, labels=("a",)).why_no_proposal == ""


def test_why_nothing_is_proposed_is_noted():
    with pytest.raises(DataError, match=r"2 columns .*labels: every column looks .*label, .*no feature"):
        table({"a": [0, 1, 0, 1], "b": [0, 1, 1, 1]}).to_dataset()


TAGS = ("sea|sky", " sky |sand", "sand|sea|sky||sea")


def tagged(**more):
    return table({"x": [1, 2, 3, 4], "tags": [0, NAN, 1, 2], "day": [0, 0, 1, 1]}, {"tags": TAGS}, **more)


def test_a_column_of_lists_becomes_columns_of_labels():
    split = tagged(unusable={"tags": "free text", "day": "dates"}).split("tags")
    assert split.columns == ("x", "day", "sand", "sea", "sky")
    assert split.labels == ("sand", "sea", "sky")
    assert split.unusable == {"day": "dates"}
    data = split.to_dataset()
    assert data.Y.tolist() == [[0, 1, 1], [0, 0, 0], [1, 0, 1], [1, 1, 1]]
    assert data.X.ravel().tolist() == [1, 2, 3, 4]
    assert data.statistics().label_cardinality == 1.75
    alike(
        data.notes[:2],
        (
            "In column 'tags', 1 cell is empty and was read as no label.",
            "In column 'tags', 1 cell names a label more than once, which counts once.",
        ),
    )
    alike(data.provenance, ("3 labels, according to the lists in column 'tags', separated by '|'.",))


def test_a_label_that_is_called_like_a_feature_is_numbered():
    toy = table({"sea": [5, 6], "tags": [0, 1]}, {"tags": ("sea sky", "sky")})
    split = toy.split("tags", " ")
    assert split.columns == ("sea", "sea (2)", "sky")
    assert split.to_dataset().label_names == ("sea (2)", "sky")
    assert "'sea' occurs more than once" in split.notes[0]
    assert "separated by blanks" in split.labels_source


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_very_many_labels_are_sparse(form):
    n = 300
    texts = tuple(f"t{i},t{i + 1}" for i in range(n))
    toy = table({"x": np.arange(n), "y": np.zeros(n), "tags": np.arange(n)}, {"tags": texts})
    split = replace(toy, cells=form(toy.cells)).split("tags", ",")
    data = split.to_dataset()
    assert sparse.issparse(split.cells)
    assert data.Y.shape == (n, n + 1)
    assert data.Y.sum() == 2 * n
    np.testing.assert_array_equal(data.X.toarray()[:, 0], np.arange(n))
    by_name = dict(zip(data.label_names, data.Y.toarray().T, strict=True))
    assert np.flatnonzero(by_name["t7"]).tolist() == [6, 7]


def test_a_column_of_numbers_lists_one_label_each():
    split = table({**X, "tag": [3, 10, NAN, 3]}).split("tag", ",")
    assert split.labels == ("3", "10")
    assert split.cells[:, 1:].tolist() == [[1, 0], [0, 1], [0, 0], [1, 0]]


def test_columns_that_list_nothing():
    with pytest.raises(DataError, match=r"no column 'tagz' .*lists labels; .*nearest name .*'tags'"):
        tagged().split("tagz")
    with pytest.raises(DataError, match=r"nothing says .*separates .*labels .*column 'sky'"):
        table({**X, "sky": [0, 1, 1, 0]}, {"sky": ("blue", "grey")}).split("sky")
    with pytest.raises(DataError, match=r"no cell .*column 'sky' names .*label"):
        table({**X, "sky": [0, 0, 0, 0]}, {"sky": ("[]",)}).split("sky", ",")


def test_masked_rows_keep_to_their_side_of_a_published_division():
    cells = np.array([[1, 0, 1], [2, np.nan, 1], [3, 1, 0], [4, 1, np.nan], [5, 0, 0], [6, np.nan, 0]])
    table = Table("t.csv", ("x", "a", "b"), (None, None, None), cells, labels=("a", "b"), n_train=3)
    data = table.to_dataset(missing_labels="masked")

    assert (data.X.ravel().tolist(), data.n_train) == ([1, 3, 5], 2)
    assert (data.incomplete.X.ravel().tolist(), data.incomplete.n_train) == ([2, 4, 6], 1)


def test_labels_alone_are_a_data_set_that_says_so():
    data = table({"sea": [0, 1, 0, 1], "sky": [1, 1, 0, 0]}).to_dataset(["sea", "sky"])
    assert not data.has_features
    assert data.X.tolist() == [[1.0]] * 4
    assert Containing("labels only", "add features") in data.notes


def test_rows_of_which_no_label_is_known_are_for_prediction():
    with pytest.raises(DataError, match=r"no label of any row is known.*Predict"):
        table({**X, "a": [NAN] * 4, "b": [NAN] * 4}).to_dataset(["a", "b"])
