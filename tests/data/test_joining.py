"""Training and test file as one data set."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.files import load
from trellislib.data.joining import joined

CASES = Path(__file__).parents[2].parent / "shared/cases/inputs"

TRAIN = Dataset(
    X=np.array([[1.0, 2], [3, 4]]),
    Y=np.array([[0, 1], [1, 0]]),
    feature_names=("a", "b"),
    label_names=("p", "q"),
    label_values=(("0", "1"), ("0", "1")),
    name="sky-train",
    notes=("One.", "Two."),
)
TEST = Dataset(
    X=np.array([[60.0, 50]]),
    Y=np.array([[1, 0]]),
    feature_names=("b", "a"),
    label_names=("q", "p"),
    label_values=(("0", "1"), ("0", "1")),
    name="sky-test",
    notes=("Two.",),
)


def thin(data):
    return replace(data, X=sparse.csr_array(data.X), Y=sparse.csr_array(data.Y))


@pytest.mark.parametrize("train", [TRAIN, thin(TRAIN)])
@pytest.mark.parametrize("test", [TEST, thin(TEST)])
def test_columns_go_by_name_and_the_form_is_that_of_the_training_file(train, test):
    whole, n_train = joined(train, test)
    assert n_train == 2
    X, Y = whole.arrays()
    assert sparse.issparse(X) == sparse.issparse(Y) == (not train.is_dense)
    if sparse.issparse(X):
        X, Y = X.toarray(), Y.toarray()
    assert X.tolist() == [[1, 2], [3, 4], [50, 60]]
    assert Y.tolist() == [[0, 1], [1, 0], [0, 1]]
    assert (whole.feature_names, whole.label_names) == (("a", "b"), ("p", "q"))
    assert whole.name == "sky"
    assert whole.notes == ("One.", "Two.", "The first 2 rows are sky-train, the other 1 sky-test.")


def test_names():
    assert joined(TRAIN, TEST, "clouds")[0].name == "clouds"
    assert joined(replace(TRAIN, name="train"), TEST)[0].name == "train"
    assert joined(replace(TRAIN, name="sky"), TEST)[0].name == "sky"


@pytest.mark.parametrize("form", [lambda data: data, thin])
@pytest.mark.parametrize(
    ("ours", "theirs", "together", "codes"),
    [  # `codes`: of the values ours[0], ours[1], theirs[1] in the rows
        (("0", "1"), ("0", "2"), ("0", "1", "2"), [0, 1, 2]),
        (("1", "2"), ("0", "1"), ("0", "1", "2"), [1, 2, 1]),
        (("red", "blue"), ("green", "red"), ("red", "blue", "green"), [0, 1, 0]),
        (("no", "yes"), ("yes", "no"), ("no", "yes"), [0, 1, 0]),
        (("0", "1", "3"), ("0", "3"), ("0", "1", "3"), [0, 1, 2]),
    ],
)
def test_values_of_labels_are_united(form, ours, theirs, together, codes):
    train = form(replace(TRAIN, label_values=(ours, ("0", "1"))))
    test = form(replace(TEST, Y=np.array([[1, 1]]), label_values=(("0", "1"), theirs)))
    whole, _ = joined(train, test)
    assert whole.label_values == (together, ("0", "1"))
    Y = whole.Y.toarray() if sparse.issparse(whole.Y) else whole.Y
    assert Y.tolist() == [[codes[0], 1], [codes[1], 0], [codes[2], 1]]
    noted = "In sky-test there are values of labels that sky-train lacks: 'p'." in whole.notes
    assert noted == (set(together) > set(ours))


@given(st.permutations(range(4)), st.permutations(range(3)), st.booleans())
def test_the_order_of_the_columns_does_not_matter(features, labels, as_csr):
    rng = np.random.default_rng(0)
    data = Dataset(
        rng.random((5, 4)), rng.integers(2, size=(5, 3)), tuple("abcd"), tuple("xyz"), (("0", "1"),) * 3, "whole"
    )
    data = thin(data) if as_csr else data
    mixed = replace(
        data,
        X=data.X[:, features],
        Y=data.Y[:, labels],
        feature_names=tuple("abcd"[j] for j in features),
        label_names=tuple("xyz"[j] for j in labels),
    )
    assert joined(data, mixed)[0].digest == joined(data, data)[0].digest


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"feature_names": ("b", "c")}, "sky-test: there is no feature 'a', which sky-train has; add the column."),
        ({"label_names": ("q", "r")}, "sky-test: there is no label 'p', which sky-train has; add the column."),
        (
            {"X": np.zeros((1, 3)), "feature_names": ("b", "id", "a")},
            "sky-test: the feature 'id' is not in sky-train; leave the column out, or add it there.",
        ),
        (
            {"Y": np.zeros((1, 3), dtype=int), "label_names": ("q", "p", "r"), "label_values": (("0", "1"),) * 3},
            "sky-test: the label 'r' is not in sky-train; leave the column out, or add it there.",
        ),
    ],
)
def test_a_missing_or_an_extra_column_is_named(changed, message):
    with pytest.raises(DataError) as error:
        joined(TRAIN, replace(TEST, **changed))
    assert str(error.value) == message


def test_true_parents_stay_where_both_have_the_same():
    known = {"true_parents": ((), (0,))}
    assert joined(replace(TRAIN, **known), replace(TEST, **known))[0].true_parents == ((), (0,))
    assert joined(replace(TRAIN, **known), TEST)[0].true_parents is None


@pytest.mark.skipif(not CASES.is_dir(), reason=f"the folder of real files is not there ({CASES})")
def test_b21():
    train = load(CASES / "B21_train.csv", labels=["A", "B"])

    def with_labels(name):
        first, *rows = (CASES / f"B21_test_{name}.csv").read_text().split()
        return load("\n".join([f"B,A,{first}", *(f"{i % 2},1,{row}" for i, row in enumerate(rows))]).encode(), labels=2)

    same, other = (joined(train, with_labels(name))[0] for name in ("same_order", "reordered"))
    assert same.digest == other.digest
    assert same.Y[-4:].tolist() == [[1, 0], [1, 1], [1, 0], [1, 1]]
    with pytest.raises(DataError, match=r"no feature 'x2', which B21_train has"):
        joined(train, with_labels("missing_x2"))
