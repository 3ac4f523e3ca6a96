"""A set that is published as two files, one to train on and one to test on, as one data set."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from scipy import sparse

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.escapes import quoted
from trellislib.data.label_values import ascending
from trellislib.typing import Matrix

_TRAIN = re.compile(r"[-_ .]?train(ing)?$", re.IGNORECASE)


def joined(train: Dataset, test: Dataset, name: str | None = None) -> tuple[Dataset, int]:
    r"""Put the rows of a test file below those of its training file.

    Parameters
    ----------
    train, test : Dataset
        Of the same features and labels. The columns of `test` may stand in another order: they are matched by name.
    name : str, optional
        What to call the whole; by default the name of `train` without its "-train".

    Returns
    -------
    data : Dataset
        In the columns and the form (dense or CSR) of `train`. A label has the values that it has in either file.
    n_train : int
        How many of the rows, the first ones, are those of `train`.

    Raises
    ------
    DataError
        If one of them has a feature or a label that the other lacks; the message names it.

    Examples
    --------
    >>> from trellislib.data import load
    >>> train = load(b"x,y,sunny,warm\n1,2,0,0\n3,4,1,1\n", labels=-2)
    >>> test = load(b"y,x,warm,sunny\n6,5,0,1\n", labels=-2)
    >>> whole, n_train = joined(train, test, "weather")
    >>> whole.X.tolist(), whole.Y.tolist(), n_train
    ([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[0, 0], [1, 1], [1, 0]], 2)
    """
    features = _order(train, test, "feature", train.feature_names, test.feature_names)
    labels = _order(train, test, "label", train.label_names, test.label_names)
    test_values = [test.label_values[j] for j in labels]
    values = [_united(*both) for both in zip(train.label_values, test_values, strict=True)]
    Y = _recoded(train.Y, train.label_values, values), _recoded(test.Y[:, labels], test_values, values)
    more = [
        quoted(label)
        for label, ours, all_values in zip(train.label_names, train.label_values, values, strict=True)
        if ours != all_values
    ]
    grown = (f"In {test.name} there are values of labels that {train.name} lacks: {', '.join(more)}.",) if more else ()
    whole = Dataset(
        X=_stacked(train.X, test.X[:, features]),
        Y=_stacked(*Y),
        feature_names=train.feature_names,
        label_names=train.label_names,
        label_values=tuple(values),
        name=name or _TRAIN.sub("", train.name) or train.name,
        notes=(
            *dict.fromkeys((*train.notes, *test.notes)),
            f"The first {train.n_instances:,} rows are {train.name}, the other {test.n_instances:,} {test.name}.",
            *grown,
        ),
        true_parents=train.true_parents if train.true_parents == test.true_parents else None,
    )
    return whole, train.n_instances


def _order(train: Dataset, test: Dataset, what: str, names: tuple[str, ...], of_test: tuple[str, ...]) -> list[int]:
    """Return where each of `train`'s columns stands in `test`."""
    position = {name: j for j, name in enumerate(of_test)}
    for name in names:
        if name not in position:
            raise DataError(f"{test.name}: there is no {what} {quoted(name)}, which {train.name} has; add the column.")
    known = set(names)
    for name in of_test:
        if name not in known:
            raise DataError(
                f"{test.name}: the {what} {quoted(name)} is not in {train.name}; leave the column out, or add it there."
            )
    return [position[name] for name in names]


def _united(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values that a label has in either file, in the order in which values are coded."""
    if first == second:
        return first
    values = tuple(dict.fromkeys((*first, *second)))
    return tuple(values[i] for i in ascending(values))


def _recoded(Y: Matrix, old: Sequence[tuple[str, ...]], new: Sequence[tuple[str, ...]]) -> Matrix:
    """Return the codes among `new` of labels that are coded by `old`."""
    codes = {
        j: np.array([after.index(value) for value in before], dtype=np.int64)
        for j, (before, after) in enumerate(zip(old, new, strict=True))
        if before != after[: len(before)]
    }
    if not codes:
        return Y
    columns = sparse.csc_array(Y) if sparse.issparse(Y) else Y
    recoded = [codes[j][_dense(columns[:, [j]])] if j in codes else columns[:, [j]] for j in range(Y.shape[1])]
    return sparse.hstack(recoded, format="csr") if sparse.issparse(Y) else np.hstack(recoded)


def _stacked(above: Matrix, below: Matrix) -> Matrix:
    if sparse.issparse(above):
        return sparse.vstack([above, sparse.csr_array(below)], format="csr")
    return np.vstack([above, _dense(below)])


def _dense(part: Matrix) -> np.ndarray:
    return part.toarray() if sparse.issparse(part) else part
