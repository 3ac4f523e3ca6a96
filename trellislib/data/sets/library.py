"""Known data sets by name, from wherever this machine has them: a folder, the downloads, a package, or simulated."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import islice
from pathlib import Path

from platformdirs import user_cache_dir

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.filenames import bundled, labelled, names_data, names_labels, stem
from trellislib.data.reading.choice import with_labels
from trellislib.data.reading.combining import stacked
from trellislib.data.reading.formats import read_table
from trellislib.data.room import simulate_room
from trellislib.data.sets.installed import packaged
from trellislib.data.sets.known import KNOWN, KnownSet, known_set
from trellislib.data.sets.openml import OpenMLFiles
from trellislib.running.extras import is_installed

FOLDER_VARIABLE = "TRELLIS_DATA"
"""The environment variable that names the folder in which data sets are looked for."""

OTHER_FOLDER_VARIABLE = "TRELLISLIB_DATA"
FIRST_VARIABLE = "TRELLISLIB_FIRST"  # which packaged set the dashboard shows first
"""Another name of that variable, which counts where the first is not set."""

CACHE_VARIABLE = "TRELLISLIB_CACHE"
"""The environment variable that names the folder for downloads, in place of the user's cache."""

_DEPTH = 2  # folders below the one that is named
_MOST_FILES = 10_000  # that are looked at, by name, in all of them
_CARRIED = {"yeast": "river"}  # key of `PACKAGED`, and the package
_ROOMS = {"local400": (10_000, 20), "local10k": (50_000, 100)}  # instances and width, as in the paper

AnyPath = str | os.PathLike[str]


def data_folder(folder: AnyPath | None = None) -> Path | None:
    """Return the folder in which data sets are looked for.

    None where neither names one. Raises `DataError` if the folder is not there.

    - `folder`: By default what the environment variable ``TRELLIS_DATA`` names, or else ``TRELLISLIB_DATA``.
    """
    variable = FOLDER_VARIABLE if os.environ.get(FOLDER_VARIABLE) else OTHER_FOLDER_VARIABLE
    named = folder or os.environ.get(variable)
    if not named:
        return None
    path = Path(named).expanduser()
    if not path.is_dir():
        by = "" if folder else f", which the variable {variable} names"
        raise DataError(f"{named}: there is no such folder{by}; name the one that holds the data sets.")
    return path


def cache_folder(cache: AnyPath | None = None) -> Path:
    """Return the folder in which downloads are kept, whether or not it is there yet.

    - `cache`: By default what the environment variable ``TRELLISLIB_CACHE`` names, or else a folder in the user's
      cache.
    """
    return Path(cache or os.environ.get(CACHE_VARIABLE) or user_cache_dir("trellislib")).expanduser()


def available(folder: AnyPath | None = None) -> set[str]:
    """Return the keys of the sets that a folder has.

    Parameters
    ----------
    folder : str or path, optional
        See `data_folder`; it and the folders in it, two levels down, are looked through.

    Returns
    -------
    set of str
        Keys of `KNOWN`; nothing is read to find out.

    Raises
    ------
    DataError
        If there is no such folder.
    """
    path = data_folder(folder)
    return set() if path is None else set(_found(path))


def data_sets(folder: AnyPath | None = None) -> dict[str, tuple[Path, ...]]:
    """Return the data sets, known or not, that the files of a folder are by their names.

    Parameters
    ----------
    folder : str or path, optional
        See `data_folder`; it and the folders in it, two levels down, are looked through.

    Returns
    -------
    dict of str to tuple of Path
        The files of each, as `trellislib.data.load` takes them. A set is called as its files are, or, where several
        have no name in common, as their folder; where two would be called the same, by the path of the first file.
        Nothing is read, so some may turn out to be none.

    Raises
    ------
    DataError
        If there is no such folder.
    """
    path = data_folder(folder)
    if path is None:
        return {}
    found: dict[str, list[tuple[Path, ...]]] = defaultdict(list)
    left = _MOST_FILES
    for directory in _directories(path):
        files = [file for file in islice(_entries(directory), left) if file.is_file() and names_data(file.name)]
        left -= len(files)
        for name, of_set in _sets(files):
            found[name].append(of_set)
    sets = {}
    for name, several in found.items():
        for of_set in several:
            place = of_set[0].parent.relative_to(path)
            sets[name if len(several) == 1 else (place / of_set[0].name).as_posix()] = of_set
    return sets


