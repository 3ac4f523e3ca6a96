import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from sentences import holds

from trellislib.data.cells import column_range, constant_columns
from trellislib.data.dataset import DataError, Dataset, PartiallyLabelled

BINARY = ("0", "1")


def weather(**changes):
    """Six instances of two features and three labels, of which the last has three values."""
    parts = {
        "X": np.arange(12.0).reshape(6, 2),
        "Y": np.array([[0, 1, 0], [0, 1, 2], [0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 1, 2]]),
        "feature_names": ("pressure", "humidity"),
        "label_names": ("snow", "warm", "rain"),
        "label_values": (BINARY, BINARY, ("none", "some", "much")),
        "name": "weather",
    }
    return Dataset(**(parts | changes))


both_forms = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])


@both_forms
def test_statistics_by_hand(form):
    data = weather(Y=form(weather().Y))
    figures = data.statistics()
    assert (figures.n_instances, figures.n_features, figures.n_labels) == (6, 2, 3)
    assert (data.n_instances, data.n_features, data.n_labels) == (6, 2, 3)
    assert figures.label_cardinality == pytest.approx(8 / 6)  # warm five times, rain three times
    assert figures.label_density == pytest.approx(8 / 18)
    assert figures.n_label_sets == 4
    assert figures.n_unlabelled == 1
    assert figures.frequencies.to_dict() == pytest.approx({"snow": 0, "warm": 5 / 6, "rain": 1 / 2})
    assert figures.imbalance.to_dict() == pytest.approx({"snow": np.inf, "warm": 1, "rain": 5 / 3})
    assert figures.mean_imbalance == pytest.approx((1 + 5 / 3) / 2)
    assert figures.labels_per_instance.to_dict() == {0: 1, 1: 2, 2: 3}
    assert figures.label_sets["codes"].tolist() == [((1, 1),), ((1, 1), (2, 2)), (), ((1, 1), (2, 1))]
    assert figures.label_sets["count"].tolist() == [2, 2, 1, 1]


def test_a_row_without_a_group_is_named():
    with pytest.raises(DataError) as error:
        weather(groups=pd.Series(["ann", "bob", None, "ann", "bob", None], name="who"))
    holds(str(error.value), "weather", "row 3", "who")


def test_statistics_of_no_relevant_label():
    figures = weather(Y=np.zeros((6, 3), dtype=int)).statistics()
    assert (figures.label_cardinality, figures.n_label_sets, figures.n_unlabelled) == (0, 1, 6)
    assert np.isinf(figures.imbalance).all()
    assert np.isnan(figures.mean_imbalance)
    assert figures.label_sets["codes"].tolist() == [()]


@settings(max_examples=40)
@given(arrays(np.int64, st.tuples(st.integers(1, 9), st.integers(1, 4)), elements=st.integers(0, 2)))
def test_statistics_are_those_of_counting_rows(Y):
    n, n_labels = Y.shape
    names = tuple("abcd"[:n_labels])
    for form in (np.asarray, sparse.csr_array):
        figures = Dataset(np.zeros((n, 1)), form(Y), ("x",), names, (("0", "1", "2"),) * n_labels).statistics()
        assert figures.label_cardinality == pytest.approx((Y > 0).sum() / n)
        counted = pd.Series([tuple(row) for row in Y.tolist()]).value_counts()
        written = [tuple(dict(of).get(label, 0) for label in range(n_labels)) for of in figures.label_sets["codes"]]
        assert dict(zip(written, figures.label_sets["count"], strict=True)) == counted.to_dict()
        assert figures.label_sets["count"].is_monotonic_decreasing
        assert figures.labels_per_instance.sum() == n


def test_statistics_leave_the_data_as_they_are():
    Y = sparse.csr_array((np.array([0, 1, 1]), np.array([1, 0, 0]), np.array([0, 2, 3])), shape=(2, 3))
    data = weather(X=np.zeros((2, 2)), Y=Y)
    before = (Y.data.tolist(), Y.indices.tolist(), Y.indptr.tolist())
    assert data.statistics().label_cardinality == 1
    assert (data.Y.data.tolist(), data.Y.indices.tolist(), data.Y.indptr.tolist()) == before


