"""A file from the web, checked against its checksum; a download that was interrupted goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from trellislib.running.progress import Cancelled, stop_if

if TYPE_CHECKING:
    from requests import Response

TIMEOUT = 30  # seconds without an answer

_CHUNK = 2**16

OnArrival = Callable[[int], None]
"""Called with the number of bytes that have arrived so far."""


class NotDownloadedError(Exception):
    """Why a file did not arrive.

    Attributes
    ----------
    status : int or None
        What the server answered, where it did and refused.
    """

    def __init__(self, why: str, status: int | None = None):
        super().__init__(why)
        self.status = status


def download(
    address: str,
    path: Path,
    checksum: str | None = None,
    *,
    n_bytes: int | None = None,
    on_arrival: OnArrival | None = None,
    cancelled: Cancelled | None = None,
) -> None:
    """Have a file in its place, downloading it only if it is not there or has another checksum.

    What has arrived is kept beside `path` under a hidden name until it is all there, also when the download fails or
    is cancelled; the next one asks the server for the rest.

    Raises `NotDownloadedError` if it does not arrive, or is not what it should be. Raises `CancelledError` if
    `cancelled` answers true.

    - `address`: Where it is published.
    - `path`: Where it is to be.
    - `checksum`: As ``"sha256:..."`` or ``"md5:..."``; by default whatever arrives is right.
    - `n_bytes`: Its length; more is not taken.
    - `on_arrival`, `cancelled`: called for, and asked before, every 64 KiB.
    """
    import pooch
    from requests import HTTPError, RequestException

    part = path.with_name(f".{path.name}.part")
    arrive = _Resuming(part, n_bytes, on_arrival, cancelled)
    try:
        for _ in range(2):  # once more from the start if what it went on with was wrong
            went_on = part.exists()
            try:
                pooch.retrieve(address, checksum, path.name, path.parent, downloader=arrive)
                return
            except ValueError as error:  # pooch's word for another checksum; also one of the network's own errors
                if isinstance(error, RequestException) or not went_on:
                    raise
    except HTTPError as error:
        status = getattr(error.response, "status_code", None)
        raise NotDownloadedError(f"the server answers {status} to {address}", status) from error
    except RequestException as error:
        raise NotDownloadedError(f"{address} cannot be reached") from error
    except OSError as error:
        raise NotDownloadedError(f"{path.parent} cannot be written to: {error.strerror or error}") from error
    except ValueError as error:
        raise NotDownloadedError(
            f"{path.name} arrived damaged or changed: its checksum is not that of the file"
        ) from error


class _Resuming:
    """What pooch downloads with: keeps a part that has arrived, and goes on with it."""

    def __init__(self, part: Path, n_bytes: int | None, on_arrival: OnArrival | None, cancelled: Cancelled | None):
        self.part, self.n_bytes, self.on_arrival, self.cancelled = part, n_bytes, on_arrival, cancelled

    def __call__(self, address: str, output_file: str, _: object) -> None:
        """Download into `output_file`."""
        while self.n_bytes is None or self._arrived() != self.n_bytes:
            if self._is_all(address):
                break
        self.part.replace(output_file)

    def _arrived(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _is_all(self, address: str) -> bool:
        """Take what the server sends; return whether that was all, or raise if nothing more came."""
        import requests

        stop_if(self.cancelled)
        before = self._arrived()
        # The rest can be asked for only of bytes as they are stored, which a packed answer does not count.
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={before}-"} if before else {})
        try:
            with requests.get(address, headers=headers, stream=True, timeout=TIMEOUT) as answer:
                goes_on = answer.headers.get("Content-Range", "").startswith(f"bytes {before}-")
                if before and answer.status_code in (206, 416) and not goes_on:  # not the rest that was asked for
                    self.part.unlink()
                    return False
                answer.raise_for_status()
                self._keep(answer, before if before and answer.status_code == 206 else 0)
        except requests.HTTPError:
            raise
        except requests.RequestException:
            if self._arrived() <= before:
                raise
            return False
        return True

    def _keep(self, answer: Response, arrived: int) -> None:
        """Write what the server sends after the bytes that have arrived before."""
        with self.part.open("r+b" if arrived else "wb") as file:
            file.seek(arrived)
            for chunk in answer.iter_content(_CHUNK):
                stop_if(self.cancelled)
                file.write(chunk)
                arrived += len(chunk)
                if self.n_bytes is not None and arrived > self.n_bytes:
                    self.part.unlink()
                    raise ValueError("longer than the file that was published")
                if self.on_arrival is not None:
                    self.on_arrival(arrived)
