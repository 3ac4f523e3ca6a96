"""Packages that are optional, and the extra of trellislib that installs each."""

from __future__ import annotations

from importlib.util import find_spec

EXTRAS = {
    "baycomp": "bayes",
    "bokeh_sampledata": "data",
    "causallearn": "pc",
    "matplotlib": "export",
    "openpyxl": "excel",
    "plotly": "figures",
    "pooch": "fetch",
    "pyarrow": "export",
    "rdata": "r",
    "river": "data",
    "streamlit": "app",
}
"""The name by which each package is imported, and the extra that has it."""


def is_installed(package: str) -> bool:
    """Return whether an optional package is installed; it is not imported."""
    return find_spec(package) is not None


def require(package: str, what: str, error: type[Exception] = ImportError) -> None:
    """Raise an error that says how to install an optional package, unless it is installed.

    Parameters
    ----------
    package : str
        One of `EXTRAS`.
    what : str
        What needs it: the subject of the sentence.
    error : type of Exception, default=ImportError

    Examples
    --------
    >>> require("plotly", "Drawing a figure")
    """
    if not is_installed(package):
        raise error(f"{what} needs {package}: pip install 'trellislib[{EXTRAS[package]}]'.")
