"""What columns, values of labels and files are called in a file, and what none can hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import sparse

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.tables.columns import unique_names
from trellislib.data.tables.label_values import nominal_coding
from trellislib.wording import quoted

Names = tuple[str, ...]

_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_NO_FILE_NAME = re.compile(r"[^\w.()+ -]+")


def stem(data: Dataset) -> str:
    """Return what the files of a data set are called, without signs that mean more in a path."""
    return _NO_FILE_NAME.sub("-", data.name).strip("-. ")[:100] or "data"


def column_names(data: Dataset, held: Callable[[str], str] = str) -> tuple[Names, Names]:
    """Return the names of features and of labels as a file has them: different and not empty.

    Where two would be the same, a label's comes first.

    - `held`: What remains of a name in the form; by default all of it.

    Examples
    --------
    >>> data = Dataset(np.eye(2), np.eye(2, dtype=int), ("a", "x"), ("a", ""), (("0", "1"),) * 2)
    >>> column_names(data)
    (('a (2)', 'x'), ('a', 'label 2'))
    """
    labels = [held(name) or f"label {j}" for j, name in enumerate(data.label_names, 1)]
    features = [held(name) or f"feature {j}" for j, name in enumerate(data.feature_names, 1)]
    names, _ = unique_names((*labels, *features))
    return names[data.n_labels :], names[: data.n_labels]


def names_about_rows(data: Dataset, columns: Names, held: Callable[[str], str] = str) -> Names:
    """Return the names of the columns of groups and of weights, of those that the data have, next to other `columns`.

    Examples
    --------
    >>> import pandas as pd
    >>> data = Dataset(np.eye(2), np.eye(2, dtype=int), ("a", "x"), ("b", "c"), (("0", "1"),) * 2)
    >>> names_about_rows(replace(data, groups=pd.Series(["p", "q"], name="x")), ("a", "x", "b", "c"))
    ('x (2)',)
    """
    named = [str(one.name) for one in (data.groups, data.weights) if one is not None]
    return unique_names((*columns, *map(held, named)))[0][len(columns) :]


def check(data: Dataset) -> None:
    """Refuse what no form holds.

    Raises `DataError` if there is no feature, a feature is infinite, or a name has a sign that no text has.
    """
    if not data.n_features:
        raise DataError(f"{data.name}: a file needs at least one feature, but the data set has labels only.")
    for X in (data.X, *([data.incomplete.X] if data.incomplete else [])):
        infinite = np.isinf(X.data if sparse.issparse(X) else X)
        if infinite.any():
            j = X.indices[infinite][0] if sparse.issparse(X) else np.nonzero(infinite)[1][0]
            raise DataError(
                f"{data.name}: feature {quoted(data.feature_names[j])} has an infinite number, which is not read back; "
                "replace it."
            )
    names = (*data.feature_names, *data.label_names, *(value for values in data.label_values for value in values))
    wrong = next(filter(_NO_TEXT.search, names), None)
    if wrong is not None:
        raise DataError(f"{data.name}: the name {wrong!r} has a sign that no text may have; rename it.")


def check_values(data: Dataset, held: Callable[[str], str], is_missing: Callable[[str], bool], form: str) -> None:
    """Refuse values of labels that a text form cannot tell from each other or from a missing cell.

    Raises `DataError` if there is such a value.

    - `held`: What remains of a value in the form.
    - `is_missing`: Whether the form takes a value for a missing cell.
    - `form`: What to call it.
    """
    for label, values in zip(data.label_names, data.label_values, strict=True):
        texts = [held(value) for value in values]
        lost = next((value for value, text in zip(values, texts, strict=True) if is_missing(text)), None)
        if lost is not None:
            raise DataError(
                f"{data.name}: label {quoted(label)} has the value {quoted(lost)}, which {form} takes for a missing "
                "cell; call it otherwise."
            )
        if len(set(texts)) < len(texts):
            raise DataError(f"{data.name}: two values of label {quoted(label)} are the same in {form}; rename one.")


def with_sure_values(data: Dataset, *, keeps_order: bool) -> Dataset:
    """Return a data set whose labels of one or two values read back with the same codes.

    The values of a label of which that is not sure become 0 and 1: those that stand against the usual order, such as
    yes/no with "no" relevant, and in a form that does not keep their order all that do not say which is relevant.

    - `keeps_order`: Whether the form says which value is the first.

    Examples
    --------
    >>> values = (("no", "yes"), ("yes", "no"), ("grey", "blue"))
    >>> data = Dataset(np.eye(2), np.eye(2, 3, dtype=int), ("x", "z"), ("a", "b", "c"), values)
    >>> with_sure_values(data, keeps_order=True).label_values
    (('no', 'yes'), ('0', '1'), ('grey', 'blue'))
    >>> with_sure_values(data, keeps_order=False).label_values
    (('no', 'yes'), ('0', '1'), ('0', '1'))
    """
    return replace(data, label_values=tuple(_sure(values, keeps_order) for values in data.label_values))


def _sure(values: tuple[str, ...], keeps_order: bool) -> tuple[str, ...]:
    n = len(values)
    if n > 2:
        return values
    coding = nominal_coding(values, "")
    reads_back = coding.codes(np.arange(n, dtype=float)).tolist() == list(range(n))
    return values if reads_back and (keeps_order or not coding.is_guess) else ("0", "1")[:n]
