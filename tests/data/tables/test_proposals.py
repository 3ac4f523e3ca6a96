import numpy as np
import pytest
from scipy import sparse

from trellislib.data.tables.columns import Columns
from trellislib.data.tables.proposals import Proposal, proposal, proposed_labels, proposed_split, why_no_proposal


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


PROSE = ("bus late", "late and slow bus", "slow", "so late so slow")
AGREE = ("agree", "disagree")
NAN = np.nan


def survey(columns, categories, unusable=(), what="identifiers"):
    """Return a table of columns of cells, some categorical, some that hold what is neither feature nor label."""
    cells = np.column_stack([np.asarray(cells, dtype=float) for cells in columns.values()])
    values = tuple(categories.get(name) for name in columns)
    return Columns("survey.xlsx", tuple(columns), values, cells, unusable=dict.fromkeys(unusable, what))


@pytest.mark.parametrize("column", ["moods", "tags"])
def test_columns_that_agree_win_over_lists_unless_these_are_called_so(column):
    lists = {column: [0, 1, 2, 3], "sex": [0, 1, 1, 0]}
    labels = {"fast": [0, 1, NAN, 1], "cheap": [1, 1, 0, NAN]}
    values = {column: ("a|b|c", "b|c", "a", "c|a"), "sex": ("f", "m"), "fast": AGREE, "cheap": AGREE}
    by_lists, by_labels = Proposal(split=(column, "|")), Proposal(("fast", "cheap"))
    for columns in (lists | labels, labels | lists | {"x": REAL}):
        assert proposal(survey(columns, values)) == (by_lists if column == "tags" else by_labels)
    assert proposal(survey({"x": REAL, **lists, "fast": labels["fast"]}, values)) == by_lists


def test_the_same_two_values_may_be_spelt_in_several_ways_and_one_may_be_absent():
    columns = {"x": REAL, "sex": BITS, "a": BITS, "b": [0, 0, 1, 2], "c": [0, 0, 0, 0], "d": BITS}
    values = {"sex": ("f", "m"), "a": ("no", "Yes"), "b": ("NO", "no", "yes"), "c": ("No",), "d": ("no", "yes")}
    assert proposed_labels(survey({**columns, "b": BITS}, {**values, "b": ("NO", "yes")})) == ("a", "b", "c", "d")
    assert proposed_labels(survey(columns, values)) == ("c", "d")  # three spellings are more than two values


def test_columns_of_other_pairs_are_proposed_together_where_no_two_agree():
    columns = {"x": REAL, "a": BITS, "b": BITS, "c": BITS}
    values = {"a": ("dry", "wet"), "b": ("cold", "warm"), "c": ("dark", "light")}
    assert proposed_labels(survey(columns, values)) == ("a", "b", "c")


@pytest.mark.parametrize(
    ("texts", "column", "separator"),
    [
        (("12 7", "7", "12 7 3", "3 12"), "codes", " "),
        (("GO:1 GO:2", "GO:3 GO:2", "GO:1", "GO:2 GO:1 GO:3"), "terms", " "),
        (("sea sky", "sky", "sand sky", "sky sand sea"), "terms", None),
        (("sea sky", "sky", "sand sky", "sky sand sea"), "Topics", " "),
    ],
)
def test_words_between_blanks_are_labels_only_where_a_column_is_called_so(texts, column, separator):
    assert proposed_split(listing(texts, column)) == (separator and (column, separator))
    alone = Columns("Y.csv", (column,), (texts,), np.arange(len(texts))[:, np.newaxis] * 1.0)
    assert proposed_split(alone) == (column, " ")  # a file of nothing but lists


def test_columns_that_were_one_column_are_features():
    hues = {"tag_hue=red": BITS, "tag_hue=blue": [1, 0, 1, 0]}
    assert proposed_labels(table({"x": REAL, **hues, "a": BITS, "b": BITS})) == ("a", "b")
    assert proposed_labels(table({"a": BITS, "b": BITS, "x": REAL, **hues})) == ("a", "b")
    assert proposed_labels(table({"x": REAL, **hues, "z": REAL})) == ()
    assert proposed_labels(table({"x": REAL, "a=1": BITS, "b=1": BITS})) == ("a=1", "b=1")


def test_columns_that_are_mostly_empty_are_no_labels_unless_they_are_called_so():
    thin, half = [0, NAN, NAN, NAN], [0, 1, NAN, NAN]
    assert proposed_labels(table({"x": REAL, "c": thin, "a": half, "b": BITS})) == ("a", "b")
    assert proposed_labels(table({"x": REAL, "a": thin, "b": thin})) == ()
    assert proposed_labels(table({"x": REAL, "y1": thin, "y2": thin})) == ("y1", "y2")


@pytest.mark.parametrize(
    ("columns", "unusable", "why"),
    [
        ({"x": REAL, "a": BITS, "b": BITS}, (), ""),
        ({"a": BITS, "b": BITS}, (), "every column looks like a label, so no feature is left"),
        ({"day": REAL, "a": BITS, "b": BITS}, ("day",), "every column looks like a label, so no feature is left"),
        ({"x": REAL, "y_1": REAL}, (), "'y_1' holds continuous numbers, and no other columns look like labels"),
        ({"x": REAL, "z": REAL}, (), "no column looks like a label"),
        ({"day": REAL}, ("day",), "no column looks like a label"),
    ],
)
def test_why_nothing_is_proposed(columns, unusable, why):
    assert why_no_proposal(survey(columns, {}, unusable)) == why


def test_prose_is_no_list_next_to_labels():
    columns = {"comment": [0, 1, 2, 3], "a": BITS, "b": BITS}
    assert proposal(survey(columns, {"comment": PROSE, "a": AGREE, "b": AGREE})) == Proposal(("a", "b"))


@pytest.mark.parametrize("what", ["free text", "dates"])
def test_texts_and_dates_are_features_enough(what):
    table = survey({"said": REAL, "a": BITS, "b": BITS}, {}, ["said"], what)
    assert proposal(table) == Proposal(("a", "b"))
