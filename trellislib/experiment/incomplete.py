"""What becomes of the instances of which only some labels are known (`Dataset.incomplete`) when methods are compared.

They are no rows of the data set, so protocols do not divide them: number i goes wherever row ``i modulo N`` goes, of
the N complete rows. Whatever divides the rows thus divides them too, and no instance is trained and tested on at once.
Where the data were published as rows to train and rows to test on, each keeps to its side in the same way. Where the
data set has groups, an instance goes wherever the first complete row of its group goes.

- In training, an unknown label is never read as 0: it is filled with what independent least squares, fitted on the
  complete training rows, predict for it. Methods see no other difference between the rows, and the fill is no part of
  their training time.
- In testing, all labels are predicted, and those that are not known are not scored, as `trellislib.metrics` describes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trellislib.data.cells import column_range
from trellislib.data.dataset import Dataset
from trellislib.experiment.protocols import Fold
from trellislib.labels.matrices import dense
from trellislib.methods import IndependentClassifiers
from trellislib.methods.preprocessing import with_preprocessing
from trellislib.typing import Matrix
from trellislib.wording import agreed


@dataclass(frozen=True)
class TestRows:
    """Instances to test on.

    Attributes
    ----------
    X, Y : {ndarray, csr_array}
        Features and label codes.
    known : ndarray of bool, or None
        Which codes of `Y` are known, None for all.
    weight : ndarray, or None
        How much each instance counts, None for each as much.
    """

    X: Matrix
    Y: Matrix
    known: np.ndarray | None = None
    weight: np.ndarray | None = None


def to_train(dataset: Dataset, rows: np.ndarray) -> tuple[Matrix, Matrix]:
    """Return features and labels to train on: complete rows, and those partially labelled that go with them, filled."""
    X, Y = dataset.X[rows], dataset.Y[rows]
    incomplete, going = dataset.incomplete, _going_with(dataset, rows)
    if incomplete is None or not going.size:
        return X, Y
    also = incomplete.X[going]
    guessed = with_preprocessing(IndependentClassifiers(), "as they are", dataset).fit(X, Y).predict(also)
    filled = np.where(incomplete.known[going], incomplete.Y[going], dense(guessed).reshape(len(going), -1))
    return _below(X, also), _below(Y, filled.astype(Y.dtype))


def to_test(dataset: Dataset, rows: np.ndarray) -> TestRows:
    """Return what to test on: complete rows, and those partially labelled that go with them."""
    X, Y = dataset.X[rows], dataset.Y[rows]
    incomplete, going = dataset.incomplete, _going_with(dataset, rows)
    if incomplete is None or not going.size:
        return TestRows(X, Y, weight=weights_of(dataset, rows))
    known = incomplete.known[going]
    codes = np.where(known, incomplete.Y[going], 0).astype(Y.dtype)
    is_known = np.vstack([np.ones(Y.shape, dtype=bool), known])
    return TestRows(_below(X, incomplete.X[going]), _below(Y, codes), is_known, weights_of(dataset, rows))


def weights_of(dataset: Dataset, rows: np.ndarray) -> np.ndarray | None:
    """Return the weights of complete rows, and of those partially labelled that go with them; None without weights."""
    weight, incomplete = dataset.sample_weight, dataset.incomplete
    if weight is None:
        return None
    of_incomplete = None if incomplete is None else incomplete.weights
    also = [] if of_incomplete is None else of_incomplete.to_numpy(dtype=float)[_going_with(dataset, rows)]
    return np.concatenate([weight[rows], also])


def groups_of(dataset: Dataset, rows: np.ndarray) -> np.ndarray | None:
    """Return the groups of complete rows, and of those partially labelled that go with them; None without groups."""
    groups, incomplete = dataset.groups, dataset.incomplete
    if groups is None:
        return None
    of_incomplete = None if incomplete is None else incomplete.groups
    of_complete = groups.to_numpy()[rows]
    if of_incomplete is None:  # an empty list next to large whole numbers would make them floats, many of them equal
        return of_complete
    return np.concatenate([of_complete, of_incomplete.to_numpy()[_going_with(dataset, rows)]])


def known_range(dataset: Dataset, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and the highest known code of each label, in all rows, or some and those with them."""
    low, high = column_range(dataset.Y if rows is None else dataset.Y[rows])
    if dataset.incomplete is None:
        return low, high
    going = slice(None) if rows is None else _going_with(dataset, rows)
    codes, known = dataset.incomplete.Y[going], dataset.incomplete.known[going]
    return (
        np.vstack([low, np.where(known, codes, low)]).min(axis=0),
        np.vstack([high, np.where(known, codes, high)]).max(axis=0),
    )


def note(dataset: Dataset, chosen: list[Fold]) -> list[str]:
    """Return how many incomplete instances are trained and tested on in these folds, as at most one note."""
    n_trained, n_tested = (
        len({int(number) for fold in chosen for number in _going_with(dataset, fold[side])}) for side in (0, 1)
    )
    if not n_trained and not n_tested:
        return []
    train, score = agreed(n_trained, "trains", "train"), agreed(n_tested, "is", "are")
    return [
        f"Instances with some labels unknown also take part: {n_trained:,} {train}, unknown labels filled by "
        f"independent least squares, and {n_tested:,} {score} scored on the known ones."
    ]


def _going_with(dataset: Dataset, rows: np.ndarray) -> np.ndarray:
    """Return the numbers of the partially labelled instances that go where these complete rows go."""
    if dataset.incomplete is None:
        return np.empty(0, dtype=int)
    n, of_train, before = dataset.incomplete.X.shape[0], dataset.incomplete.n_train or 0, dataset.n_train or 0
    companions = np.arange(n) % (before or dataset.n_instances)
    companions[of_train:] = before + np.arange(n - of_train) % (dataset.n_instances - before)
    if not before and dataset.groups is not None and dataset.incomplete.groups is not None:
        first = dict(zip(dataset.groups[::-1], range(dataset.n_instances)[::-1], strict=True))
        names = dataset.incomplete.groups.tolist()
        alone = {name: number for number, name in enumerate(dict.fromkeys(names)) if name not in first}
        companions = np.array([first.get(name, alone.get(name, 0) % dataset.n_instances) for name in names])
    chosen = np.zeros(dataset.n_instances, dtype=bool)
    chosen[rows] = True
    return np.flatnonzero(chosen[companions])


def _below(above: Matrix, below: Matrix) -> Matrix:
    """Return the rows of one matrix and then those of another, in the form of the first."""
    if sparse.issparse(above):
        return sparse.vstack([above, sparse.csr_array(below)], format="csr")
    return np.vstack([above, dense(below)])
