"""``trellislib app``: the dashboard, from any folder."""

from __future__ import annotations

import argparse
import os
import runpy
import socket
import sys
from pathlib import Path

from trellislib.data.sets.installed import PACKAGED
from trellislib.data.sets.library import FIRST_VARIABLE, FOLDER_VARIABLE, data_folder
from trellislib.experiment.store import VARIABLE as STORE_VARIABLE
from trellislib.running.extras import require

PACKAGE = Path(__file__).parents[1]
LOOPBACK = "localhost"
SHARED_VARIABLE = "TRELLISLIB_SHARED"  # set: each visit has its own results


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options other than the store; Streamlit takes those that are not known here."""
    parser.add_argument("--port", type=int, metavar="N", help="the port; by default the first free one from 8501 on")
    parser.add_argument(
        "--address", metavar="HOST", help="the address to listen on: by default only this machine, 0.0.0.0 for all"
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="a folder of data sets, which the Data page lists")
    parser.add_argument("--first", choices=PACKAGED, help="the packaged data set that a visitor sees first")
    parser.add_argument(
        "--shared",
        action="store_true",
        help="for several people: each visit sees its own runs only, and a copy of those in the results file",
    )
    parser.add_argument("--no-browser", action="store_true", help="open no browser")


def run_app(options: argparse.Namespace) -> int:
    """Serve the dashboard until it is interrupted; `options.others` are Streamlit's own."""
    for package in ("streamlit", "plotly"):
        require(package, "The dashboard")
    if options.store:
        os.environ[STORE_VARIABLE] = str(options.store.absolute())
    if options.data:
        os.environ[FOLDER_VARIABLE] = str(data_folder(options.data.absolute()))
    if options.first:
        os.environ[FIRST_VARIABLE] = options.first
    if options.shared:
        os.environ[SHARED_VARIABLE] = "1"
        print("Shared: each visit has its own results, which only its address opens.")
    os.environ.setdefault("STREAMLIT_SERVER_ADDRESS", LOOPBACK)
    flags = []
    if options.address:
        flags.append(f"--server.address={options.address}")
    if options.port is not None:
        _require_free(options.address or os.environ["STREAMLIT_SERVER_ADDRESS"], options.port)
        flags.append(f"--server.port={options.port}")
    if options.no_browser:
        flags.append("--server.headless=true")
    sys.argv = ["streamlit", "run", str(main_script()), *flags, *options.others]
    # In this process, so that Streamlit itself gets Ctrl-C and the signals of a container.
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
    return 0


def main_script() -> Path:
    """Return the dashboard's script: inside the package that is installed, beside it in a clone."""
    return next(path for folder in (PACKAGE, PACKAGE.parent) if (path := folder / "app" / "main.py").is_file())


def _require_free(address: str, port: int) -> None:
    try:
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Streamlit has it: one just closed is free
            probe.bind((address, port))
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise ValueError(f"Port {port} of {address} cannot be used ({why}); choose another with --port.") from error
