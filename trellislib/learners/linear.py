"""Conditionals whose scores are linear in the features and in other labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse
from scipy.special import expit, softmax

from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.labels.graph import LabelGraph
from trellislib.learners.base import Conditionals, Given
from trellislib.learners.chain_weights import ChainWeights
from trellislib.typing import Labels, Matrix

LEAST_SCORE = 1e-3  # a score is taken as at least this, where logarithms of scores are
MOST_KEPT = 64  # times all labels, of which the weights of inputs are kept
CERTAIN = 1e3  # a margin, or the slope of a score of 0 or 1, at which a probability is exactly 0 or 1

SlopeFit: TypeAlias = "Callable[[LinearConditionals], np.ndarray]"


class LinearConditionals(Conditionals):
    """Scores that are linear in the features and in the indicator columns of other labels.

    Attributes
    ----------
    on_features : ndarray of shape (n_features, n_columns)
        Weights of the features.
    on_inputs : {ndarray, csr_array, ChainWeights} of shape (n_columns, n_columns)
        Weights of the columns of inputs (second axis) for each column (first axis).
    intercept : ndarray of shape (n_columns,)
        Constant terms.
    slopes : ndarray of shape (n_labels,)
        Of the softmax that turns a label's scores into probabilities. Where they are given as a function of these
        conditionals, it is called at the first probability.
    """

    def __init__(
        self,
        on_features: np.ndarray,
        on_inputs: Matrix,
        intercept: np.ndarray,
        slopes: np.ndarray | SlopeFit,
        coding: LabelCoding,
    ) -> None:
        self.on_features = on_features
        self.on_inputs = on_inputs
        self.intercept = intercept
        self.coding = coding
        self._slopes = slopes
        self._rows: dict[bytes, Matrix | None] = {}
        self._n_kept = 0

    @classmethod
    def of_margins(
        cls,
        on_features: np.ndarray,
        of_inputs: Sequence[np.ndarray],
        inputs: Sequence[Sequence[int]],
        intercept: np.ndarray,
        coding: LabelCoding,
    ) -> LinearConditionals:
        """Return the conditionals of logistic regressions of binary labels, with their own probabilities.

        A margin m is the score (m + 1) / 2, as a probability is the logistic function of twice the score less 1.

        Parameters
        ----------
        on_features : ndarray of shape (n_features, n_labels)
            Weights of the features.
        of_inputs : sequence of ndarray
            For each label, the weights of its inputs.
        inputs : sequence of sequence of int
            For each label, its inputs.
        intercept : ndarray of shape (n_labels,)
            Constant terms; `CERTAIN` or minus that for a constant label.
        coding : LabelCoding
            The values of the labels.
        """
        n_labels = len(inputs)
        indptr = np.concatenate([[0], np.cumsum([len(of_label) for of_label in inputs])])
        indices = np.array([other for of_label in inputs for other in of_label], dtype=np.intp)
        on_inputs = sparse.csr_array((np.concatenate(of_inputs), indices, indptr), shape=(n_labels, n_labels))
        return cls(on_features / 2, on_inputs / 2, (intercept + 1) / 2, np.ones(n_labels), coding)

    @property
    def slopes(self) -> np.ndarray:
        """Of the softmax that turns a label's scores into probabilities, of shape (n_labels,)."""
        if not isinstance(self._slopes, np.ndarray):
            self._slopes = self._slopes(self)  # and the rows that they were fitted on are no longer needed
        return self._slopes

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: slopes, and no training rows."""
        kept = {name: value for name, value in vars(self).items() if name not in ("_rows", "_n_kept", "panels")}
        return kept | {"_slopes": self.slopes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state | {"_rows": {}, "_n_kept": 0})

    def rows(self, columns: np.ndarray) -> Matrix | None:
        """Return the weights of the inputs of some columns, or None where these have no inputs.

        They are taken once of a sparse matrix, where that is slow; or again, where very many were asked for.
        """
        if not sparse.issparse(self.on_inputs):
            return self.on_inputs[columns]
        key = columns.tobytes()
        if key not in self._rows:
            self._n_kept += len(columns)
            if self._n_kept > MOST_KEPT * self.coding.n_columns:
                self._rows, self._n_kept = {}, len(columns)
            found = self.on_inputs[columns]
            self._rows[key] = found if found.nnz else None
        return self._rows[key]

    @cached_property
    def panels(self) -> list[np.ndarray]:
        """The labels of each panel of a full chain, in the order of the chain."""
        starts, stops = self.coding.starts[:-1], [panel.shape[1] for panel in self.on_inputs.panels]
        columns = np.split(self.on_inputs.columns, stops[:-1])
        return [np.searchsorted(starts, of_panel[np.isin(of_panel, starts)]) for of_panel in columns]

    def given(self, X: Matrix) -> LinearGiven:
        """Return the conditionals of `X`, whose part of every score is one product for all labels."""
        if sparse.issparse(X):
            return LinearGiven(self, np.ascontiguousarray((X @ self.on_features + self.intercept).T))
        from_features = self.on_features.T @ X.T
        from_features += self.intercept[:, None]
        return LinearGiven(self, from_features)


class LinearGiven(Given):
    """Linear conditionals of some instances, the features' part of whose scores is known."""

    def __init__(self, fitted: LinearConditionals, from_features: np.ndarray) -> None:
        self.fitted = fitted
        self.from_features = from_features

    def tiled(self, times: int) -> LinearGiven:
        """Return the same instances, all of them `times` times over."""
        return LinearGiven(self.fitted, np.tile(self.from_features, times))

    def walk(self) -> LinearGiven:
        """Return the same for one pass over the labels in order; see `Given.walk`."""
        return _ChainWalk(self) if isinstance(self.fitted.on_inputs, ChainWeights) else self

    def scores(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        """Return the linear scores of the columns of `labels` given their inputs, (columns, n_instances)."""
        if len(labels) == self.fitted.coding.n_labels and isinstance(self.fitted.on_inputs, ChainWeights):
            columns = self.fitted.coding.columns(labels)
            return self.from_features[columns] + (self.fitted.on_inputs @ Z)[columns]
        columns = self.fitted.coding.columns(labels)
        scores, on_inputs = self.from_features[columns], self.fitted.rows(columns)
        if on_inputs is not None:
            scores += on_inputs @ Z
        return scores

    def decide(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        """Return the codes that score highest."""
        return self.fitted.coding.decide(self.scores(labels, Z), labels)

    def probabilities(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        """Return the softmax of each label's logits times its slope."""
        return self._softmax(self.scores(labels, Z), labels)

    def table(self, label: int, Z: np.ndarray, n_instances: int) -> np.ndarray:
        """Return the label's probabilities for some values of its inputs, whose parts of a score add up."""
        columns = self.fitted.coding.columns([label])
        of_inputs = self.fitted.on_inputs[columns] @ Z
        scores = self.from_features[columns][:, None] + of_inputs[:, :, None]
        return self._softmax(scores.reshape(len(columns), -1), [label]).reshape(scores.shape)

    def _softmax(self, scores: np.ndarray, labels: Labels) -> np.ndarray:
        slopes = self.fitted.slopes[list(labels)]
        if self.fitted.coding.is_binary:
            return expit(slopes[:, None] * (2 * scores - 1))
        widths = np.diff(self.fitted.coding.starts)[list(labels)]
        for of_width, columns in by_width(widths):
            scores[columns] = softmax(slopes[of_width, None, None] * logits(scores[columns]), axis=1)[:, 1:]
        return scores


class _ChainWalk(LinearGiven):
    """One pass over a full chain, panel by panel; what labels before a panel add to it is found when it begins.

    Few instances have a given label, so that this product is a sparse one. After the pass, labels have the scores that
    they had in it.
    """

    def __init__(self, given: LinearGiven) -> None:
        super().__init__(given.fitted, given.from_features)
        self._weights: ChainWeights = given.fitted.on_inputs
        self._found, self._n_found = np.empty_like(self.from_features), 0
        self._rest = iter(self._weights.panels)
        self._panel = np.empty((0, 0))
        self._base = np.empty((0, 0))
        # Which instances have each column before the panel, in the order of the chain, and after a 0 how many have it.
        self._instances: list[np.ndarray] = [np.empty(0, dtype=np.intp)]
        self._counts: list[np.ndarray] = [np.zeros(1, dtype=np.intp)]

    def steps(self, graph: LabelGraph) -> Sequence[Labels]:
        """Return the labels of each panel."""
        return self.fitted.panels

    def scores(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        """Return the scores of the next labels of a panel given those before, or of any labels after the pass."""
        columns = self.fitted.coding.columns(labels)
        if self._n_found == len(self._found):
            return self._found[columns]
        place = int(self._weights.places[columns[0]])
        if place == self._panel.shape[1]:
            self._begin(place, Z)
        rows, self._n_found = self._rows(place, len(columns)), place + len(columns)
        before = slice(place - rows.start, place)
        self._found[columns] = self._base[rows] + self._panel[rows, before] @ Z[self._weights.columns[before]]
        return self._found[columns]

    def decide(self, labels: Labels, Z: np.ndarray) -> np.ndarray:
        """Return the codes that score highest.

        Labels of a panel are decided at once, and again given these decisions, until none changes: each then fits
        those before it. As a label depends on these alone, no other decisions do.
        """
        coding, columns = self.fitted.coding, self.fitted.coding.columns(labels)
        scores = self.scores(labels, Z)
        codes = coding.decide(scores, labels)
        place = int(self._weights.places[columns[0]])
        among = self._panel[self._rows(place, len(columns)), place : place + len(columns)]
        changed = np.flatnonzero(codes.any(axis=0))  # where all is 0, nothing is added
        while len(labels) > 1 and len(changed):
            some = codes[:, changed]
            given_these = scores[:, changed] + among @ coding.indicators(some, labels)
            found = coding.decide(given_these, labels)
            codes[:, changed] = found
            self._found[np.ix_(columns, changed)] = given_these
            changed = changed[(found != some).any(axis=0)]
        return codes

    def _rows(self, place: int, n_columns: int) -> slice:
        """Return where in the panel some columns from a place on are."""
        first = place - self._panel.shape[1] + len(self._panel)
        return slice(first, first + n_columns)

    def _begin(self, place: int, Z: np.ndarray) -> None:
        """Go on to the panel whose first column is at `place`."""
        n_instances = self.from_features.shape[1]
        decided = Z[self._weights.columns[place - len(self._panel) : place]] != 0
        self._counts.append(np.count_nonzero(decided, axis=1))
        self._instances.append(np.nonzero(decided)[1])
        self._panel = next(self._rest)
        mine = self._weights.columns[place : self._panel.shape[1]]
        instances, stops = np.concatenate(self._instances), np.concatenate(self._counts).cumsum()
        before = sparse.csc_array((np.ones(len(instances)), instances, stops), shape=(n_instances, place))
        self._base = self.from_features[mine] + (before @ self._panel[:, :place].T).T


def logits(scores: np.ndarray) -> np.ndarray:
    """Return what a label's slope multiplies before the softmax, (..., values, instances), from columns' scores.

    These are the scores themselves for two values. For more they are the logarithms, with which a slope of 1 leaves
    the scores as they are: with the scores, each of the values that hardly ever occur would get a share.
    """
    of_values = with_first_value(scores)
    return of_values if of_values.shape[-2] == 2 else np.log(np.maximum(of_values, LEAST_SCORE))


def by_width(widths: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the labels of each number of columns, and where those columns are, as (labels, width)."""
    starts = np.cumsum(widths) - widths
    for width in np.unique(widths):
        labels = np.flatnonzero(widths == width)
        yield labels, starts[labels, None] + np.arange(width)
