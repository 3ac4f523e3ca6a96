"""The power of the size of the data with which a cost grows, from measured times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

MAIN_BASE = "least squares"
"""The base learner of tables and figures of growth that name none."""


def growth_exponent(sizes: Sequence[float] | pd.Series, seconds: Sequence[float] | pd.Series) -> float:
    """Return the power of the size with which seconds grow.

    It is the slope of a line through the logarithms, fitted by least squares to the larger half of the sizes (at least
    two), where costs that are the same at every size matter least.

    Parameters
    ----------
    sizes, seconds : sequence of float
        What was measured, in ascending order of the sizes, all above 0.

    Returns
    -------
    float
        NaN where there are fewer than two sizes.

    Examples
    --------
    >>> round(growth_exponent([10, 100, 1000, 10000], [1.0, 1.0, 2.0, 200.0]), 6)
    2.0
    """
    first = max(min(len(sizes) // 2, len(sizes) - 2), 0)
    x, y = np.log(np.asarray(sizes, dtype=float)[first:]), np.log(np.asarray(seconds, dtype=float)[first:])
    return float(np.polyfit(x, y, 1)[0]) if len(x) > 1 else np.nan
