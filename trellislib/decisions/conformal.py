"""Prediction sets with a guarantee: conformal prediction on the probabilities of any method."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

import numpy as np

from trellislib.labels.matrices import dense
from trellislib.typing import Matrix

SURE = 0.9


@dataclass(frozen=True)
class ConformalSets:
    """Sets of labels that hold most of the true ones, with a certainty that rows not used in training showed.

    A set has all labels whose probability is at least `threshold`. For a new row, drawn as the rows for calibration
    were, the chance is at least `confidence` that its set holds at least `share` of its true labels, however wrong the
    probabilities are (on average over rows and draws of the rows for calibration).

    Use `calibrated` to make one.

    Attributes
    ----------
    threshold : float
        Probability from which on a label is in the set; 0 where the rows were too few to guarantee anything less.
    confidence : float
        Chance that a set holds enough.
    share : float
        Share of the true labels that is enough.
    n_rows : int
        Rows that it was calibrated on.

    References
    ----------
    Angelopoulos and Bates, "Conformal prediction: A gentle introduction", Foundations and Trends in Machine Learning 16
    (2023); Angelopoulos, Bates, Fisch, Lei and Schuster, "Conformal risk control", ICLR 2024, of which this is the case
    of a loss of 1 for a row whose set holds too few.

    Examples
    --------
    >>> from trellislib import IndependentClassifiers, Logistic
    >>> from trellislib.data import simulate_label_dag
    >>> data = simulate_label_dag(n_instances=900, n_labels=5, random_state=0)
    >>> (X, Y), fitted = data.arrays(), IndependentClassifiers(Logistic()).fit(data.X[:300], data.Y[:300])
    >>> sets = ConformalSets.calibrated(fitted.predict_proba(X[300:600]), Y[300:600])
    >>> round(sets.held(fitted.predict_proba(X[600:]), Y[600:]), 2)
    0.92
    """

    threshold: float
    confidence: float
    share: float
    n_rows: int

    def __post_init__(self) -> None:
        for name in ("threshold", "confidence", "share"):
            value = getattr(self, name)
            if not isinstance(value, Real) or not 0 <= float(value) <= 1:
                raise ValueError(f"Got {name}={value!r}, but expected a number from 0 to 1.")

    @classmethod
    def calibrated(
        cls, probabilities: Matrix, Y: Matrix, confidence: float = SURE, share: float = SURE
    ) -> ConformalSets:
        """Choose the threshold on rows that the method was not trained on.

        With probabilities that were predicted out of fold, by methods fitted on the other folds, the guarantee holds
        nearly, for a method that is fitted on all rows.

        Parameters
        ----------
        probabilities : {ndarray, csr_array} of shape (n_instances, n_labels)
            Of the labels, as by ``predict_proba``.
        Y : {ndarray, csr_array} of shape (n_instances, n_labels)
            Their true codes, 0 and 1.
        confidence, share : float, default=0.9
            What is guaranteed.

        Returns
        -------
        ConformalSets

        Raises
        ------
        ValueError
            If the shapes differ, there is no row, or a share is not between 0 and 1.
        """
        for name, given in (("confidence", confidence), ("share", share)):
            if not 0 < given < 1:
                raise ValueError(f"Got {name}={given!r}, but expected a number between 0 and 1.")
        enough = np.sort(_lowest_needed(probabilities, Y, share))
        allowed = int(np.floor((1 - confidence) * (enough.size + 1)))  # rows that may hold too few
        return cls(min(float(enough[allowed - 1]), 1.0) if allowed else 0.0, confidence, share, enough.size)

    def sets(self, probabilities: Matrix) -> np.ndarray:
        """Return the sets of rows, codes of shape (n_instances, n_labels)."""
        return (np.asarray(dense(probabilities)) >= self.threshold).astype(np.int8)

    def held(self, probabilities: Matrix, Y: Matrix) -> float:
        """Return the share of rows whose set holds enough of the true labels, to check the guarantee on test rows."""
        return float((_lowest_needed(probabilities, Y, self.share) >= self.threshold).mean())


def _lowest_needed(probabilities: Matrix, Y: Matrix, share: float) -> np.ndarray:
    """Return for each row the highest threshold with which its set holds enough; infinite where no label is true."""
    P, true = np.asarray(dense(probabilities), float), np.asarray(dense(Y))
    if P.shape != true.shape or not P.size:
        raise ValueError(f"Got probabilities of shape {P.shape} and labels of {true.shape}, but expected one shape.")
    of_true = np.sort(np.where(true > 0, P, -np.inf), axis=1)[:, ::-1]
    n_needed = np.ceil(share * (true > 0).sum(axis=1) - 1e-9).astype(int)
    lowest = of_true[np.arange(len(P)), np.maximum(n_needed - 1, 0)]
    return np.where(n_needed > 0, lowest, np.inf)
