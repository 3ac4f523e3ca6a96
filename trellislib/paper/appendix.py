"""Appendix A of the paper: which of FS and LEAD finds a known graph better."""

from __future__ import annotations

import pandas as pd

from trellislib.graphs.recovery import recovery_batch
from trellislib.paper.published import published

TITLE = "Does conditional dependence (LEAD) find a graph better than marginal dependence (FS)?"
SOURCE = "Appendix A"
PROTOCOL = "Mean F-measure of the directed edges over 10 simulated data sets of random difficulty."
DIFFERENCES = (
    "The paper does not say how many labels, features and instances there were, or what makes an edge; here there are "
    "20 labels, 10 features and 500 instances, and a G-test at 0.01. Nor does it say whether directions count: here "
    "they do, and the F-measure of the edges without directions is given, too."
)
SECONDS = 5.0  # of a batch, about
_OURS = {"FS": "FS", "LEAD (error)": "LEAD"}  # LEAD as the paper has it, from residuals that are errors or none


def published_f() -> pd.DataFrame:
    """Return the F-measures that the paper prints.

    Returns
    -------
    DataFrame of shape (1, 2)
        Methods in columns.

    Examples
    --------
    >>> published_f()
                          FS   LEAD
    dataset
    10 simulated sets  0.278  0.263
    """
    printed = published("appendix").query("quantity == 'F-measure'").set_index("method")["value"]
    return _row(printed)


def measured_f(batch: pd.DataFrame, measure: str = "f") -> pd.DataFrame:
    """Return our F-measures, laid out as `published_f`.

    Parameters
    ----------
    batch : DataFrame
        What `batch` returned.
    measure : {"f", "skeleton_f"}, default="f"
        Of the directed edges, or of the edges without their directions.

    Returns
    -------
    DataFrame of shape (1, 2)
    """
    return _row(batch.groupby("structure")[measure].mean().rename(index=_OURS))


def batch(random_state: int | None = 0, n_datasets: int = 10) -> pd.DataFrame:
    """Recover known graphs with FS and LEAD; see `trellislib.graphs.recovery_batch`, which this calls.

    Examples
    --------
    >>> measured_f(batch(n_datasets=2)).shape
    (1, 2)
    """
    return recovery_batch(list(_OURS), n_datasets=n_datasets, random_state=random_state)


def _row(of_methods: pd.Series) -> pd.DataFrame:
    table = of_methods.loc[list(_OURS.values())].to_frame("10 simulated sets").T
    return table.rename_axis(index="dataset", columns=None)
