"""Tables of a line for each instance and label, from every form of file."""

import io

import numpy as np
import pandas as pd
import pytest
from sentences import Containing
from written import csv, excel

from trellislib.data import load, read_table
from trellislib.data.dataset import DataError
from trellislib.data.reading.frames import frame_table
from trellislib.data.tables.proposals import Proposal

PAIRS = pd.DataFrame(
    {"id": list("aabbbcdde"), "label": ["sea", "sky", "sand", "sea", "sky", "sky", "sea", "sand", None]}
)
Y = [[0, 1, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0]]  # sand, sea, sky
FEATURES = PAIRS.assign(x=[5, 5, 6, 6, 6, 7, 8, 8, 9], hue=["red"] * 5 + ["blue"] * 4)


def parquet(frame):
    file = io.BytesIO()
    frame.to_parquet(file)
    return file.getvalue()


@pytest.mark.parametrize("form", [csv, excel, parquet])
def test_one_row_for_each_instance(form):
    data = load(form(FEATURES), long=("id", "label"))
    assert data.label_names == ("sand", "sea", "sky")
    assert data.Y.tolist() == Y
    assert data.feature_names == ("x", "hue")
    assert data.X[:, 0].tolist() == [5, 6, 7, 8, 9]
    assert data.row_names.tolist() == list("abcde")
    assert Containing("9 lines", "5 rows", "'id'") in data.provenance


def test_it_is_proposed_and_nobody_reads_lines_as_instances():
    assert read_table(csv(PAIRS)).proposal() == Proposal(long=("id", "label"))
    with pytest.raises(DataError, match=r"instance and a label.*long=\('id', 'label'\)"):
        load(csv(PAIRS))


def test_pairs_alone_have_no_feature():
    data = load(csv(PAIRS), long=("id", "label"))
    assert data.Y.tolist() == Y
    assert data.X.tolist() == [[1]] * 5
    assert Containing("No column", "feature", "train") in data.notes


def test_a_column_that_says_yes_or_no():
    wide = pd.DataFrame(Y, columns=["sand", "sea", "sky"]).assign(doc_id=range(5))
    long = wide.melt("doc_id", var_name="tag", value_name="applies")
    for said in (long, long.assign(applies=long["applies"].map({1: "yes", 0: "no"}))):
        table = frame_table(said)
        assert table.proposal().long == ("doc_id", "tag", "applies")
        assert table.per_instance(*table.proposal().long).to_dataset().Y.tolist() == Y


def test_features_that_change_within_an_instance_are_named():
    changed = FEATURES.assign(x=range(9))
    assert frame_table(changed).proposal().long == ()
    table = frame_table(changed).per_instance("id", "label")
    assert table.column(table.find("x")).tolist() == [0, 2, 5, 6, 8]
    assert Containing("'x'", "several values", "first") in table.notes


@pytest.mark.parametrize(
    "frame",
    [
        PAIRS.assign(label=["sea", "sea", *PAIRS["label"][2:]]),  # a pair twice
        PAIRS.assign(id=range(9)),  # no instance twice
        PAIRS.rename(columns={"label": "hue"}),  # nothing is called a label
    ],
)
def test_other_tables_are_not_taken_for_long_ones(frame):
    assert frame_table(frame).proposal().long == ()


def test_lines_without_an_instance_are_counted():
    table = frame_table(PAIRS.assign(id=[None, *PAIRS["id"][1:]])).per_instance("id", "label")
    assert table.n_rows == 5
    assert Containing("1 line", "no instance", "left out") in table.notes


def test_what_makes_no_long_table():
    table = frame_table(FEATURES.assign(how=["a", "b", "c"] * 3))
    with pytest.raises(DataError, match=r"two columns"):
        table.per_instance("id", "id")
    with pytest.raises(DataError, match=r"no column 'ids' .*nearest name is 'id'"):
        table.per_instance("ids", "label")
    with pytest.raises(DataError, match=r"'how' .*'a', 'b' and 'c'.*yes or no"):
        table.per_instance("id", "label", "how")
    with pytest.raises(DataError, match=r"names no instance"):
        frame_table(PAIRS.assign(id=np.nan)).per_instance("id", "label")
