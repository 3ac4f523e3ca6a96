"""ARFF as Mulan and MEKA have it: dense where the features are, else sparse.

A label is a nominal attribute with all its values, in code order, whether or not they occur: in a sparse row, what is
left out is the first of them. So is the column of groups. Weights of rows stand in braces after them, as Weka has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import repeat
from operator import add
from xml.sax.saxutils import quoteattr

import pandas as pd

from trellislib.data.dataset import Dataset, PartiallyLabelled
from trellislib.data.writing.names import (
    Names,
    check,
    check_values,
    column_names,
    names_about_rows,
    stem,
    with_sure_values,
)
from trellislib.data.writing.rows import Block, LabelTexts, blocks, dense_rows, sparse_features, sparse_labels

_PLAIN = re.compile(r"[A-Za-z0-9_][\w.+-]*", re.ASCII)
_ESCAPES = str.maketrans({"\\": r"\\", "'": r"\'", '"': r"\"", "%": r"\%", "\t": r"\t", "\n": r"\n", "\r": r"\r"})
_HINT = re.compile(r"-(?=C)", re.IGNORECASE)


def mulan_arff(data: Dataset) -> dict[str, Iterator[bytes]]:
    """Return an ARFF file with the labels last, or two for the rows to train and to test on, and the XML of the labels.

    Rows of which some labels are unknown are the last ones of each.
    """
    data = _fit(data)
    names = column_names(data)
    xml = _xml(names[1])
    if data.n_train is None:
        return {f"{stem(data)}.arff": _file(data, names, labels_first=False), f"{stem(data)}.xml": xml}
    n_incomplete = data.incomplete.n_train if data.incomplete else None
    train = _part(data, slice(data.n_train), slice(n_incomplete))
    test = _part(data, slice(data.n_train, None), slice(n_incomplete, None))
    return {
        f"{stem(data)}-train.arff": _file(train, names, labels_first=False),
        f"{stem(data)}-test.arff": _file(test, names, labels_first=False),
        f"{stem(data)}.xml": xml,
    }


def meka_arff(data: Dataset) -> dict[str, Iterator[bytes]]:
    """Return an ARFF file with the labels first, and their number in the relation's name."""
    data = _fit(data)
    return {f"{stem(data)}.arff": _file(data, column_names(data), labels_first=True)}


def _fit(data: Dataset) -> Dataset:
    """Return a data set as ARFF can hold it, or refuse what it cannot."""
    check(data)
    data = with_sure_values(data, keeps_order=True)
    check_values(data, str.strip, lambda value: value in ("", "?"), "ARFF")
    return data


def arff_quoted(text: str) -> str:
    """Return a name or a value as ARFF has it: in quotes where it needs them, with backslashes before special signs."""
    return text if _PLAIN.fullmatch(text) else f"'{text.translate(_ESCAPES)}'"


def _part(data: Dataset, rows: slice, incomplete: slice) -> Dataset:
    """Return some rows of a data set, and some of those of which some labels are unknown."""
    part, whole = None, data.incomplete
    if whole is not None and len(whole.Y[incomplete]):
        groups, weights = (None if one is None else one[incomplete] for one in (whole.groups, whole.weights))
        known = whole.known[incomplete]
        part = PartiallyLabelled(whole.X[incomplete], whole.Y[incomplete], known, groups=groups, weights=weights)
    return replace(replace(data, columns=None).select(rows), incomplete=part)


def _file(data: Dataset, names: tuple[Names, Names], *, labels_first: bool) -> Iterator[bytes]:
    texts = [[arff_quoted(value.strip()) for value in values] for values in data.label_values]
    relation = f"{_HINT.sub('', data.name)}: -C {data.n_labels}" if labels_first else data.name
    groups = _groups(data)
    of_groups = [_nominal(names_about_rows(data, (*names[0], *names[1]))[0], groups)] if groups else []
    features = [*of_groups, *(f"@attribute {arff_quoted(name)} numeric\n" for name in names[0])]
    labels = [_nominal(name, of_label) for name, of_label in zip(names[1], texts, strict=True)]
    attributes = (labels, features) if labels_first else (features, labels)
    yield f"@relation {arff_quoted(relation)}\n\n".encode()
    yield "".join((*attributes[0], *attributes[1], "\n@data\n")).encode()
    rows = _dense if data.is_dense else _sparse
    for block in blocks(data):
        lines = rows(data, block, LabelTexts(texts, "?"), groups, labels_first)
        ends = repeat("\n") if block.weights is None else (f",{{{weight!r}}}\n" for weight in block.weights.tolist())
        yield "".join(map(add, lines, ends)).encode()


def _nominal(name: str, values: Iterable[str]) -> str:
    return f"@attribute {arff_quoted(name)} {{{','.join(values)}}}\n"


def _groups(data: Dataset) -> dict[str, int]:
    """Return a number for each group of the rows, by its text."""
    rows = [one.groups for one in (data, data.incomplete) if one is not None and one.groups is not None]
    return {arff_quoted(str(group)): code for code, group in enumerate(pd.unique(pd.concat(rows)) if rows else ())}


def _dense(
    data: Dataset, block: Block, texts: LabelTexts, groups: Mapping[str, int], labels_first: bool
) -> Iterator[str]:
    of_groups = repeat("") if block.groups is None else (f"{arff_quoted(str(group))}," for group in block.groups)
    for group, (x, y) in zip(of_groups, dense_rows(block, texts, "?"), strict=False):
        yield f"{y},{group}{x}" if labels_first else f"{group}{x},{y}"


def _sparse(
    data: Dataset, block: Block, texts: LabelTexts, groups: Mapping[str, int], labels_first: bool
) -> Iterator[str]:
    first_group = data.n_labels if labels_first else 0
    first_feature = first_group + (1 if groups else 0)
    X = sparse_features(block, " ", first_feature, "?")
    Y = sparse_labels(block, texts, 0 if labels_first else first_feature + data.n_features)
    of_groups = repeat("") if block.groups is None else map(arff_quoted, map(str, block.groups))
    for group, x, y in zip(of_groups, X, Y, strict=False):
        g = [f"{first_group} {group}"] if groups.get(group) else []  # the first one is left out, as zeros are
        yield f"{{{','.join((*y, *g, *x) if labels_first else (*g, *x, *y))}}}"


def _xml(labels: Names) -> Iterator[bytes]:
    yield b'<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">\n'
    yield "".join(f"<label name={quoteattr(label)}></label>\n" for label in labels).encode()
    yield b"</labels>\n"
