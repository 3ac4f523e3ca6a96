"""What the address of a page says of its data, so that whoever opens it sees the same; and that address, to be shared.

Knobs are in the address by ``bind="query-params"`` where they are shown. The data set is there as the call that makes
it, such as ``simulate_room~width~10``, if that can be made anywhere: of an upload there is only the name of its file,
of what is in the server's folder of data sets what it is called there, and never a path.
"""

from __future__ import annotations

import re
from urllib.parse import urlencode

import streamlit as st
from sources import BOUNDS, FIRST, Source, folder_sets, folder_source

from trellislib.data import KNOWN, PACKAGED

DATA = "data"  # the name of the query parameter that says which data set is loaded
WORKSPACE = "workspace"  # the same of what leads back to a workspace
SEPARATOR = "~"
UPLOAD, FOLDER, CHOSEN = "file", "folder", "chosen"
WHOLE, DECIMAL = r"\d{1,10}", r"-?\d{1,10}(\.\d{1,20})?(e-?\d{1,2})?"
NAMED = {"packaged": ("name", PACKAGED), "obtain": ("key", KNOWN)}  # functions that take one of these names


def written(source: Source) -> str | None:
    """Return what the address says of a source; None for what is loaded without any address."""
    if source == FIRST:
        return None
    arguments = dict(source.arguments)
    if source.folder:
        return SEPARATOR.join((CHOSEN if source.is_chosen else FOLDER, source.folder))
    if source.function == "load":
        files = arguments["source"]
        return SEPARATOR.join((UPLOAD, files if isinstance(files, str) else files[0]))
    if source.function == "packaged":
        return str(arguments["name"])
    return SEPARATOR.join([source.function, *(str(part) for argument in source.arguments for part in argument)])


def read(text: str) -> Source:
    """Return the source that an address names.

    Raises
    ------
    ValueError
        If it names no data set that can be made from an address.
    """
    function, *parts = text.split(SEPARATOR)
    if function in PACKAGED and not parts:
        return Source.of("packaged", name=function)
    if function == UPLOAD:
        raise ValueError(f"This link is to {SEPARATOR.join(parts)}, an uploaded file: load it on Data to see the same.")
    name = SEPARATOR.join(parts)
    if function in (FOLDER, CHOSEN) and name in folder_sets():
        if function == CHOSEN:
            raise ValueError(f"This link is to {name} with what somebody chose: load it on Data, and choose the same.")
        return folder_source(name)
    given = dict(zip(parts[::2], parts[1::2], strict=False))
    wrong = ValueError(f"This link is to the data set {text}, which is not known here.")
    if function in NAMED:
        name, offered = NAMED[function]
        if set(given) != {name} or given[name] not in offered:
            raise wrong
        return Source.of(function, **given)
    if function not in BOUNDS or len(parts) % 2:
        raise wrong
    return Source.of(function, **{name: _number(function, name, value) for name, value in given.items()})


def _number(function: str, name: str, value: str) -> int | float:
    """Return an argument of a simulation, which a form could have given as well."""
    least, most = BOUNDS[function].get(name, (None, None))
    whole = isinstance(least, int)
    number = (int if whole else float)(value) if re.fullmatch(WHOLE if whole else DECIMAL, value) else None
    if least is None or number is None or not least <= number <= most:
        expected = f", but expected a number from {least:,} to {most:,}" if least is not None else ""
        raise ValueError(f"This link simulates data with {name} = {value}{expected}.")
    return number


def uploaded() -> str | None:
    """Return the name of the uploaded file that the page's address names, if it does."""
    function, _, name = st.query_params.get(DATA, "").partition(SEPARATOR)
    return name if function == UPLOAD else None


def link(workspace: str | None = None) -> str:
    """Return the address of what the page shows, with the way to a workspace only if its token is given."""
    kept = {name: values for name in st.query_params if name != WORKSPACE and (values := st.query_params.get_all(name))}
    query = urlencode(kept | ({WORKSPACE: [workspace]} if workspace else {}), doseq=True)
    return (st.context.url or "") + (f"?{query}" if query else "")