def _sets(files: Sequence[Path]) -> Iterator[tuple[str, tuple[Path, ...]]]:
    """Yield the data sets that the files of one folder are, each with what it is called."""
    tables = [file for file in files if not names_labels(file.name)]
    xmls = [file for file in files if names_labels(file.name)]
    for bundle in labelled(bundled([file.name for file in tables]), [file.name for file in xmls]):
        of_labels = [] if bundle.xml is None else [xmls[bundle.xml]]
        several = len(bundle.names) > 1
        name = bundle.title or (tables[0].parent.name if several else stem(bundle.names[0]))
        yield name, (*(tables[i] for rows in bundle.tables for i in rows), *of_labels)


def find(folder: AnyPath | None, key: str) -> Dataset | None:
    """Read a known set from a folder.

    Its files are an ARFF and an XML of the set's name, as in ``emotions/emotions.arff`` and ``emotions/emotions.xml``;
    where the ARFF comes in two, ``-train`` and ``-test``, they are joined. It does not matter in which of the folders
    they lie, but they must lie together.

    Parameters
    ----------
    folder : str, path or None
        See `data_folder`; it and the folders in it, two levels down, are looked through.
    key : str
        One of `KNOWN`.

    Returns
    -------
    Dataset or None
        Under the paper's name, where it has one. Files with other content than the published ones are read all the
        same, and a note says so. None where the folder does not have it.

    Raises
    ------
    DataError
        If there is no such folder or key, or a file cannot be read.
    """
    known = known_set(key)
    path = data_folder(folder)
    files = None if path is None else _found(path).get(key)
    return None if files is None else _read(known, files)


def obtainable(folder: AnyPath | None = None, *, cache: AnyPath | None = None) -> set[str]:
    """Return the keys of all sets that `obtain` can give here, reading none of them.

    Parameters
    ----------
    folder, cache
        See `obtain`; each is looked through once.

    Returns
    -------
    set of str
        Keys of `KNOWN`: those of which `origin` is not None.

    Raises
    ------
    DataError
        If there is no such folder.

    Examples
    --------
    >>> {"local400", "local10k"} <= obtainable()
    True
    """
    files = [_found(path) for path in (data_folder(folder), cache_folder(cache)) if path]
    without_files = (key for key, known in KNOWN.items() if any(_without_files(known)))
    return set().union(*files, without_files)


def origin(key: str, folder: AnyPath | None = None, *, cache: AnyPath | None = None) -> str | None:
    """Return where `obtain` would take a set from, reading nothing.

    Parameters
    ----------
    key, folder, cache
        See `obtain`.

    Returns
    -------
    str or None
        "folder", "download", "package" or "simulated"; None where this machine does not have it.

    Examples
    --------
    >>> origin("local400")
    'simulated'
    """
    return next((place for place, _ in _places(known_set(key), folder, cache)), None)


def obtain(key: str, folder: AnyPath | None = None, *, cache: AnyPath | None = None) -> Dataset | None:
    """Return a known set from wherever this machine has it; nothing is downloaded.

    Looked at in this order: the folder, what `trellislib.data.fetch` has downloaded, the installed packages, and the
    simulation of the paper's room (with seed 0).

    Parameters
    ----------
    key : str
        One of `KNOWN`.
    folder : str or path, optional
        Where the user keeps data sets; by default what the variable ``TRELLIS_DATA`` names.
    cache : str or path, optional
        Where downloads are kept; by default what the variable ``TRELLISLIB_CACHE`` names, or the user's cache.

    Returns
    -------
    Dataset or None
        Under the paper's name, where it has one; None where this machine does not have it.

    Raises
    ------
    DataError
        If there is no such folder or key, or a file cannot be read.

    Examples
    --------
    >>> obtain("yeast")
    <Dataset 'Yeast': 2417 instances, 103 features, 14 labels>
    """
    return next((load_it() for _, load_it in _places(known_set(key), folder, cache)), None)


