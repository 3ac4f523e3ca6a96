"""Downloads of known data sets and of those of OpenML, at the user's request only.

A known set comes from Mulan's repository (github.com/tsoumakas/mulan), file by file, from one fixed commit, and each
file must have the SHA-256 that `trellislib.data.sets.known` has of it. Where that fails and OpenML (openml.org) has the
set, it comes from there, by its number, and must have the published numbers of rows and columns. Any other data set of
OpenML comes by its number too; its file must have the MD5 that OpenML says it has. Credit is due to the authors of each
set, whom the README of its folder in Mulan's repository and its page at OpenML name; the sets are theirs, and no part
of this library.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.sets.download import NotDownloadedError, download
from trellislib.data.sets.known import KnownFile, KnownSet, known_set
from trellislib.data.sets.library import AnyPath, cache_folder, find
from trellislib.data.sets.openml import OpenMLFiles
from trellislib.running.extras import require
from trellislib.running.progress import Cancelled, Progress

MULAN = "https://raw.githubusercontent.com/tsoumakas/mulan/43f6389095ad71984264db4387a8074b22bc7d4a/data/multi-label"
"""The address under which the folders of Mulan's data sets are found."""

OPENML = "https://www.openml.org/api/v1/json/data"
"""The address at which OpenML describes its data sets."""


def fetch(
    key: str | int,
    *,
    cache: AnyPath | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Dataset:
    """Download a known set, or any of OpenML, unless that was done before, and read it.

    Parameters
    ----------
    key : str or int
        One of `trellislib.data.sets.known.KNOWN`; or the number of a data set at OpenML, whose target columns are the
        labels.
    cache : str or path, optional
        The folder in which downloads are kept; by default what the variable ``TRELLISLIB_CACHE`` names, or else a
        folder in the user's cache.
    progress, cancelled : callable, optional
        Called every 64 KiB: `progress` with the bytes that have arrived, `cancelled` for whether to stop.

    Returns
    -------
    Dataset
        A known set as `trellislib.data.sets.library.find` reads it from the folder of downloads.

    Raises
    ------
    DataError
        If the set is not offered, or none of its sources gives it as it was published: the message says what failed.
    CancelledError
        If `cancelled` answers true. What has arrived is kept, then as after an error, and the next download goes on
        from there.

    Examples
    --------
    >>> data = fetch("emotions")  # doctest: +SKIP
    >>> data = fetch(40589)  # doctest: +SKIP
    """
    if not isinstance(key, str):
        return _fetch_openml(int(key), cache, _Watch(progress, cancelled))
    known = known_set(key)
    if not known.can_be_fetched:
        instead = "open it from a folder" if known.files else "it is simulated, by trellislib.data.obtain"
        raise DataError(f"{known.name}: this set is not offered for download; {instead}.")
    folder = _folder(cache, known.name) / known.key
    watch = _Watch(progress, cancelled, known.n_bytes)
    sources = ((known.folder, _from_mulan), (known.data_id, _from_openml))
    failures = []
    for get in (get for place, get in sources if place is not None):
        try:
            get(known, folder, watch)
        except NotDownloadedError as failure:
            failures.append(str(failure))
        else:
            return cast(Dataset, find(folder, key))
    raise DataError(
        f"{known.name}: the set could not be fetched ({'; '.join(failures)}); try again later, or get the files "
        "elsewhere and open them from a folder."
    )


def _fetch_openml(data_id: int, cache: AnyPath | None, watch: _Watch) -> Dataset:
    name = f"OpenML's data set {data_id}"
    files = OpenMLFiles(_folder(cache, name) / f"openml-{data_id}", data_id)
    try:
        _download_openml(files, watch)
    except NotDownloadedError as failure:
        raise DataError(
            f"{name}: it could not be fetched ({failure}); check the number, or try again later."
        ) from failure
    return files.read()


def _folder(cache: AnyPath | None, name: str) -> Path:
    """Return the folder of downloads, if there can be any."""
    require("pooch", f"{name}: downloading it", DataError)
    return cache_folder(cache)


@dataclass
class _Watch:
    """Who watches the download of several files, and how many bytes of them have arrived, of how many."""

    progress: Progress | None
    cancelled: Cancelled | None
    total: int = 0
    before: int = 0

    def get(self, address: str, path: Path, checksum: str | None = None, n_bytes: int | None = None) -> None:
        """Download a file."""
        download(
            address,
            path,
            checksum,
            n_bytes=n_bytes,
            on_arrival=lambda arrived: self._report(arrived, path.name),
            cancelled=self.cancelled,
        )
        self.before += path.stat().st_size
        self._report(0, path.name)

    def _report(self, arrived: int, what: str) -> None:
        if self.progress is not None:
            done = self.before + arrived
            self.progress(done, max(done, self.total), what)


def _from_mulan(known: KnownSet, folder: Path, watch: _Watch) -> None:
    """Download the files of a set that are not there yet."""
    for file in known.files:
        _download_named(file, f"{MULAN}/{known.folder}", folder / file.name, watch)


def _download_named(file: KnownFile, address: str, path: Path, watch: _Watch) -> None:
    """Download a file by the first of its names that the server knows."""
    for name in file.names:
        try:
            watch.get(f"{address}/{name}", path, f"sha256:{file.sha256}", file.n_bytes)
            break
        except NotDownloadedError as error:
            if error.status != 404 or name == file.names[-1]:
                raise


def _from_openml(known: KnownSet, folder: Path, watch: _Watch) -> None:
    """Download a set from OpenML, which must be the published one as far as its numbers of rows and columns say."""
    files = OpenMLFiles(folder, cast(int, known.data_id))
    _download_openml(files, watch)
    shape = files.read_table().cells.shape
    if shape != (known.n_instances, known.n_labels + known.n_features):
        for path in files.all:
            path.unlink()
        raise NotDownloadedError(
            f"OpenML's data set {known.data_id} is not the published one: it has {shape[0]} rows of {shape[1]} columns"
        )


def _download_openml(files: OpenMLFiles, watch: _Watch) -> None:
    watch.get(f"{OPENML}/{files.data_id}", files.description)
    watch.get(f"{OPENML}/features/{files.data_id}", files.features)
    described = files.described()
    watch.get(described["url"], files.table, f"md5:{described['md5_checksum']}")
