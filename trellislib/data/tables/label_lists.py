"""Columns whose cells list labels, such as ``sea|sky``: how a list is read, and the columns of 0 and 1 it makes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import numpy as np
from scipy import sparse

from trellislib.data.escapes import unescape
from trellislib.data.tables.label_values import ascending
from trellislib.wording import counted, quoted
from trellislib.wording.arguments import given

_QUOTED = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*""", re.DOTALL)
_LISTING = re.compile(r"(labels?|tags?|genres?|topics?|categor(y|ies)|classes|keywords?|targets?|y)", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?")
_CODED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))")
LONGEST_LABEL = 60
"""Characters of a label; what is longer is prose."""

ANCESTORS = "ancestors"
"""What stands third in `Table.listed` where labels that are paths were read with those above them."""

_NO_LABEL = re.compile(
    r"[(<\[]?(?:no[ _-]?(?:genres?|labels?|tags?|topics?|categor(?:y|ies)|findings?|classes|class|keywords?)"
    r"(?:[ _-](?:listed|given|assigned|found))?|unlabell?ed|untagged|none(?: of (?:these|the above))?)[)>\]]?",
    re.IGNORECASE,
)
_BRACKETS = (("[", "]"), ("{", "}"), ("(", ")"))


def read_lists(texts: Sequence[str], separator: str) -> list[list[str]]:
    """Return the labels that each text lists.

    Blanks around labels are dropped, and so are empty labels. Brackets go if they stand around every text that is not
    empty, and quotes if they stand around every label; a separator between quotes then separates nothing. Lists as
    JSON and Python write them are read as they mean.

    In the order of the text, with what it names twice.

    - `texts`: One list each.
    - `separator`: What stands between labels; a blank stands for any number of them.

    Examples
    --------
    >>> read_lists([" sky |sand", ""], "|")
    [['sky', 'sand'], []]
    >>> read_lists(["['a, b', 'c']", "[]"], ",")
    [['a, b', 'c'], []]
    """
    stripped = [text.strip() for text in texts]
    as_json = list(map(_json_list, stripped))
    if any(stripped) and all(labels is not None for labels in as_json):
        return [[label.strip() for label in labels or () if label.strip()] for labels in as_json]
    for opening, closing in _BRACKETS:
        if all(text[:1] == opening and text[-1:] == closing and len(text) > 1 for text in stripped if text):
            stripped = [text[1:-1].strip() for text in stripped]
            break
    quoted = [_between_quotes(text, separator) for text in stripped]
    if any(quoted) and all(labels is not None for labels in quoted):
        lists = [labels or [] for labels in quoted]
    else:
        lists = [text.split(separator if separator.strip() else None) for text in stripped]
    return [[label.strip() for label in labels if label.strip()] for labels in lists]


def are_written_lists(texts: Sequence[str]) -> bool:
    """Whether texts are lists by their form: brackets around each, and labels in quotes, or short ones, between commas.

    Lists of decimals, or of as many numbers each, are measurements.

    Examples
    --------
    >>> are_written_lists(["['sea', 'sky']", "[]"]), are_written_lists(["[0.5, 1]", "[1]"]), are_written_lists(["sea"])
    (True, False, False)
    """
    stripped = [text.strip() for text in texts if text.strip()]
    if not stripped or not all(text[0] == "[" and text[-1] == "]" for text in stripped):
        return False
    lists = read_lists(stripped, ",")
    labels = {label for of_text in lists for label in of_text}
    if not labels or any("[" in label or len(label) > LONGEST_LABEL for label in labels):
        return False
    numbers = all(_NUMBER.fullmatch(label) for label in labels)
    return not numbers or (all(map(str.isdecimal, labels)) and len({len(of_text) for of_text in lists}) > 1)


def _json_list(text: str) -> list[str] | None:
    """Return the items of a list that is written as JSON; of no text none, and None where it is something else."""
    if not text:
        return []
    if text[0] != "[" or text[-1] != "]":
        return None
    try:
        items = json.loads(text)
    except (ValueError, RecursionError):
        return None
    scalars = all(isinstance(item, (str, int, float)) or item is None for item in items)
    return [str(item) for item in items if item is not None] if scalars else None


