"""What edges over samples of the rows show, in a sentence or two."""

from __future__ import annotations

from collections.abc import Sequence

from trellislib.graphs import EdgeFrequencies
from trellislib.wording import counted

DIRECTED = 0.9  # share of samples with a pair, from which on its direction is said to be found


def about_edge_frequencies(found: EdgeFrequencies, names: Sequence[str], least: float, structure: str) -> str:
    """Return how many pairs of labels come back in how many samples, and of how many of them the direction does.

    Examples
    --------
    >>> import numpy as np
    >>> found = EdgeFrequencies(np.array([[0, 0.95, 0.2], [0, 0, 0.5], [0, 0.45, 0]]), 20, "bootstrap")
    >>> about_edge_frequencies(found, ["sky", "sea", "fog"], 0.9, "FS")
    'FS joins 2 of 3 pairs in at least 90% of 20 samples. The direction comes back for 1 of them.'
    """
    pairs = found.pairs(names)
    kept = pairs[pairs["frequency"] >= least - 1e-9]
    n_pairs = len(names) * (len(names) - 1) // 2
    share = f"at least {least:.0%} of {found.n_samples:,} samples"
    if kept.empty:
        most = pairs["frequency"].max() if len(pairs) else 0.0
        return f"{structure} joins no pair in {share}. The most frequent pair is in {most:.0%}."
    n_directed = int((kept["direction"] >= DIRECTED).sum())
    of_them = "none" if n_directed == 0 else f"{n_directed:,}"
    return (
        f"{structure} joins {len(kept):,} of {counted(n_pairs, 'pair')} in {share}. "
        f"The direction comes back for {of_them} of them."
    )
