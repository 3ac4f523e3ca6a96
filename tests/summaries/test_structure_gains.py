"""What structures gain beside each other, told with the standard error of paired differences."""

import numpy as np
import pandas as pd

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
    told = table(FS=each, LEAD=each + steps)
    error = steps.std(ddof=1) / 2
    assert about_gains(told, "LEAD", "FS") == f"a chain along LEAD gains 0.50 ± {error:.2f} points more than along FS"
    assert about_gains(told, "FS", "LEAD") == f"a chain along FS gains 0.50 ± {error:.2f} points less than along LEAD"


def test_what_may_be_chance_is_not_told_apart():
    told = table(FS=[1, 2, 3, 4], LEAD=[2, 1, 4, 3.4])
    assert (
        about_gains(told, "LEAD", "FS")
        == "chains along LEAD and FS are not told apart (LEAD minus FS: +0.10 ± 0.53 points)"
    )
    same = table(FS=[1, 2, 3, 4], LEAD=[1, 2, 3, 4])
    assert (
        about_gains(same, "LEAD", "FS")
        == "chains along LEAD and FS are not told apart (LEAD minus FS: +0.00 ± 0.00 points)"
    )


def test_one_data_set_tells_nothing():
    one = table(FS=[1], LEAD=[11])
    assert about_gains(one, "LEAD", "FS") == "on one data set, +10.00 points for a chain along LEAD over one along FS"
    assert about_gains(one, "FS", "LEAD") == "on one data set, -10.00 points for a chain along FS over one along LEAD"
    assert about_nearest(nearest_lead(one)) == "LEAD is not told apart from FS (+10.00 points)"


def test_the_nearest_beside_all_others():
    over = pd.DataFrame(
        {"gain": [-0.02, 0.01, 0.03, 0.04], "error": [0.001] * 4, "p": [0.05, 0.051, 0.01, 0.02]}, index=list("abcd")
    )
    assert about_nearest(NearestLead("near", over)) == (
        "near is clearly ahead of c (+3.00 ± 0.10 points) and d (+4.00 ± 0.10 points), not told apart from b (+1.00 ± "
        "0.10 points) and clearly behind a (-2.00 ± 0.10 points)"
    )
