"""What structures gain in prediction on the same data sets, in parts of sentences."""

from __future__ import annotations

import pandas as pd

from trellislib.studies.structure_comparison import NearestLead, gains_of
from trellislib.summaries.recovery import is_clear
from trellislib.wording import in_points, listed


def about_gains(table: pd.DataFrame, one: str, other: str) -> str:
    """Return what one structure gains above another on the same data sets, with the standard error of the mean.

    Parameters
    ----------
    table : DataFrame
        As from `trellislib.studies.structure_comparison.structure_comparison`.
    one, other : str
        Two of its structures.

    Returns
    -------
    str
        Part of a sentence; in points of exact match. Where a paired t-test at 5% finds no difference, neither gains.
        Of a single data set, the text has the difference alone.

    Examples
    --------
    >>> rows = [(0, "FS", 0.1), (0, "LEAD", 0.2), (1, "FS", 0.1), (1, "LEAD", 0.1)]
    >>> about_gains(pd.DataFrame(rows, columns=["data set", "structure", "gain"]), "LEAD", "FS")
    'chains along LEAD and FS do not differ significantly (LEAD minus FS: +5.00 ± 5.00 points)'
    """
    gains = gains_of(table)
    difference = gains[one] - gains[other]
    mean, error = difference.mean(), difference.sem()
    if len(difference) == 1:
        return f"on one data set, {in_points(mean, error)} for a chain along {one} over one along {other}"
    if not is_clear(gains[one], gains[other]):
        minus = f"{one} minus {other}: {in_points(mean, error)}"
        return f"chains along {one} and {other} do not differ significantly ({minus})"
    more = "more" if mean > 0 else "less"
    return f"a chain along {one} gains {in_points(mean, error, signed=False)} {more} than along {other}"


def about_nearest(lead: NearestLead) -> str:
    """Return how the structure that is nearest to the truth predicts next to each of the others that were found.

    Parameters
    ----------
    lead : NearestLead
        As from `trellislib.studies.structure_comparison.nearest_lead`.

    Returns
    -------
    str
        Part of a sentence; differences in points of exact match, with their standard errors.

    Examples
    --------
    >>> over = pd.DataFrame({"gain": [-0.01, 0.02], "error": [0.01, 0.005], "p": [0.4, 0.01]}, index=["FS", "pairs"])
    >>> about_nearest(NearestLead("LEAD", over))
    'LEAD is clearly ahead of pairs (+2.00 ± 0.50 points) and not significantly different from FS (-1.00 ± 1.00 points)'
    """
    gains = {name: f"{name} ({in_points(row.gain, row.error)})" for name, row in lead.over.iterrows()}
    alike = [name for name in gains if name not in (*lead.ahead_of, *lead.behind)]
    kinds = {
        "clearly ahead of": lead.ahead_of,
        "not significantly different from": alike,
        "clearly behind": lead.behind,
    }
    clauses = [f"{how} {listed([gains[name] for name in of])}" for how, of in kinds.items() if of]
    return f"{lead.nearest} is {listed(clauses)}"
