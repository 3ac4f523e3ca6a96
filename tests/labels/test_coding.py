import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import sparse

from trellislib.labels.coding import LabelCoding, with_first_value

VALUES = {
    "codes": np.array([0, 1, 2, 3]),
    "plus-minus": np.array([-1, 1]),
    "strings": np.array(["cloud", "rain", "sun", ""]),
    "floats": np.array([-2.0, 0.0, 7.0]),
    "booleans": np.array([False, True]),
}


@st.composite
def label_matrices(draw):
    """Labels of one to four values each, of one of the kinds of `VALUES`."""
    values = VALUES[draw(st.sampled_from(sorted(VALUES)))]
    n_instances, n_labels = draw(st.integers(1, 12)), draw(st.integers(1, 5))
    peaks = draw(st.lists(st.integers(1, len(values)), min_size=n_labels, max_size=n_labels))
    columns = [draw(arrays(np.intp, n_instances, elements=st.integers(0, peak - 1))) for peak in peaks]
    return values[np.column_stack(columns)]


def there_and_back(coding, Y):
    """Encode, decide on the indicators as if they were scores, and decode."""
    indicators = coding.encode(Y)
    scores = (indicators.toarray() if sparse.issparse(indicators) else indicators).T
    codes = coding.decide(scores, range(coding.n_labels))
    assert codes.shape == (coding.n_labels, Y.shape[0])
    assert codes.dtype == coding.code_type
    decided = coding.indicators(codes, range(coding.n_labels))
    assert decided.dtype == float
    assert_array_equal(decided, scores)
    return coding.decode(codes)


@settings(deadline=None, max_examples=50)
@given(label_matrices())
def test_any_labels_survive_the_round_trip_with_values_and_type(Y):
    decoded = there_and_back(LabelCoding.of(Y), Y)
    assert_array_equal(decoded, Y)
    assert decoded.dtype == Y.dtype


@settings(deadline=None, max_examples=50)
@given(arrays(np.int64, st.tuples(st.integers(1, 10), st.integers(1, 5)), elements=st.integers(0, 3)))
def test_sparse_labels_have_the_columns_of_dense_labels(Y):
    # A first row of each kind makes dense and sparse labels agree on which values there are.
    Y = np.vstack([np.zeros_like(Y[:1]), Y, np.arange(Y.shape[1])[None] % 3 + 1])
    Y = np.vstack([Y, *[np.minimum(Y.max(axis=0), value)[None] for value in range(4)]])
    dense, csr = LabelCoding.of(Y), LabelCoding.of(sparse.csr_array(Y))
    assert_array_equal(csr.starts, dense.starts)
    encoded = csr.encode(sparse.csr_array(Y))
    assert sparse.issparse(encoded)
    assert_array_equal(encoded.toarray(), dense.encode(Y))
    assert_array_equal(there_and_back(csr, sparse.csr_array(Y)), Y)


def test_columns_by_hand():
    Y = np.array([["no", "low", "x"], ["yes", "mid", "x"], ["no", "top", "x"]])
    coding = LabelCoding.of(Y)
    assert [values.tolist() for values in coding.classes] == [["no", "yes"], ["low", "mid", "top"], ["x"]]
    assert coding.starts.tolist() == [0, 1, 3, 4]
    assert (coding.n_labels, coding.n_columns, coding.is_binary) == (3, 4, False)
    assert coding.encode(Y).tolist() == [[0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0]]
    assert coding.columns([1, 0]).tolist() == [1, 2, 0]
    assert coding.columns([]).tolist() == []


def test_plus_and_minus_one_are_the_columns_of_one_and_zero():
    Y = np.array([[1, -1, -1], [-1, 1, -1], [1, 1, -1]])
    coding = LabelCoding.of(Y)
    assert coding.is_binary
    assert coding.encode(Y).tolist() == [[1, 0, 0], [0, 1, 0], [1, 1, 0]]


@pytest.mark.parametrize("value", [0, 1])
def test_a_constant_binary_label_keeps_both_values(value):
    Y = np.array([[value, 0], [value, 1]])
    for labels in (Y, sparse.csr_array(Y)):
        coding = LabelCoding.of(labels)
        assert coding.classes[0].tolist() == [0, 1]
        assert_array_equal(there_and_back(coding, labels), Y)


