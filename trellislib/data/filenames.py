"""What the names of files say: what a data set is called, and which files are parts of one. Nothing is read."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

_FORMS = (
    "arff|csv|tsv|tab|txt|dat|data|xlsx?|xlsm|parquet|pq|npz|npy|mat|json|jsonl|ndjson|svm|svmlight|libsvm|rda|rdata|rds"
    "|xml"
)
_ENDING = re.compile(rf"(\.({_FORMS}))?(\.(gz|bz2|xz|zip))?$", re.IGNORECASE)
_XML = re.compile(r"\.xml(\.(gz|bz2|xz|zip))?$", re.IGNORECASE)
_ABOUT = re.compile(r"(readme|licen[cs]e|changelog|notes|about)\b", re.IGNORECASE)
_BREAK = re.compile(
    r"([-_. ]+"
    r"|(?<=[a-z])(?=[XY](?:[-_. ]|$))"  # trainX
    r"|(?<=^[XY])(?=t[ers])"  # Xtrain
    r"|(?<=\d)(?=(?:tra|tst)$))"  # 5-1tra
)
_ROWS = {
    **dict.fromkeys(("train", "training", "trn", "tra", "tr"), "train"),
    **dict.fromkeys(("test", "testing", "tst", "tes", "te"), "test"),
}
_COLUMNS = {
    **dict.fromkeys(("x", "xf", "features", "feature", "feats", "data", "ft", "inputs"), "X"),
    **dict.fromkeys(("y", "labels", "label", "targets", "target", "lbl", "outputs"), "Y"),
}


def stem(name: str) -> str:
    """Return the name of a file without what says its form."""
    return _ENDING.sub("", name, count=1) or name


def names_data(name: str) -> bool:
    """Whether a file may hold a data set, or name the labels of one, by its ending."""
    base = name.rpartition("/")[2]
    return _ENDING.sub("", base, count=1) != base and _ABOUT.match(base) is None


def names_labels(name: str) -> bool:
    """Whether a file is one that names labels, by its ending."""
    return _XML.search(name) is not None


@dataclass(frozen=True)
class Part:
    """What a file's name says of it."""

    title: str  # what remains of the name; what parts of one data set have in common. It may be empty
    rows: str = ""  # "train", "test", "": which rows of the data set it has
    columns: str = ""  # "X", "Y", "": whether it has the features or the labels only


def part(name: str) -> Part:
    """Return which part of a data set a file is, as far as words at either end of its name say.

    Examples
    --------
    >>> part("scene-train.arff")
    Part(title='scene', rows='train', columns='')
    >>> part("trn_X_Y.txt")
    Part(title='', rows='train', columns='Y')
    >>> part("emotions.csv").title
    'emotions'
    >>> part("sky/test/X.csv")
    Part(title='sky', rows='test', columns='X')
    """
    *folders, base = name.split("/")
    pieces = _BREAK.split(stem(base))  # word, what breaks, word, ...
    found: dict[str, str] = {}

    def is_taken(word: str) -> bool:
        for kind, words in (("rows", _ROWS), ("columns", _COLUMNS)):
            if word.lower() in words:
                found.setdefault(kind, words[word.lower()])
                return True
        return False

    while pieces and is_taken(pieces[-1]):
        del pieces[-2:]
    while pieces and is_taken(pieces[0]):
        del pieces[:2]
    if folders and folders[-1].lower() in _ROWS:
        is_taken(folders.pop())
    return Part("/".join(filter(None, [*folders, "".join(pieces)])), **found)


@dataclass(frozen=True)
class Bundle:
    """Files that together are one data set, by their positions.

    Attributes
    ----------
    tables : tuple of tuple of int
        One item for all rows, or two for those to train and to test on; in each the table, or features and labels.
    names : tuple of str
        The names of the tables, in this order.
    xml : int, optional
        The XML file that names the labels, among those.
    title : str
        What the names of several tables have in common; it may be empty.
    """

    tables: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    xml: int | None = None
    title: str = ""

    @property
    def n_files(self) -> int:
        """How many files there are, with the XML."""
        return len(self.names) + (self.xml is not None)


