"""A report as PDF, by a browser that is on the machine."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "microsoft-edge")
NO_BROWSER = "A PDF needs Chromium or Chrome on the path: write HTML, and print it from a browser."
SECONDS = 120


def browser() -> str | None:
    """Return the browser that prints, None where there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def as_pdf(html: str) -> bytes:
    """Return a report as PDF.

    Parameters
    ----------
    html : str
        As by `verdict_report` or `comparison_report`.

    Returns
    -------
    bytes

    Raises
    ------
    OSError
        If there is no Chromium or Chrome on the path, or it does not print.
    """
    program = browser()
    if program is None:
        raise OSError(NO_BROWSER)
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "report.html"), Path(folder, "report.pdf")
        source.write_text(html, encoding="utf-8")
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer"]
        flags += [f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}"]
        with suppress(subprocess.TimeoutExpired):  # it may have printed, and not ended
            subprocess.run([program, *flags, source.as_uri()], capture_output=True, timeout=SECONDS, check=False)
        if not target.exists():
            raise OSError(f"{Path(program).name} made no PDF: write HTML, and print it from a browser.")
        return target.read_bytes()
