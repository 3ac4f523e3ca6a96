"""MATLAB's .mat files of version 5 to 7, as tables.

SciPy reads them, in a process of its own: it trusts what a file reports of itself, and a single wrong byte can end the
whole program, or take all of its memory. Objects and functions of MATLAB are never loaded.
"""

from __future__ import annotations

import io
import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from trellislib.data.reading.named_arrays import Unread, named_table
from trellislib.data.reading.packing import MAX_RATIO, MAX_UNPACKED, UNSUSPICIOUS
from trellislib.data.reading.proportion import check_parts
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.tables.table import Table
from trellislib.running.memory import VARIABLE, memory_budget
from trellislib.wording import counted, quoted

SECONDS = 60
"""How long a file may take to read; one second more for each MiB of it."""

_CHILD = Path(__file__).with_name("mat_child.py")  # not imported: it is another program
_TOO_LARGE, _UNREADABLE = 77, 78  # how it ends if its memory does not suffice, and if SciPy cannot read the file
_KILLED = -9  # by a system that runs out of memory
_HEAD = 520
_END_OF_HEADER = (b"\x00\x01IM", b"\x01\x00MI")  # version 1, as written by either kind of machine
_DAMAGED = "the MATLAB file is damaged or cut short"
_HDF5 = b"\x89HDF\r\n\x1a\n"
_COPIES = 2  # of what may be unpacked


def read_mat(source: FileLike | Source, name: str | None = None) -> Table:
    """Read a MATLAB file as a table.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file, saved by MATLAB, Octave or SciPy as version 6 or 7.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        With labels where a matrix is named as such, as `trellislib.data.reading.named_arrays.named_table` describes;
        the fields of a struct count as matrices. Matrices may have a row or a column for each instance.

    Raises
    ------
    DataError
        If it is damaged, of version 4 or 7.3, takes too much memory or time, or it is unclear which matrices are meant.

    Examples
    --------
    >>> from scipy.io import savemat
    >>> file = io.BytesIO()
    >>> savemat(file, {"data": np.array([[0.5], [0.1], [0.7]]), "target": np.array([[1, -1, 1], [-1, -1, 1]])})
    >>> table = read_mat(file)
    >>> table.labels, table.cells.tolist()
    (('label 1', 'label 2'), [[0.5, 1.0, -1.0], [0.1, -1.0, -1.0], [0.7, 1.0, 1.0]])
    """
    source = Source(source, name)
    with source.binary() as file:
        content = file.read()
    return named_table(source, variables(source, content), "A MATLAB file")


def starts_as_mat(source: FileLike | Source) -> bool:
    """Whether a file starts as MATLAB's do, of whatever version."""
    with Source(source).binary() as file:
        return is_mat(file.peek(_HEAD)[:_HEAD])


def is_mat(head: bytes) -> bool:
    """Whether the first bytes are those of a MATLAB file."""
    return head[124:128] in _END_OF_HEADER or _is_version_7_3(head) or _is_version_4(head)


def variables(source: Source, content: bytes) -> dict[str, Any]:
    """Return what a MATLAB file holds, by name: an array, a sparse array, a tuple of texts, or an `Unread`.

    Raises `DataError` as `read_mat` does.
    """
    if _is_version_7_3(content):
        raise source.error("this MATLAB file is of version 7.3 (HDF5), which is not read; save it with -v7")
    if content[124:128] not in _END_OF_HEADER:
        old = "this MATLAB file is of version 4, which is not read; save it with -v7"
        raise source.error(old if _is_version_4(content) else "this is no MATLAB file")
    archive = np.load(io.BytesIO(_read_apart(source, content)), allow_pickle=False)
    found: dict[str, Any] = {}
    for i, (key, kind, value) in enumerate(json.loads(archive["names"].tobytes())):
        if kind == "twice":
            raise source.error(f"two variables are called {quoted(key)}; save them under different names")
        if kind == "dense":
            found[key] = archive[f"{i}"]
        elif kind == "sparse":
            parts = tuple(archive[f"{i}.{part}"] for part in ("data", "indices", "indptr"))
            try:
                found[key] = sparse.csc_array(parts, shape=value)
                check_parts(found[key])
            except ValueError as error:
                raise source.error(_DAMAGED) from error
        else:
            found[key] = tuple(value) if kind == "texts" else Unread(value)
    return found


def _read_apart(source: Source, content: bytes) -> bytes:
    """Return the variables as `_CHILD` writes them, from a process that may crash, hang or take too much."""
    suspicious = _COPIES * (min(MAX_UNPACKED, max(UNSUSPICIOUS, MAX_RATIO * len(content))) + len(content))
    n_bytes = int(min(memory_budget(), suspicious))
    child = [sys.executable, "-P", str(_CHILD), str(n_bytes)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        ended = subprocess.run(
            child, input=content, capture_output=True, env=environment, timeout=SECONDS + len(content) / 2**20
        )
    except subprocess.TimeoutExpired as error:
        raise source.error(
            f"the MATLAB file takes more than {counted(round(error.timeout), 'second')} to read"
        ) from error
    if ended.returncode in (_TOO_LARGE, _KILLED):
        if n_bytes < suspicious or ended.returncode == _KILLED:
            instead = "read it where there is more, or raise the budget"
            raise source.error(f"the MATLAB file takes more memory than there is; {instead} ({VARIABLE}, in GiB)")
        raise source.error("the MATLAB file takes more memory than a file of its size may, as an archive bomb does")
    if ended.returncode == _UNREADABLE or not 0 <= ended.returncode < 256:  # SciPy has crashed: Windows has large codes
        raise source.error(_DAMAGED)
    if ended.returncode:
        last = ended.stderr.decode(errors="replace").strip()[-300:]
        raise RuntimeError(f"The process that reads MATLAB files ended with status {ended.returncode}: {last}")
    return ended.stdout


def _is_version_7_3(head: bytes) -> bool:
    return head.startswith((_HDF5, b"MATLAB 7.3")) or head[512:520] == _HDF5


def _is_version_4(head: bytes) -> bool:
    """Whether a file starts with a matrix: its kind, rows, columns, whether complex, and the length of its name."""
    for place, order in enumerate("<>" if len(head) >= 20 else ""):
        kind, n_rows, n_columns, imaginary, length = struct.unpack(order + "5i", head[:20])
        numbers, form = divmod(kind - 1000 * place, 10)
        if 0 <= numbers < 6 and form < 3 and min(n_rows, n_columns) >= 0 and imaginary in (0, 1) and 1 < length <= 64:
            return True
    return False
