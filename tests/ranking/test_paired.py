"""The paired t-test, and where it tells nothing."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from trellislib.ranking.paired import paired_p


def test_it_is_students():
    """Differences 1, 1, 1 and 1.9: a mean of 1.225 with an error of 0.225."""
    one, other = pd.Series([1.0, 4.0, 2.0, 0.0]), pd.Series([0.0, 3.0, 1.0, -1.9])
    assert paired_p(one, other) == pytest.approx(2 * t.sf(1.225 / 0.225, 3))
    assert paired_p(other, one) == pytest.approx(paired_p(one, other))


def test_a_single_pair_has_no_evidence():
    assert paired_p(pd.Series([0.9]), pd.Series([0.1])) == 1


def test_differences_that_are_all_the_same():
    base = pd.Series(np.linspace(0.1, 0.7, 5))
    assert paired_p(base, base) == 1
    assert paired_p(base + 0.1, base) == 0
    assert paired_p(base + 1e-12, base) == 1
