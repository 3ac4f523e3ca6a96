"""What structures gain beside each other, told with the standard error of paired differences."""

import numpy as np
import pandas as pd
import pytest

from trellislib.takeaways import about_gains, nearest_lead

F = {"truth": 1.0, "truth, turned": 1.0, "pairs": 0.4, "FS": 0.8, "LEAD": 0.9}


def table(**gains):
    """Return a table of structures, each with its gains in points on every data set; the truth gains most."""
    of_each = {"truth": [9.0] * 4, "truth, turned": [9.0] * 4} | gains
    return pd.DataFrame(
        [(number, name, F[name], gain / 100) for name, of in of_each.items() for number, gain in enumerate(of)],
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
    assert about_gains(told, "LEAD", "FS") == "chains along LEAD and FS are not told apart (+0.10 ± 0.53 points)"
    same = table(FS=[1, 2, 3, 4], LEAD=[1, 2, 3, 4])
    assert about_gains(same, "LEAD", "FS") == "chains along LEAD and FS are not told apart (+0.00 ± 0.00 points)"


@pytest.mark.parametrize(
    ("steps", "gain", "is_clear"),
    [([0.4, 0.6, 0.5, 0.5], 0.5, True), ([-0.4, -0.6, -0.5, -0.5], -0.5, True), ([2.0, -2.0, 1.0, -0.6], 0.1, False)],
)
def test_the_nearest_is_compared_with_the_best_of_the_others(steps, gain, is_clear):
    each = np.array([1.0, 5.0, -2.0, 8.0])
    lead = nearest_lead(table(pairs=each - 1, FS=each, LEAD=each + np.array(steps)))
    assert (lead.nearest, lead.other, lead.is_clear) == ("LEAD", "FS", is_clear)
    assert 100 * lead.gain == pytest.approx(gain)
    assert 100 * lead.error == pytest.approx(np.std(steps, ddof=1) / 2)


def test_the_best_of_the_others_may_be_far_from_the_truth():
    lead = nearest_lead(table(pairs=[2, 2, 2, 2.1], FS=[1, 1, 1, 1], LEAD=[1, 1, 1.1, 1]))
    assert (lead.nearest, lead.other) == ("LEAD", "pairs")
    assert lead.is_clear
    assert lead.gain < 0
