"""``trellislib report``: runs of the store as one HTML file or PDF."""

from __future__ import annotations

import argparse
from pathlib import Path

from trellislib.experiment import Store
from trellislib.wording import without_controls

KINDS = (".html", ".pdf")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("runs", type=int, nargs="*", metavar="RUN", help="numbers of runs; by default all")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="a name in .html or .pdf")
    parser.add_argument("--score", metavar="KEY", help="the measure that methods are compared by; by default accuracy")


def check_name(path: Path) -> None:
    """Raise a ValueError where a name says no form of a report."""
    if path.suffix.lower() not in KINDS:
        raise ValueError(f"{path}: expected a name in {' or '.join(KINDS)}.")


def write(html: str, path: Path) -> None:
    """Write a report in the form that its name says."""
    from trellislib.report import as_pdf

    if path.suffix.lower() == ".pdf":
        path.write_bytes(as_pdf(html))
    else:
        path.write_text(html, encoding="utf-8")


def write_report(options: argparse.Namespace) -> int:
    """Write the report."""
    from trellislib.report import comparison_report  # which needs plotly

    check_name(options.output)
    store = Store(options.store)
    results, runs = store.results(options.runs or None), store.runs()
    if results.fits.empty:
        raise ValueError(
            f"There are no fits in {store.path} to report; run an experiment first. (For a report on "
            "whether structure is worth it, use trellislib advise --report.)"
        )
    shown = runs.loc[options.runs or sorted(runs.index)]
    scripts = [
        f"# Run {number}, {without_controls(row.title)}\n{row.code}"
        for number, row in zip(shown.index, shown.itertuples(), strict=True)
    ]
    html = comparison_report(results, options.score, script="\n\n".join(scripts))
    write(html, options.output)
    print(f"{options.output} has the report on {len(results.fits):,} fits.")
    return 0
