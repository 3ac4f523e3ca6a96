import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from trellislib.data import DataError, Dataset, PartiallyLabelled, Table
from trellislib.experiment import evaluate
from trellislib.inspection import without
from trellislib.methods import IndependentClassifiers

WRONG = pd.DataFrame({"row": [1, 1, 4], "label": ["a", "b", "b"], "suggested": ["yes", "no", "yes"]})


def made(Y=None, **more):
    Y = np.array([[0, 0], [0, 1], [1, 1], [1, 0], [0, 0], [1, 1]]) if Y is None else Y
    X = np.arange(6.0)[:, None]
    return Dataset(X, Y, ("x",), ("a", "b"), (("no", "yes"),) * 2, "toy", **more)


def test_masked_labels_are_unknown_and_their_rows_incomplete():
    found = without(made(), WRONG)
    assert found.name == "toy, 3 labels masked"
    assert found.X.ravel().tolist() == [0, 2, 3, 5]  # of row 1 no label is known any more
    assert found.incomplete.X.tolist() == [[4]]
    assert found.incomplete.known.tolist() == [[True, False]]
    assert found.notes == ("Of toy, 3 labels masked.",)


def test_rows_are_removed():
    found = without(made(), WRONG, "remove")
    assert found.X.ravel().tolist() == [0, 2, 3, 5]
    assert found.incomplete is None


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_labels_are_changed(form):
    data = made()
    found = without(made(form(data.Y)), WRONG, "correct")
    assert sparse.issparse(found.Y) == (form is not np.asarray)
    assert sparse.csr_array(found.Y).toarray().tolist() == [[0, 0], [1, 0], [1, 1], [1, 0], [0, 1], [1, 1]]
    assert data.Y.tolist() == made().Y.tolist()


def test_rows_to_train_on_stay_so():
    incomplete = PartiallyLabelled(
        np.array([[10.0], [11.0]]), np.array([[1, 0], [0, 1]]), np.array([[True, False], [False, True]]), n_train=1
    )
    found = without(made(n_train=3, incomplete=incomplete), pd.DataFrame({"row": [1, 4], "label": ["a", "b"]}))
    assert (found.n_train, found.n_instances) == (2, 4)
    assert found.incomplete.X.ravel().tolist() == [1, 10, 4, 11]
    assert found.incomplete.n_train == 2
    assert found.incomplete.known.tolist() == [[False, True], [True, False], [True, False], [False, True]]
    undivided = without(made(n_train=1, incomplete=incomplete), pd.DataFrame({"row": [0], "label": ["a"]}))
    assert undivided.n_train is undivided.incomplete.n_train is None
    assert undivided.incomplete.X.ravel().tolist() == [0, 10, 11]


def test_texts_go_with_their_rows():
    texts = ("calm sea", "rough sea", "calm sky", "dark sky")
    cells = np.array([[0, 1, 0], [1, 0, 1], [2, 1, 0], [0, 0, 0], [1, 1, 1], [3, 0, 1]])
    table = Table("toy.csv", ("text", "sail", "row"), (texts, None, None), cells, unusable={"text": "free text"})
    data = table.to_dataset(["sail", "row"], text="tf-idf")
    found = without(data, pd.DataFrame({"row": [1], "label": ["sail"]}))
    assert found.columns.n_rows == 6
    assert found.fit_features(np.arange(4)).incomplete.X.shape[0] == 1
    scores = evaluate(found, {"IC": IndependentClassifiers()}, cv=[([0, 1, 2], [3, 4])])
    assert scores.folds_done()["IC"] == 1


@pytest.mark.parametrize(
    ("change", "how", "says"),
    [
        ({"row": [9]}, "mask", r"toy has no row 9: give rows from 0 to 5"),
        ({"row": [-1]}, "mask", r"toy has no row -1"),
        ({"label": ["c"]}, "mask", r"toy has no label 'c'"),
        ({"suggested": ["maybe"]}, "correct", r"label 'a' has no value 'maybe'"),
        ({}, "burn", r"how='burn', but expected one of mask, remove, correct"),
    ],
)
def test_what_is_not_there_is_said(change, how, says):
    with pytest.raises(ValueError, match=says):
        without(made(), WRONG.head(1).assign(**change), how)


def test_some_rows_must_be_left():
    with pytest.raises(DataError, match="no row is left"):
        without(made(), pd.DataFrame({"row": range(6), "label": ["a"] * 6}))
