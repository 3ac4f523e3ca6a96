import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentences import Containing

from trellislib.data import load, read_table
from trellislib.data.tables.label_lists import indicators, read_lists
from trellislib.data.tables.schema import Schema


@pytest.mark.parametrize(
    ("texts", "separator", "lists"),
    [
        (["a|b", " b | c |", ""], "|", [["a", "b"], ["b", "c"], []]),
        (["[a; b]", "[]", " [b] "], ";", [["a", "b"], [], ["b"]]),
        (["{a,b}", "b"], ",", [["{a", "b}"], ["b"]]),  # not all have braces
        (["(a) x, b", "c"], ",", [["(a) x", "b"], ["c"]]),
        (["['it\\'s', \"b, c\"]", "['d']"], ",", [["it's", "b, c"], ["d"]]),
        (["['a' 'b']", "['b'\n 'c']"], " ", [["a", "b"], ["b", "c"]]),
        (["'a', b", "'c'"], ",", [["'a'", "b"], ["'c'"]]),  # not all have quotes
        (["'a'|'b'", "'a"], "|", [["'a'", "'b'"], ["'a"]]),
        (["a  b\tc"], " ", [["a", "b", "c"]]),
        (["a, b||c"], "||", [["a, b", "c"]]),
        (["[", "a"], ",", [["["], ["a"]]),
        ([], ",", []),
    ],
)
def test_lists(texts, separator, lists):
    assert read_lists(texts, separator) == lists


@given(st.lists(st.lists(st.text("ab'\"\\ ,[", min_size=1).filter(lambda t: t == t.strip()), max_size=3), max_size=5))
def test_python_lists_are_read_back(lists):
    texts = [repr(labels) for labels in lists]
    if any("\\\\" in text for text in texts):  # the doubled backslashes of Python stay doubled
        return
    assert read_lists(texts, ",") == lists


@given(st.lists(st.lists(st.sampled_from(["10", "9", "-1.5", "2"]), max_size=4), max_size=6))
def test_indicators_agree_with_the_lists(lists):
    labels, cells = indicators(lists)
    assert list(labels) == sorted({label for found in lists for label in found}, key=float)
    assert cells.shape == (len(lists), len(labels))
    for row, found in zip(cells.toarray(), lists, strict=True):
        assert {label for label, cell in zip(labels, row, strict=True) if cell} == set(found)
        assert set(row) <= {0.0, 1.0}


def test_names_are_sorted_as_texts():
    assert indicators([["b", "10"], ["a"]])[0] == ("10", "a", "b")


def test_what_stands_for_no_label():
    csv = b"x,genres\n1,(no genres listed)\n2,Drama|Comedy\n3,Drama\n4,(no genres listed)\n"
    data = load(csv, split=("genres", "|"))
    assert data.label_names == ("Comedy", "Drama")
    assert data.Y.tolist() == [[0, 0], [1, 1], [0, 1], [0, 0]]
    assert Containing("'(no genres listed)'", "no label", "2 rows") in data.notes
    assert load(csv, split=("genres", "|", "")).label_names == ("(no genres listed)", "Comedy", "Drama")
    assert load(csv, split=("genres", "|", "Drama")).n_labels == 3, "it does not stand alone"
    new = data.schema.labels(read_table(csv))
    assert (new.Y.toarray().tolist(), new.notes) == (data.Y.tolist(), [])


@pytest.mark.parametrize("names", ["sea,sky", "tag_sea,Tag sky", "sea,is_sky"])
def test_labels_that_stand_twice_are_read_once(names):
    rows = f"x,{names},tags\n0.5,1,0,sea\n0.1,1,1,sea|sky\n0.2,0,1,sky\n0.3,0,0,\n"
    data = load(rows.encode(), split=("tags", "|"))
    assert (data.feature_names, data.label_names) == (("x",), ("sea", "sky"))
    assert Containing(names.split(",")[0], "the same as the lists in 'tags'", "left out") in data.notes
    other = load(rows.replace("0.5,1,0", "0.5,0,0").encode(), split=("tags", "|"))
    assert names.split(",")[0] in other.feature_names


PATHS = b"x,kind\n0.5,animal/cat@plant\n0.1,animal/dog/big\n0.2,\n0.3,plant/tree@animal/cat\n0.4,animal/dog/big\n"


def test_labels_that_are_paths_are_read_as_written_or_with_those_above():
    written = load(PATHS, split=("kind", "@"))
    assert written.label_names == ("animal/cat", "animal/dog/big", "plant", "plant/tree")
    assert Containing("'animal/dog/big'", "paths", "as written", "ancestors=True") in written.notes
    data = load(PATHS, split=("kind", "@"), ancestors=True)
    assert data.label_names == ("animal", "animal/cat", "animal/dog", "animal/dog/big", "plant", "plant/tree")
    assert data.Y[:, 0].tolist() == [1, 1, 0, 1, 1]
    assert data.Y[:, 4].tolist() == [1, 0, 0, 1, 0]
    assert Containing("2 labels", "added") in data.notes
    schema = Schema.from_json(data.schema.as_json())
    new = schema.labels(read_table(b"x,kind\n0.5,animal/dog/big\n0.7,plant/tree\n", "new.csv"))
    assert new.Y.toarray().tolist() == [[1, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]]


def test_a_hierarchical_attribute_of_clus_lists_paths():
    content = b"@relation c\n@attribute x numeric\n@attribute class hierarchical a,a/b,c\n@data\n" + b"".join(
        b"%d,%s\n" % (i, kinds) for i, kinds in enumerate((b"a/b@c", b"a", b"c@a", b"a/b", b"a/b@c", b"a@c"))
    )
    assert load(content, split=("class", "@"), ancestors=True).label_names == ("a", "a/b", "c")