def test_the_digest_is_of_the_content():
    original = weather()
    assert weather().digest == original.digest
    assert weather(name="other").digest == original.digest
    assert weather(notes=("a note",)).digest == original.digest
    assert weather(X=np.asfortranarray(original.X)).digest == original.digest


@pytest.mark.parametrize(
    "change",
    [
        {"X": np.arange(12.0).reshape(6, 2) * 1.000000001},
        {"X": np.arange(12.0).reshape(6, 2)[:, ::-1]},
        {"Y": np.zeros((6, 3), dtype=int)},
        {"feature_names": ("humidity", "pressure")},
        {"label_names": ("snow", "rain", "warm")},
        {"label_values": (BINARY, ("no", "yes"), ("none", "some", "much"))},
    ],
    ids=lambda change: next(iter(change)),
)
def test_any_other_content_has_another_digest(change):
    assert weather(**change).digest != weather().digest


def test_sparse_data_have_a_digest_of_their_content():
    first, same = (weather(X=sparse.csr_array(weather().X)) for _ in range(2))
    other = weather(X=sparse.csr_array(weather().X * 2))
    moved = weather(X=sparse.csr_array(weather().X[::-1]))
    assert first.digest == same.digest
    assert len({first.digest, other.digest, moved.digest}) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": np.zeros((5, 2))}, r"weather: 5 rows .*features .*6 .*labels"),
        ({"X": np.zeros((0, 2)), "Y": np.zeros((0, 3), dtype=int)}, r"weather: .*least .*instance"),
        ({"Y": np.zeros((6, 0), dtype=int), "label_names": (), "label_values": ()}, "weather: .* one label"),
        ({"feature_names": ("pressure",)}, r"weather: 2 feature columns .*1 feature names"),
        ({"label_names": ("snow", "warm")}, r"weather: 3 label columns .*2 label names"),
        ({"label_values": (BINARY, BINARY)}, r"weather: 3 label columns .*2 .*values"),
        ({"label_values": (BINARY, BINARY, BINARY)}, r"weather: label 'rain' .*code outside .*2 values"),
        ({"Y": weather().Y - [0, 1, 0]}, r"weather: label 'warm' .*code outside .*2 values"),
    ],
)
def test_errors_name_the_set_and_the_label(change, message):
    with pytest.raises(DataError, match=message):
        weather(**change)


@both_forms
@pytest.mark.parametrize("wrong", [np.nan, 0.5], ids=["missing", "fraction"])
def test_a_label_cell_that_is_no_code_is_refused(wrong, form):
    Y = weather().Y.astype(float)
    Y[4, 1] = wrong
    with pytest.raises(DataError, match="warm"):
        weather(Y=form(Y))


def test_a_label_name_that_occurs_twice_is_refused():
    with pytest.raises(DataError, match="warm"):
        weather(label_names=("warm", "warm", "rain"))


@both_forms
def test_missing_features_are_counted(form):
    X = weather().X
    X[[0, 3, 3], [1, 0, 1]] = np.nan
    assert weather(X=form(X)).n_missing == 3
    assert weather(X=form(np.ones((6, 2)))).n_missing == 0


def test_binary_labels_are_multi_label():
    assert not weather().is_multilabel
    assert weather(Y=weather().Y > 0, label_values=(BINARY, BINARY, ("dry", "wet"))).is_multilabel
    assert weather(Y=np.zeros((6, 3), dtype=int), label_values=(("0",), BINARY, BINARY)).is_multilabel


@both_forms
def test_ranges_of_codes(form):
    lowest, highest = column_range(form(weather().Y))
    assert lowest.tolist() == [0, 0, 0]
    assert highest.tolist() == [0, 1, 2]


