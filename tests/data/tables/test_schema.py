import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sentences import has_line, holds
from sklearn.feature_extraction.text import TfidfVectorizer

from trellislib.data import Dataset, load, read_svmlight, read_table
from trellislib.data.dataset import DataError
from trellislib.data.reading.frames import frame_table
from trellislib.data.tables.schema import Schema

TRAIN = pd.DataFrame(
    {
        "key": [f"K-{i:02d}" for i in range(24)],
        "age": [20.0 + i for i in range(24)],
        "town": ["Oslo", "Lima", "Rome"] * 8,
        "member": ["yes", "no"] * 12,
        "said": [f"word{i % 5} sea sky number{i}" for i in range(24)],
        "sun": [0, 1, 1] * 8,
        "rain": ["dry", "wet"] * 12,
    }
)
LABELS = ["rain", "sun"]


@pytest.fixture(scope="module")
def data():
    return frame_table(TRAIN, "old.csv").to_dataset(LABELS, text="tf-idf")


def features(data, frame):
    X, notes = data.schema.features(frame_table(frame, "new.csv"))
    return (X.toarray() if sparse.issparse(X) else X), notes


def dense(X):
    return X.toarray() if sparse.issparse(X) else X


def test_training_rows_have_the_features_of_training(data):
    assert data.feature_names[:5] == ("age", "town=Lima", "town=Oslo", "town=Rome", "member")
    X, notes = features(data, TRAIN)
    np.testing.assert_array_equal(X, dense(data.X))
    assert notes == []
    assert data.schema.left_out == ("key",)


@given(st.lists(st.integers(0, 23), min_size=1, max_size=8), st.permutations(list(TRAIN.columns)))
def test_any_rows_in_any_order_of_columns_have_their_features_and_labels(data, rows, columns):
    new = TRAIN.loc[rows, columns].reset_index(drop=True)
    X, _ = features(data, new)
    np.testing.assert_array_equal(X, dense(data.X)[rows])
    np.testing.assert_array_equal(data.schema.labels(frame_table(new)).Y, data.Y[rows])


def test_rows_are_named_by_their_ids_or_by_their_numbers_where_some_are_left_out(data):
    assert data.ids.name == "key"
    assert data.select(np.array([5, 2])).ids.tolist() == ["K-05", "K-02"]
    gaps = frame_table(TRAIN.assign(sun=[None, *TRAIN["sun"][1:]]), "old.csv")
    assert gaps.to_dataset(LABELS).ids.tolist() == TRAIN["key"][1:].tolist()
    assert gaps.to_dataset(LABELS, leave_out=["key"]).ids.tolist() == TRAIN["key"][1:].tolist()
    nameless = gaps.to_dataset(LABELS, leave_out=["age"]).schema
    assert nameless.id_column(gaps) == "key"
    numbered = gaps.without(["key"], "as asked").to_dataset(LABELS)
    assert (numbered.ids.name, numbered.ids.tolist()) == ("row", list(range(2, 25)))
    whole = frame_table(TRAIN.drop(columns="key")).to_dataset(LABELS)
    assert whole.ids is None
    assert whole.row_names.tolist() == list(range(1, 25))
    assert whole.select(np.array([5, 2])).row_names.tolist() == [6, 3]


def test_columns_are_matched_by_name_and_what_is_new_is_said(data):
    new = TRAIN.drop(columns=[*LABELS, "key"]).iloc[:3, ::-1].assign(extra=1.0)
    X, notes = features(data, new)
    np.testing.assert_array_equal(X, dense(data.X)[:3])
    has_line(notes, "'extra' of new.csv", "not in old.csv")
    has_line(notes, "another order", "by name")
    assert data.schema.labels(frame_table(new)) is None


def test_a_category_that_is_new_is_none_of_them_or_missing(data):
    new = TRAIN.iloc[:3].assign(town=["Bonn", "Lima", "Kyiv"], member=["perhaps", "YES", None])
    X, notes = features(data, new)
    assert X[:, 1:4].tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    np.testing.assert_array_equal(X[:, 4], [np.nan, 1, np.nan])
    has_line(notes, "'town'", "2 cells", "old.csv", "'Bonn' and 'Kyiv'", "none of its categories")
    has_line(notes, "'member'", "1 cell", "'perhaps'", "as missing")