def _places(
    known: KnownSet, folder: AnyPath | None, cache: AnyPath | None
) -> Iterator[tuple[str, Callable[[], Dataset]]]:
    """Yield where the set can be had, and what loads it from there."""
    for place, path in (("folder", data_folder(folder)), ("download", cache_folder(cache))):
        files = _found(path).get(known.key) if path else None
        if files:
            yield place, partial(_read, known, files)
    yield from _without_files(known)


def _without_files(known: KnownSet) -> Iterator[tuple[str, Callable[[], Dataset]]]:
    """Yield where the set can be had other than in its files, and what makes it there."""
    package = _CARRIED.get(known.key)
    if package and is_installed(package):
        yield "package", lambda: replace(packaged(known.key), name=known.name)
    if known.key in _ROOMS:
        n_instances, width = _ROOMS[known.key]
        yield "simulated", lambda: replace(simulate_room(n_instances, width, random_state=0), name=known.name)


@dataclass(frozen=True)
class _Files:
    """The files of a set that were found, as Mulan publishes it or as OpenML does."""

    tables: tuple[Path, ...] = ()
    labels: Path | None = None
    openml: OpenMLFiles | None = None


def _found(folder: Path) -> Mapping[str, _Files]:
    """Return the files of every known set in a folder, the nearest first where a set is there more than once."""
    found: dict[str, _Files] = {}
    for directory in _directories(folder):
        names = {path.name.lower(): path for path in _entries(directory) if path.is_file()}
        for key, known in KNOWN.items():
            if key not in found and (files := _files_of(known, names)):
                found[key] = files
    return found


def _directories(folder: Path) -> Iterator[Path]:
    """Yield a folder and those below it, the near ones first."""
    level = [folder]
    for _ in range(_DEPTH):
        yield from level
        level = [path for parent in level for path in _entries(parent) if path.is_dir()]
    yield from level


def _entries(directory: Path) -> list[Path]:
    try:
        return sorted(path for path in directory.iterdir() if not path.name.startswith("."))
    except OSError:  # a folder that is not there, or may not be read, has nothing to offer
        return []


def _files_of(known: KnownSet, names: Mapping[str, Path]) -> _Files | None:
    """Return the files of a set among those of one folder, by their names in lower case."""
    if not known.files:
        return None
    labels = next((names[name] for name in known.files[-1].names if name in names), None)
    for tables in ([f"{known.stem}.arff"], [f"{known.stem}-{part}.arff" for part in ("train", "test")]):
        if labels and all(name in names for name in tables):
            return _Files(tuple(names[name] for name in tables), labels)
    if known.data_id is not None:
        wanted = OpenMLFiles(Path(), known.data_id).all
        if all(path.name in names for path in wanted):
            return _Files(openml=OpenMLFiles(names[wanted[0].name].parent, known.data_id))
    return None


def _read(known: KnownSet, files: _Files) -> Dataset:
    if files.openml:
        data = files.openml.read()
    else:
        table = reduce(stacked, map(read_table, files.tables))
        data = with_labels(table, files.labels).to_dataset()
    return replace(data, name=known.name, notes=(*data.notes, *_remarks(known, files, data)))


def _remarks(known: KnownSet, files: _Files, data: Dataset) -> Iterator[str]:
    """Yield in what respect a set is not the published one."""
    published = {name: file.sha256 for file in known.files for name in file.names}
    for path in (*files.tables, *filter(None, [files.labels])):
        sha256 = published.get(path.name.lower())
        if sha256 is None:
            yield f"{path.name} was not checked: the SHA-256 of the published file is not known."
        elif sha256 != _sha256(path):
            yield f"{path.name} is not the published file: its SHA-256 is another."
    size, published_size = (data.n_instances, data.n_labels), (known.n_instances, known.n_labels)
    if size != published_size:
        yield (
            f"It has {size[0]:,} instances and {size[1]:,} labels, where the published set has "
            f"{published_size[0]:,} and {published_size[1]:,}."
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
