"""Downloads of known data sets, at the user's request only.

A set comes from Mulan's repository (github.com/tsoumakas/mulan), file by file, from one fixed commit, and each file
must have the SHA-256 that `trellislib.data.known` has of it. Where that fails and OpenML (openml.org) has the set, it
comes from there, by its number; no checksum is known of that copy, and only its numbers of rows and columns are
compared with the published ones. Credit is due to the authors of each set, whom the README of its folder in Mulan's
repository and its page at OpenML name; the sets are theirs, and no part of this library.
"""

from __future__ import annotations

import os
import socket
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import cast
from urllib.error import URLError

import pandas as pd
from sklearn.datasets import fetch_openml

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.known import KnownFile, KnownSet, known_set
from trellislib.data.library import AnyPath, cache_folder, find, openml_name
from trellislib.progress import Cancelled, Progress, stop_if

MULAN = "https://raw.githubusercontent.com/tsoumakas/mulan/43f6389095ad71984264db4387a8074b22bc7d4a/data/multi-label"
"""The address under which the folders of Mulan's data sets are found."""

TIMEOUT = 30  # seconds without an answer

_ONE_AT_A_TIME = Lock()  # sets the time-out of new sockets, and resets it


class _NotFetchedError(Exception):
    """Why a source did not give a set."""


def fetch(
    key: str,
    *,
    cache: AnyPath | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Dataset:
    """Download a known set, unless that was done before, and read it.

    Parameters
    ----------
    key : str
        One of `trellislib.data.known.KNOWN`.
    cache : str or path, optional
        The folder in which downloads are kept; by default what the variable ``TRELLISLIB_CACHE`` names, or else a
        folder in the user's cache.
    progress, cancelled : callable, optional
        Told of, and asked before, every file.

    Returns
    -------
    Dataset
        As `trellislib.data.library.find` reads it from the folder of downloads.

    Raises
    ------
    DataError
        If the set is not offered, or none of its sources gives it as it was published (Mulan's files by their SHA-256,
        OpenML's copy by its shape alone): the message says what failed. No file is kept that was not complete.
    CancelledError
        If `cancelled` answers true; files that have arrived are kept.
    """
    known = known_set(key)
    if not known.can_be_fetched:
        instead = "open it from a folder" if known.files else "it is simulated, by trellislib.data.obtain"
        raise DataError(f"{known.name}: this set is not offered for download; {instead}.")
    folder = cache_folder(cache)
    if folder is None or find_spec("pooch") is None:
        raise DataError(
            f"{known.name}: downloads need the package 'pooch', which is not installed; install it with: "
            'pip install "trellislib[fetch]".'
        )
    sources = ((known.folder, _from_mulan), (known.data_id, _from_openml))
    failures = []
    for download in (download for place, download in sources if place is not None):
        try:
            download(known, folder / known.key, progress, cancelled)
        except _NotFetchedError as failure:
            failures.append(str(failure))
        else:
            return cast(Dataset, find(folder / known.key, key))
    raise DataError(
        f"{known.name}: the set could not be fetched ({'; '.join(failures)}); try again later, or get the files "
        "elsewhere and open them from a folder."
    )


def _from_mulan(known: KnownSet, folder: Path, progress: Progress | None, cancelled: Cancelled | None) -> None:
    """Download the files of a set that are not there yet."""
    for number, file in enumerate(known.files):
        stop_if(cancelled)
        if progress is not None:
            progress(number, len(known.files), file.name)
        _download(file, f"{MULAN}/{known.folder}", folder)
    if progress is not None:
        progress(len(known.files), len(known.files), known.name)


def _download(file: KnownFile, address: str, folder: Path) -> None:
    """Download a file by the first of its names that the server knows."""
    import pooch
    from requests import HTTPError, RequestException

    downloader = pooch.HTTPDownloader(timeout=TIMEOUT, chunk_size=2**16)
    for name in file.names:
        try:
            pooch.retrieve(f"{address}/{name}", f"sha256:{file.sha256}", file.name, folder, downloader=downloader)
        except HTTPError as error:
            status = getattr(error.response, "status_code", None)
            failure = f"the server answers {status} to {address}/{name}"
            if status == 404:
                continue
            raise _NotFetchedError(failure) from error
        except RequestException as error:
            raise _NotFetchedError(f"{address}/{name} cannot be reached") from error
        except OSError as error:
            raise _NotFetchedError(f"{folder} cannot be written to: {error.strerror or error}") from error
        except ValueError as error:  # pooch's word for another SHA-256
            raise _NotFetchedError(f"{name} arrived damaged or changed: its SHA-256 is not that of the file") from error
        return
    raise _NotFetchedError(failure)


def _from_openml(known: KnownSet, folder: Path, progress: Progress | None, cancelled: Cancelled | None) -> None:
    """Download a set that is not there yet, and keep it as a CSV file whose first columns are the labels."""
    path = folder / openml_name(known)
    if path.exists():
        return
    stop_if(cancelled)
    what = f"OpenML's data set {known.data_id}"
    if progress is not None:
        progress(0, 1, what)
    try:
        # The parser that scikit-learn takes by default fails on these files, whose names and values are in quotes.
        with _timeout(TIMEOUT):
            bunch = fetch_openml(data_id=known.data_id, parser="liac-arff", as_frame=True, cache=False, n_retries=1)
    except (URLError, TimeoutError, ConnectionError) as error:
        raise _NotFetchedError(f"OpenML cannot be reached for its data set {known.data_id}") from error
    except (HTTPException, EOFError, zlib.error) as error:
        raise _NotFetchedError(f"OpenML's data set {known.data_id} arrived incomplete or damaged") from error
    except (OSError, ValueError) as error:  # OpenMLError is a ValueError
        raise _NotFetchedError(f"OpenML does not give its data set {known.data_id}: {error}") from error
    table = pd.concat([bunch.target, bunch.data], axis=1)
    if table.shape != (known.n_instances, known.n_labels + known.n_features):
        raise _NotFetchedError(
            f"{what} is not the published one: it has {table.shape[0]} rows of {table.shape[1]} columns"
        )
    try:
        with _whole(path) as part:
            table.to_csv(part, index=False)
    except OSError as error:
        raise _NotFetchedError(f"{folder} cannot be written to: {error.strerror or error}") from error
    if progress is not None:
        progress(1, 1, what)


@contextmanager
def _timeout(seconds: float) -> Iterator[None]:
    """Have new sockets wait so long at most: scikit-learn sets no limit of its own."""
    with _ONE_AT_A_TIME:
        before = socket.getdefaulttimeout()
        socket.setdefaulttimeout(seconds)
        try:
            yield
        finally:
            socket.setdefaulttimeout(before)


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """Give the name of a file to write that becomes `path` when all is written, and is removed when that fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    try:
        yield Path(name)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)
