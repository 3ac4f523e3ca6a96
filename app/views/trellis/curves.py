"""Widths and patterns: what every width and pattern captures, and what the widths are worth."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from components.parts import choice, clicked, figure, plain, working
from components.saving import table_files
from state import derived
from state.derived import once
from state.trellis_scores import Bench, Scores
from state.tuning import CLIMBING, Shape

from trellislib import summaries
from trellislib.data import Dataset
from trellislib.figures import capture_curve_figure, width_scores_figure
from trellislib.graphs import PATTERNS, Offset, capture_curve, selected_widths
from trellislib.running.memory import MemoryBudgetError
from trellislib.running.progress import Cancelled, Progress, about
from views.trellis import scores, tune
from views.trellis.placed import Placed, View
from views.trellis.script import folds_lines, script

MANY = 200  # labels above which one pattern is drawn at first, and fewer widths
FEW_WIDTHS, WIDTHS = 6, 15
AT_ONCE = 1.0  # seconds that scoring all widths may take without being asked for
SCALES = {"share": "Share of the possible", "amount": "Amount"}


@once
def captured(
    data: Dataset, guide: str, widths: tuple[int, ...], patterns: tuple[tuple[str, tuple[Offset, ...]], ...], seed: int
) -> pd.DataFrame:
    """Return what is captured at widths, with patterns."""
    return capture_curve(derived.dependence(data, guide), widths, dict(patterns), random_state=seed)


def show(placed: Placed) -> View:
    """Show both curves side by side."""
    shape, data = placed.shape, placed.data
    many = data.n_labels > MANY
    with st.container(horizontal=True, vertical_alignment="bottom"):
        share = choice("Captured", list(SCALES), format_func=SCALES.get, default="share", key="curve") == "share"
        every = st.toggle("All patterns", value=not many, key="patterns", bind="query-params")
    patterns = dict(PATTERNS) if every else {}
    patterns.setdefault(shape.pattern, shape.offsets)
    base = selected_widths(data.n_labels, FEW_WIDTHS if many else WIDTHS)
    widths = sorted({*base, shape.width})
    left, right = st.columns([5, 4], gap="medium")
    with left:
        curve = _curve(placed, base, patterns)
        lines = [] if curve is None else _curve_figure(placed, curve, patterns, widths, share=share)
    with right:
        found = _scores(placed, widths)
        if found:
            lines += _scores_figure(placed, found, widths)
    if curve is None:
        return View(tune.sentence(placed), script(placed, lines))
    says = summaries.about_capture_curve(curve, shape.pattern, shape.width, placed.unit, share=share)
    return View(says, script(placed, lines))


def _curve_figure(
    placed: Placed, curve: pd.DataFrame, patterns: Mapping[str, tuple[Offset, ...]], widths: list[int], *, share: bool
) -> list[str]:
    """Show what is captured; return the Python for it."""
    shape = placed.shape
    set_now: dict[str, Any] = {"pattern": shape.pattern, "width": shape.width, "share": share, "unit": placed.unit}
    key = _key("curves", shape)
    given = "None" if list(patterns) == list(PATTERNS) else repr({name: list(of) for name, of in patterns.items()})
    figure(
        capture_curve_figure(curve, **set_now),
        alt=summaries.about_capture_curve(curve, shape.pattern, shape.width, placed.unit, share=share),
        key=key,
        stem=f"{placed.data.name}-widths",
        says=f"Hill climbing with seed {shape.seed}. A click on a point takes its width and pattern.",
        more={"table": table_files(curve)},
        on_select=partial(_take, key),
        selection_mode="points",
    )
    return [
        f"widths, patterns = {widths}, {given}",
        f"curve = capture_curve(dependence, widths, patterns, random_state={shape.seed})",
        f"capture_curve_figure(curve, {', '.join(f'{name}={value!r}' for name, value in set_now.items())}).show()",
    ]


def _curve(placed: Placed, base: Sequence[int], patterns: Mapping[str, tuple[Offset, ...]]) -> pd.DataFrame | None:
    """Return the curve over the widths, and over the one that is set, which may lie between them.

    Of very many labels, show the button that finds it.
    """
    shape, of = placed.shape, tuple(patterns.items())
    if not placed.is_whole:
        widths = sorted({*base, shape.width})
        n_lattices = len(widths) * len(of)
        seconds = placed.price(1 + 2 * n_lattices, n_lattices)  # the bounds; what is captured, and at random
        key: Hashable = ("curve", placed.data.digest, shape.guide, tuple(widths), of, shape.seed)
        work = partial(_capture, placed.dependence, widths, patterns, shape.seed)
        label = f"Find what {n_lattices} lattices capture, about {about(seconds)}"
        return working(placed.workspace, key, label, "show_chart", work)
    curve = captured(placed.data, shape.guide, tuple(base), of, shape.seed)
    if shape.width in base:
        return curve
    both = pd.concat([curve, captured(placed.data, shape.guide, (shape.width,), of, shape.seed)])
    in_order = both.assign(place=both["pattern"].map(list(patterns).index)).sort_values(["place", "width"])
    return in_order.drop(columns="place").reset_index(drop=True)


def _capture(
    dependence: derived.Pairwise,
    widths: Sequence[int],
    patterns: Mapping[str, tuple[Offset, ...]],
    seed: int,
    progress: Progress,
    cancelled: Cancelled,
) -> pd.DataFrame:
    return capture_curve(dependence, widths, patterns, random_state=seed, progress=progress, cancelled=cancelled)


def _take(key: str) -> None:
    """Set the knobs to the point that was clicked on."""
    point = clicked(key)
    if point:
        st.session_state["pattern"], st.session_state["width"] = point


def _key(chart: str, shape: Shape) -> str:
    """Return the key of a chart, another one for each selection: else a click on the same point is not told again."""
    return f"{chart} {shape.pattern} {shape.width}"


def _scores(placed: Placed, widths: Sequence[int]) -> Mapping[int, Scores]:
    """Return the scores of the widths; show the button that finds them where that takes long."""
    bench, shapes = derived.bench(placed.data), [_tried(placed.shape, width) for width in widths]
    if bench.n_folds < 2 or len(widths) < 2:
        return {}
    seconds = bench.seconds(*shapes)
    if seconds <= AT_ONCE:
        try:
            return {shape.width: derived.scored(placed.data, shape) for shape in shapes}
        except MemoryBudgetError as error:
            st.caption(plain(str(error)))
            return {}
    key, label = ("widths", placed.data.digest, *shapes), f"Score {len(shapes)} widths, about {about(seconds)}"
    work = partial(_score, bench, shapes)
    return working(placed.workspace, key, label, "ssid_chart", work) or {}


def _score(bench: Bench, shapes: Sequence[Shape], progress: Progress, cancelled: Cancelled) -> dict[int, Scores]:
    """Score shapes of several widths, one after the other."""
    found: dict[int, Scores] = {}
    for number, shape in enumerate(shapes):
        progress(number, len(shapes), f"width {shape.width}")
        found[shape.width] = bench.scores(shape, cancelled=cancelled)
    return found


def _scores_figure(placed: Placed, found: Mapping[int, Scores], widths: list[int]) -> list[str]:
    """Show what the widths are worth; return the Python for it."""
    shape, measure = placed.shape, scores.measures(placed)[0]
    tried, key = _tried(shape, shape.width), _key("width scores", shape)
    says = summaries.about_width_scores(found, measure, shape.width)
    if tried.placement != shape.placement:
        says += " The widths are scored with hill climbing, for a search would take long at each."
    figure(
        width_scores_figure(found, measure.key, measure.name, shape.pattern, shape.width),
        alt=says,
        key=key,
        stem=f"{placed.data.name}-width-scores",
        says=f"{says} Bars: the standard deviation over the folds.",
        more={"table": table_files(_table(found))},
        on_select=partial(_take, key),
        selection_mode="points",
    )
    arguments = {name: "width" if name == "width" else repr(value) for name, value in tried.arguments.items()}
    return [
        *folds_lines(placed, derived.bench(placed.data), [name for name in found[shape.width] if name != "CT"]),
        "scores = {}",
        f"for width in {widths}:",
        f"    method = ClassifierTrellis({', '.join(f'{name}={value}' for name, value in arguments.items())})",
        "    scores[width] = {'CT': cv.scores(method, measures), **beside}",
        f"width_scores_figure(scores, {measure.key!r}, {measure.name!r}, {shape.pattern!r}, {shape.width}).show()",
    ]


def _tried(shape: Shape, width: int) -> Shape:
    """Return the shape at another width; hill climbing stands for a search, which would take long at each."""
    return replace(shape.unswapped, width=width, placement=CLIMBING if shape.is_searched else shape.placement)


def _table(found: Mapping[int, Scores]) -> pd.DataFrame:
    """Return a row for each width, method and fold."""
    of_width = {width: pd.concat(of_methods, names=["method", "fold"]) for width, of_methods in found.items()}
    return pd.concat(of_width, names=["width"]).reset_index()
