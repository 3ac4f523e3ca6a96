import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from sentences import Containing, alike, has_line

from trellislib.data.dataset import Dataset
from trellislib.data.oddities import oddities

NAN = np.nan
BINARY = ("0", "1")
BOTH = [np.asarray, sparse.csr_array]
NOTHING = np.linspace(0.1, 0.9, 30)  # a feature of which nothing can be said
A, B = (np.arange(30) % 2, np.arange(30) % 3 > 0)


def odd(features, labels, form=np.asarray, values=None):
    """Return what is odd in a data set of these columns."""
    X, Y = (np.column_stack([np.asarray(cells) for cells in part.values()]) for part in (features, labels))
    of_label = tuple((values or {}).get(label, BINARY) for label in labels)
    return list(oddities(Dataset(form(X * 1.0), form(Y.astype(int)), tuple(features), tuple(labels), of_label)))


both_forms = pytest.mark.parametrize("form", BOTH, ids=["dense", "CSR"])


@both_forms
def test_nothing_odd(form):
    assert odd({"x": NOTHING}, {"a": A, "b": 1 - A * B}, form) == []


@both_forms
def test_labels_that_cannot_be_learnt(form):
    once = np.eye(30)[4]
    labels = {"never": A * 0, "always": A * 0 + 1, "a": A, "once": once, "none": A * 0, "rain": A * 0 + 2}
    alike(
        odd({"x": NOTHING}, labels, form, {"rain": ("no", "some", "much")}),
        [
            "2 labels are relevant in no row: 'never' and 'none'.",
            "1 label is relevant in every row: 'always'.",
            "1 label is relevant in a single row, which only one fold can hold: 'once'.",
            "1 label is the same in every row: 'rain'.",
        ],
    )


@both_forms
def test_many_names_are_shortened(form):
    labels = {"a": A, **{f"z{i}": A * 0 for i in range(9)}}
    has_line(odd({"x": NOTHING}, labels, form), "9 labels", "relevant", "no row", "'z0'", "'z1'", "'z2'", "6 more")


@both_forms
def test_rows_without_a_label_and_rows_that_occur_twice(form):
    x = np.array([1.0, 2, 1, 1, -0.0, 0.0])
    y = np.array([1, 0, 1, 0, 1, 1])
    alike(
        odd({"x": x}, {"a": y}, form),
        [
            "2 rows have all labels 0.",
            "2 rows repeat an earlier one, features and labels alike.",
        ],
    )


@settings(max_examples=40)
@given(arrays(np.int64, st.tuples(st.integers(1, 9), st.just(3)), elements=st.integers(0, 1)))
def test_repeated_rows_are_counted(cells):
    n = len(cells) - len({tuple(row) for row in cells.tolist()})
    for form in BOTH:
        found = odd({"x": cells[:, 0], "z": cells[:, 1]}, {"a": cells[:, 2]}, form)
        assert sum(f"{n} row" in sentence for sentence in found if "earlier" in sentence) == (n > 0)


@both_forms
def test_constant_features(form):
    features = {"x": NOTHING, "five": A * 0 + 5, "zero": A * 0, "gap": np.where(A, NAN, 5)}
    found = odd(features, {"a": B, "b": 1 - A * B}, form)
    alike(found[0], "3 features are constant: 'five', 'zero' and 'gap'.")


@both_forms
@pytest.mark.parametrize(
    ("name", "cells", "is_id"),
    [
        ("n", np.arange(30), True),
        ("n", np.arange(1, 31)[::-1], True),
        ("n", np.arange(30) * 2, False),
        ("user_id", np.arange(30) ** 2, True),
        ("ID", np.arange(100, 130) * 7, True),
        ("Unnamed: 0", np.arange(30) * 3, True),
        ("humid", np.arange(30) * 7, False),
        ("id", np.r_[np.arange(29), 3], False),
        ("id", NOTHING, False),
        ("id", np.r_[np.arange(29), NAN], False),
    ],
)
def test_numbers_of_rows(name, cells, is_id, form):
    found = odd({name: cells}, {"a": B, "b": 1 - A * B}, form)
    assert (Containing("1 feature", "number of the row", f"{name!r}") in found) == is_id


def test_few_rows_count_by_chance():
    assert odd({"x": np.arange(5)}, {"a": [1, 1, 0, 1, 1], "b": [0, 0, 1, 1, 1]}) == []


@both_forms
@pytest.mark.parametrize("of", [lambda y: y, lambda y: 1 - y, lambda y: 3 - 2 * y], ids=["same", "opposite", "coded"])
def test_features_that_leak_a_label(of, form):
    for y in (A, 1 - A):  # the first row is 0, or 1
        found = odd({"x": NOTHING, "leak": of(y)}, {"a": y, "b": 1 - y * B}, form)
        alike(found, ["1 feature leaks a label in every row: 'leak' gives away 'a'."])
    almost = np.where(np.arange(30) == 17, 1 - A, A)
    assert odd({"x": NOTHING, "no leak": of(almost)}, {"a": A, "b": 1 - A * B}, form) == []


