"""The process in which SciPy reads a MATLAB file: its bytes come in, its variables go out as an .npz archive.

A damaged file can end the process, which therefore is no part of the one that asks. It is run as a script, with the
bytes of memory that it may take, and imports little, so that it starts quickly.
"""

from __future__ import annotations

import io
import json
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.io import loadmat, matlab, whosmat

_TOO_LARGE = 77  # the status with which the process ends if the memory does not suffice
_DAMAGED = 78  # and if SciPy cannot read the file
_DEEPEST = 3  # a list of texts in a struct in a struct
_OBJECTS = (matlab.MatlabObject, matlab.MatlabFunction, matlab.MatlabOpaque)
_OBJECT = "an object or a function of MATLAB, which is never loaded"

Variable = tuple[str, str, Any]
"""A name, a kind ("dense", "sparse", "texts", "unread", "twice": a second one), and the value or what it is."""


def variables(content: bytes) -> Iterator[Variable]:
    """Yield what a MATLAB file of version 5, 6 or 7 holds; each field of a struct as ``name.field``."""
    found = [(name, kind) for name, _, kind in whosmat(io.BytesIO(content)) if not name.startswith("__")]
    data = [name for name, kind in found if kind not in ("object", "function", "opaque")]
    loaded = loadmat(io.BytesIO(content), variable_names=data, spmatrix=False) if data else {}
    seen: set[str] = set()
    for name, _ in found:
        if name in loaded or name not in data:
            for key, kind, value in _flat(name, loaded.get(name), _DEEPEST):
                yield key, "twice" if key in seen else kind, value
                seen.add(key)


def _flat(name: str, value: Any, depth: int) -> Iterator[Variable]:
    """Yield a variable, or the fields of one that is a struct."""
    if value is None or isinstance(value, _OBJECTS):
        yield name, "unread", _OBJECT
    elif value.dtype.kind == "c":
        yield name, "unread", "a matrix of complex numbers"
    elif sparse.issparse(value):
        yield name, "sparse", value
    elif value.dtype.names is not None and (value.size != 1 or not depth):
        yield name, "unread", "a list of structs, or one inside many others"
    elif value.dtype.names is not None:
        for field in value.dtype.names:
            yield from _flat(f"{name}.{field}", value.ravel()[0][field], depth - 1)
    elif value.dtype.kind == "U":
        yield name, "texts", [text.rstrip() for text in value.ravel().tolist()] if value.size > 1 else value.tolist()
    elif value.dtype.kind != "O":
        yield name, "dense", value
    elif all(getattr(cell, "dtype", value.dtype).kind == "U" and cell.size < 2 for cell in value.ravel()):
        yield name, "texts", ["".join(cell.ravel().tolist()) for cell in value.ravel(order="F")]
    else:
        yield name, "unread", "a cell array of something else than texts"


def _write(found: Iterable[Variable]) -> None:
    """Write arrays by their place among the variables, and as JSON in ``names`` what each of these is."""
    arrays: dict[str, np.ndarray] = {}
    names = []
    for i, (name, kind, value) in enumerate(found):
        if kind == "dense":
            arrays[f"{i}"], value = value, None
        elif kind == "sparse":
            arrays |= {f"{i}.data": value.data, f"{i}.indices": value.indices, f"{i}.indptr": value.indptr}
            value = value.shape
        names.append((name, kind, None if kind == "twice" else value))
    arrays["names"] = np.frombuffer(json.dumps(names).encode(), dtype=np.uint8)
    np.savez(sys.stdout.buffer, **arrays)  # type: ignore[arg-type]


def _main(n_bytes: int) -> None:
    with suppress(ImportError, OSError):  # not every system has both
        import resource

        limit = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + n_bytes
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    content = sys.stdin.buffer.read()
    try:
        with warnings.catch_warnings(action="ignore"):  # of what is repeated or not read, which is looked at here
            found = list(variables(content))
    except MemoryError:
        sys.exit(_TOO_LARGE)
    except Exception:  # SciPy raises errors of many kinds for damaged files
        sys.exit(_DAMAGED)
    try:
        _write(found)
    except MemoryError:
        sys.exit(_TOO_LARGE)


if __name__ == "__main__":
    _main(int(sys.argv[1]))
