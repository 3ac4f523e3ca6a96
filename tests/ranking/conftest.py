from pathlib import Path

import pandas as pd
import pytest

PAPER = Path(__file__).parents[2] / "trellislib" / "paper" / "tables"


@pytest.fixture
def paper_table():
    """The paper's table of a name: a row for each of 10 data sets, of which methods finished on 8."""

    def read(name):
        return pd.read_csv(PAPER / f"{name}.csv", index_col="dataset")

    return read


@pytest.fixture
def two_alike():
    """Four methods on six data sets, two of which score the same everywhere."""
    return pd.DataFrame(
        {
            "IC": [0.50, 0.61, 0.42, 0.73, 0.35, 0.66],
            "CT": [0.55, 0.64, 0.47, 0.71, 0.41, 0.70],
            "CT_copy": [0.55, 0.64, 0.47, 0.71, 0.41, 0.70],
            "ECC": [0.58, 0.60, 0.49, 0.77, 0.44, 0.69],
        },
        index=["d1", "d2", "d3", "d4", "d5", "d6"],
    )


@pytest.fixture
def three_datasets():
    return pd.DataFrame(
        [[0.50, 0.55, 0.56, 0.58], [0.60, 0.63, 0.66, 0.65], [0.40, 0.47, 0.45, 0.49]],
        index=["d1", "d2", "d3"],
        columns=["IC", "CC", "CT", "ECT"],
    )
