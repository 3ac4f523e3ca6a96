"""About how many seconds work takes by the size of the data, to be known before it is started.

The constants were measured in November 2026 on one core of a two-core machine, with least squares as the base learner,
on data from 600 instances of 6 labels to 16,000 of 983, on simulated rooms of up to 100 x 100 tiles, and on graphs of
up to 400 labels. An estimate within a factor of three is good enough; the paper's experiments have their own in
`trellislib.paper.costs`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scipy import sparse

from trellislib.data import Dataset
from trellislib.graphs.placement import swap_starts
from trellislib.learners.calibration import ROWS
from trellislib.learners.least_squares import MOST_LINEAR, N_LANDMARKS, tries_neighbours

FOLDS = 5  # of the cross-validation that was measured
PER_PAIR = {"explained": 2.6e-6, "random": 0.0}  # seconds of a placement, for each pair of labels
PER_PAIR_CLIMBED = 2e-8
PER_LABEL_SWAPPED, PER_PAIR_SWAPPED = 8e-5, 2e-7  # of each placement that is improved by swaps
PER_PAIR_FOUND = 5e-8  # where the dependence of all pairs is not held but found again
PER_LABEL_SPARSE = 4e-5  # of a placement by sparse counts, for each label
ROOM_COMPARISONS = {20: 6.0, 100: 610.0}  # seconds for each width, on all of the paper's instances
ROOM_CELLS = {"least squares": 3.2e-8, "logistic": 5e-7, "auto": 8e-6}  # seconds for each tile of a scene, by learner
ROOM_START = 1.0  # seconds in which scenes are listed and weighed, however few the instances


@dataclass(frozen=True)
class Costs:
    """Seconds of work on data of a size.

    Parameters
    ----------
    n_instances, n_features, n_labels : int
        Size of the data, N, D and L.
    density : float, default=1.0
        Share of the features' cells that are stored; below 1 where they are sparse.

    Examples
    --------
    >>> music = Costs(593, 72, 6)
    >>> round(music.preparation + music.cross_validation("hill-climbing"), 2)
    0.09
    >>> round(music.cross_validation("search", n_swaps=100), 1)
    5.9
    >>> round(music.automatic, 2)
    0.15
    """

    n_instances: int
    n_features: int
    n_labels: int
    density: float = 1.0

    @classmethod
    def of(cls, dataset: Dataset) -> Costs:
        """Return the costs of work on a data set."""
        X = dataset.X
        density = X.nnz / max(1, X.shape[0] * X.shape[1]) if sparse.issparse(X) else 1.0
        return cls(dataset.n_instances, dataset.n_features, dataset.n_labels, density)

    @property
    def preparation(self) -> float:
        """Seconds of what is prepared once: the sums of the folds, independent classifiers and a chain."""
        cells = self.n_instances * self.n_labels
        sums = self.density * self.n_instances * self.n_features * (self.n_features + self.n_labels)
        solved = min(self.n_instances, self.n_features) ** 3
        return 0.03 + 3.3e-7 * cells + 5e-10 * (sums + solved) + 2 * self._fits + 1e-10 * cells * self.n_labels

    def cross_validation(self, placement: str, n_swaps: int = 0) -> float:
        """Return the seconds of five fits and predictions of a trellis, each with its own placement.

        Parameters
        ----------
        placement : str
            As of `ClassifierTrellis`.
        n_swaps : int, default=0
            How many swaps a search tries; 0 for other placements.

        Returns
        -------
        float
        """
        placing = FOLDS * self.placement(placement, n_swaps)
        return self._fits + (0.85 * placing if n_swaps else placing)

    def placement(self, placement: str, n_swaps: int = 0) -> float:
        """Return the seconds of one placement; parameters are those of `cross_validation`."""
        if placement == "search":
            return 0.05 + 0.65 * n_swaps * self._fits
        if placement == "swaps":
            of_one = (PER_LABEL_SWAPPED + PER_PAIR_SWAPPED * self.n_labels) * self.n_labels
            return swap_starts(self.n_labels) * of_one
        return PER_PAIR.get(placement, PER_PAIR_CLIMBED) * self.n_labels**2

    @property
    def gibbs_sampling(self) -> float:
        """Seconds of a hundred sweeps over all held-out rows."""
        return 0.05 + 2e-6 * self.n_instances * self.n_labels

    @property
    def deciding(self) -> float:
        """Seconds in which five fits and predictions decide for the highest expected accuracy, in addition."""
        return 0.01 + 8e-7 * self.n_instances * self.n_labels

    @property
    def leverages(self) -> float:
        """Seconds of what probabilities of five fits need once, however often labels are placed."""
        side = min(self.n_instances, self.n_features)
        return FOLDS * side**2 * (1.2e-10 * min(self.n_instances, ROWS[1]) + 2.5e-11 * side)

    @property
    def residuals(self) -> float:
        """Seconds in which LEAD finds what the features leave unexplained of the labels."""
        return self.n_instances * self.n_features * self.n_labels / 2e9

    @property
    def automatic(self) -> float:
        """Seconds of one fit of independent classifiers with the base learner "auto"."""
        landmarks = min(N_LANDMARKS, self.n_instances)
        side = min(self.n_instances, self.n_features)
        compared = side if side <= MOST_LINEAR else 0
        decomposed = 8e-10 * landmarks**3 + 2.5e-10 * compared**3
        mapped = self.n_instances * landmarks * (2e-10 * landmarks + 1e-10 * self.n_features)
        left_out = 8e-10 * self.n_instances * (landmarks + compared) * self.n_labels
        seconds = 0.02 + decomposed + mapped + left_out
        if tries_neighbours(self.n_instances, self.n_labels):
            both = landmarks + self.n_labels
            seconds += 8e-10 * both**3 + self.n_instances * both * (2e-10 * both + 8e-10 * self.n_labels)
            seconds += 5e-11 * self.n_instances**2 * self.n_features
        return seconds

    @property
    def label_errors(self) -> float:
        """Seconds of finding labels that look wrong, with the base learner "auto"."""
        return 1.5 * self.automatic + 1e-8 * self.n_instances * self.n_labels**2

    @property
    def _fits(self) -> float:
        """Seconds of five fits and predictions."""
        cells = self.n_instances * self.n_labels
        return 0.02 + 1.5e-7 * cells + 5e-11 * cells * self.n_features


def pair_seconds(n_labels: int, n_passes: int, n_placements: int, *, is_sparse: bool) -> float:
    """Return the seconds of finding the dependence of all pairs some times, and of placing the labels some times.

    Parameters
    ----------
    n_labels : int
        Labels, too many for the dependence of all pairs to be held.
    n_passes, n_placements : int
        How often.
    is_sparse : bool
        Whether labels are placed by sparse counts.

    Returns
    -------
    float

    Examples
    --------
    >>> pair_seconds(10_000, 1, 0, is_sparse=True)
    5.0
    """
    one_pass = PER_PAIR_FOUND * n_labels**2
    return n_passes * one_pass + n_placements * (PER_LABEL_SPARSE * n_labels if is_sparse else one_pass)


def room_training_seconds(n_tiles: int, n_training: int, *, is_climbed: bool, learner: str = "least squares") -> float:
    """Return the seconds of training IC, CT and CDT on simulated scenes of a room.

    Parameters
    ----------
    n_tiles : int
        Tiles of the room, which are its labels.
    n_training : int
        Simulated scenes.
    is_climbed : bool
        Whether hill climbing places the labels.
    learner : {"least squares", "logistic", "auto"}, default="least squares"
        Base learner.

    Returns
    -------
    float

    Examples
    --------
    >>> round(room_training_seconds(400, 2000, is_climbed=True), 2)
    0.15
    >>> round(room_training_seconds(400, 1000, is_climbed=False, learner="logistic"), 2)
    0.31
    """
    return 0.1 + n_tiles * (3e-5 + ROOM_CELLS[learner] * n_training) + 7e-8 * n_tiles**2 * is_climbed


def room_comparison_seconds(width: int, scale: float) -> float:
    """Return the seconds of comparing methods in a room of the paper.

    Parameters
    ----------
    width : {20, 100}
        Tiles along a side.
    scale : float
        Share of the paper's instances.

    Returns
    -------
    float

    Examples
    --------
    >>> room_comparison_seconds(100, 0.1)
    62.0
    """
    return ROOM_START + ROOM_COMPARISONS[width] * scale


def recovery_seconds(n_labels: int, n_features: int, sizes: Iterable[float]) -> float:
    """Return the seconds of searching all structures once on data sets of these sizes, simulated from known graphs.

    Parameters
    ----------
    n_labels, n_features : int
        Labels and features of each data set.
    sizes : iterable of int
        Instances of each.

    Returns
    -------
    float

    Examples
    --------
    >>> round(recovery_seconds(20, 10, [500, 500]), 2)
    0.32
    """
    return sum(n_labels**1.5 * (1.3e-3 + 4e-7 * size) + n_labels * n_features * 2.5e-7 * size for size in sizes)
