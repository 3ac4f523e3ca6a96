"""Where a data set comes from, and the Python that makes the same one."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

import trellislib.data
from state.call import Call
from state.choices import Choices, is_clear
from state.linked import Linked
from state.tuning import MOST_SEED
from trellislib.data import KNOWN, PACKAGED, DataError, Dataset, Gathered, data_sets, gather
from trellislib.data.reading.source import Source as FileSource
from trellislib.data.sets.library import FIRST_VARIABLE, data_folder
from trellislib.experiment.costs import Costs
from trellislib.inspection import suspicious_labels, without
from trellislib.running.progress import about

WHERE_FROM = {
    "packaged": "an installed package",
    "obtain": "the known sets",
    "simulate_room": "a simulation",
    "simulate_label_dag": "a simulation",
}
BY_POSITION = ("packaged", "load", "obtain")  # functions whose first argument is obvious


@dataclass(frozen=True)
class Source:
    """A call of a function of `trellislib.data`, as data.

    What is in the folder of data sets also has a `folder`: what it is called there. Its files are then named as they
    lie in that folder, so that nobody learns where it is. A link has the choices
    that the files leave open as `linked`, which `linked.Linked` writes.
    What lacks labels that look wrong has the source of the data with these labels as `base`.
    """

    function: str
    arguments: tuple[tuple[str, Any], ...]
    folder: str = ""
    linked: str = ""
    base: Source | None = None

    @classmethod
    def of(cls, function: str, **arguments: Any) -> Source:
        return cls(function, tuple(arguments.items()))

    @classmethod
    def of_files(cls, files: tuple[str, ...], choices: Choices, folder: str = "", linked: str = "") -> Source:
        """Return the source of a data set from files, under the choices by which it was made."""
        source = files[0] if len(files) == 1 else list(files)
        return cls("load", (("source", source), *choices.arguments.items()), folder, linked)

    @classmethod
    def of_errors(cls, base: Source, how: str, n: int) -> Source:
        """Return the source of a data set without the first of the labels that look wrong, or with these changed."""
        return cls(WITHOUT, (("how", how), ("n", n)), base=base)

    @property
    def is_chosen(self) -> bool:
        """Whether it is a data set from files by a person's choices."""
        return self.function == "load" and len(self.arguments) > 1

    @property
    def is_shared(self) -> bool:
        """Whether all visitors have the same data set of it, made once."""
        return self.function in ("packaged", "obtain")

    @property
    def where_from(self) -> str:
        """Where it comes from, in a few words."""
        if self.base is not None:
            is_corrected = dict(self.arguments)["how"] == "correct"
            done = "suspicious labels changed" if is_corrected else "without suspicious labels"
            return f"{self.base.where_from}, {done}"
        if self.function != "load":
            return WHERE_FROM[self.function]
        if self.folder:
            return "the folder of data sets"
        files = dict(self.arguments)["source"]
        return files if isinstance(files, str) else f"{files[0]} and {len(files) - 1} more"

    @property
    def call(self) -> Call:
        """The call that makes the data, its first argument by position."""
        return self.made_of(self.base.call) if self.base is not None else self._call

    def made_of(self, data: Call) -> Call:
        """Return the call that makes the data of those of the `base`."""
        given = dict(self.arguments)
        suspicious = Call(suspicious_labels, data).named("suspicious")
        return Call(without, data, suspicious.head(given["n"]), given["how"]).named("data")

    @property
    def _call(self) -> Call:
        arguments = dict(self.arguments)
        first = [arguments.pop(next(iter(arguments)))] if self.function in BY_POSITION else []
        return Call(getattr(trellislib.data, self.function), *first, **arguments).named("data")


WITHOUT = "without"

# What may be asked of a simulation here, by form or by address: least and most of each argument.
BOUNDS: dict[str, dict[str, tuple[Any, Any]]] = {
    "simulate_room": {
        "n_instances": (100, 50_000),
        "width": (2, 100),  # 10,000 labels, the largest of the paper; the library has no such bound
        "n_sensors": (3, 200),
        "n_measurements": (1, 100),
        "random_state": (0, MOST_SEED),
    },
    "simulate_label_dag": {
        "n_instances": (50, 50_000),
        "n_labels": (2, 400),
        "n_features": (1, 500),
        "n_ones": (1, 500),
        "alpha": (-100.0, 100.0),
        "sigma2": (0.0, 10_000.0),
        "delta": (-100.0, 100.0),
        "random_state": (0, MOST_SEED),
    },
}
FACTORS = ("n_instances", "n_features", "n_sensors", "n_measurements")  # of how many cells the features have
MOST_CELLS = 25_000_000
MOST_SECONDS = 60.0  # of finding labels that look wrong, for which an address may let a page wait


