"""What trellises capture at every width and with every parent pattern: the curve from which to choose both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from trellislib.dependence import InformationRows, symmetric
from trellislib.graphs.placement import (
    PATTERNS,
    Offset,
    capture_bounds,
    captured_dependence,
    random_captures,
    trellis,
)
from trellislib.running.checks import require_integer
from trellislib.running.progress import Cancelled, Progress, stop_if

BAND = (5, 95)  # percentiles of the random placements


def selected_widths(n_labels: int, most: int = 15) -> list[int]:
    """Return the widths of a curve: all from 1 to `n_labels`, or of many a geometric selection.

    Parameters
    ----------
    n_labels : int
        Number of labels.
    most : int, default=15
        How many widths at most, at least 2.

    Returns
    -------
    list of int
        In increasing order, with 1 and `n_labels`.

    Raises
    ------
    ValueError
        If `most` is below 2.

    Examples
    --------
    >>> selected_widths(5), selected_widths(983, most=8)
    ([1, 2, 3, 4, 5], [1, 3, 7, 19, 51, 137, 367, 983])
    """
    require_integer("most", most, lowest=2)
    if n_labels <= most:
        return list(range(1, n_labels + 1))
    return sorted({int(width) for width in np.geomspace(1, n_labels, most).round()})


def capture_curve(
    dependence: np.ndarray | InformationRows,
    widths: Iterable[int] | None = None,
    patterns: Mapping[str, Sequence[Offset]] | None = None,
    *,
    placement: str = "hill-climbing",
    n_placements: int = 100,
    random_state: int | np.random.RandomState | None = 0,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> pd.DataFrame:
    """Return what a placement captures at every width and with every pattern, next to random ones and a bound.

    Parameters
    ----------
    dependence : ndarray of shape (n_labels, n_labels), or InformationRows
        Symmetric pairwise dependence, never negative.
    widths : iterable of int, optional
        By default those of `selected_widths`.
    patterns : mapping of str to sequence of (int, int), optional
        Parent patterns by name; by default all of `trellislib.graphs.PATTERNS`.
    placement : str, default="hill-climbing"
        As for `trellislib.graphs.trellis`.
    n_placements : int, default=100
        Random placements of each width and pattern.
    random_state : int, RandomState or None, default=0
        Seed of the placement and of the random ones.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`; called once per pattern and width.

    Returns
    -------
    DataFrame
        A row for each pattern and width, with the columns pattern, width, edges, captured (by `placement`), random
        (the mean), random_low and random_high (5th and 95th percentile), and bound, as by
        `trellislib.graphs.capture_bound`. All but the first three are in the unit of `dependence`.

    Raises
    ------
    ValueError
        As by `trellislib.graphs.trellis`.
    CancelledError
        If it was cancelled.

    Examples
    --------
    >>> import numpy as np
    >>> I = np.array([[0, 9, 1, 0], [9, 0, 0, 5], [1, 0, 0, 2], [0, 5, 2, 0]])
    >>> capture_curve(I, patterns={"left": [(0, -1)]})[["pattern", "width", "edges", "captured", "bound"]]
      pattern  width  edges  captured  bound
    0    left      1      0       0.0    0.0
    1    left      2      2      11.0   12.5
    2    left      3      2       7.0   14.0
    3    left      4      3      16.0   16.0
    """
    require_integer("n_placements", n_placements)
    dependence = symmetric(dependence, "dependence")
    widths = selected_widths(len(dependence)) if widths is None else list(widths)
    lattices = [
        (name, width, offsets)
        for name, offsets in (PATTERNS if patterns is None else patterns).items()
        for width in widths
    ]
    bounds = capture_bounds(dependence, [(width, offsets) for _, width, offsets in lattices])
    rows: list[dict[str, object]] = []
    for number, (name, width, offsets) in enumerate(lattices):
        stop_if(cancelled)
        if progress is not None:
            progress(number, len(lattices), f"{name}, width {width:,}")
        placed = trellis(dependence, width, offsets, placement=placement, random_state=random_state)
        drawn = random_captures(dependence, width, offsets, n_placements=n_placements, random_state=random_state)
        low, high = np.percentile(drawn, BAND)
        rows.append(
            {
                "pattern": name,
                "width": width,
                "edges": sum(map(len, placed.parents)),
                "captured": captured_dependence(placed, dependence),
                "random": drawn.mean(),
                "random_low": low,
                "random_high": high,
                "bound": next(bounds),
            }
        )
    if progress is not None:
        progress(len(lattices), len(lattices), "all widths")
    return pd.DataFrame(rows)
