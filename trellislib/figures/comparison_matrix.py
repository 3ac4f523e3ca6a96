"""All pairs of methods at once: a matrix of mean differences, wins and p-values.

What a cell says of two methods depends on the others in three ways only: by the order of rows, by the correction of
p-values, and by data sets that are left out because some method did not finish there. Average ranks and the critical
distance depend on all of them.

References
----------
Ismail-Fawaz, Dempster, Tan, Herrmann, Miller, Schmidt, Berretti, Weber, Devanne, Forestier and Webb, "An approach to
multiple comparison benchmark evaluations that is stable under manipulation of the comparate set", 2023,
arXiv:2305.11921: the multi-comparison matrix.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from trellislib.figures.drawing import MIDDLE, SIZE, Drawing, Line, Mark, Rectangle, Text, printable, widest
from trellislib.figures.style import CO_OCCURRENCE, EXCLUSION
from trellislib.ranking.comparison import DatasetComparison
from trellislib.wording import p_value

MOST_IN_FULL = 12  # methods whose cells have room for wins and p-values
MARGIN, GAP, LINE = 10.0, 6.0, 17.0
PALEST, STRONGEST = 0.05, 0.5  # opacity, under letters


def comparison_matrix(found: DatasetComparison, *, in_full: bool | None = None) -> Drawing:
    """Draw each pair of methods as a cell: how much better the method of the row is than that of the column.

    A cell has the mean difference of scores; in full also on how many data sets the row wins, ties and loses, and the
    p-value. Cells of pairs that differ significantly have a frame. Orange cells are wins of the row, blue ones losses,
    the stronger the larger. Rows and columns are in the order of average ranks, the best first, with the same numbers.

    Parameters
    ----------
    found : DatasetComparison
        As by `trellislib.ranking.nemenyi` or `trellislib.ranking.wilcoxon_holm`.
    in_full : bool, optional
        Whether cells have wins and p-values; by default those of 12 methods or fewer.

    Returns
    -------
    Drawing

    References
    ----------
    Ismail-Fawaz et al., "An approach to multiple comparison benchmark evaluations that is stable under manipulation of
    the comparate set", 2023, arXiv:2305.11921. There p-values are not corrected for the number of pairs; here they are.

    Examples
    --------
    >>> from trellislib.ranking import wilcoxon_holm
    >>> scores = pd.DataFrame({"IC": [0.5, 0.4, 0.5], "CT": [0.6, 0.6, 0.5]})
    >>> [text.text for text in comparison_matrix(wilcoxon_holm(scores)).texts][:6]
    ['1', '2', '1  CT (1.17)', '+0.100', '2 / 1 / 0', 'p 0.5']
    """
    ranks = found.average_ranks.sort_values(kind="stable")
    methods = list(ranks.index)
    in_full = len(methods) <= MOST_IN_FULL if in_full is None else in_full
    leads = _mean_leads(found.scores[methods])
    strongest = np.nanmax(np.abs(leads), initial=0) or 1.0
    names = [f"{row + 1}  {printable(str(name))} ({ranks[name]:.2f})" for row, name in enumerate(methods)]
    texts = {
        (row, column): _lines(found, methods[row], methods[column], leads[row, column], in_full)
        for row in range(len(methods))
        for column in range(len(methods))
        if row != column
    }
    left = MARGIN + widest(names) + GAP
    width = widest(line for lines in texts.values() for line in lines) + 2 * GAP
    height = LINE * (3 if in_full else 1) + GAP
    top = MARGIN + LINE + GAP
    marks: list[Mark] = [
        Text(left + width * (column + 0.5), MARGIN + LINE * 0.8, str(column + 1), SIZE, "middle", names[column])
        for column in range(len(methods))
    ]
    for row, name in enumerate(names):
        y = top + height * row
        marks.append(Text(left - GAP, y + height / 2 + MIDDLE * SIZE, name, SIZE, "end"))
        for column, other in enumerate(methods):
            if row == column:
                continue
            x, lead, lines = left + width * column, leads[row, column], texts[row, column]
            color = CO_OCCURRENCE if lead > 0 else EXCLUSION
            opacity = PALEST + (STRONGEST - PALEST) * abs(lead) / strongest if abs(lead) > 0 else 0.0
            hover = f"{methods[row]} against {other}: {', '.join(_lines(found, methods[row], other, lead, True))}"
            marks.append(Rectangle(x + 1, y + 1, width - 2, height - 2, color, opacity, hover))
            if found.differs(methods[row], other):
                marks.append(_frame(x + 2, y + 2, width - 4, height - 4))
            marks += [
                Text(x + width / 2, y + GAP / 2 + LINE * (place + 0.8), line, SIZE, "middle")
                for place, line in enumerate(lines)
            ]
    legend = ["Mean difference of the row from the column. Framed: the two differ significantly."]
    legend += ["Below it: data sets that the row wins / ties / loses, and the p-value."] * in_full
    y = top + height * len(methods) + GAP
    marks += [Text(MARGIN, y + LINE * (place + 1), line) for place, line in enumerate(legend)]
    right = max(left + width * len(methods), MARGIN + widest(legend)) + MARGIN
    return Drawing(math.ceil(right), math.ceil(y + LINE * (len(legend) + 0.5) + MARGIN), tuple(marks))


def _mean_leads(scores: pd.DataFrame) -> np.ndarray:
    """Return the mean differences of rows from columns, over the data sets that both finished."""
    values = scores.to_numpy()
    with np.errstate(invalid="ignore"):
        differences = values[:, :, None] - values[:, None, :]
    both = np.isfinite(differences)
    n = both.sum(axis=0)
    return np.divide(np.where(both, differences, 0.0).sum(axis=0), n, out=np.full(n.shape, np.nan), where=n > 0)


def _lines(found: DatasetComparison, one: object, other: object, lead: float, in_full: bool) -> list[str]:
    """Return the texts of a cell."""
    lines = [f"{lead + 0.0:+.3f}" if np.isfinite(lead) else "none"]
    if in_full:
        wins, losses = found.wins.loc[one, other], found.wins.loc[other, one]
        lines += [f"{wins} / {found.n_datasets - wins - losses} / {losses}"]
        lines += [f"p {p_value(found.p_values.loc[one, other])}"]
    return lines


def _frame(x: float, y: float, width: float, height: float) -> Line:
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y))
    return Line(corners, 1.6)
