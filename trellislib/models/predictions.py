"""What a model predicts of new rows, as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.decisions import ConformalSets
from trellislib.typing import Matrix

Probabilities: TypeAlias = np.ndarray | list[np.ndarray]
"""Of binary labels the probability of each one's second value, else an array of one column a value for each label."""


@dataclass(frozen=True, eq=False)
class Predictions:
    """The labels of new rows, in the order of the rows and of the labels.

    Attributes
    ----------
    ids : DataFrame
        The column that names the rows, of the new rows themselves; without columns where there is none.
    Y : {ndarray, csr_array} of shape (n_rows, n_labels)
        Label codes.
    probabilities : ndarray, list of ndarray or None
        As `Model.predict_proba` gives them; None where they were not asked for.
    label_names : tuple of str
        The labels.
    label_values : tuple of tuple of str
        For each label, what its codes stand for.
    notes : tuple of str
        What was left out, not known or filled in the new rows, one sentence each.
    unlike : ndarray of bool, of shape (n_rows,), optional
        Which rows are unlike the training rows; see `trellislib.models.typical`.
    conformal : ConformalSets, optional
        The prediction sets that tables get, of binary labels whose probabilities are there.

    Examples
    --------
    >>> ids, Y = pd.DataFrame({"day": ["mon", "tue"]}), np.array([[1, 0], [0, 1]])
    >>> chances = np.array([[0.9, 0.2], [0.4, 0.7]])
    >>> found = Predictions(ids, Y, chances, ("sun", "rain"), (("0", "1"), ("dry", "wet")))
    >>> found.frame(probabilities=True)
       day  sun rain  P(sun)  P(rain = wet)
    0  mon    1  dry     0.9            0.2
    1  tue    0  wet     0.4            0.7
    """

    ids: pd.DataFrame
    Y: Matrix
    probabilities: Probabilities | None
    label_names: tuple[str, ...]
    label_values: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    unlike: np.ndarray | None = None
    conformal: ConformalSets | None = None

    def frame(self, *, probabilities: bool = False) -> pd.DataFrame:
        """Return ids, labels and, if asked, probabilities as one table; prediction sets come last, where there are any.

        Labels are 0 and 1 where these are their values, or else named by their values. The column ``P(name)`` is the
        probability that a label is 1, ``P(name = value)`` that it has a value.
        """
        parts = [self.ids.reset_index(drop=True), self.labels()]
        if probabilities and self.probabilities is not None:
            parts.append(self._chances(self.probabilities))
        if self.conformal is not None:
            parts.append(self.prediction_sets(self.conformal).to_frame())
        return pd.concat(parts, axis=1)

    def labels(self) -> pd.DataFrame:
        """Return the labels alone; sparse where they were in training and all are 0 or 1."""
        if sparse.issparse(self.Y) and all(map(_is_zero_one, self.label_values)):
            return pd.DataFrame.sparse.from_spmatrix(sparse.csc_array(self.Y), columns=list(self.label_names))
        codes = self.Y.toarray() if sparse.issparse(self.Y) else np.asarray(self.Y)
        columns = [
            of if _is_zero_one(values) else np.array(values, dtype=object)[of]
            for values, of in zip(self.label_values, codes.T, strict=True)
        ]
        return pd.DataFrame(dict(enumerate(columns))).set_axis(list(self.label_names), axis=1)

    def label_sets(self) -> list[tuple[str, ...]]:
        """Return for each row the names of its labels: those of which the code is not 0, with a value of several."""
        names = [
            [name if len(values) <= 2 else f"{name} = {value}" for value in values]
            for name, values in zip(self.label_names, self.label_values, strict=True)
        ]
        Y = sparse.csr_array(self.Y)
        Y.eliminate_zeros()
        Y.sort_indices()
        bounds = zip(Y.indptr[:-1], Y.indptr[1:], strict=True)
        return [
            tuple(names[label][code] for label, code in zip(Y.indices[a:b].tolist(), Y.data[a:b].tolist(), strict=True))
            for a, b in bounds
        ]

    def prediction_sets(self, conformal: ConformalSets) -> pd.Series:
        """Return for each row the names of the labels in its set, or "none", under a name that says how sure it is."""
        assert isinstance(self.probabilities, np.ndarray)
        texts = [
            ", ".join(self.label_names[label] for label in np.flatnonzero(row)) or "none"
            for row in conformal.sets(self.probabilities)
        ]
        return pd.Series(texts, name=f"Set ({100 * conformal.confidence:g}% sure)", dtype=object)

    def unsure(self, within: float = 0.1) -> list[tuple[str, ...]]:
        """Return for each row the labels of two values whose probability is this near to one half."""
        if not isinstance(self.probabilities, np.ndarray):
            return [() for _ in range(len(self.ids))]
        near = np.abs(self.probabilities - 0.5) <= within
        return [tuple(self.label_names[label] for label in np.flatnonzero(row)) for row in near]

    def withheld(self, within: float = 0.1) -> pd.DataFrame:
        """Return the table of `frame` with its probabilities, in which labels are missing that are `unsure`."""
        frame, unsure = self.frame(probabilities=True), self.unsure(within)
        for name in self.label_names:
            is_unsure = np.array([name in labels for labels in unsure])
            frame[name] = pd.Series(frame[name].to_numpy(), dtype=object).mask(is_unsure, None)
        return frame

    def most_probable(self, most: int) -> list[int]:
        """Return the labels of the highest mean probability, in their order; needs labels of two values."""
        assert isinstance(self.probabilities, np.ndarray)
        return sorted(np.argsort(-self.probabilities.mean(axis=0), kind="stable")[:most].tolist())

    def _chances(self, probabilities: Probabilities) -> pd.DataFrame:
        if isinstance(probabilities, np.ndarray):
            names = [
                f"P({name})" if _is_zero_one(values) else f"P({name} = {values[-1]})"
                for name, values in zip(self.label_names, self.label_values, strict=True)
            ]
            return pd.DataFrame(probabilities, columns=names)
        names = [
            f"P({name} = {value})"
            for name, values in zip(self.label_names, self.label_values, strict=True)
            for value in values
        ]
        return pd.DataFrame(np.hstack(probabilities), columns=names)


def _is_zero_one(values: tuple[str, ...]) -> bool:
    return values == ("0", "1")
