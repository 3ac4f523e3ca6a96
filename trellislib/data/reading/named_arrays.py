"""Files of named arrays: which of them are the features and the labels, and which way round they lie."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from trellislib.data.reading.arrays import array_table, labelled
from trellislib.data.reading.proportion import check_columns, check_memory, check_shape
from trellislib.data.reading.source import Source
from trellislib.data.tables.table import Table
from trellislib.running.memory import FLOAT
from trellislib.typing import Matrix
from trellislib.wording import counted, quoted, quoted_names

_WORDS = {
    "features": ("x", "data", "feature", "features", "input", "inputs", "attributes"),
    "labels": ("y", "label", "labels", "target", "targets", "output", "outputs"),
}
_NAMES = {
    "features": ("featurename", "featurenames", "attributenames", "xnames"),
    "labels": ("labelname", "labelnames", "targetnames", "classnames", "ynames"),
}
_PARTS = ("train", "test")
_COPIES = 4  # of the cells while they become a table: as read, as floats, side by side, and as a data set
_MOST = 5  # names that a message lists
_EXPECTED = "expected features named X and labels named Y"

Arrays = Mapping[str, Any]


@dataclass(frozen=True)
class Unread:
    """An array of a file that was not read, and what it is."""

    what: str


def named_table(source: Source, arrays: Arrays, form: str) -> Table:
    """Return the arrays of a file as a table.

    Features are called X, data, features or the like, labels Y, target, labels or the like, in any case; either may be
    in two parts, as X_train and X_test, or train.data and test.data. Names may be in feature_names and label_names.
    A single matrix is a table without declared labels.

    Sparse where the features are. `notes` say what was turned round and what was not used. Raises `DataError` if it is
    unclear which arrays are meant, or their shapes do not fit together in any way round.

    - `arrays`: What it holds.
    - `form`: What it is, for a sentence: "An NPZ file".

    Examples
    --------
    >>> table = named_table(Source(b"", "sky.npz"), {"X": np.ones((3, 4)), "Y": np.zeros((2, 3))}, "A file")
    >>> table.labels, table.notes
    (('label 1', 'label 2'), ('A row of Y was a label in the file; it was turned round.',))
    """
    roles = _roles(source, arrays)
    parts = [""] if ("features", "") in roles else [part for part in _PARTS if ("features", part) in roles]
    if not parts:
        return _unlabelled(source, arrays, roles, form)
    keys = {role: [roles[role, part] for part in parts if (role, part) in roles] for role in _WORDS}
    X = [_matrix(source, arrays, key) for key in keys["features"]]
    Y = [_matrix(source, arrays, key) for key in keys["labels"]]
    if Y and len(Y) != len(X):
        raise source.error(
            f"there are no labels for all of {quoted_names(keys['features'])}; {_EXPECTED} for each part"
        )
    X, Y, turned = _turned(source, X, Y, keys)
    check_columns(source, X[0].shape[1] + (Y[0].shape[1] if Y else 0))
    names = {role: roles.get((role, "names")) for role in _WORDS}
    texts = {role: None if key is None else _texts(source, arrays, key) for role, key in names.items()}
    used = [*keys["features"], *keys["labels"], *filter(None, names.values())]
    provenance = f"{form}{source.unpacked_from} with {_shapes(arrays, used)}."
    table = replace(array_table(_stacked(X), source.name, "feature", texts["features"]), provenance=(provenance,))
    if Y:
        labels = array_table(_stacked(Y), source.name, "label", texts["labels"])
        table = labelled(table, labels, f"the name {quoted(keys['labels'][0])}", provenance)
    n_train = X[0].shape[0] if len(X) > 1 else None
    return replace(table, n_train=n_train, notes=(*table.notes, *turned, *_unused(arrays, used)))


def _roles(source: Source, arrays: Arrays) -> dict[tuple[str, str], str]:
    """Return the key of each role and part ("", "train", "test" or "names") that is there."""
    meaning = {}
    for role, words in _WORDS.items():
        for word in words:
            meaning[word] = (role, "")
            for part in _PARTS:
                meaning[word + part] = meaning[part + word] = (role, part)
        meaning.update(dict.fromkeys(_NAMES[role], (role, "names")))
    roles: dict[tuple[str, str], str] = {}
    for key in arrays:
        whole, field = (re.sub(r"[^a-z0-9]", "", name.lower()) for name in (key, key.rpartition(".")[2]))
        place = meaning.get(whole, meaning.get(field))
        if place in roles:
            both = f"{quoted(roles[place])} and {quoted(key)}"
            raise source.error(f"{both} could both be the {place[0]}; rename one of them")
        if place is not None:
            roles[place] = key
    return roles


def _unlabelled(source: Source, arrays: Arrays, roles: Mapping[tuple[str, str], str], form: str) -> Table:
    """Return the only matrix as a table that declares no labels."""
    if ("labels", "") in roles and len(arrays) > 1:
        raise source.error(f"there are labels ({quoted(roles['labels', ''])}) but no features; {_EXPECTED}")
    matrices = [key for key, array in arrays.items() if getattr(array, "ndim", 0) == 2]
    if len(matrices) != 1:
        held = quoted_names(list(arrays), _MOST) if arrays else "nothing"
        unread = [array.what for array in arrays.values() if isinstance(array, Unread)]
        raise source.error(f"{_EXPECTED}, but the file holds {held}{f' ({unread[0]})' if unread else ''}")
    matrix = _matrix(source, arrays, matrices[0])
    check_columns(source, matrix.shape[1])
    table = array_table(matrix, source.name)
    provenance = f"{form}{source.unpacked_from} with {_shapes(arrays, matrices)}."
    return replace(table, provenance=(provenance,), notes=(*table.notes, *_unused(arrays, matrices)))


def _matrix(source: Source, arrays: Arrays, key: str) -> Matrix:
    """Return an array of two dimensions."""
    array = arrays[key]
    if isinstance(array, Unread):
        raise source.error(f"{quoted(key)} is {array.what}; save it as a matrix of numbers")
    if isinstance(array, tuple):
        array = np.array(array, dtype=object)
    if array.ndim not in (1, 2):
        raise source.error(f"{quoted(key)} has {array.ndim} dimensions, but a table has two: rows and columns")
    array = array[:, None] if array.ndim == 1 else array
    if sparse.issparse(array):
        check_shape(source, array.shape, array.nnz)
    n_cells = array.nnz if sparse.issparse(array) else array.size
    check_memory(source, _COPIES * FLOAT * n_cells, f"the {counted(n_cells, 'cell')} of {quoted(key)}")
    return array


def _turned(
    source: Source, X: list[Matrix], Y: list[Matrix], keys: Mapping[str, list[str]]
) -> tuple[list[Matrix], list[Matrix], list[str]]:
    """Return features and labels with a row for each instance, and what was turned round for that."""
    ways = [
        (turn_X, turn_Y)
        for turn_X, turn_Y in ((False, False), (False, True), (True, False), (True, True))
        if _fit(_turned_if(turn_X, X), _turned_if(turn_Y, Y))
    ]
    if ways == [(True, True)] and Y[0].shape[0] > Y[0].shape[1]:  # more labels than instances: rows that do not fit
        ways = []
    if not ways:
        given = zip((*keys["features"], *keys["labels"]), (*X, *Y), strict=True)
        every = ", ".join(f"{quoted(key)} {_size(array)}" for key, array in given)
        raise source.error(f"the shapes do not fit together ({every}); each instance needs a row in all of them")
    turn_X, turn_Y = ways[0]
    notes = [
        f"A row of {key} was a {what} in the file; it was turned round."
        for turn, role, what in ((turn_X, "features", "feature"), (turn_Y, "labels", "label"))
        for key in keys[role]
        if turn
    ]
    if Y and len(ways) > 1:
        notes.append("The shapes fit the other way round, too: check that each row is an instance.")
    return _turned_if(turn_X, X), _turned_if(turn_Y, Y), notes


def _fit(X: Sequence[Matrix], Y: Sequence[Matrix]) -> bool:
    """Whether all parts have as many columns, and features as many rows as their labels."""
    alike = all(len({part.shape[1] for part in parts}) <= 1 for parts in (X, Y))
    return alike and all(x.shape[0] == y.shape[0] for x, y in zip(X, Y, strict=False))


def _turned_if(turn: bool, parts: Sequence[Matrix]) -> list[Matrix]:
    return [part.T if turn else part for part in parts]


def _stacked(parts: Sequence[Matrix]) -> Matrix:
    if any(sparse.issparse(part) for part in parts):
        return sparse.vstack(parts, format="csr")
    return np.vstack(parts) if len(parts) > 1 else parts[0]


def _texts(source: Source, arrays: Arrays, key: str) -> list[str]:
    """Return an array of names."""
    array = arrays[key]
    if isinstance(array, Unread) or sparse.issparse(array):
        what = array.what if isinstance(array, Unread) else "a sparse matrix"
        raise source.error(f"{quoted(key)} is {what}; save it as a list of texts")
    return [str(name).strip() for name in np.ravel(array)]


def _unused(arrays: Arrays, used: Sequence[str]) -> list[str]:
    rest = [key for key in arrays if key not in used]
    return [f"Not used: {quoted_names(rest, _MOST)}."] if rest else []


def _shapes(arrays: Arrays, keys: Sequence[str]) -> str:
    return ", ".join(f"{key} ({_size(arrays[key])})" for key in keys)


def _size(array: Any) -> str:
    return counted(len(array), "text") if isinstance(array, tuple) else " x ".join(f"{n:,}" for n in array.shape)