def test_texts_have_the_words_and_rarities_of_training(data):
    new = TRAIN.iloc[:2].assign(said=["sea unheard", ""])
    oracle = TfidfVectorizer(min_df=2).fit(TRAIN["said"])
    X, _ = features(data, new)
    np.testing.assert_allclose(X[:, 5:], oracle.transform(new["said"]).toarray())
    assert data.feature_names[5:] == tuple(f"said: {word}" for word in oracle.get_feature_names_out())
    np.testing.assert_array_equal(features(data, new.assign(said=[12, 13]))[0][:, 5:], 0)


def test_a_column_that_is_not_there_is_named(data):
    with pytest.raises(DataError) as raised:
        features(data, TRAIN.rename(columns={"town": "Town2"}))
    holds(str(raised.value), "new.csv", "'town'", "old.csv", "nearest name is 'Town2'", "add the column")


def test_a_text_where_numbers_were_is_named_with_its_row(data):
    with pytest.raises(DataError) as raised:
        features(data, TRAIN.astype({"age": object}).replace({"age": {22.0: "Oslo"}}))
    holds(str(raised.value), "new.csv", "row 3", "'age'", "'Oslo'", "old.csv", "numbers")
    X, _ = features(data, TRAIN.assign(age=TRAIN["age"].map("{:.1f}".format).astype("category")))
    np.testing.assert_array_equal(X, dense(data.X))


def test_numbers_where_categories_were_are_found_by_their_values():
    train = pd.DataFrame({"code": ["1", "02", "x", "1"], "sun": [0, 1, 0, 1]})
    data = frame_table(train).to_dataset(["sun"])
    X, _ = data.schema.features(frame_table(pd.DataFrame({"code": [2.0, 1, np.nan, 7]})))
    by_name = dict(zip(data.feature_names, X.T.tolist(), strict=True))
    assert by_name["code=1"][:2] == [0, 1]
    assert by_name["code=02"][:2] == [1, 0]
    assert np.isnan(X[2]).all()
    assert X[3].tolist() == [0, 0, 0]


def test_labels_are_coded_as_in_training_however_they_are_spelt(data):
    new = TRAIN.iloc[:4].assign(rain=["Wet", "dry", None, "WET"], sun=[True, False, True, True])
    Y, known, _ = data.schema.labels(frame_table(new))
    assert Y.tolist() == [[1, 1], [0, 0], [0, 1], [1, 1]]
    assert known.tolist() == [[True, True], [True, True], [False, True], [True, True]]
    with pytest.raises(DataError) as raised:
        data.schema.labels(frame_table(TRAIN.assign(rain="snow"), "new.csv"))
    holds(str(raised.value), "new.csv", "'rain'", "'snow'", "'dry' and 'wet'")


def test_a_column_that_lists_labels_is_read_as_in_training():
    data = load(b"x,tags\n1,sea|sky\n2,sky\n3,\n", split=("tags", "|"))
    table = read_table(b"tags,x\nsky | sand,5\n,6\nsky|sea,7\n", "new.csv")
    Y, known, notes = data.schema.labels(table)
    assert (Y.toarray().tolist(), known) == ([[0, 1], [0, 0], [1, 1]], None)
    has_line(notes, "'tags'", "1 label", "'sand'")
    assert data.schema.features(table)[0].tolist() == [[5], [6], [7]]
    assert not any("tags" in note for note in data.schema.features(table)[1])


@pytest.mark.parametrize("written", [["007", "010", "100"], ["7", "08", "100"], ["1.5", "2.5", "3"], ["7", "9", "8"]])
def test_ids_stay_as_they_are_written(data, written):
    new = TRAIN.head(3).assign(key=written)
    assert data.schema.ids(read_table(new.to_csv(index=False).encode()), "key")["key"].astype(str).tolist() == written


def test_ids_are_a_column_of_its_own_values_that_is_no_feature(data):
    ids = data.schema.ids(frame_table(TRAIN[::-1].reset_index(drop=True)))
    assert ids.columns.tolist() == ["key"]
    assert ids["key"].tolist() == TRAIN["key"][::-1].tolist()
    numbered = TRAIN.drop(columns="key").iloc[:3].assign(double=[1, 1, 2], row=[900, 901, 7])
    assert data.schema.ids(frame_table(numbered)).to_dict("list") == {"row": [900, 901, 7]}
    assert data.schema.ids(frame_table(numbered.drop(columns="row"))).shape == (3, 0)
    left_out = frame_table(numbered.assign(no=[5, 6, 7])).to_dataset(LABELS, leave_out=["no", "double"])
    assert left_out.schema.left_out == ("double", "no")
    assert left_out.schema.ids(frame_table(numbered.assign(no=[5, 6, 7]))).columns.tolist() == ["no"]


