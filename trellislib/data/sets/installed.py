"""Real data sets that come with a Python package, so that they need no download."""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
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
_RUNTIMES = (60, 90, 105, 120)  # minutes, where the next band begins
_RUNTIME_BANDS = ("under 60", "60 to 89", "90 to 104", "105 to 119", "120 or more")
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
        films = pd.read_sql_query("SELECT * FROM omdb WHERE Genre <> '' ORDER BY ID", database)
    Y, genres = _indicators(_listed(films["Genre"]), len(films), at_least=1)
    blocks, names = zip(
        *(_indicators(f"{kind}=" + values, len(films), _MIN_FILMS) for kind, values in _of_films(films)), strict=True
    )
    return Dataset(
        X=sparse.hstack(blocks, format="csr").astype(float),
        Y=Y,
        feature_names=tuple(chain.from_iterable(names)),
        label_names=genres,
        label_values=(("0", "1"),) * len(genres),
        name="movies",
        notes=(
            "Films without a genre were left out.",
            f"A feature is a decade, a band of runtime, or a language, country, name or word of at least "
            f"{_MIN_FILMS} films.",
        ),
    )


def _of_films(films: pd.DataFrame) -> Iterator[tuple[str, pd.Series]]:
    """Yield each kind of feature, and its values with the rows of the films that have them."""
    year, runtime = (films[column][films[column] > 0] for column in ("Year", "Runtime"))
    yield "decade", (year // 10 * 10).astype(int).astype(str) + "s"
    yield "minutes", pd.cut(runtime, [0, *_RUNTIMES, np.inf], right=False, labels=_RUNTIME_BANDS).astype(str)
    for column in ("Language", "Country", "Director", "Cast"):
        yield column.lower(), _listed(films[column])
    yield "title", films["Title"].fillna("").str.lower().str.findall(r"[^\W\d_]{3,}").explode().dropna()


def _listed(column: pd.Series) -> pd.Series:
    """Return the names in a column of lists of names, with the row of each."""
    names = column.dropna().str.split(r",\s*(?!Jr\.|Sr\.)", regex=True).explode().str.strip()
    return names[names != ""]


def _indicators(values: pd.Series, n_rows: int, at_least: int) -> tuple[sparse.csr_array, tuple[str, ...]]:
    """Return a column for each value that enough rows have, in sorted order."""
    pairs = pd.DataFrame({"row": values.index, "value": values.to_numpy()}).drop_duplicates()
    code, names = pd.factorize(pairs["value"], sort=True)
    found = sparse.csr_array((np.ones(len(code), dtype=np.int64), (pairs["row"], code)), shape=(n_rows, len(names)))
    frequent = np.flatnonzero(np.bincount(code) >= at_least)
    return found[:, frequent], tuple(names[frequent])