def indicators(lists: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], sparse.csr_array]:
    """Return the labels that occur, numbers in ascending order or else by name, and 1 where a list names one."""
    names = sorted({label for labels in lists for label in labels})
    names = [names[i] for i in ascending(names)]
    position = {label: j for j, label in enumerate(names)}
    columns = [sorted({position[label] for label in labels}) for labels in lists]
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in columns])]).astype(np.int64)
    indices = np.array([j for row in columns for j in row], dtype=np.int64)
    return tuple(names), sparse.csr_array((np.ones(indices.size), indices, indptr), shape=(len(lists), len(names)))


def _between_quotes(text: str, separator: str) -> list[str] | None:
    """Return the labels of a list that are all in quotes; None if one is not."""
    labels: list[str] = []
    end = 0
    while end < len(text):
        if labels and separator.strip():
            if not text.startswith(separator.strip(), end):
                return None
            end += len(separator.strip())
        match = _QUOTED.match(text, end)
        if match is None:
            return None
        label = match[1] if match[1] is not None else match[2]
        labels.append(unescape(_CODED.sub(lambda code: chr(int(code[1] or code[2], 16)), label)))
        end = match.end()
    return labels


def placeholder(lists: Sequence[Sequence[str]], named: str | None = None) -> str:
    """Return what stands in lists for no label, such as ``(no genres listed)``; empty where nothing does.

    It stands alone wherever it does, and there are labels besides.

    - `named`: What it is said to be; by default what is called so.

    Examples
    --------
    >>> placeholder([["sea", "sky"], ["No finding"]]), placeholder([["sea", "none"], ["sky"]]), placeholder([["none"]])
    ('No finding', '', '')
    """
    labels = dict.fromkeys(label for labels in lists for label in labels)
    for label in labels:
        is_so = _NO_LABEL.fullmatch(label) is not None if named is None else label == named
        if is_so and len(labels) > 1 and all(len(set(found)) == 1 for found in lists if label in found):
            return label
    return ""


def with_ancestors(lists: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return lists of labels that are paths, such as ``a/b/c``, with ``a`` and ``a/b`` added.

    Examples
    --------
    >>> with_ancestors([["a/b/c", "d"], []])
    [['a', 'a/b', 'a/b/c', 'd'], []]
    """
    return [list(dict.fromkeys(path for label in labels for path in _paths(label))) for labels in lists]


def path_among(labels: Sequence[str]) -> str:
    """Return a label that is a path, such as ``a/b``, if half of them are and some share their beginnings; or nothing.

    Examples
    --------
    >>> path_among(["animal/cat", "animal/dog", "plant"]), path_among(["AC/DC", "sea", "sky"])
    ('animal/cat', '')
    """
    paths = [label for label in labels if len(_paths(label)) > 1]
    above = [path for label in labels for path in _paths(label)[:-1]]
    is_tree = len(set(above)) < len(above) or not set(above).isdisjoint(labels)
    return max(paths, key=lambda label: label.count("/")) if is_tree and 2 * len(paths) >= len(labels) else ""


def _paths(label: str) -> list[str]:
    parts = label.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)] if all(map(str.strip, parts)) else [label]


def is_called_list(column: str) -> bool:
    """Whether the name of a column says that its cells name labels."""
    return _LISTING.fullmatch(column.strip()) is not None


def paths_note(written: Sequence[str], n_added: int | None) -> Iterator[str]:
    """Say of labels that are paths, such as ``a/b``, how many above them were added, or that there is a choice (None).

    Examples
    --------
    >>> list(paths_note(["a/b", "a/c"], None))
    ["Labels such as 'a/b' look like paths, read as written; ancestors=True adds those above them."]
    >>> list(paths_note(["a", "a/b"], None)), list(paths_note(["a/b", "a/c"], 1))
    ([], ['Labels that stand above others were added: 1 label.'])
    """
    if n_added is not None:
        yield f"Labels that stand above others were added: {counted(n_added, 'label')}."
    elif (path := path_among(written)) and not set(written).issuperset(*with_ancestors([written])):
        adds = f"{given(ANCESTORS, True)} adds those above them"
        yield f"Labels such as {quoted(path)} look like paths, read as written; {adds}."
