"""The data sets of the paper, and some others that are often used: what they are called, and where they are published.

The real sets come from the repository of Mulan (github.com/tsoumakas/mulan), at one fixed commit; each set's folder
there has a README that names the work to cite. Their authors hold the rights to them: none is part of this library.
"Music" and "Scene" are the paper's names for Mulan's "emotions" and "scene"; Local400 and Local10k are simulated.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType

from trellislib.data.dataset import DataError


@dataclass(frozen=True)
class KnownFile:
    """A published file."""

    name: str  # what it is called
    sha256: str | None = None  # of its content
    n_bytes: int | None = None  # its length
    other_names: tuple[str, ...] = ()  # what the same content is called elsewhere

    @property
    def names(self) -> tuple[str, ...]:
        """All that it may be called."""
        return (self.name, *self.other_names)


@dataclass(frozen=True)
class KnownSet:
    """A data set by what has been published of it.

    Attributes
    ----------
    key : str
        By which this library knows it.
    name : str
        What the loaded data set is called: the paper's name, where it has one.
    paper_name : str, optional
        The row of the paper's tables in which it stands.
    n_instances, n_labels, n_features : int
        N, L and D; features as they are counted where it is published, before categories become indicators.
    label_cardinality : float
        As published.
    files : tuple of KnownFile
        ARFF (one, or a training and a test file), and last the XML that names the labels; empty for simulated sets.
    folder : str, optional
        Its folder in Mulan's repository, under ``data/multi-label``; None where it is not fetched from there.
    data_id : int, optional
        Its number at OpenML.
    note : str
        What else one should know, as a sentence.
    """

    key: str
    name: str
    paper_name: str | None
    n_instances: int
    n_labels: int
    n_features: int
    label_cardinality: float
    files: tuple[KnownFile, ...] = ()
    folder: str | None = None
    data_id: int | None = None
    note: str = ""

    @property
    def can_be_fetched(self) -> bool:
        """Whether `trellislib.data.fetch` offers it."""
        return self.folder is not None or self.data_id is not None

    @property
    def n_bytes(self) -> int:
        """How much a download takes, as far as that is known."""
        return sum(file.n_bytes or 0 for file in self.files)

    @property
    def stem(self) -> str:
        """What the names of its files have in common."""
        return self.files[-1].name.removesuffix(".xml") if self.files else self.key


def _published() -> Iterator[KnownSet]:
    """Yield the sets that are listed next to this module."""
    entries = tomllib.loads(files("trellislib.data.sets").joinpath("known.toml").read_text("utf-8"))["sets"]
    for entry in entries:
        of_set = tuple(
            KnownFile(**file | {"other_names": tuple(file.get("other_names", ()))}) for file in entry.pop("files", ())
        )
        yield KnownSet(**{"paper_name": None} | entry, files=of_set)


KNOWN: Mapping[str, KnownSet] = MappingProxyType({known.key: known for known in _published()})
"""The sets by their key; those of the paper first, in its order."""


def known_set(key: str) -> KnownSet:
    """Return what is known of a set.

    Raises `DataError` if there is no such key; the message lists them.

    - `key`: One of `KNOWN`.

    Examples
    --------
    >>> known_set("emotions").paper_name, known_set("emotions").n_bytes
    ('Music', 380799)
    """
    if key not in KNOWN:
        raise DataError(f"{key}: no data set is known by this name; known are {', '.join(KNOWN)}.")
    return KNOWN[key]