@both_forms
def test_features_that_leak_a_label_of_more_values(form):
    level = np.arange(30) % 3
    found = odd(
        {"x": NOTHING, "z": np.array([7, 0, 2])[level]}, {"a": level, "b": A}, form, {"a": ("low", "mid", "high")}
    )
    alike(found, ["1 feature leaks a label in every row: 'z' gives away 'a'."])


@both_forms
def test_features_that_leak_labels_where_they_are_known(form):
    gaps = {"leak": np.where(np.arange(30) % 7 == 2, NAN, A), "coded": np.where(np.arange(30) < 6, NAN, 5 - 2 * A)}
    labels = {"b": 1 - A * B, "a": A, "never": A * 0}
    expected = "leak labels in every row without a missing cell: 'leak' gives away 'a' and 'coded' gives away 'a'."
    assert f"2 features {expected}" in odd({"x": NOTHING, **gaps}, labels, form)
    almost = np.where(np.arange(30) == 29, 1 - gaps["leak"], gaps["leak"])
    seldom = np.where(np.arange(30) < 16, NAN, A)
    twice = np.eye(30)[3] + np.eye(30)[8]
    features = {"almost": almost, "seldom": seldom, "twice": np.where(np.arange(30) == 5, NAN, twice)}
    found = odd(features, {**labels, "twice": twice}, form)
    assert not any("leak" in sentence for sentence in found)


def test_several_features_leak_in_the_plural():
    expected = "2 features leak labels in every row: 'p' gives away 'a' and 'q' gives away 'a'."
    assert expected in odd({"p": A, "q": 1 - A}, {"a": A, "b": 1 - A * B})


@both_forms
def test_labels_that_determine_each_other(form):
    labels = {"a": A, "b": 1 - A * B, "same": A, "opposite": 1 - A}
    alike(
        odd({"x": NOTHING}, labels, form)[0],
        "These labels are equal or opposite in every row: 'a', 'same' and 'opposite'.",
    )


def test_columns_alike_in_hardly_any_rows_are_alike_by_chance():
    rare = np.eye(30)[3] + np.eye(30)[8]
    assert odd({"x": NOTHING, "word": rare}, {"a": 1 - A * B, "b": A, "rare": rare}) == []


@both_forms
def test_a_column_that_shows_whether_there_is_any_label(form):
    rng = np.random.default_rng(0)
    parts = {name: rng.random(200) < 0.15 for name in "abcd"}
    any_part = np.any(list(parts.values()), axis=0)
    x = {"x": rng.random(200)}
    none = f"{(~any_part).sum()} rows have all labels 0."
    expected = "gives away in every row whether the row has any"
    alike(odd({**x, "fail": any_part}, parts, form), [none, f"Feature 'fail' {expected} label."])
    alike(odd(x, {**parts, "fail": any_part}, form), [none, f"Label 'fail' {expected} other label."])
    nearly = any_part.copy()
    nearly[np.flatnonzero(any_part)[:2]] = False
    alike(
        odd({**x, "fail": nearly}, parts, form)[1],
        "Feature 'fail' gives away in 198 of 200 rows whether the row has any label.",
    )
    assert odd({**x, "often": rng.random(200) < 0.5}, parts, form) == [none]


@both_forms
def test_missing_cells(form):
    gaps = {name: np.where(np.arange(30) < n, NAN, NOTHING) for name, n in zip("pqrs", (1, 4, 2, 3), strict=True)}
    labels = {"a": B, "b": 1 - A * B}
    alike(
        odd({"x": NOTHING, **gaps}, labels, form),
        ["4 features lack cells, 10 in all, most of all 'q' (4), 's' (3) and 'r' (2)."],
    )
    alike(odd({"x": NOTHING, "p": gaps["p"]}, labels, form), ["1 feature lacks cells, 1 in all: 'p' (1)."])


@both_forms
def test_a_label_that_says_that_there_is_no_other(form):
    c = 1 - np.maximum(A, B)
    has_line(odd({"x": NOTHING}, {"a": A, "b": B, "none": c}, form), "'none'", "all other labels are 0")
    exclusive = np.arange(30) % 3
    said = odd({"x": NOTHING}, {name: (exclusive == k) * 1 for k, name in enumerate("abc")}, form)
    assert not any("all other labels are 0" in sentence for sentence in said)


@both_forms
def test_a_rare_value_beside_two_usual_ones_is_named_with_its_count(form):
    values = {"a": ("0", "1", "9")}
    said = odd({"x": NOTHING}, {"a": np.where(NOTHING == 0.1, 2, A), "b": B}, form, values)
    has_line(said, "'a'", "'9' in 1 row")
    usual = odd({"x": NOTHING}, {"a": np.arange(30) % 3, "b": A}, form, values)
    assert not any("'9'" in sentence for sentence in usual)


@both_forms
def test_many_features_that_tell_whether_there_is_any_label_are_counted(form):
    features = {f"any {j}": np.maximum(A, B) * 1.0 for j in range(9)} | {"x": NOTHING}
    said = [sentence for sentence in odd(features, {"a": A, "b": B}, form) if "any label" in sentence]
    assert len(said) == 4
    has_line(said, "6 more features", "any label")
