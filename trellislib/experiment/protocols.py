"""Which instances a method is trained on and which it is tested on: the same for every method."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Protocol

import numpy as np
from iterstrat.ml_stratifiers import MultilabelStratifiedKFold, MultilabelStratifiedShuffleSplit
from scipy import sparse
from sklearn.model_selection import KFold as PlainKFold
from sklearn.model_selection import ShuffleSplit

from trellislib.data.dataset import Dataset
from trellislib.experiment.grouped import grouped_folds
from trellislib.wording import agreed, counted

Fold = tuple[np.ndarray, np.ndarray]

TestSets = list[tuple[int, int, np.ndarray, np.ndarray]]
"""Of each fit, which repeat and which fold it is of (from 1), and the rows to train and to test on."""

TESTED = " of the rows for testing"  # after the share, in the words of a split
STRATIFIED_CELLS = 20_000_000  # above this many label cells, iterative stratification would take minutes


def require_dataset(dataset: object) -> None:
    """Raise a TypeError unless it is a data set."""
    if not isinstance(dataset, Dataset):
        raise TypeError(
            f"Got a {type(dataset).__name__}, but expected a trellislib.data.Dataset, as load(...) or "
            "Dataset(X, Y, feature_names, label_names, label_values, name)."
        )


def folds(dataset: Dataset, cv: Any, seed: int = 0) -> list[Fold]:
    """Return the folds of `evaluate`, each as (train, test) rows.

    Stratification takes a dense copy of the labels, a byte or so per cell, even of sparse ones: it looks at every label
    of every row anyway, and is given up where these are more than 20 million. Folds are then drawn at random.

    Where the data set has groups, no fold divides one; see `trellislib.experiment.grouped`. A splitter gets them.

    Raises
    ------
    ValueError
        If `cv` is a number that makes no folds of this data set, or is what divides a group.
    """
    groups = dataset.group_codes
    if hasattr(cv, "split"):
        of_splitter = cv.split(dataset.X, dataset.Y) if groups is None else cv.split(dataset.X, dataset.Y, groups)
        return _undivided(dataset, list(of_splitter))
    if isinstance(cv, str):
        raise ValueError(f"Got cv={cv!r}, but expected a number of folds, a test share or a splitter.")
    if not isinstance(cv, Real):
        return _undivided(dataset, [(np.asarray(train), np.asarray(test)) for train, test in cv])
    n = dataset.n_instances
    if isinstance(cv, Integral):
        if not 2 <= int(cv) <= dataset.n_apart:
            what = f"{dataset.n_apart} {dataset.parts}"
            raise ValueError(f"Got {cv} folds, but expected between 2 and the {what} of {dataset.name}.")
        stratified = MultilabelStratifiedKFold(int(cv), shuffle=True, random_state=seed)
        plain = PlainKFold(int(cv), shuffle=True, random_state=seed)
    else:
        if not 0 < round(float(cv) * n) < n:
            raise ValueError(f"Got the test share {cv}, but expected one that leaves instances on both sides.")
        stratified = MultilabelStratifiedShuffleSplit(1, test_size=cv, random_state=seed)
        plain = ShuffleSplit(1, test_size=cv, random_state=seed)
    rows = np.zeros((n, 1))
    is_stratified = dataset.is_multilabel and n * dataset.n_labels <= STRATIFIED_CELLS
    if groups is not None and dataset.n_apart < n:
        return _grouped(dataset, groups, cv, seed, is_stratified=is_stratified)
    if is_stratified:
        Y = dataset.Y.toarray() if sparse.issparse(dataset.Y) else dataset.Y
        Y = np.hstack([Y, Y]) if dataset.n_labels == 1 else Y  # the stratifier takes two labels or more
        found = list(stratified.split(rows, Y))
        if all(len(train) and len(test) for train, test in found):  # few rows can leave a fold empty
            return found
    return list(plain.split(rows))


def about_groups(dataset: Dataset, chosen: Iterable[Fold]) -> str:
    """Return what folds do with the groups of a data set, as a sentence; empty where it has none."""
    groups, codes = dataset.groups, dataset.group_codes
    if groups is None or codes is None:
        return ""
    divided = {int(code) for train, test in chosen for code in np.intersect1d(codes[train], codes[test])}
    if not divided:
        return f"Folds keep the rows of each {groups.name} together: {counted(dataset.n_apart, 'group')}."
    have = agreed(len(divided), "has", "have")
    return (
        f"{len(divided):,} of {counted(dataset.n_apart, 'group')} ({groups.name}) {have} rows to train on and rows to "
        "test on, so scores may be too high."
    )


def about_weights(dataset: Dataset) -> str:
    """Return what weights of rows are used for, as a sentence; empty where there are none."""
    if dataset.weights is None:
        return ""
    return f"Rows count by {dataset.weights.name} in fits and in scores, but as one row each in folds."


def _grouped(dataset: Dataset, groups: np.ndarray, cv: Any, seed: int, *, is_stratified: bool) -> list[Fold]:
    """Return folds, or one split, that keep groups together."""
    n_folds = int(cv) if isinstance(cv, Integral) else 1
    shares = np.full(n_folds, 1 / n_folds) if n_folds > 1 else np.array([float(cv), 1 - float(cv)])
    of_row = grouped_folds(dataset.Y if is_stratified else dataset.Y[:, :0], groups, shares, seed)
    found = [(np.flatnonzero(of_row != fold), np.flatnonzero(of_row == fold)) for fold in range(n_folds)]
    if any(not len(train) or not len(test) for train, test in found):
        raise ValueError(f"Got a single group in {dataset.name}, which no fold can divide; give other groups.")
    return found


def _undivided(dataset: Dataset, found: list[Fold]) -> list[Fold]:
    """Return folds that others made, unless one has rows of a group on both sides."""
    groups, codes = dataset.groups, dataset.group_codes
    if groups is None or codes is None:
        return found
    for number, (train, test) in enumerate(found, 1):
        both = np.intersect1d(codes[train], codes[test])
        if len(both):
            group = groups[codes == both[0]].iloc[0]
            raise ValueError(
                f"Got a fold {number} that has rows of {groups.name} {group!r} to train on and to test on: give a "
                "number of folds, or a splitter that takes groups."
            )
    return found


def require_protocol(protocol: object) -> None:
    """Raise a TypeError unless it divides data sets."""
    if isinstance(protocol, type):
        raise TypeError(
            f"Got the class {protocol.__name__} as protocol, but expected one of it: {protocol.__name__}(...)."
        )
    if not hasattr(protocol, "divide"):
        raise TypeError(
            f"Got a {type(protocol).__name__} as protocol, but expected what has a method divide: instead of "
            "scikit-learn's splitters or a number of folds use trellislib.experiment.KFold, Split or Given."
        )


def _require_count(what: str, value: object, least: int) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < least:
        raise ValueError(f"Got {value!r} as the number of {what}, but expected a whole number from {least}.")


def folds_in_words(words: str) -> float | None:
    """Return how many folds one division by a protocol of these words has; of a split, one over its share of test rows.

    Examples
    --------
    >>> folds_in_words(KFold(10, repeats=3).words), folds_in_words(Split(0.25).words), folds_in_words("given rows")
    (10.0, 4.0, None)
    """
    if found := re.fullmatch(r"(?:\d+ x )?(\d+)-fold", words):
        return float(found[1])
    share, _, rest = words.partition(" ")
    return float(1 / Fraction(share)) if f" {rest}" == TESTED else None


class EvaluationProtocol(Protocol):
    """How a data set is divided into training and test rows."""

    @property
    def words(self) -> str:
        """The protocol in a few words; two protocols with the same words divide alike."""

    @property
    def n_fits(self) -> int:
        """Number of fits of each method, for one seed."""

    def divide(self, dataset: Dataset, seed: int) -> TestSets:
        """Return the training and test rows of each fit."""


@dataclass(frozen=True)
class Split:
    """One split at random, stratified as by `folds`.

    Parameters
    ----------
    test : float, default=1/3
        Share of instances to test on.

    Raises
    ------
    ValueError
        If it is no number between 0 and 1.
    """

    test: float = 1 / 3
    n_fits = 1

    def __post_init__(self) -> None:
        if not isinstance(self.test, Real) or not 0 < float(self.test) < 1:
            raise ValueError(f"Got {self.test!r} as the share to test on, but expected a number between 0 and 1.")

    @property
    def words(self) -> str:
        """The protocol in a few words."""
        written = repr(float(self.test))
        fraction = Fraction(self.test).limit_denominator(100)
        is_shorter = len(str(fraction)) < len(written) and float(fraction) == self.test
        return f"{fraction if is_shorter else written}{TESTED}"

    def divide(self, dataset: Dataset, seed: int) -> TestSets:
        """Return the rows of the only fit."""
        ((train, test),) = folds(dataset, float(self.test), seed)
        return [(1, 1, train, test)]


@dataclass(frozen=True)
class KFold:
    """Cross-validation, stratified as by `folds`, perhaps repeated with other folds.

    Parameters
    ----------
    folds : int, default=5
        Number of folds.
    repeats : int, default=1
        How often the data are divided again. The first repeat has the folds of cross-validation without repeats; those
        of the others are drawn from the seed and the number of the repeat.

    Raises
    ------
    ValueError
        If there are not at least 2 folds and 1 repeat, or these are no whole numbers.

    Examples
    --------
    >>> KFold(10, repeats=10).words
    '10 x 10-fold'
    """

    folds: int = 5
    repeats: int = 1

    def __post_init__(self) -> None:
        _require_count("folds", self.folds, 2)
        _require_count("repeats", self.repeats, 1)

    @property
    def words(self) -> str:
        """The protocol in a few words."""
        return f"{self.folds}-fold" if self.repeats == 1 else f"{self.repeats} x {self.folds}-fold"

    @property
    def n_fits(self) -> int:
        """Number of fits of each method, for one seed."""
        return self.folds * self.repeats

    def divide(self, dataset: Dataset, seed: int) -> TestSets:
        """Return the rows of each fit, repeat after repeat."""
        return [
            (repeat, fold, train, test)
            for repeat in range(1, self.repeats + 1)
            for fold, (train, test) in enumerate(folds(dataset, int(self.folds), _seed_of(seed, repeat)), 1)
        ]


def _seed_of(seed: int, repeat: int) -> int:
    return seed if repeat == 1 else int(np.random.SeedSequence((seed, repeat)).generate_state(1)[0])


@dataclass(frozen=True)
class Given:
    """The first rows train, the others test: what `trellislib.data.below` makes of a training and a test file.

    Parameters
    ----------
    n_train : int
        Number of rows to train on.

    Raises
    ------
    ValueError
        If it is no whole number from 1.
    """

    n_train: int
    n_fits = 1

    def __post_init__(self) -> None:
        _require_count("training rows", self.n_train, 1)

    @property
    def words(self) -> str:
        """The protocol in a few words."""
        return f"the first {self.n_train:,} rows for training"

    def divide(self, dataset: Dataset, seed: int) -> TestSets:
        """Return the rows of the only fit.

        Raises
        ------
        ValueError
            If no row is left to test on.
        """
        n = dataset.n_instances
        if self.n_train >= n:
            raise ValueError(
                f"Got {self.n_train} training rows, but {dataset.name} has {n}: some must be left to test on."
            )
        rows = np.arange(n)
        return [(1, 1, rows[: self.n_train], rows[self.n_train :])]
