"""What is best to answer: label sets with their probabilities, and what answers for one score reach in another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from trellislib.figures.style import ACCENT, LEGEND_ABOVE, NEUTRAL, finish, literal, rows_axis
from trellislib.labels.label_sets import set_in_words
from trellislib.metrics import MEASURES
from trellislib.studies.deciding import Answers

MOST_SETS = 8  # label sets that are drawn, the most probable ones and the answer
ROW = 34  # pixels for a set
TEXT = {"size": 14}
LOST = [[0.0, "#93A1B2"], [1.0, "#F1F4F7"]]  # black text is read on all of it


def answer_figure(answers: Answers, instance: int, measure: str, names: Sequence[str]) -> go.Figure:
    """Draw the most probable label sets of an instance, and the expected score of answering each.

    The best answer for the score is starred. Of more than eight sets, the most probable ones are drawn.

    Parameters
    ----------
    answers : Answers
        As by `trellislib.studies.deciding.best_answers`.
    instance : int
        Number of the instance.
    measure : str
        Key of the score.
    names : sequence of str
        Names of the labels.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    best, truth = (tuple(found[instance].tolist()) for found in (answers.decided[measure], answers.truth))
    of_sets = {tuple(found): p for found, p in zip(answers.sets.tolist(), answers.probabilities[instance], strict=True)}
    likely = sorted(of_sets, key=lambda found: -of_sets[found])[:MOST_SETS]
    if best not in likely:
        likely[MOST_SETS - 1 :] = [best]
    at, shown = likely.index(best), np.array(likely)
    p = [float(of_sets.get(found, 0.0)) for found in likely]
    expected = answers.expected(measure, instance, shown)
    in_words = MEASURES[measure].in_words
    texts = [set_in_words(found, names) for found in shown]
    axis = rows_axis(texts)
    ticks = axis["ticktext"]
    if truth in likely:
        ticks[likely.index(truth)] += " (true)"
    ticks[at] = f"<b>★ {ticks[at]}</b>"
    rows = list(range(len(shown)))
    figure = go.Figure(
        go.Bar(
            x=p,
            y=rows,
            orientation="h",
            name="probability of the set",
            marker={"color": NEUTRAL},
            width=0.6,
            hovertext=[f"{literal(text)}: probability {share:.3f}" for text, share in zip(texts, p, strict=True)],
            hoverinfo="text",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=expected.tolist(),
            y=rows,
            mode="markers",
            name=f"expected {in_words} of answering it",
            marker={"color": ACCENT, "size": 12, "symbol": "diamond-open", "line": {"width": 2}},
            hovertext=[
                f"{literal(text)}: expected {in_words} {score:.3f}" for text, score in zip(texts, expected, strict=True)
            ],
            hoverinfo="text",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[float(expected[at])],
            y=[at],
            mode="markers",
            name="best answer",
            marker={"color": ACCENT, "size": 16, "symbol": "star"},
            hoverinfo="skip",
        )
    )
    return finish(
        figure,
        ROW * len(shown) + 110,
        xaxis={
            "range": [0, 1.08 * max(*p, *expected)],
            "title": {"text": f"probability; expected {in_words}", "font": TEXT},
            "tickfont": TEXT,
        },
        yaxis=axis | {"tickfont": TEXT, "automargin": True},
        legend=LEGEND_ABOVE | {"font": TEXT},
    )


def reached_figure(answers: Answers) -> go.Figure:
    """Draw what the answers for each score reach in each: a row for the score decided for, a column for that measured.

    The darker a cell, the nearer it is to the best of its column, which is starred; the cells of the diagonal, where
    both scores are the same, are framed.

    Parameters
    ----------
    answers : Answers
        As by `trellislib.studies.deciding.best_answers`.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    table = answers.reached
    lost = 100 * (table.max() - table)
    words = [MEASURES[key].in_words for key in table]
    written = table.map("{:.3f}".format).where(lost > 0, lambda text: "<b>★ " + text + "</b>")
    wrapped = [text.replace(" ", "<br>") for text in words]
    figure = go.Figure(
        go.Heatmap(
            z=(lost / lost.max().where(lost.max() > 0, 1.0)).to_numpy().tolist(),
            zmin=0,
            zmax=1,
            colorscale=LOST,
            showscale=False,
            xgap=4,
            ygap=4,
            text=written.to_numpy().tolist(),
            texttemplate="%{text}",
            textfont=TEXT | {"color": "black"},
            hovertext=[
                [
                    f"decided for {row}, scored by {column}:<br>"
                    f"{table.iloc[i, j]:.3f}, {lost.iloc[i, j]:.1f} points behind the best"
                    for j, column in enumerate(words)
                ]
                for i, row in enumerate(words)
            ],
            hoverinfo="text",
        )
    )
    places = list(range(len(words)))
    ticks = {"tickvals": places, "ticktext": wrapped, "tickfont": TEXT, "showgrid": False, "zeroline": False}
    ends = [-0.5, len(words) - 0.5]
    return finish(
        figure,
        330,
        shapes=[
            {"type": "rect", "x0": at - 0.47, "x1": at + 0.47, "y0": at - 0.46, "y1": at + 0.46}
            | {"line": {"color": ACCENT, "width": 3}}
            for at in places
        ],
        xaxis=ticks | {"side": "top", "range": ends, "title": {"text": "scored by", "font": TEXT}},
        yaxis=ticks | {"range": ends[::-1], "title": {"text": "decided for", "font": TEXT}, "automargin": True},
    )
