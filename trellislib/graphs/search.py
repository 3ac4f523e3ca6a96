"""Placement by trial: labels change places where that pays off."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.utils import check_random_state

from trellislib.graphs.placement import Trellis
from trellislib.running.checks import require_integer
from trellislib.running.progress import Cancelled, Progress, stop_if


def searched_trellis(
    start: Trellis,
    payoff: Callable[[Trellis], float],
    *,
    n_swaps: int = 100,
    random_state: int | np.random.RandomState | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Trellis:
    """Let two random labels change places again and again, and keep each change that pays off.

    Parameters
    ----------
    start : Trellis
        Where to start.
    payoff : callable
        Takes a trellis and returns its score, as by cross-validation; higher is better. It is called
        once with each trellis.
    n_swaps : int, default=100
        How many changes are tried: the budget.
    random_state : int, RandomState or None
        Seed of the changes.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`; called after each change.

    Returns
    -------
    Trellis
        At least as good as `start`.

    Examples
    --------
    >>> from trellislib.graphs import Trellis
    >>> start = Trellis([3, 1, 0, 2], width=2, offsets=[(0, -1), (-1, 0)])
    >>> searched_trellis(start, lambda tried: sum(a < b for a, b in tried.edges), random_state=0).order
    (0, 1, 2, 3)
    """
    require_integer("n_swaps", n_swaps, lowest=0)
    rng = check_random_state(random_state)
    best, highest = start, payoff(start)
    values = {start.order: highest}  # of few labels, the same swap comes again and again
    for number in range(n_swaps if start.n_labels > 1 else 0):
        stop_if(cancelled)
        one, other = rng.choice(best.n_labels, 2, replace=False)
        tried = best.swapped(best.order[one], best.order[other])
        if tried.order not in values:
            values[tried.order] = payoff(tried)
        if values[tried.order] > highest:
            best, highest = tried, values[tried.order]
        if progress is not None:
            progress(number + 1, n_swaps, "swaps")
    return best
