"""A fitted method together with what new rows must look like, and how it came about."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from trellislib.data.cells import missing_cells
from trellislib.data.dataset import Dataset
from trellislib.data.reading.formats import read_table
from trellislib.data.reading.frames import frame_table
from trellislib.data.tables.schema import Schema
from trellislib.data.tables.table import Table
from trellislib.decisions import AboveThreshold, ConformalSets
from trellislib.experiment.fits import relevance, scored
from trellislib.experiment.incomplete import TestRows
from trellislib.labels.matrices import dense
from trellislib.models.errors import ModelError
from trellislib.models.origin import Origin, versions
from trellislib.models.predictions import Predictions, Probabilities
from trellislib.models.typical import TypicalFeatures
from trellislib.typing import Matrix
from trellislib.wording import agreed, listed, quoted, quoted_names

NewRows: TypeAlias = Table | pd.DataFrame | Matrix | str | os.PathLike[str]
"""A table, a frame or a file, whose columns are matched by name; or features by position, as a data set has them."""


class Scored(NamedTuple):
    """The scores of a model on rows whose labels are known.

    Attributes
    ----------
    measures : Series
        All of `trellislib.metrics.MEASURES` that apply, by key.
    per_label : DataFrame
        The scores of each label, in their order.
    notes : tuple of str
        What was left out, not known or filled, one sentence each.
    held : Series
        By the confidence of each of `Model.sets`, the share of rows whose set holds enough of the true labels, of the
        rows of which all labels are known.
    """

    measures: pd.Series
    per_label: pd.DataFrame
    notes: tuple[str, ...]
    held: pd.Series


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted method, and all that is needed to ask it about new rows: see `fit_model`, `save_model`, `load_model`.

    Attributes
    ----------
    estimator : estimator
        What was fitted: a method, or a pipeline that ends in one.
    schema : Schema
        The columns of the training table, and how they became features and label codes.
    origin : Origin
        Data, settings, versions and scores.
    typical : TypicalFeatures, optional
        What the features of the training rows were like.
    sets : tuple of ConformalSets
        Prediction sets that were calibrated for it, by ascending confidence; see `with_sets`.

    Examples
    --------
    >>> from trellislib import IndependentClassifiers, fit_model
    >>> from trellislib.data import from_frame
    >>> frame = pd.DataFrame({"wind": [0.1, 0.2, 0.8, 0.9], "sky": ["blue", "grey"] * 2, "sail": [0, 0, 1, 1]})
    >>> model = fit_model(from_frame(frame, labels="sail"), IndependentClassifiers())
    >>> model.predict(pd.DataFrame({"boat": ["b7", "b9"], "sky": ["blue", "red"], "wind": [0.7, 0.1]})).frame()
      boat  sail
    0   b7     1
    1   b9     0
    """

    estimator: BaseEstimator
    schema: Schema
    origin: Origin
    typical: TypicalFeatures | None = None
    sets: tuple[ConformalSets, ...] = ()

    @classmethod
    def of_fitted(
        cls,
        estimator: BaseEstimator,
        dataset: Dataset,
        *,
        n_instances: int | None = None,
        seconds: float = 0.0,
        scores: Mapping[str, float] | None = None,
        n_scored: int = 0,
    ) -> Model:
        """Return the model of an estimator that was fitted to a data set before.

        Parameters
        ----------
        estimator : estimator
            Fitted to `dataset.X`, all rows of it or some.
        dataset : Dataset
            The data; with features that `Dataset.fit_features` gave, if it was fitted to these.
        n_instances : int, optional
            Number of rows that it was fitted to; all by default.
        seconds : float
            What the fit took.
        scores : mapping of str to float, optional
            Scores to keep with it.
        n_scored : int
            Number of rows that these scores are of, to be kept as well.
        """
        origin = Origin(
            dataset.name,
            dataset.n_instances if n_instances is None else n_instances,
            datetime.now(UTC).isoformat(timespec="seconds"),
            seconds,
            " ".join(repr(estimator).split()),
            versions(),
            dict(scores or {}),
            n_scored,
        )
        return cls(estimator, Schema.of(dataset), origin, TypicalFeatures.of(dataset.X))

    def __repr__(self) -> str:
        return (
            f"<Model of {self.origin.data!r}, {self.n_labels} labels, {self.origin.n_instances} rows: "
            f"{self.origin.settings}>"
        )

    @property
    def method(self) -> BaseEstimator:
        """The method itself, without what comes before it."""
        return self.estimator.steps[-1][1] if isinstance(self.estimator, Pipeline) else self.estimator

    @property
    def label_names(self) -> tuple[str, ...]:
        """The labels in their order."""
        return self.schema.label_names

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self.schema.label_names)

    @property
    def is_multilabel(self) -> bool:
        """Whether every label has two values."""
        return all(len(values) <= 2 for values in self.schema.label_values)

    @property
    def thresholds(self) -> pd.Series | None:
        """The probability above which each label is relevant, by its name; None where thresholds do not decide."""
        rule = getattr(getattr(self.method, "decision_", None), "rule", None)
        found = rule.threshold if isinstance(rule, AboveThreshold) else getattr(self.method, "threshold_", None)
        if found is None or (rule is not None and not isinstance(rule, AboveThreshold)):
            return None
        return pd.Series(np.broadcast_to(found, self.n_labels), index=self.label_names, name="threshold")

    @property
    def gives_probabilities(self) -> bool:
        """Whether `predict_proba` can be asked."""
        return hasattr(self.estimator, "predict_proba")

    def features(self, new: NewRows, id_column: str | None = None) -> tuple[Matrix, pd.DataFrame, tuple[str, ...]]:
        """Return the features of new rows as the method takes them, the column that names these, and notes.

        Raises
        ------
        DataError
            If a column is not there, or has a text where there were numbers.
        ModelError
            If there are not as many features, or one is missing and the model takes none that are.
        """
        if not isinstance(new, Table | pd.DataFrame | str | os.PathLike):
            X = sparse.csr_array(new) if sparse.issparse(new) else np.asarray(new, dtype=float)
            n_features = len(self.schema.feature_names)
            if X.ndim != 2 or X.shape[1] != n_features:
                raise ModelError(
                    f"Got features of shape {X.shape}, but this model expects (n_rows, {n_features}), in the order of "
                    "model.schema.feature_names; give a frame to have columns matched by name."
                )
            return X, pd.DataFrame(index=range(X.shape[0])), ()
        table = _as_table(new)
        X, notes = self.schema.features(table)
        return X, self.schema.ids(table, id_column), (*notes, *self._about_gaps(table, X))

    def sets_of(self, confidence: float) -> ConformalSets:
        """Return the prediction sets of a confidence; raise a ModelError where none were calibrated for it."""
        found = next((sets for sets in self.sets if sets.confidence == confidence), None)
        if found is None:
            there = listed([f"{sets.confidence:g}" for sets in self.sets])
            raise ModelError(
                f"This model has prediction sets of {there}, not of {confidence:g}; choose one of these."
                if there
                else "This model has no prediction sets; calibrate some by models.with_sets or trellislib fit --sets."
            )
        return found

    def predict(
        self,
        new: NewRows,
        *,
        probabilities: bool = False,
        id_column: str | None = None,
        sets: float | None = None,
    ) -> Predictions:
        """Predict the labels of new rows.

        Parameters
        ----------
        new : Table, DataFrame, file or array-like of shape (n_rows, n_features)
            The rows. Columns are matched by name, categories and texts prepared as in training; the features in an
            array are taken by position. Labels, where they have some, are not looked at.
        probabilities : bool, default=False
            Whether to find probabilities, too.
        id_column : str, optional
            The column that names the rows, or "" for none; by default one that is no feature and has a value of its
            own in each row.
        sets : float, optional
            Also the prediction sets of this confidence, one of those of `sets`.

        Returns
        -------
        Predictions
            In the order of the rows.

        Raises
        ------
        DataError, ModelError
            As `features` does; or if the method gives no probabilities, or has no sets of that confidence.
        """
        conformal = None if sets is None else self.sets_of(sets)
        X, ids, notes = self.features(new, id_column)
        Y = self._codes(X)
        chances = self._probabilities(X) if probabilities or conformal else None
        unlike = self.typical.unlike(X) if self.typical else None
        return Predictions(ids, Y, chances, self.schema.label_names, self.schema.label_values, notes, unlike, conformal)

    def predict_proba(self, new: NewRows) -> Probabilities:
        """Return probabilities: see `trellislib.methods.prediction.Predictor.predict_proba` for whose they are.

        Parameters
        ----------
        new : Table, DataFrame, file or array-like of shape (n_rows, n_features)
            As for `predict`.

        Returns
        -------
        ndarray of shape (n_rows, n_labels), or list of ndarray of shape (n_rows, n_values)
            Where all labels have two values, the probability of the second; else of each value of each label.

        Raises
        ------
        DataError, ModelError
            As `predict` does.
        """
        return self._probabilities(self.features(new)[0])

    def score(self, new: NewRows, *, per_label: bool = True) -> Scored:
        """Return the scores on rows whose labels are known.

        Labels that some rows lack are predicted and not scored; rows that lack all of them are left out.

        Parameters
        ----------
        new : Table, DataFrame or file
            With a column for each label, or the column that lists them.
        per_label : bool, default=True
            Whether the scores of each label are wanted.

        Returns
        -------
        Scored
            Measures, scores of each label, and notes.

        Raises
        ------
        DataError, ModelError
            As `features` does; or if a label is not there, or has a value that it did not have in training.
        """
        if not isinstance(new, Table | pd.DataFrame | str | os.PathLike):
            raise ModelError("Scores need labels by name: give a table, a frame or a file, not an array.")
        table = _as_table(new)
        found = self.schema.labels(table)
        if found is None:
            lacking = [name for name in self.label_names if name not in table.columns]
            labels, it_lacks = agreed(len(lacking), "the label", "the labels"), quoted_names(lacking)
            raise ModelError(f"{table.name}: it lacks {labels} {it_lacks}, so that nothing can be scored; add them.")
        X, _, notes = self.features(table)
        Y, known = found.Y, found.known
        if known is not None:
            rows = np.flatnonzero(known.any(axis=1))
            if not rows.size:
                raise ModelError(f"{table.name}: no row knows any label, so that nothing can be scored.")
            X, Y, known = X[rows], Y[rows], known[rows]
        predicted = self._codes(X)
        true = sparse.csr_array(Y) if sparse.issparse(predicted) else dense(Y)
        rows_to_score = TestRows(X, true, known)
        measures, details = scored(self.estimator, rows_to_score, predicted, self.label_names, self.is_multilabel)
        notes = (*notes, *found.notes)
        of_labels = details["labels"].set_index("label")
        return Scored(pd.Series(measures, name="score"), of_labels, notes, self._held(X, Y, known))

    def _held(self, X: Matrix, Y: Matrix, known: np.ndarray | None) -> pd.Series:
        """Return the share of rows whose set holds enough, of those of which all labels are known."""
        rows = np.arange(X.shape[0]) if known is None else np.flatnonzero(known.all(axis=1))
        P = self._probabilities(X[rows]) if self.sets and rows.size else None
        held = {} if P is None else {sets.confidence: sets.held(P, Y[rows]) for sets in self.sets}
        return pd.Series(held, name="held", dtype=float)

    @cached_property
    def _without_fill(self) -> BaseEstimator:
        """The estimator without what fills gaps, which takes longer than a prediction of one row."""
        fills = isinstance(self.estimator, Pipeline) and _only_fills(self.estimator.steps[0][1])
        rest = self.estimator[1:] if fills else self.estimator
        return rest.steps[0][1] if fills and len(rest.steps) == 1 else rest

    def _for(self, X: Matrix) -> BaseEstimator:
        return self.estimator if missing_cells(X) else self._without_fill

    def _codes(self, X: Matrix) -> Matrix:
        Y = self._for(X).predict(X)
        return Y.reshape(X.shape[0], self.n_labels) if Y.ndim == 1 else Y

    def _probabilities(self, X: Matrix) -> Probabilities:
        if not self.gives_probabilities:
            raise ModelError(
                f"This {type(self.method).__name__} gives no probabilities, as its base learner gives none; fit it to "
                "decide for a score, or calibrate its base learner."
            )
        estimator = self._for(X)
        if self.is_multilabel and (of_ones := relevance(estimator, X, self.n_labels)) is not None:
            return of_ones
        given, classes = estimator.predict_proba(X), estimator.classes_
        if not isinstance(classes, list):  # of one label
            given, classes = [given], [classes]
        found = [np.zeros((X.shape[0], len(values))) for values in self.schema.label_values]
        for of_codes, codes, chances in zip(found, classes, given, strict=True):
            of_codes[:, np.asarray(codes, dtype=int)] = chances
        return found

    def _about_gaps(self, table: Table, X: Matrix) -> list[str]:
        """Return what becomes of missing features, if there are some."""
        n = missing_cells(X)
        if not n:
            return []
        steps = [step for _, step in self.estimator.steps] if isinstance(self.estimator, Pipeline) else [self.estimator]
        fills = [isinstance(step, SimpleImputer | KNNImputer) for step in steps]
        before = steps[: fills.index(True)] if any(fills) else steps
        if not all(get_tags(step).input_tags.allow_nan for step in before):
            row, column = _first_gap(X)
            feature = quoted(self.schema.feature_names[column])
            raise ModelError(
                f"{table.name}: row {table.n_before + row + 1:,}: {feature} is missing, and this model takes no "
                "missing features; fill the cell, or fit a model that fills gaps with means."
            )
        cells, were = agreed(n, ("cell is", "was"), ("cells are", "were"))
        how = "filled" if any(fills) else "taken"
        return [f"{n:,} feature {cells} empty in {table.name} and {were} {how} as in training."]


def _first_gap(X: Matrix) -> tuple[int, int]:
    """Return the row and the column of a missing cell."""
    cells = sparse.coo_array(X) if sparse.issparse(X) else sparse.coo_array(np.isnan(X))
    first = np.flatnonzero(np.isnan(cells.data) if sparse.issparse(X) else cells.data)[0]
    return int(cells.coords[0][first]), int(cells.coords[1][first])


def _as_table(new: Table | pd.DataFrame | str | os.PathLike[str]) -> Table:
    if isinstance(new, Table):
        return new
    return frame_table(new, "new rows") if isinstance(new, pd.DataFrame) else read_table(new)


def _only_fills(step: object) -> bool:
    """Return whether a step of a pipeline leaves features as they are that have no gaps."""
    return isinstance(step, SimpleImputer) and step.keep_empty_features and not step.add_indicator
