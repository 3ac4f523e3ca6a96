"""Pairs of methods over data sets as a table that people read: effect sizes and p-values."""

from __future__ import annotations

import pandas as pd

from trellislib.ranking.comparison import DatasetComparison
from trellislib.wording import p_value


def pairs_table(found: DatasetComparison) -> pd.DataFrame:
    """Return the pairs of a comparison as texts, the better method first, the smallest p-value first.

    Parameters
    ----------
    found : DatasetComparison
        As by `trellislib.ranking.nemenyi` or `trellislib.ranking.wilcoxon_holm`.

    Returns
    -------
    DataFrame
        A row for each pair, with the columns of `DatasetComparison.pairs` in words.

    Examples
    --------
    >>> from trellislib.ranking import wilcoxon_holm
    >>> scores = pd.DataFrame({"IC": [0.5, 0.5, 0.5, 0.2, 0.4, 0.6], "CT": [0.75, 0.75, 0.5, 0.3, 0.5, 0.65]})
    >>> print(pairs_table(wilcoxon_holm(scores)).T.to_string(header=False))
    Method                       CT
    Other                        IC
    Better on          5 of 6 (1 =)
    Median lead              +0.100
    95 % interval  +0.000 to +0.250
    Rank-biserial             +0.95
    p                        0.062
    """
    pairs = found.pairs
    reach = pairs["low"].map("{:+.3f}".format) + " to " + pairs["high"].map("{:+.3f}".format)
    equal = pairs["zeros"].map(lambda zeros: f" ({zeros} =)" if zeros else "")
    return pd.DataFrame(
        {
            "Method": pairs["method"],
            "Other": pairs["other"],
            "Better on": pairs["wins"].astype(str) + f" of {found.n_datasets}" + equal,
            "Median lead": pairs["median"].map("{:+.3f}".format).where(pairs["median"].notna(), "none"),
            "95 % interval": reach.where(pairs["low"].notna(), "needs 6 data sets"),
            "Rank-biserial": pairs["rank_biserial"].map("{:+.2f}".format),
            "p": pairs["p"].map(p_value),
        }
    )
