import numpy as np
import pytest
from sentences import alike

from trellislib.data.dataset import DataError
from trellislib.data.reading.choice import choose_labels, with_labels
from trellislib.data.tables.table import Table

XML = b'<labels xmlns="http://mulan.sourceforge.net/labels"><label name="c"/><label name="a"></label></labels>'
TOY = Table(
    "toy.arff",
    ("a", "x", "c"),
    (None,) * 3,
    np.array([[0, 0.5, 1], [1, 0.1, 1]]),
    labels=("a",),
    labels_note="The columns were moved.",
    labels_source="-C 1 in the relation's name",
)


@pytest.mark.parametrize(
    ("labels", "names", "expected"),
    [
        (XML, ("c", "a"), ""),
        (-1, ("c",), "the number that was given: -1"),
        (["c"], ("c",), "the names that were given"),
    ],
)
def test_what_is_chosen_goes_before_what_the_file_declares(labels, names, expected):
    table = with_labels(TOY, labels)
    assert table.labels == names == choose_labels(TOY, labels)
    assert expected in table.labels_source
    assert table.to_dataset().notes == ()  # what is doubtful is about other labels
    number = f"{len(names)} label{'s' * (len(names) > 1)}"
    as_said = "chosen by name" if isinstance(labels, list) else f"according to {table.labels_source}"
    alike(table.to_dataset().provenance, (f"{number}, {as_said}.",))


def test_an_xml_file_is_named(tmp_path):
    (tmp_path / "sky.xml").write_bytes(XML)
    assert with_labels(TOY, tmp_path / "sky.xml").labels_source == "sky.xml"


def test_by_default_the_file_decides():
    assert with_labels(TOY) is TOY
    assert TOY.to_dataset().notes == ("The columns were moved.",)


def test_names_that_are_not_there():
    with pytest.raises(DataError, match=r"no column 'cc'.*nearest name .*'c'"):
        with_labels(TOY, XML.replace(b'"c"', b'"cc"'))