@pytest.mark.parametrize(
    ("Y", "values"),
    [
        ([["no", "no"], ["no", "yes"]], ["no", "yes"]),
        ([[-1, -1], [1, -1]], [-1, 1]),
        ([[5, 5], [5, 7]], [5, 7]),
        ([[2.0, 2.0], [2.0, 0.0]], [0.0, 2.0]),
        ([[True, True], [True, True]], [False, True]),
        ([[1, 1], [1, 1]], [0, 1]),
        ([[0, 0], [0, 0]], [0, 1]),
    ],
)
def test_where_there_are_two_values_in_all_every_label_has_both(Y, values):
    for labels in (np.array(Y), np.array(Y)[:, ::-1]):
        coding = LabelCoding.of(labels)
        assert [of.tolist() for of in coding.classes] == [values, values]
        assert {of.dtype for of in coding.classes} == {labels.dtype}
        assert coding.is_binary
        assert coding.encode(labels).tolist() == (labels == values[1]).astype(float).tolist()
        assert_array_equal(there_and_back(coding, labels), labels)


def test_where_there_are_more_or_fewer_values_each_label_has_its_own():
    mixed = LabelCoding.of(np.array([["no", "red", "x"], ["no", "blue", "x"]]))
    assert [of.tolist() for of in mixed.classes] == [["no"], ["blue", "red"], ["x"]]
    numbers = LabelCoding.of(np.array([[0, 0, 2], [0, 1, 2]]))
    assert [of.tolist() for of in numbers.classes] == [[0], [0, 1], [2]]
    assert numbers.encode(np.array([[0, 0, 2], [0, 1, 2]])).tolist() == [[0, 0, 0], [0, 1, 0]]
    assert [of.tolist() for of in LabelCoding.of(np.full((2, 2), "no")).classes] == [["no"], ["no"]]


def test_labels_that_are_no_matrix_are_refused():
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        LabelCoding.of(np.array([0, 1, 1]))


def test_labels_that_are_numbers_on_a_scale_are_refused():
    with pytest.raises(ValueError, match="continuous"):
        LabelCoding.of(np.array([[0.25, 1.0], [0.5, 0.0]]))


def test_explicit_zeros_of_sparse_labels_are_zeros():
    Y = sparse.csr_array((np.array([0, 2, 1]), np.array([0, 1, 0]), np.array([0, 2, 3])), shape=(2, 2))
    encoded = LabelCoding.of(Y).encode(Y)
    assert encoded.toarray().tolist() == [[0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize("wrong", [[[-1, 1], [1, -1]], [[0.5, 1.0], [1.0, 0.0]]], ids=["negative", "fraction"])
def test_sparse_labels_that_are_no_codes_are_refused(wrong):
    with pytest.raises(ValueError, match=r"sparse labels .*negative numbers .*fractions"):
        LabelCoding.of(sparse.csr_array(np.array(wrong)))


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int64, np.float64])
def test_sparse_codes_may_be_of_any_type(kind):
    Y = np.array([[0, 1, 0], [1, 1, 0]])
    coding = LabelCoding.of(sparse.csr_array(Y.astype(kind)))
    assert [of.tolist() for of in coding.classes] == [[0, 1]] * 3
    assert {of.dtype for of in coding.classes} == {np.dtype(kind)}
    assert coding.encode(sparse.csr_array(Y.astype(kind))).toarray().tolist() == Y.tolist()


@pytest.mark.parametrize(("score", "code"), [(0.5, 0), (0.5 + 1e-12, 1), (0.2, 0), (-3.0, 0), (9.0, 1)])
def test_a_binary_tie_goes_to_the_first_value(score, code):
    coding = LabelCoding([np.array([0, 1])])
    codes = coding.decide(np.array([[score]]), [0])
    assert (codes.tolist(), coding.indicators(codes, [0]).tolist()) == ([[code]], [[float(code)]])


