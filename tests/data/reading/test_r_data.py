"""Files of R."""

import bz2
import gzip

import numpy as np
import pandas as pd
import pytest
import rdata
from sentences import has_line, holds

from trellislib.data import DataError, load, read_table

DATASET = pd.DataFrame(
    {
        "x": [0.5, np.nan, 0.7],
        "colour": pd.Categorical(["red", "blue", "red"]),
        "sunny": [1.0, 0.0, 1.0],
        "warm": [0.0, 1.0, 1.0],
        ".labelcount": [1.0, 1.0, 2.0],
    }
)
LABELS = pd.DataFrame({"index": [3, 4], "count": [2, 2]}, index=pd.Index(["sunny", "warm"], dtype=object))
MLDR = {"name": "sky", "dataset": DATASET, "labels": LABELS}


def written(tmp_path, name, value):
    path = tmp_path / name
    (rdata.write_rds if name.endswith(".rds") else rdata.write_rda)(path, value)
    return path


def test_an_mldr_object_has_its_labels_and_not_the_columns_that_it_adds(tmp_path):
    other = DATASET[["x"]]
    table = read_table(written(tmp_path, "sky.rda", {"other": other, "sky": MLDR}))
    assert (table.columns, table.labels) == (("x", "colour", "sunny", "warm"), ("sunny", "warm"))
    has_line("\n".join(table.provenance), "other", "not read")
    data = load(tmp_path / "sky.rda")
    assert data.Y.tolist() == [[1, 0], [0, 1], [1, 1]]
    assert data.label_names == ("sunny", "warm")


@pytest.mark.parametrize("name", ["sky.rda", "sky.rds"])
def test_a_data_frame_is_a_table(tmp_path, name):
    value = DATASET if name.endswith(".rds") else {"sky": DATASET}
    table = read_table(written(tmp_path, name, value))
    assert table.columns == tuple(DATASET.columns)
    assert table.labels is None
    assert table.categories[1] == ("blue", "red")
    packed = tmp_path / "sky.bin"
    packed.write_bytes(bz2.compress(gzip.decompress((tmp_path / name).read_bytes())))
    assert read_table(packed).columns == table.columns


def test_what_is_no_data_is_refused(tmp_path):
    path = written(tmp_path, "sky.rda", {"numbers": [1.0, 2.0]})
    with pytest.raises(DataError) as error:
        read_table(path)
    holds(str(error.value), "sky.rda", "no data frame", "write_arff")
    damaged = path.read_bytes()
    path.write_bytes(gzip.decompress(damaged)[:40])
    with pytest.raises(DataError) as error:
        read_table(path)
    holds(str(error.value), "sky.rda", "damaged", "write.csv")
