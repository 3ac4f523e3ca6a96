"""Rows as text, a block at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.dataset import Dataset, PartiallyLabelled
from trellislib.typing import Matrix

BLOCK_CELLS = 2**18  # that are held as text at a time


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows of a data set."""

    X: Matrix  # (n_rows, n_features): features
    Y: Matrix  # (n_rows, n_labels): label codes
    known: np.ndarray | None = None  # (n_rows, n_labels): which labels are known; None if all are
    groups: pd.Series | None = None  # of the rows
    weights: pd.Series | None = None

    @property
    def about(self) -> tuple[pd.Series, ...]:
        """The groups and the weights of the rows, of those that the data have."""
        return tuple(one for one in (self.groups, self.weights) if one is not None)


def blocks(data: Dataset, n_cells: int = BLOCK_CELLS) -> Iterator[Block]:
    """Yield the rows of a data set, and then those of which some labels are unknown, about `n_cells` at a time."""
    n_rows = max(1, n_cells // (data.n_features + data.n_labels))
    for rows in _slices(data.n_instances, n_rows):
        yield Block(data.X[rows], data.Y[rows], None, *_about(data, rows))
    if data.incomplete is not None:
        for rows in _slices(len(data.incomplete.Y), n_rows):
            incomplete = data.incomplete
            yield Block(incomplete.X[rows], incomplete.Y[rows], incomplete.known[rows], *_about(incomplete, rows))


def _about(of: Dataset | PartiallyLabelled, rows: slice) -> tuple[pd.Series | None, ...]:
    return tuple(None if one is None else one.iloc[rows] for one in (of.groups, of.weights))


def _slices(n: int, size: int) -> Iterator[slice]:
    return (slice(start, start + size) for start in range(0, n, size))


def dense(matrix: Matrix) -> np.ndarray:
    """Return a matrix as an array."""
    return matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)


def numbers(values: np.ndarray, missing: str) -> str:
    """Return numbers between commas, short but exact: read as floats, they are the same."""
    text = ",".join(map(repr, np.asarray(values, dtype=float).tolist())) + ","
    return text.replace(".0,", ",").replace("nan,", f"{missing},")[:-1]


class LabelTexts:
    """The text of each value of each label.

    Parameters
    ----------
    texts : sequence of sequence of str
        For each label, the texts of its values in code order.
    missing : str
        The text of a label that is not known.
    """

    def __init__(self, texts: Sequence[Sequence[str]], missing: str):
        width = max(map(len, texts))
        self._texts = np.array([[*of_label, *[""] * (width - len(of_label))] for of_label in texts], dtype=object)
        self._missing = missing

    def of(self, labels: np.ndarray, codes: np.ndarray, known: np.ndarray | None = None) -> np.ndarray:
        """Return the texts of the `codes` of `labels`, two arrays that fit together."""
        texts = self._texts[labels, codes]
        return texts if known is None else np.where(known, texts, self._missing)


def dense_rows(block: Block, texts: LabelTexts, missing: str) -> Iterator[tuple[str, str]]:
    """Yield the features and the labels of each row, between commas."""
    Y = dense(block.Y)
    labels = texts.of(np.arange(Y.shape[1]), Y, block.known)
    for x, y in zip(dense(block.X), labels.tolist(), strict=True):
        yield numbers(x, missing), ",".join(y)


def sparse_features(block: Block, between: str, first: int, missing: str) -> Iterator[list[str]]:
    """Yield for each row its cells that are not 0: position, counted from `first`, and number."""
    X = sparse.csr_array(block.X, dtype=float, copy=True)
    X.sum_duplicates()
    X.eliminate_zeros()
    values = numbers(X.data, missing).split(",") if X.nnz else []
    positions = (X.indices + first).tolist()
    cells = [f"{position}{between}{value}" for position, value in zip(positions, values, strict=True)]
    for start, end in pairwise(X.indptr):
        yield cells[start:end]


def sparse_labels(block: Block, texts: LabelTexts, first: int) -> Iterator[list[str]]:
    """Yield for each row its labels that are unknown or not of code 0: position, counted from `first`, and text."""
    if block.known is None:
        Y = sparse.csr_array(block.Y, copy=True)
        Y.sum_duplicates()
        Y.eliminate_zeros()
        columns, values, ends = Y.indices, texts.of(Y.indices, Y.data), Y.indptr
    else:
        stored = ~block.known | (dense(block.Y) > 0)
        rows, columns = np.nonzero(stored)
        values = texts.of(columns, np.where(block.known, dense(block.Y), 0)[rows, columns], block.known[rows, columns])
        ends = np.concatenate([[0], np.cumsum(stored.sum(axis=1))])
    cells = [f"{position} {text}" for position, text in zip((columns + first).tolist(), values.tolist(), strict=True)]
    for start, end in pairwise(ends):
        yield cells[start:end]
