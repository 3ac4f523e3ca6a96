"""What structures gain over each other, with the standard error of paired differences."""

import numpy as np
import pandas as pd
import pytest
from sentences import holds

from trellislib.studies.structure_comparison import NearestLead, nearest_lead
from trellislib.summaries import about_gains, about_nearest

F = {"FS": 0.8, "LEAD": 0.9}


def table(**gains):
    """Return a table of structures, each with its gains in points on every data set."""
    return pd.DataFrame(
        [(number, name, F[name], gain / 100) for name, of in gains.items() for number, gain in enumerate(of)],
        columns=["data set", "structure", "f", "gain"],
    )


def test_differences_are_paired():
    each = np.array([1.0, 5.0, -2.0, 8.0])  # data sets differ more than structures
    steps = np.array([0.4, 0.6, 0.5, 0.5])
    found = table(FS=each, LEAD=each + steps)
    much = f"0.50 ± {steps.std(ddof=1) / 2:.2f} points"
    holds(about_gains(found, "LEAD", "FS"), f"LEAD gains {much} more", "FS")
    holds(about_gains(found, "FS", "LEAD"), f"FS gains {much} less", "LEAD")


@pytest.mark.parametrize(
    ("lead", "difference"), [([2, 1, 4, 3.4], "+0.10 ± 0.53 points"), ([1, 2, 3, 4], "+0.00 ± 0.00 points")]
)
def test_what_may_be_chance_is_no_gain(lead, difference):
    found = about_gains(table(FS=[1, 2, 3, 4], LEAD=lead), "LEAD", "FS")
    holds(found, "not differ", f"LEAD minus FS: {difference}")
    assert "gains" not in found


def test_one_data_set_shows_no_gain():
    one = table(FS=[1], LEAD=[11])
    holds(about_gains(one, "LEAD", "FS"), "one data set", "+10.00 points", "LEAD", "over one along FS")
    holds(about_gains(one, "FS", "LEAD"), "one data set", "-10.00 points", "FS", "over one along LEAD")
    holds(about_nearest(nearest_lead(one)), "LEAD is not significantly different from FS (+10.00 points)")


def test_the_nearest_and_all_others():
    over = pd.DataFrame(
        {"gain": [-0.02, 0.01, 0.03, 0.04], "error": [0.001] * 4, "p": [0.05, 0.051, 0.01, 0.02]}, index=list("abcd")
    )
    found = about_nearest(NearestLead("near", over))
    holds(found, "ahead of c (+3.00 ± 0.10 points) and d (+4.00 ± 0.10 points)")
    holds(found, "not significantly different from b (+1.00 ± 0.10 points)", "clearly behind a (-2.00 ± 0.10 points)")
