"""Real data sets that come with a Python package, so that they need no download."""

from __future__ import annotations

import re
import sqlite3
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from scipy import sparse

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.reading.delimited import read_csv
from trellislib.running.extras import require

PACKAGED: dict[str, str] = {
    "yeast": "Functions of yeast genes: 2,417 genes, 14 labels, 103 features (river)",
    "movies": "Genres of films: 17,029 films, 21 labels, 827 sparse features (bokeh-sampledata)",
    "solar-flare": "Solar flares in a day: 1,066 regions, 3 labels with counts 0 to 8, 27 features (river)",
}

_MIN_FILMS = 30
_RUNTIMES = (60, 90, 105, 120)
_FLARE_CODES = (
    "activity",
    "evolution",
    "previous-24h-flare-activity",
    "hist-complex",
    "hist-complex-this-pass",
    "area",
    "largest-spot-area",
)
_FLARES = ("c-class-flares", "m-class-flares", "x-class-flares")


def packaged(name: str) -> Dataset:
    """Return a real data set that an installed package carries.

    Parameters
    ----------
    name : str
        One of `PACKAGED`:

        - ``"yeast"``: the Yeast set of Elisseeff and Weston (2001), as in `river`.
        - ``"movies"``: which genres a film has, from the table ``omdb`` of `bokeh_sampledata`, without the films of no
          genre. The features, sparse, are indicators: its decade, a band of runtime (none where unknown), and each
          language, country, member of the cast, director and word of the title (three letters or more) that at
          least 30 of the films share.
        - ``"solar-flare"``: how many flares of each class a region of the sun had in a day, as in `river`; three
          labels of more than two values. Its codes for activity, area and the like are read as categorical.

    Returns
    -------
    Dataset
        The whole set, in the order of the package's file.

    Raises
    ------
    DataError
        If there is no set of this name, or its package is not installed.

    Examples
    --------
    >>> packaged("solar-flare").label_names
    ('c-class-flares', 'm-class-flares', 'x-class-flares')
    """
    loaders: dict[str, Callable[[], Dataset]] = {"yeast": _yeast, "movies": _movies, "solar-flare": _solar_flare}
    if name not in loaders:
        raise DataError(f"{name}: there is no packaged data set of this name; there are {', '.join(PACKAGED)}.")
    return loaders[name]()


def _file(dataset: str, package: str, *parts: str) -> Path:
    """Return a file of a package, which is not imported: only its folder is looked up."""
    require(package, f"{dataset}: this data set", DataError)
    spec = find_spec(package)
    for folder in (spec and spec.submodule_search_locations) or ():
        if (path := Path(folder, *parts)).is_file():
            return path
    raise DataError(f"{dataset}: the package {package!r} that is installed lacks the file {'/'.join(parts)}.")


def _yeast() -> Dataset:
    table = read_csv(_file("yeast", "river", "datasets", "yeast.csv.gz"), "yeast.csv.gz")
    return table.to_dataset([f"Class{number}" for number in range(1, 15)])


def _solar_flare() -> Dataset:
    path = _file("solar-flare", "river", "datasets", "solar-flare.csv.zip")
    with zipfile.ZipFile(path) as archive:
        content = archive.read(archive.namelist()[0])
    return read_csv(content, "solar-flare.csv").nominal(_FLARE_CODES).to_dataset(_FLARES)


def _movies() -> Dataset:
    path = _file("movies", "bokeh_sampledata", "_data", "movies.db")
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        films = database.execute(
            'SELECT Genre, Year, Runtime, Language, Country, Director, "Cast", Title FROM omdb '
            "WHERE Genre <> '' ORDER BY ID"
        ).fetchall()
    Y, genres = _indicators([[("", genre) for genre in _names(film[0])] for film in films], at_least=1)
    X, features = _indicators([list(_film_features(*film[1:])) for film in films], at_least=_MIN_FILMS)
    return Dataset(
        X=X.astype(float),
        Y=Y,
        feature_names=features,
        label_names=genres,
        label_values=(("0", "1"),) * len(genres),
        name="movies",
        notes=(
            "Films without a genre were left out.",
            f"A feature is a decade, a band of runtime, or a language, country, name or word of at least "
            f"{_MIN_FILMS} films.",
        ),
    )


def _film_features(
    year: int, runtime: float | None, language: str, country: str, director: str, cast: str, title: str
) -> Iterator[tuple[str, str]]:
    """Yield the kind and the value of every feature that a film has."""
    if year:
        yield "decade", f"{year // 10 * 10}s"
    if runtime:
        band = int(np.searchsorted(_RUNTIMES, runtime, side="right"))
        yield "minutes", ("under 60", "60 to 89", "90 to 104", "105 to 119", "120 or more")[band]
    for kind, names in (("language", language), ("country", country), ("director", director), ("cast", cast)):
        for name in _names(names):
            yield kind, name
    for word in re.findall(r"[^\W\d_]{3,}", (title or "").lower()):
        yield "title", word


def _names(listed: str | None) -> list[str]:
    names = re.split(r",\s*(?!Jr\.|Sr\.)", listed or "")
    return [name.strip() for name in names if name.strip()]


def _indicators(rows: Iterable[list[tuple[str, str]]], at_least: int) -> tuple[sparse.csr_array, tuple[str, ...]]:
    """Return a column for each (kind, value) that enough rows have; sorted within a kind, kinds as they come."""
    distinct = [set(row) for row in rows]
    counts = Counter(value for row in distinct for value in row)
    kinds = {"": 0, "decade": 1, "minutes": 2, "language": 3, "country": 4, "director": 5, "cast": 6, "title": 7}
    kept = sorted((v for v, count in counts.items() if count >= at_least), key=lambda v: (kinds[v[0]], v[1]))
    position = {value: j for j, value in enumerate(kept)}
    found = [sorted(position[value] for value in row if value in position) for row in distinct]
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in found])])
    indices = np.concatenate([np.array(row, dtype=np.int64) for row in found])
    matrix = sparse.csr_array(
        (np.ones(indices.size, dtype=np.int64), indices, indptr), shape=(len(distinct), len(kept))
    )
    return matrix, tuple(f"{kind}={value}" if kind else value for kind, value in kept)