def bundled(tables: Sequence[str]) -> list[Bundle]:
    """Return which tables are one data set, by the names of their files.

    Features and labels belong together where their names differ in that alone ("x" and "y", "features" and "labels",
    "data" and "target"), and so do rows to train and to test on. Where more than two would fit, those of one form do;
    where that leaves a doubt, each stands alone.

    Examples
    --------
    >>> [bundle.tables for bundle in bundled(["sky-test.arff", "y.npy", "sky-train.arff", "x.npy"])]
    [((2,), (0,)), ((3, 1),)]
    """
    parts = [part(name) for name in tables]
    titles = defaultdict(list)
    for i, of_file in enumerate(parts):
        titles[of_file.title.lower()].append(i)

    def form(i: int) -> str:
        return tables[i][len(stem(tables[i])) :].lower()

    bundles = []
    for files in titles.values():
        units = {
            rows: _with_labels([i for i in files if parts[i].rows == rows], parts, form)
            for rows in ("train", "test", "")
        }
        below = _pairs(units["train"], units["test"], lambda unit: (len(unit), form(unit[0])), lambda unit: len(unit))
        of_test = set(below.values())
        singles = [unit for of_rows in units.values() for unit in of_rows if unit not in below and unit not in of_test]
        for rows in (*below.items(), *((unit,) for unit in singles)):
            positions = [i for unit in rows for i in unit]
            title = parts[positions[0]].title if len(positions) > 1 else ""
            bundles.append(Bundle(rows, tuple(tables[i] for i in positions), title=title))
    return sorted(bundles, key=lambda bundle: min(i for rows in bundle.tables for i in rows))


def labelled(bundles: Sequence[Bundle], xmls: Sequence[str]) -> list[Bundle]:
    """Return the bundles with the XML files that name their labels, as far as their names say.

    An XML file goes with a table of its own name, or else with tables whose names have its own in common; where there
    is one XML file and one data set, they go together whatever their names.

    Examples
    --------
    >>> labelled(bundled(["sky-test.arff", "sky-train.arff"]), ["sky.xml"])[0].xml
    0
    """
    if len(bundles) == len(xmls) == 1:
        return [replace(bundles[0], xml=0)]

    def xml_of(bundle: Bundle) -> int | None:
        stems = {stem(name).lower() for name in bundle.names}
        titles = {part(name).title.lower() for name in bundle.names} - {""}
        for fitting in (
            [i for i, xml in enumerate(xmls) if stem(xml).lower() in stems],
            [i for i, xml in enumerate(xmls) if part(xml).title.lower() in titles],
        ):
            if fitting:
                return fitting[0] if len(fitting) == 1 else None
        return None

    return [replace(bundle, xml=xml_of(bundle)) for bundle in bundles]


def _with_labels(files: list[int], parts: Sequence[Part], form: Callable[[int], str]) -> list[tuple[int, ...]]:
    """Return files of the same rows, those of labels next to those of features."""
    of_labels = [i for i in files if parts[i].columns == "Y"]
    beside: dict[int, int] = {}
    for columns in ("X", ""):  # features may also be in a file that does not say so, as in sky.csv and sky_labels.csv
        features = [i for i in files if parts[i].columns == columns]
        rest = [i for i in of_labels if i not in beside.values()]
        beside |= _pairs(features, rest, form, lambda _: "")
    taken = {*beside, *beside.values()}
    return [*beside.items(), *((i,) for i in files if i not in taken)]


def _pairs(first: Iterable, second: Iterable, *alike: Callable[..., Hashable]) -> dict:
    """Return which of `first` goes with which of `second`: two that no others are like, by one measure or the next."""
    pairs: dict = {}
    for measure in alike:
        left = [item for item in first if item not in pairs]
        right = [item for item in second if item not in pairs.values()]
        counts = Counter(map(measure, left)), Counter(map(measure, right))
        for item in left:
            kind = measure(item)
            if counts[0][kind] == counts[1][kind] == 1:
                pairs[item] = next(other for other in right if measure(other) == kind)
    return pairs
