"""Groups of methods that do not differ: the bars of a critical-distance diagram."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd


def groups_of(average_ranks: pd.Series, differs: Callable[[str, str], bool]) -> tuple[tuple[str, ...], ...]:
    """Find the largest runs of methods, in the order of their average ranks, in which no two differ.

    A group is a run of neighbours, since a diagram draws it as a bar over an interval of ranks. Where `differs` is a
    distance of ranks, two methods that do not differ always share a group. Where it is not, as with pairwise tests, a
    method between two others may differ from one of them; then the two share no group although they do not differ,
    rather than that a bar covers a pair that does.

    Parameters
    ----------
    average_ranks : Series of shape (n_methods,)
        Lower is better. Methods of the same average rank are taken in their order here.
    differs : callable (str, str) -> bool
        Whether two methods differ.

    Returns
    -------
    tuple of tuple of str
        Each of two methods or more, best first; none is part of another, and overlapping ones are kept apart. Empty
        where all differ.

    References
    ----------
    Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning Research 7,
    2006, section 3.2.2.

    Examples
    --------
    >>> ranks = pd.Series({"IC": 4.0, "CT": 2.0, "ECT": 1.0, "CC": 3.0})
    >>> groups_of(ranks, lambda one, other: abs(ranks[one] - ranks[other]) >= 1.5)
    (('ECT', 'CT'), ('CT', 'CC'), ('CC', 'IC'))
    """
    ordered = list(average_ranks.sort_values(kind="stable").index)
    groups = []
    begin = 0
    for end, method in enumerate(ordered, start=1):
        in_the_way = [i for i in range(begin, end - 1) if differs(ordered[i], method)]
        if in_the_way:
            groups.append(ordered[begin : end - 1])
            begin = in_the_way[-1] + 1
    groups.append(ordered[begin:])
    return tuple(tuple(group) for group in groups if len(group) > 1)