@pytest.mark.parametrize(
    ("scores", "code"),
    [
        ((0.25, 0.5), 2),
        ((0.25, 0.25), 0),
        ((0.375, 0.375), 1),
        ((0.25, 0.375), 0),  # the first value scores 0.375, as the third does
        ((0.5, 0.0), 0),
        ((-1.0, -2.0), 0),
    ],
)
def test_ties_between_three_values_go_to_the_lower_code(scores, code):
    coding = LabelCoding([np.array([0, 1, 2])])
    codes = coding.decide(np.array([scores]).T, [0])
    assert codes.tolist() == [[code]]
    indicators = coding.indicators(codes, [0])
    assert indicators.T.tolist() == [[float(code == 1), float(code == 2)]]
    assert with_first_value(indicators).argmax(axis=0).tolist() == [code]


def test_decide_on_some_labels_takes_their_columns_in_the_order_asked():
    coding = LabelCoding([np.arange(3), np.arange(2), np.arange(3)])
    scores = np.array([[0.1, 0.9], [0.8, 0.0], [0.7, 0.1]])  # label 2's two columns, then label 1's
    codes = coding.decide(scores, [2, 1])
    assert codes.tolist() == [[2, 1], [1, 0]]
    assert coding.indicators(codes, [2, 1]).tolist() == [[0, 1], [1, 0], [1, 0]]


def test_indicators_of_some_labels_stand_in_the_order_asked():
    coding = LabelCoding([np.arange(3), np.arange(2), np.arange(4), np.arange(1)])
    codes = np.array([[3, 0], [0, 0], [2, 1]])  # of the labels 2, 3 and 0
    expected = [[0, 0], [0, 0], [1, 0], [0, 0], [0, 1], [1, 0]]
    assert coding.indicators(codes, [2, 3, 0]).tolist() == expected
    assert coding.indicators(codes[[1]], [3]).tolist() == [[0, 0]]


@settings(deadline=None, max_examples=50)
@given(label_matrices(), st.data())
def test_indicators_of_any_labels_are_those_encoded(Y, data):
    coding = LabelCoding.of(Y)
    labels = data.draw(st.lists(st.sampled_from(range(Y.shape[1])), min_size=1, unique=True))
    codes = np.array([coding.codes(Y, label) for label in labels])
    assert_array_equal(coding.indicators(codes, labels), coding.encode(Y).T[coding.columns(labels)])


def test_the_first_value_scores_what_the_others_leave():
    scores = np.array([[0.25, 0.0], [0.5, 0.0]])
    assert with_first_value(scores).tolist() == [[0.25, 1.0], [0.25, 0.0], [0.5, 0.0]]
    assert with_first_value(scores[None]).shape == (1, 3, 2)


@settings(deadline=None, max_examples=50)
@given(
    arrays(np.int64, st.tuples(st.integers(1, 10), st.integers(1, 5)), elements=st.integers(0, 3)),
    st.sampled_from([np.int8, np.int64, np.float64, bool]),
)
def test_sparse_codes_are_decoded_as_dense_ones(Y, dtype):
    Y = Y.astype(dtype)
    coding = LabelCoding.of(sparse.csr_array(Y))
    for codes in (Y.T.astype(np.intp), np.asfortranarray(Y.T.astype(np.int8))):
        decoded = coding.decode_sparse(codes)
        assert_array_equal(decoded.toarray(), coding.decode(codes))
        assert decoded.dtype == dtype
        assert decoded.indices.dtype == decoded.indptr.dtype == np.int32
        assert decoded.has_canonical_format
        assert decoded.nnz == np.count_nonzero(Y)


def test_labels_with_the_same_values_share_them_in_a_pickle():
    coding = LabelCoding([np.array([0, 1]), np.array(["a", "b", "c"]), np.array([0, 1]), np.array([0.0, 1.0])])
    assert len(coding.__getstate__()["distinct"]) == 3
    again = pickle.loads(pickle.dumps(coding))
    for values, expected in zip(again.classes, coding.classes, strict=True):
        assert_array_equal(values, expected)
        assert values.dtype == expected.dtype
    earlier = object.__new__(LabelCoding)
    earlier.__setstate__({"classes": coding.classes})
    assert_array_equal(earlier.starts, coding.starts)