def test_arrays_are_the_very_data():
    data = weather()
    X, Y = data.arrays()
    assert X is data.X
    assert Y is data.Y


def incomplete(**changes):
    """Two more instances, of which the first lacks the first label and the second knows it alone."""
    parts = {
        "X": np.array([[1.0, 2], [3, 4]]),
        "Y": np.array([[9, 1, 2], [1, 0, 0]]),
        "known": np.array([[False, True, True], [True, False, False]]),
    }
    return PartiallyLabelled(**(parts | changes))


def test_partially_labelled_rows_are_in_the_digest():
    data = weather(incomplete=incomplete())
    assert data.n_instances == 6
    assert data.digest == weather(incomplete=incomplete()).digest != weather().digest
    unknown = incomplete().Y
    unknown[0, 0] = 5  # which means nothing
    assert weather(incomplete=incomplete(Y=unknown)).digest == data.digest
    others = [
        incomplete(X=incomplete().X + 1),
        incomplete(Y=incomplete().Y - [[0, 1, 0], [0, 0, 0]]),
        incomplete(known=~incomplete().known),
    ]
    others[2].Y[0, 0] = 1
    assert len({weather(incomplete=other).digest for other in [incomplete(), *others]}) == 4


def test_partially_labelled_rows_are_counted():
    assert (weather().n_incomplete, weather(incomplete=incomplete()).n_incomplete) == (0, 2)
    holds(repr(weather()), "Dataset 'weather'", "6 instances", "2 features", "3 labels")
    assert "partially" not in repr(weather())
    holds(repr(weather(incomplete=incomplete())), "6 instances", "2 partially labelled", "2 features", "3 labels")


def test_where_incomplete_rows_go_is_in_the_digest():
    digests = {weather(incomplete=incomplete(n_train=n), n_train=3).digest for n in (0, 1, 2)}
    assert (
        len(
            digests
            | {weather(incomplete=incomplete()).digest, weather(incomplete=incomplete(n_train=0), n_train=4).digest}
        )
        == 5
    )
    assert weather(n_train=3).digest == weather().digest  # which is of no consequence for complete rows


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"X": np.zeros((2, 3))},
            r"weather: .*partially labelled rows need features .*shape \(2, 2\), .*got \(2, 3\)",
        ),
        ({"Y": np.zeros((1, 3), dtype=int)}, "need label codes of shape"),
        ({"known": np.zeros((2, 2), dtype=bool)}, "need known labels of shape"),
        ({"Y": np.zeros((2, 3))}, "need integer codes, and booleans"),
        ({"known": np.eye(2, 3, dtype=int)}, "need integer codes, and booleans"),
        ({"known": np.array([[True] * 3, [True, False, False]])}, r"must know some labels .*lack others"),
        ({"known": np.array([[False] * 3, [True, False, False]])}, r"must know some labels .*lack others"),
        ({"X": np.zeros((0, 2)), "Y": np.zeros((0, 3), int), "known": np.zeros((0, 3), bool)}, "must know some"),
        (
            {"Y": np.array([[0, 1, 3], [1, 0, 0]])},
            r"label 'rain' .*code outside .*3 values .*partially labelled",
        ),
    ],
)
def test_partially_labelled_rows_that_do_not_fit(change, message):
    with pytest.raises(DataError, match=message):
        weather(incomplete=incomplete(**change))


@pytest.mark.parametrize("n_train", [0, 6, -1])
def test_rows_to_train_on_leave_some_to_test_on(n_train):
    assert weather(n_train=5).n_train == 5
    with pytest.raises(DataError, match=r"rows .*train .*leave none"):
        weather(n_train=n_train)


@both_forms
def test_constant_columns(form):
    X = np.array([[1, 0, np.nan, np.nan, 2], [1, 0, np.nan, 7, 2], [1, 0, np.nan, 7, 0]])
    assert constant_columns(form(X)).tolist() == [True, True, True, True, False]
