"""What edges over samples of the rows show, in a sentence or two."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

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


def about_true_pairs(measured: pd.DataFrame, structure: str, name: str) -> str:
    """Return how many of the pairs that come back were true where the truth was known, for a structure.

    Parameters
    ----------
    measured : DataFrame
        A row for each ``difficulty``, ``structure`` and ``least`` frequency: of so many simulated ``sets`` of ``rows``,
        ``labels`` and ``samples``, how many pairs were ``kept``, how many of these are ``true``, and how many true
        pairs there are, ``truth``.
    structure, name : str
        The structure as in `measured`, and what to call it.

    Examples
    --------
    >>> measured = pd.DataFrame({
    ...     "difficulty": ["easy", "hard"], "structure": "fs", "least": 0.9, "sets": 5, "rows": 500, "labels": 10,
    ...     "samples": 50, "kept": [9, 1], "true": [9, 0], "truth": [10, 10],
    ... })
    >>> print(about_true_pairs(measured, "fs", "FS"))
    10 label DAGs with 500 rows and 10 labels were simulated, and FS was learned from 50 bootstrap samples of each.
    9 of 10 pairs in 90% of the samples were true (90%), of 20 true pairs. On hard sets it was 0 of 1.
    """
    of = measured[measured["structure"] == structure]
    first = of.iloc[0]
    n_sets = of.drop_duplicates("difficulty")["sets"].sum()
    sentences = [
        f"{n_sets} label DAGs with {first['rows']:,} rows and {first['labels']} labels were simulated, and {name} was "
        f"learned from {first['samples']} bootstrap samples of each."
    ]
    for least, rows in sorted(of.groupby("least"), reverse=True):
        kept, true, truth = (rows[column].sum() for column in ("kept", "true", "truth"))
        hard = rows[rows["difficulty"] == "hard"]
        sentences.append(
            f"{true} of {counted(kept, 'pair')} in {least:.0%} of the samples were true ({true / max(kept, 1):.0%}), "
            f"of {truth} true pairs. On hard sets it was {hard['true'].sum()} of {hard['kept'].sum()}."
        )
    return " ".join(sentences)
