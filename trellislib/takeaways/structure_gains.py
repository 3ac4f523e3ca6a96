"""Whether structures that are compared on the same data sets predict differently, and whether the nearest leads."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from trellislib.structure_comparison import TRUTH, TURNED
from trellislib.takeaways.recovery import is_clear


@dataclass(frozen=True)
class NearestLead:
    """How the structure that is nearest to the truth predicts beside the best of the others that were found.

    Attributes
    ----------
    nearest, other : str
        The structures; of equal ones the first.
    gain, error : float
        What the nearest gains above the other in exact match, as a share: the mean of the differences on each data
        set, and its standard error.
    is_clear : bool
        Whether a paired t-test at 5% tells the two apart.
    """

    nearest: str
    other: str
    gain: float
    error: float
    is_clear: bool


def nearest_lead(table: pd.DataFrame) -> NearestLead:
    """Compare the structure that is nearest to the truth with the best of the others that were found.

    Parameters
    ----------
    table : DataFrame
        As from `trellislib.structure_comparison.structure_comparison`.

    Returns
    -------
    NearestLead

    Examples
    --------
    >>> rows = [(0, "truth", 1, 0.5), (0, "FS", 0.9, 0.1), (0, "LEAD", 0.8, 0.2), (0, "pairs", 0.5, 0.1)]
    >>> rows += [(1, "truth", 1, 0.5), (1, "FS", 0.8, 0.1), (1, "LEAD", 0.8, 0.1), (1, "pairs", 0.4, 0.0)]
    >>> lead = nearest_lead(pd.DataFrame(rows, columns=["data set", "structure", "f", "gain"]))
    >>> lead.nearest, lead.other, round(lead.gain, 3), round(lead.error, 3), lead.is_clear
    ('FS', 'LEAD', -0.05, 0.05, False)
    """
    found = table[~table["structure"].isin([TRUTH, TURNED])]
    means = found.groupby("structure", sort=False)[["f", "gain"]].mean().round(12)
    nearest = str(means["f"].idxmax())
    other = str(means["gain"].drop(nearest).idxmax())
    gains = _gains(table)
    difference = gains[nearest] - gains[other]
    clear = is_clear(gains[nearest], gains[other])
    return NearestLead(nearest, other, float(difference.mean()), float(difference.sem()), clear)


def about_gains(table: pd.DataFrame, one: str, other: str) -> str:
    """Say what one structure gains above another on the same data sets, with the standard error of the mean.

    Parameters
    ----------
    table : DataFrame
        As from `trellislib.structure_comparison.structure_comparison`.
    one, other : str
        Two of its structures.

    Returns
    -------
    str
        Part of a sentence; in points of exact match. Two that a paired t-test at 5% does not tell apart are said not
        to be told apart.

    Examples
    --------
    >>> rows = [(0, "FS", 0.1), (0, "LEAD", 0.2), (1, "FS", 0.1), (1, "LEAD", 0.1)]
    >>> about_gains(pd.DataFrame(rows, columns=["data set", "structure", "gain"]), "LEAD", "FS")
    'chains along LEAD and FS are not told apart (+5.00 ± 5.00 points)'
    """
    gains = _gains(table)
    difference = 100 * (gains[one] - gains[other])
    mean, error = round(float(difference.mean()), 9) + 0.0, float(difference.sem())
    if not is_clear(gains[one], gains[other]):
        return f"chains along {one} and {other} are not told apart ({mean:+.2f} ± {error:.2f} points)"
    more = "more" if mean > 0 else "less"
    return f"a chain along {one} gains {abs(mean):.2f} ± {error:.2f} points {more} than along {other}"


def _gains(table: pd.DataFrame) -> pd.DataFrame:
    """Return the gains with a row for each data set and a column for each structure."""
    return table.pivot(index="data set", columns="structure", values="gain")
