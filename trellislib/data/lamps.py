"""A toy data set with two kinds of labels: some need depth, and some depend on each other given the features."""

from __future__ import annotations

import numpy as np

from trellislib.data.dataset import Dataset
from trellislib.running.checks import require_integer

SHARE = 0.45  # of rows with Ann, and of rows with Bob: a little less than one half
LABELS = ("any", "both", "one", "Ann", "Bob")


def simulate_lamps(
    n_instances: int = 500,
    *,
    overlap: float = 0.4,
    dependence: float = 1.0,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Simulate a room with two lamps and two people: labels that need depth, and labels that depend on each other.

    Each lamp is on in half of the rows, and each feature is the brightness of one lamp: 1 or -1, with noise. Labels
    "any", "both" and "one" say how many lamps are on. "any" and "both" are linear in the features. "one" is not, but
    it is "any" minus "both". Without noise, the features determine these three labels, so that they are independent
    given the features. With noise, they depend a little where brightnesses overlap. Ann and Bob are each in the room in
    45 % of the rows, whatever the lamps. The likelier answer for each alone is absence.

    Parameters
    ----------
    n_instances : int, default=500
        N in the paper, where L = 5 and D = 2.
    overlap : float, default=0.4
        Standard deviation of the noise of each lamp's brightness, at least 0.
    dependence : float, default=1.0
        Share of the rows in which Ann and Bob are never there together, from 0 to 1. In the other rows they come and
        go independently. Either is there as often whatever it is.
    random_state : int, Generator or None
        Seed or source of all that is random. The same seed gives the same features and the same labels other than
        "Bob" whatever `dependence`.

    Returns
    -------
    Dataset
        Labels are "any", "both", "one", "Ann" and "Bob".

    Raises
    ------
    ValueError
        If an argument is out of its range.

    References
    ----------
    Read, Pfahringer, Holmes and Frank, "Classifier chains: a review and perspectives", Journal of Artificial
    Intelligence Research 70, 2021, on the logical labels OR, AND and XOR, of which a chain gains without dependence.

    Examples
    --------
    >>> data = simulate_lamps(200, random_state=0)
    >>> data.X.shape, data.label_names
    ((200, 2), ('any', 'both', 'one', 'Ann', 'Bob'))
    >>> any_, both, one, ann, bob = data.Y.T
    >>> bool((one == any_ - both).all()), int((ann & bob).sum())
    (True, 0)
    """
    require_integer("n_instances", n_instances)
    if not (np.isfinite(overlap) and overlap >= 0):
        raise ValueError(f"Got overlap={overlap}, but expected a finite number of at least 0.")
    if not 0 <= dependence <= 1:
        raise ValueError(f"Got dependence={dependence}, but expected a number from 0 to 1.")
    rng = np.random.default_rng(random_state)
    is_on = rng.integers(0, 2, (n_instances, 2))
    noise = rng.standard_normal((n_instances, 2))
    drawn, for_ann, for_bob = rng.random((3, n_instances))
    ann = for_ann < SHARE
    alone = ~ann & (for_bob < SHARE / (1 - SHARE))
    bob = np.where(drawn < dependence, alone, for_bob < SHARE)
    n_on = is_on.sum(axis=1)
    return Dataset(
        X=2.0 * is_on - 1 + overlap * noise,
        Y=np.column_stack([n_on > 0, n_on == 2, n_on == 1, ann, bob]).astype(int),
        feature_names=("lamp 1", "lamp 2"),
        label_names=LABELS,
        label_values=(("0", "1"),) * len(LABELS),
        name="lamps",
    )