def test_constant_features_that_were_left_out_stay_so():
    table = frame_table(pd.DataFrame({"x": [1, 2, 3], "y": [5, 5, 5], "sun": [0, 1, 0]}))
    data = table.to_dataset(["sun"], drop_constant=True)
    X, _ = data.schema.features(frame_table(pd.DataFrame({"x": [4], "y": [7]})))
    assert (data.schema.feature_names, X.tolist()) == (("x",), [[4]])


def test_a_sparse_file_that_never_names_a_column_has_zeros_there():
    data = read_svmlight(b"1 1:0.5 3:2\n0,1 2:1\n0,2 3:1\n", "old.txt").to_dataset()
    table = read_svmlight(b"0,1 1:7\n", "new.txt")
    X, notes = data.schema.features(table)
    assert X.toarray().tolist() == [[7, 0, 0]]
    has_line(notes, "2 columns", "old.txt", "0 in new.txt")
    assert data.schema.labels(table).Y.toarray().tolist() == [[1, 1, 0]]
    assert data.schema.labels(read_svmlight(b"0 1:7\n")) is None  # as the values of one column


def test_a_schema_is_kept_as_json(data):
    again = Schema.from_json(json.loads(json.dumps(data.schema.as_json())))
    X, _ = again.features(frame_table(TRAIN))
    np.testing.assert_array_equal(X.toarray(), dense(data.X))
    assert (again.label_names, again.label_values, again.left_out) == (("rain", "sun"), data.label_values, ("key",))


def test_arrays_have_a_schema_of_their_feature_names():
    data = Dataset(np.eye(2), np.eye(2, dtype=int), ("a", "b"), ("c", "d"), (("0", "1"),) * 2)
    X, _ = Schema.of(data).features(frame_table(pd.DataFrame({"b": [1.0], "a": [2.0]})))
    assert X.tolist() == [[2, 1]]


@pytest.mark.parametrize(
    ("folds", "expected"), [([0, 1, 2, 3], {"sea", "sky"}), ([1, 2, 3, 4, 5], {"sky", "leak", "sea"})]
)
def test_words_are_learned_from_the_rows_to_train_on(folds, expected):
    said = ["sea sky", "sea sky", "sky", "sea", "leak sky", "leak"]
    frame = pd.DataFrame({"x": range(6), "said": said, "sun": [0, 1, 0, 1, np.nan, 1], "rain": [1, 0, 1, 0, 1, 1]})
    table = frame_table(frame)
    table = type(table)(**{**vars(table), "unusable": {"said": "free text"}})
    data = table.to_dataset(["sun", "rain"], text="tf-idf", missing_labels="masked")
    rows = [row for row in folds if row != 4]  # row 4 is incomplete: row 5 is number 4 of those that are not
    fitted = data.fit_features([min(row, 4) for row in rows])
    oracle = TfidfVectorizer(min_df=2).fit([said[row] for row in rows])
    assert {name.removeprefix("said: ") for name in fitted.feature_names[1:]} == set(oracle.get_feature_names_out())
    assert expected - {"leak"} == set(oracle.get_feature_names_out())
    order = [0, 1, 2, 3, 5]
    np.testing.assert_allclose(dense(fitted.X)[:, 1:], oracle.transform([said[i] for i in order]).toarray())
    np.testing.assert_allclose(dense(fitted.incomplete.X)[:, 1:], oracle.transform([said[4]]).toarray())
    assert fitted.X.shape[0] == data.n_instances == 5


def test_data_without_texts_stay_as_they_are():
    data = frame_table(TRAIN).to_dataset(LABELS)
    assert data.fit_features([0, 1]) is data


def test_features_of_the_same_rows_are_fitted_once(data):
    fitted = data.fit_features(range(9))
    assert data.fit_features(range(9)) is fitted
    assert data.fit_features(range(10)) is not fitted


def test_without_a_word_in_the_training_rows_no_feature_remains():
    table = frame_table(pd.DataFrame({"said": [f"word{i // 2} all{i}" for i in range(24)], "sun": [0, 1] * 12}))
    data = table.to_dataset(["sun"], text="tf-idf")
    with pytest.raises(DataError, match="no word"):
        data.fit_features([0, 2, 4])
