"""A score table as papers print it, in LaTeX, Markdown, CSV and for a terminal: each score with its rank.

`trellislib.score_tables.read_scores` reads back what is written here for files.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from trellislib.data.spreadsheet import neutralised
from trellislib.score_tables.markup import latex_escaped, markdown_escaped, one_line
from trellislib.wording import quoted

AVERAGE_RANK = "avg rank"
DNF = "DNF"


@dataclass(frozen=True)
class Cell:
    """The score of a method on a data set, with its spread and rank; NaN where there is none.

    Attributes
    ----------
    score, spread, rank : float
        Its score, the spread of that over the folds, and its rank among the methods, 1 being best.
    is_best : bool
        Whether no other method has a lower rank here.
    """

    score: float
    spread: float
    rank: float
    is_best: bool

    def text(self, digits: int, plus_minus: str, bold: str) -> str:
        """Return it in the manner of a format: its sign before a spread, and how it makes a text ``{}`` bold."""
        score = DNF if np.isnan(self.score) else f"{self.score:.{digits}f}"
        spread = "" if np.isnan(self.score + self.spread) else f" {plus_minus} {self.spread:.{digits}f}"
        rank = "" if np.isnan(self.rank) else f" ({self.rank:g})"
        return (bold.format(score) if self.is_best else score) + spread + rank


def as_latex(
    scores: pd.DataFrame,
    ranks: pd.DataFrame | None = None,
    *,
    spreads: pd.DataFrame | None = None,
    digits: int = 3,
    caption: str = "",
    label: str = "",
) -> str:
    r"""Return a score table as a LaTeX tabular with booktabs' rules.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_methods)
        Scores; NaN is printed as DNF.
    ranks : DataFrame, optional
        Their ranks, as by `trellislib.ranking.ranks`; the best of each row is bold, and the last row has the
        averages over the data sets that have one. Data sets without ranks are printed without. By default there are no
        ranks, no bold scores (which way is better is not known) and no last row.
    spreads : DataFrame, optional
        What follows the scores after a plus-minus sign.
    digits : int
        How many follow the decimal point.
    caption, label : str
        If either is given, the tabular stands in a table with this caption (plain text) and label.

    Returns
    -------
    str
        It ends in a newline; special characters of names are escaped.

    Raises
    ------
    ValueError
        If ranks or spreads are of data sets or methods that have no scores, or a name is empty.

    Examples
    --------
    >>> scores = pd.DataFrame({"IC": [0.483, 0.122], "CT": [0.577, np.nan]}, index=["Music", "Delicious"])
    >>> print(as_latex(scores, scores.rank(axis=1, ascending=False)), end="")
    % \usepackage{booktabs}
    \begin{tabular}{lrr}
    \toprule
    Dataset   & IC                 & CT                 \\
    \midrule
    Music     & 0.483 (2)          & \textbf{0.577} (1) \\
    Delicious & \textbf{0.122} (1) & DNF                \\
    \midrule
    avg rank  & 1.50               & 1.00               \\
    \bottomrule
    \end{tabular}
    """
    header, rows, last = _printed(scores, ranks, spreads, digits, latex_escaped, r"$\pm$", r"\textbf{{{}}}")
    lines = [
        rf"\begin{{tabular}}{{l{'r' * scores.shape[1]}}}",
        r"\toprule",
        _latex_row(header),
        r"\midrule",
        *map(_latex_row, rows),
        *([r"\midrule", *map(_latex_row, last)] if last else []),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if caption or label:
        titles = [rf"\caption{{{latex_escaped(caption)}}}"] * bool(caption) + [rf"\label{{{label}}}"] * bool(label)
        lines = [r"\begin{table}", r"\centering", *titles, *lines, r"\end{table}"]
    return "\n".join([r"% \usepackage{booktabs}", *lines, ""])


def as_markdown(
    scores: pd.DataFrame,
    ranks: pd.DataFrame | None = None,
    *,
    spreads: pd.DataFrame | None = None,
    digits: int = 3,
) -> str:
    r"""Return a score table as a Markdown table; parameters and errors are those of `as_latex`.

    Examples
    --------
    >>> scores = pd.DataFrame({"IC": [0.483], "CT": [0.577]}, index=["Music"])
    >>> print(as_markdown(scores, scores.rank(axis=1, ascending=False)), end="")
    | Dataset  | IC        | CT            |
    |:---------|----------:|--------------:|
    | Music    | 0.483 (2) | **0.577** (1) |
    | avg rank | 2.00      | 1.00          |
    """
    header, rows, last = _printed(scores, ranks, spreads, digits, markdown_escaped, "±", "**{}**")
    rules = [":" + "-" * (len(header[0]) + 1), *("-" * (len(cell) + 1) + ":" for cell in header[1:])]
    lines = [
        _markdown_row(header),
        f"|{'|'.join(rules)}|",
        *map(_markdown_row, rows + last),
    ]
    return "\n".join([*lines, ""])


def as_text(scores: pd.DataFrame, ranks: pd.DataFrame | None = None, *, spreads: pd.DataFrame | None = None) -> str:
    """Return a score table for a terminal; parameters and errors are those of `as_latex`.

    Examples
    --------
    >>> scores = pd.DataFrame({"IC": [0.483], "CT": [0.577]}, index=["Music"])
    >>> print(as_text(scores, scores.rank(axis=1, ascending=False)), end="")
    Dataset          IC         CT
    Music     0.483 (2)  0.577 (1)
    avg rank       2.00       1.00
    """
    header, rows, last = _printed(scores, ranks, spreads, 3, one_line, "±", "{}")
    lines = [[first, *(cell.rstrip().rjust(len(cell)) for cell in cells)] for first, *cells in [header, *rows, *last]]
    return "".join(f"{'  '.join(line)}\n" for line in lines)


def as_csv(scores: pd.DataFrame, ranks: pd.DataFrame | None = None, *, spreads: pd.DataFrame | None = None) -> str:
    """Return a score table as long CSV, a row for each data set and method, numbers in full.

    Its columns are dataset, method, score, and where they are given spread and rank; what did not finish has an empty
    score. Average ranks stand in the last rows, as the ranks of a data set "avg rank". A name that a spreadsheet might
    run as a formula has an apostrophe before it, which `read_scores` takes away. Parameters and errors are those of
    `as_latex`.

    Examples
    --------
    >>> scores = pd.DataFrame({"IC": [0.483], "CT": [np.nan]}, index=["Music"])
    >>> print(as_csv(scores, scores.rank(axis=1)), end="")
    dataset,method,score,rank
    Music,IC,0.483,1.0
    Music,CT,,
    avg rank,IC,,1.0
    avg rank,CT,,
    """
    cells = table_cells(scores, ranks, spreads)
    has_spread, has_rank = spreads is not None, ranks is not None
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["dataset", "method", "score", *["spread"] * has_spread, *["rank"] * has_rank])
    for dataset, row in zip(scores.index, cells, strict=True):
        for method, cell in zip(scores.columns, row, strict=True):
            numbers = [cell.score, *[cell.spread] * has_spread, *[cell.rank] * has_rank]
            writer.writerow([*map(_csv_name, (dataset, method)), *map(_in_full, numbers)])
    if ranks is not None:
        for method, average in ranks.mean().reindex(scores.columns).items():
            writer.writerow([AVERAGE_RANK, _csv_name(method), "", *[""] * has_spread, _in_full(average)])
    return text.getvalue()


def _csv_name(name: object) -> str:
    return neutralised(one_line(str(name)))


def table_cells(
    scores: pd.DataFrame, ranks: pd.DataFrame | None = None, spreads: pd.DataFrame | None = None
) -> list[list[Cell]]:
    """Return the cells of the table, row by row; errors are those of `as_latex`."""
    for names, what in ((scores.index, "data set"), (scores.columns, "method")):
        if not all(one_line(name) for name in names):
            raise ValueError(f"A {what} has an empty name; give it one, so that the table can be read.")
    values = scores.to_numpy(dtype=float)
    rank = _fitting(ranks, scores, "ranks")
    spread = _fitting(spreads, scores, "spreads")
    lowest = np.min(rank, axis=1, keepdims=True, initial=np.inf, where=~np.isnan(rank))
    best = (rank == lowest) & ~np.isnan(values)
    return [
        [
            Cell(float(score), float(of), float(at), bool(is_best))
            for score, of, at, is_best in zip(*of_row, strict=True)
        ]
        for of_row in zip(values, spread, rank, best, strict=True)
    ]


def _fitting(table: pd.DataFrame | None, scores: pd.DataFrame, what: str) -> np.ndarray:
    """Return a table's values for each score, NaN where it has none."""
    if table is None:
        return np.full(scores.shape, np.nan)
    for given, known, kind in ((table.index, scores.index, "data set"), (table.columns, scores.columns, "method")):
        unknown = given.difference(known, sort=False)
        if len(unknown):
            raise ValueError(f"The {what} have the {kind} {quoted(str(unknown[0]))}, of which there are no scores.")
    return table.reindex(index=scores.index, columns=scores.columns).to_numpy(dtype=float)


def _printed(
    scores: pd.DataFrame,
    ranks: pd.DataFrame | None,
    spreads: pd.DataFrame | None,
    digits: int,
    escaped: Callable[[str], str],
    plus_minus: str,
    bold: str,
) -> tuple[list[str], list[list[str]], list[list[str]]]:
    """Return the header, the rows, and the last row if there is one, as texts at the same width in each column."""
    table = [["Dataset", *map(escaped, scores.columns)]]
    for name, row in zip(scores.index, table_cells(scores, ranks, spreads), strict=True):
        table.append([escaped(name), *(cell.text(digits, plus_minus, bold) for cell in row)])
    if ranks is not None:
        averages = ranks.mean().reindex(scores.columns)
        table.append([AVERAGE_RANK, *("-" if np.isnan(average) else f"{average:.2f}" for average in averages)])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    header, *rows = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in table]
    return header, rows[: len(scores)], rows[len(scores) :]


def _latex_row(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _in_full(number: float) -> str:
    return "" if np.isnan(number) else repr(float(number))
