import numpy as np
import pytest
from scipy import sparse

from trellislib.data.tables.columns import Columns
from trellislib.data.tables.proposals import proposed_labels, proposed_split


def table(columns):
    return Columns("toy.csv", tuple(columns), (None,) * len(columns), np.column_stack(list(columns.values())))


BITS, FEW, REAL = [0, 1, 0, 1], [0, 2, 3, 1], [0.1, 0.7, 1.2, 3.3]


@pytest.mark.parametrize(
    ("columns", "proposal"),
    [
        ({"x": REAL, "a": BITS, "b": BITS}, ("a", "b")),
        ({"a": BITS, "b": BITS, "x": REAL}, ("a", "b")),
        ({"x": REAL, "n": FEW, "a": BITS, "b": BITS}, ("a", "b")),
        ({"x": REAL, "n": FEW, "a": BITS}, ("n", "a")),
        ({"n": FEW, "a": BITS, "b": BITS}, ("a", "b")),
        ({"x": REAL, "a": BITS}, ("a",)),
        ({"a": BITS, "x": REAL}, ("a",)),
        ({"x": REAL, "y": REAL}, ()),
        ({"a": BITS, "b": BITS}, ()),
        ({"a": BITS}, ()),
    ],
)
def test_columns_of_few_values_at_an_end(columns, proposal):
    assert proposed_labels(table(columns)) == proposal


def test_labels_in_the_middle_are_proposed_when_no_end_has_any():
    rng = np.random.default_rng(0)
    cells = np.column_stack([rng.random(30), rng.integers(0, 2, (30, 2)), rng.random(30)])
    assert proposed_labels(Columns("made.csv", ("x", "a", "b", "z"), (None,) * 4, cells)) == ("a", "b")


@pytest.mark.parametrize(
    ("columns", "proposal"),
    [
        ({"label_1": BITS, "Label_2": FEW, "x": REAL, "z": BITS, "w": BITS}, ("label_1", "Label_2")),
        ({"y1": BITS, "x": REAL, "y2": BITS}, ("y1", "y2")),
        ({"y1": BITS, "y2": REAL, "a": BITS, "b": BITS}, ("a", "b")),  # y2 does not look like a label
        ({"yes": BITS, "year": BITS, "x": REAL, "a": BITS, "b": BITS}, ("a", "b")),  # y goes on there
        ({"x": REAL, "label": BITS, "z": BITS}, ("label", "z")),
        ({"y1": BITS, "y2": BITS}, ()),
    ],
)
def test_columns_that_are_called_alike(columns, proposal):
    assert proposed_labels(table(columns)) == proposal


def listing(texts, column="tags", form=np.asarray):
    """Return a table of a number and a column of texts."""
    seen = tuple(dict.fromkeys(texts))
    cells = np.array([[i / 7, seen.index(text)] for i, text in enumerate(texts)])
    return Columns("toy.csv", ("x", column), (None, seen), form(cells))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize(
    ("texts", "separator"),
    [
        (["a|b|c", "b|c", "a", "c|a"], "|"),
        (["a|b|a", "b|c", "a", "c|a"], "|"),
        (["Drama, Comedy", "Comedy", "Drama, Comedy, War", "War"], ","),
        (["['a', 'b']", "['b']", "['a']", "[]", "['b', 'a']"], ","),
        (["rock; pop music", "pop music", "rock", "rock;pop music;jazz", "jazz"], ";"),
        (["12 7", "7", "12 7 3", "3 12"], " "),
    ],
)
def test_lists_of_labels(texts, separator, form):
    assert proposed_split(listing(texts, form=form)) == ("tags", separator)


WORDS = ("the", "of", "sea", "sky", "and", "in", "sand", "a", "is", "blue")


def prose(rng, i):
    return " ".join([*rng.choice(WORDS, 5), f"word{i}", f"name{i}", *rng.choice(WORDS, 3)])


@pytest.mark.parametrize(
    "texts",
    [
        [prose(np.random.default_rng(i), i) + ", " + prose(np.random.default_rng(i + 99), -i) for i in range(50)],
        [f"{day:02}/{month:02}/2020" for day in range(1, 20) for month in range(1, 10)],
        ["Smith, Ann", "Smith, Bob", "Jones, Ann", "Jones, Bob"],  # always two parts
        ["red", "blue", "green", "blue"],
        ["New York", "Rome", "New Delhi", "York"],
        ["a|b"],
        ["the sea the sky", "sky", "sea the", "the sky the sea"],
    ],
    ids=["prose", "dates", "names", "values", "towns", "one", "repeats"],
)
def test_texts_that_list_nothing(texts):
    assert proposed_split(listing(texts)) is None


def test_the_name_and_then_the_place_of_a_column_decide():
    texts = ("a,b", "b,c", "a,b,c", "c")
    cells = np.column_stack([np.arange(4)] * 3)
    for names, best in ((("Genres", "land", "town"), "Genres"), (("land", "town", "river"), "river")):
        assert proposed_split(Columns("toy.csv", names, (texts,) * 3, cells * 1.0)) == (best, ",")


def test_dates_list_nothing():
    toy = listing(["a|b|c", "b|c", "a", "c|a"])
    assert proposed_split(Columns(toy.name, toy.columns, toy.categories, toy.cells, unusable={"tags": "dates"})) is None
