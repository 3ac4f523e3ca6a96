"""Known data sets on a page: which are on this machine, and the download of those that are not."""

from __future__ import annotations

import streamlit as st
from state import session

from components.parts import button, plain, running
from trellislib.data import KNOWN, DataError, origin

ORIGINS = {
    "folder": "in the folder",
    "download": "downloaded",
    "package": "from an installed package",
    "simulated": "simulated",
    None: "to be downloaded",
}


def where_from(key: str, folder: str | None = None) -> str | None:
    """Return where a known data set comes from, None where it is not at hand."""
    try:
        return origin(key, folder)
    except DataError:  # the folder that a variable names is not there, as the page says
        return None


def described(key: str) -> str:
    """Return the name and the size of a known data set, and where it comes from."""
    known = KNOWN[key]
    name = known.name if known.name.lower() == key else f"{known.name} ({key})"
    return f"{name}: {known.n_instances:,} instances, {known.n_labels:,} labels, {ORIGINS[where_from(key)]}"


def fetch_button(key: str) -> None:
    """Offer to download a known data set, if it is offered and is not on its way."""
    workspace, known = session.workspace(), KNOWN[key]
    job = workspace.downloads.get(key)
    if known.can_be_fetched and not (job and job.is_active):
        size = f" ({known.n_bytes / 1e6:.1f} MB)" if known.n_bytes else ""
        button(f"Download {plain(known.name)}{size}", f"fetch {key}", "cloud_download", workspace.fetch, key)


def downloading(key: str) -> None:
    """Show how far the download of a known data set is, or why it failed."""
    job = session.workspace().downloads.get(key)
    if job is not None and job.is_active:
        running(job, f"download {key}")
    elif job is not None and job.state == "failed":
        st.warning(plain(job.error), icon=":material/cloud_off:")