def first() -> Source:
    """Return what is loaded when nothing is asked for: the films, or what the server was started with."""
    asked = os.environ.get(FIRST_VARIABLE, "")
    return Source.of("packaged", name=asked if asked in PACKAGED else "movies")


def has_folder() -> bool:
    """Return whether the server was started with a folder of data sets, be it there or not."""
    try:
        return data_folder() is not None
    except DataError:
        return True


def folder_sets() -> Mapping[str, tuple[Path, ...]]:
    """Return the files of the data sets in the folder; none where it is not there, whose path is nobody's business."""
    try:
        return data_sets()
    except DataError:
        return {}


def from_folder(name: str, sheet: str | None = None) -> Gathered:
    """Read a data set of the folder, its files named as they lie in there; a DataError says why it cannot be read.

    - `sheet`: Of a workbook, the one that is wanted.
    """
    files = folder_sets().get(name, ())
    if not files:
        raise DataError(f"{name}: there is no data set of this name in the folder of data sets.")
    sources = list(map(FileSource, files))
    for source in sources:
        source.sheet = sheet
    found, errors = gather(sources)
    if errors or len(found) != 1:
        raise errors[0] if errors else DataError(f"{name}: its files are {len(found)} data sets, not one.")
    return Gathered(_as_they_lie(files), found[0].table)


def folder_source(name: str) -> Source:
    """Return the source of a data set that the folder has, without anybody's choices."""
    return Source.of_files(_as_they_lie(folder_sets()[name]), Choices(), name)


def chosen_source(name: str, linked: str) -> Source:
    """Return the source of a data set of the folder by a link's choices; a DataError where these make none."""
    return _of_folder(name, linked, _stand(name))[0]


def _as_they_lie(files: Iterable[Path]) -> tuple[str, ...]:
    folder = data_folder()
    assert folder is not None
    return tuple(file.relative_to(folder).as_posix() for file in files)


def load(source: Source) -> Dataset:
    """Make the data set of a source, which is shared and never changed; a ValueError says why it cannot be made."""
    return _of_folder(source.folder, source.linked, _stand(source.folder))[1] if source.folder else _load(source)


def _stand(name: str) -> tuple[tuple[int, int], ...]:
    """Return what tells whether files in the folder of data sets were changed."""
    return tuple((stat.st_mtime_ns, stat.st_size) for stat in map(Path.stat, folder_sets().get(name, ())))


@st.cache_resource(max_entries=8, show_spinner="Loading the data…")
def _of_folder(name: str, linked: str, stand: tuple[tuple[int, int], ...]) -> tuple[Source, Dataset]:
    """Make a data set of the folder by the choices that a link says, once while its files stand as they do."""
    read = Linked.read(linked)
    found = from_folder(name, read.parts.get("sheet"))
    if not linked and not is_clear(found.table):
        raise DataError(f"{name}: its files need choices. Load it on Data.")
    choices = read.choices(found.table)
    return Source.of_files(found.files, choices, name, linked), choices.made(found.table)


@st.cache_resource(max_entries=8, show_spinner="Loading the data…")
def _load(source: Source) -> Dataset:
    arguments = dict(source.arguments)
    if source.base is not None:
        data = load(source.base)
        if (seconds := Costs.of(data).label_errors) > MOST_SECONDS:
            raise ValueError(
                f"Finding suspicious labels of {data.name} takes about {about(seconds)}. Start it on the Label errors "
                "page."
            )
        return source.made_of(source.base.call.given(data)).value
    cells = math.prod(arguments.get(name, 1) for name in FACTORS)
    if source.function in BOUNDS and cells > MOST_CELLS:
        raise ValueError(
            f"This would simulate {cells:,} measurements, but at most {MOST_CELLS:,} are possible here. Choose fewer "
            "instances or features."
        )
    data = source.call.value
    if data is None:
        raise DataError(f"{KNOWN[arguments['key']].name} is not on this machine. Choose it on Data.")
    return data
