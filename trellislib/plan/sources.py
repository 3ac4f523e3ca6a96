"""Data sets as a file names them: each is loaded when its turn comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

from trellislib.data import (
    KNOWN,
    PACKAGED,
    DataError,
    Dataset,
    load,
    obtain,
    packaged,
    read_table,
    simulate_label_dag,
    simulate_room,
    stacked,
    with_labels,
)
from trellislib.data.tables.features import TextFeatures
from trellislib.experiment import EvaluationProtocol, Given
from trellislib.plan.arguments import check_arguments
from trellislib.plan.section import TABLE, TEXT, Kind, Section, is_whole, nearest, one_of

SIMULATIONS: Mapping[str, Callable[..., Dataset]] = {"room": simulate_room, "label_dag": simulate_label_dag}
WAYS = ("packaged", "known", "load", "train", *SIMULATIONS)
LABELS = Kind(
    "an XML file, a list of names, or a number of columns (minus for the last ones)",
    lambda value: (
        isinstance(value, str)
        or is_whole(value)
        or (isinstance(value, list) and bool(value) and all(isinstance(name, str) for name in value))
    ),
)

ASIDE: Mapping[str, Kind] = {"groups": TEXT, "weights": TEXT}  # columns that say something of each row
CHOICES: Mapping[str, Kind] = {
    "split": Kind(
        "a column, or a list of it and what separates labels",
        lambda value: isinstance(value, str) or _are_texts(value, 3),
    ),
    "long": Kind("a list of the columns that name the instance and the label", lambda value: _are_texts(value, 3)),
    "ancestors": Kind("true or false", lambda value: isinstance(value, bool)),
    "sheet": TEXT,
    "text": one_of(get_args(TextFeatures)),
    **ASIDE,
}

Loaded = tuple[Dataset, EvaluationProtocol | None]
"""A data set, and how it is divided where its files set that."""


@dataclass(frozen=True)
class PlannedData:
    """A data set that has not been loaded yet.

    Attributes
    ----------
    make : callable
        Loads it; also returns the protocol where files for training and testing are given.
    name : str
        Its name in results; where this is empty, the name of the data.
    """

    make: Callable[[], Loaded]
    name: str = ""

    def load(self) -> Loaded:
        """Return the data set under its name, and its protocol or None."""
        data, protocol = self.make()
        return (replace(data, name=self.name) if self.name else data), protocol


def source_of(section: Section, folder: Path) -> PlannedData:
    """Return the data set that a table describes; relative paths are taken from `folder`."""
    ways = [way for way in WAYS if way in section.values]
    if len(ways) != 1:
        found = f"got {' and '.join(ways)}" if ways else f"got {', '.join(section.values) or 'nothing'}"
        raise section.error(f"{found}, but expected one of {', '.join(WAYS)} to say where the data come from")
    (way,) = ways
    more = {"load": ("labels", *CHOICES), "train": ("test", "labels", *ASIDE)}.get(way, ())
    section.only((way, "name", *more))
    makers: dict[str, Callable[[Section], Callable[[], Loaded]]] = {
        "packaged": _packaged,
        "known": _known,
        "load": partial(_file, folder=folder),
        "train": partial(_files, folder=folder),
    }
    make = makers[way](section) if way in makers else _simulated(section, way)
    return PlannedData(make, section.get("name", TEXT, ""))


def _packaged(section: Section) -> Callable[[], Loaded]:
    name = section.need("packaged", one_of(PACKAGED))
    return lambda: (packaged(name), None)


def _known(section: Section) -> Callable[[], Loaded]:
    key = section.need("known", TEXT)
    if key not in KNOWN:
        raise section.error(f"there is no known data set {key!r}{nearest(key, KNOWN)}")

    def make() -> Loaded:
        data = obtain(key)
        if data is None:
            raise DataError(
                f"{key}: this machine does not have it; name the folder that does in TRELLIS_DATA, or get it by "
                f"trellislib.data.fetch({key!r})."
            )
        return data, None

    return make


def _file(section: Section, folder: Path) -> Callable[[], Loaded]:
    path, labels, choices = _path(section, "load", folder), _labels(section, folder), _choices(section, CHOICES)
    return lambda: (load(path, labels, **choices), None)


def _files(section: Section, folder: Path) -> Callable[[], Loaded]:
    train, test = _path(section, "train", folder), _path(section, "test", folder)
    labels, aside = _labels(section, folder), _choices(section, ASIDE)

    def make() -> Loaded:
        data = with_labels(stacked(read_table(train), read_table(test)), labels).to_dataset(**aside)
        if data.n_train is None:
            raise DataError(f"{data.name}: of the rows to train on, or of those to test on, none knows every label.")
        return data, Given(data.n_train)

    return make


def _simulated(section: Section, way: str) -> Callable[[], Loaded]:
    """Return what simulates data; without a seed by seed 0, so that they are the same each time."""
    given = {"random_state": 0, **section.need(way, TABLE)}
    check_arguments(section, SIMULATIONS[way], given, way)
    return lambda: (SIMULATIONS[way](**given), None)


def _path(section: Section, key: str, folder: Path) -> Path:
    return _there(section, folder / Path(section.need(key, TEXT)).expanduser())


def _choices(section: Section, kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """Return what is said of the columns."""
    given = {key: section.get(key, kind) for key, kind in kinds.items() if key in section.values}
    return {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}


def _are_texts(value: object, most: int) -> bool:
    return isinstance(value, list) and 0 < len(value) <= most and all(isinstance(text, str) for text in value)


def _labels(section: Section, folder: Path) -> Any:
    labels = section.get("labels", LABELS)
    return _there(section, folder / Path(labels).expanduser()) if isinstance(labels, str) else labels


def _there(section: Section, path: Path) -> Path:
    if not path.is_file():
        raise section.error(f"there is no file {path}; name one by its path from the experiment's file")
    return path
