"""Labels as indicator columns: the one form on which counts, learners and inference work.

A label with K values becomes K - 1 columns, one for each value after the first; the first value is where
all of them are 0. A binary label is thus a single 0/1 column, and nothing needs a second code path for
K > 2. A label that takes a single value keeps one empty column, so that every label has a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets

from trellislib.typing import Labels, Matrix


class LabelCoding:
    """The values of each label, and the map between labels and indicator columns.

    Parameters
    ----------
    classes : sequence of ndarray
        For each label, its values in code order.

    Attributes
    ----------
    classes : list of ndarray
        As given.
    starts : ndarray of shape (n_labels + 1,)
        Label `l` has the columns ``starts[l]`` up to, but not with, ``starts[l + 1]``.
    n_columns : int
        Number of indicator columns of all labels.
    is_binary : bool
        Whether every label has one indicator column, at most two values.
    code_type : type
        Of the codes of decisions.

    Examples
    --------
    >>> import numpy as np
    >>> coding = LabelCoding.of(np.array([[0, 2], [1, 0], [1, 1]]))
    >>> coding.encode(np.array([[0, 2], [1, 0], [1, 1]]))
    array([[0., 0., 1.],
           [1., 0., 0.],
           [1., 1., 0.]])
    """

    def __init__(self, classes: Sequence[np.ndarray]) -> None:
        self.classes = list(classes)
        widths = [max(len(values) - 1, 1) for values in self.classes]
        self.starts = np.concatenate([[0], np.cumsum(widths, dtype=int)])
        self.n_columns = int(self.starts[-1])
        self.is_binary = self.n_columns == len(self.classes)
        self.code_type: type[np.integer] = np.int8 if self.is_binary else np.intp

    @classmethod
    def of(cls, Y: Matrix) -> LabelCoding:
        """Return the coding of `Y`, an array or CSR array of shape (n_instances, n_labels).

        Where `Y` as a whole has two values, or is all 0 or all 1, every label gets both values, even one that
        is constant here. A CSR array holds codes: a label's values are the integers from 0 to its largest.

        Raises
        ------
        ValueError
            If `Y` has not two dimensions, looks continuous, or is CSR and holds anything but codes.
        """
        if Y.ndim != 2:
            raise ValueError(f"Got labels of shape {Y.shape}, but expected (n_instances, n_labels).")
        if sparse.issparse(Y):
            Y = _canonical(Y)
            if (Y.data < 0).any() or (Y.data != np.floor(Y.data)).any():
                raise ValueError("Got sparse labels with negative numbers or fractions, but expected codes 0, 1, ...")
            peaks = Y.max(axis=0).toarray().ravel()
            return cls([np.arange(max(int(peak), 1) + 1, dtype=Y.dtype) for peak in peaks])
        if Y.size and Y.dtype.kind in "biuf" and ((Y == 0) | (Y == 1)).all():
            return cls([np.array([0, 1], dtype=Y.dtype)] * Y.shape[1])
        try:
            check_classification_targets(Y)
        except TypeError:
            raise ValueError("Got labels that mix text with numbers, but expected values of one kind.") from None
        values = np.unique(Y)
        return cls([values] * Y.shape[1] if len(values) == 2 else [np.unique(column) for column in Y.T])

    def __getstate__(self) -> dict[str, Any]:
        """Return the values of labels that have the same ones once, and which are those of each label."""
        distinct = {(values.dtype.str, *values.tolist()): values for values in self.classes}
        place = {key: i for i, key in enumerate(distinct)}
        which = [place[(values.dtype.str, *values.tolist())] for values in self.classes]
        return {"distinct": list(distinct.values()), "which": np.array(which, dtype=int)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        earlier = "classes" in state  # in pickles from before many labels shared their values
        classes = state["classes"] if earlier else [state["distinct"][i] for i in state["which"]]
        self.__init__(classes)  # type: ignore[misc]

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self.classes)

    def columns(self, labels: Labels) -> np.ndarray:
        """Return the indicator columns of `labels`, label by label."""
        labels = np.asarray(labels, dtype=np.intp)
        if self.is_binary:
            return labels
        runs = [np.arange(self.starts[label], self.starts[label + 1]) for label in labels]
        return np.concatenate(runs) if runs else np.array([], dtype=np.intp)

    def shaped(self, Y: Any, n_instances: int | None = None) -> Matrix:
        """Return `Y` as an array (or CSR array) of shape (n_instances, n_labels), a vector being one label.

        Raises
        ------
        ValueError
            If there are not as many labels, or instances.
        """
        Y = sparse.csr_array(Y) if sparse.issparse(Y) else np.asarray(Y)
        if self.n_labels == 1 and Y.ndim == 1:
            Y = Y.reshape(-1, 1)
        if Y.ndim != 2 or Y.shape[1] != self.n_labels:
            raise ValueError(f"Got labels of shape {Y.shape}, but expected (n_instances, {self.n_labels}).")
        if n_instances is not None and Y.shape[0] != n_instances:
            raise ValueError(f"Got labels of {Y.shape[0]} instances, but expected {n_instances}.")
        return Y

    def can_encode(self, Y: Matrix) -> bool:
        """Return whether every value of `Y` is one of its label's; of a CSR array, whether it holds their codes."""
        if not sparse.issparse(Y):
            return all(
                np.logical_or.reduce([column == value for value in values]).all()
                for column, values in zip(Y.T, self.classes, strict=True)
            )
        Y = _canonical(Y)
        n_values = np.array([len(values) for values in self.classes])
        are_codes = all(np.array_equal(values, np.arange(len(values))) for values in self.classes)
        return bool(
            are_codes and np.isin(Y.data, np.arange(n_values.max())).all() and (Y.data < n_values[Y.indices]).all()
        )

    def codes(self, Y: np.ndarray, label: int) -> np.ndarray:
        """Return the codes of one label: positions of ``Y[:, label]`` in the label's classes."""
        return np.searchsorted(self.classes[label], Y[:, label])

    def encode(self, Y: Matrix) -> Matrix:
        """Return `Y` as indicator columns, an array (or CSR array) of shape (n_instances, n_columns) of floats."""
        if sparse.issparse(Y):
            Y = _canonical(Y)
            if self.is_binary and Y.indices.dtype == np.int32:
                Z = Y.astype(float)  # a copy
                if not (Z.data == 1).all():
                    Z.data = (Z.data > 0).astype(float)
                    Z.eliminate_zeros()
                return Z
            value = Y.data.astype(np.intp)
            relevant = value > 0
            columns = self.starts[Y.indices] + value - 1
            rows = np.repeat(np.arange(Y.shape[0]), np.diff(Y.indptr))
            shape = (Y.shape[0], self.n_columns)
            where = (rows[relevant].astype(np.int32), columns[relevant].astype(np.int32))  # scikit-learn wants int32
            entries = (np.ones(relevant.sum()), where)
            return sparse.csr_array(entries, shape=shape)
        values = self._values_of_all
        if values is not None and len(values) == 2:
            return np.equal(Y, values[1]).astype(float)
        Z = np.zeros((Y.shape[0], self.n_columns))
        for label, start in enumerate(self.starts[:-1]):
            codes = self.codes(Y, label)
            rows = np.flatnonzero(codes)
            Z[rows, start + codes[rows] - 1] = 1.0
        return Z

    def decode(self, codes: np.ndarray) -> np.ndarray:
        """Return the values that `codes`, of shape (n_labels, n_instances), stand for, instances in rows."""
        values = self._values_of_all
        if values is None:
            return np.column_stack([values[code] for values, code in zip(self.classes, codes, strict=True)])
        is_code = values.dtype.kind in "biuf" and np.array_equal(values, np.arange(len(values)))
        return codes.T.astype(values.dtype, order="C") if is_code else values[codes.T]

    @cached_property
    def _values_of_all(self) -> np.ndarray | None:
        """The values that all labels have, or None."""
        first = self.classes[0]
        alike = (of is first or (of.dtype == first.dtype and np.array_equal(of, first)) for of in self.classes)
        return first if all(alike) else None

    def decode_sparse(self, codes: np.ndarray) -> sparse.csr_array:
        """Return `codes`, of shape (n_labels, n_instances), as the CSR array of codes that sparse labels are."""
        n_labels, n_instances = codes.shape
        cells = np.flatnonzero(codes != 0)  # which is several times faster on bool
        indptr = np.searchsorted(cells, np.arange(n_labels + 1) * n_instances).astype(np.int32)
        instances = (cells - np.repeat(np.arange(n_labels) * n_instances, np.diff(indptr))).astype(np.int32)
        dtype = np.result_type(*{values.dtype for values in self.classes})
        by_label = sparse.csc_array((codes.ravel()[cells].astype(dtype), instances, indptr), codes.shape[::-1])
        return by_label.tocsr()  # of 32-bit indices, as scikit-learn wants them

    def decide(self, scores: np.ndarray, labels: Labels) -> np.ndarray:
        """Choose the value with the highest score for each of `labels`; ties go to the lower code.

        Parameters
        ----------
        scores : ndarray of shape (columns of the labels, n_instances)
            Scores of the values after the first; the first value scores 1 minus their sum.
        labels : sequence of int
            The labels whose columns these are.

        Returns
        -------
        ndarray of shape (len(labels), n_instances)
            The chosen codes.
        """
        if self.is_binary:
            return (scores > 0.5).view(np.int8)
        return np.array([with_first_value(of_label).argmax(axis=0) for of_label in self.split(scores, labels)])

    def split(self, columns: np.ndarray, labels: Labels) -> list[np.ndarray]:
        """Return the rows of each of `labels` in an array of one row for each of their columns."""
        stops = np.cumsum(np.diff(self.starts)[list(labels)])
        return np.split(columns, stops[:-1])

    def indicators(self, codes: np.ndarray, labels: Labels, dtype: type = float) -> np.ndarray:
        """Return the `codes` of some labels, of shape (len(labels), n_instances), as their columns, one a row.

        Where codes of binary labels have the type that is asked for, they are their own columns.
        """
        if self.is_binary:
            return codes.astype(dtype, copy=False)
        values = [np.arange(1, width + 1) for width in np.diff(self.starts)[list(labels)]]
        return np.vstack([code == value[:, None] for code, value in zip(codes, values, strict=True)]).astype(dtype)


def _canonical(Y: Matrix) -> sparse.csr_array:
    """Return `Y` as CSR with every cell stored at most once, leaving the caller's array as it is."""
    Y = sparse.csr_array(Y)
    if not Y.has_canonical_format:
        Y = Y.copy()
        Y.sum_duplicates()
    return Y


def with_first_value(scores: np.ndarray) -> np.ndarray:
    """Put the first value's score, 1 minus the others' sum, before `scores` of shape (..., columns, instances)."""
    return np.concatenate([1.0 - scores.sum(axis=-2, keepdims=True), scores], axis=-2)
