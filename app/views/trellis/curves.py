"""Widths: what every width and pattern captures, and how the widths score."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st
from components.parts import choice, figure, plain, working
from components.saving import table_files
from state import derived
from state.call import Call, Script, known
from state.trellis_scores import Bench, Scores, baselines
from state.tuning import CLIMBING, IN_SENTENCES, Shape

from trellislib import ClassifierTrellis, summaries
from trellislib.figures import capture_curve_figure, width_scores_figure
from trellislib.graphs import PATTERNS, Offset, capture_curve, selected_widths
from trellislib.running.memory import MemoryBudgetError
from trellislib.running.progress import Cancelled, Progress, about
from views.trellis import scores, tune
from views.trellis.placed import Placed, View, use_folds

MANY = 200  # labels above which one pattern is drawn at first, and fewer widths
FEW_WIDTHS, WIDTHS = 6, 15
AT_ONCE = 1.5  # seconds that scoring all widths may take without being asked for
Patterns = dict[str, list[Offset]] | None
SCALES = {"share": "Share of the bound", "amount": "Amount"}


@derived.call_once
def captured(data: Call, criterion: str, widths: list[int], patterns: Patterns, placement: str, seed: int) -> Call:
    """Return what is captured at widths, with patterns; None are all patterns."""
    dependence = derived.dependence(data, criterion)
    return Call(capture_curve, dependence, widths, patterns, placement=placement, random_state=seed)


def show(placed: Placed) -> View:
    shape, data = placed.shape, placed.data
    many = data.n_labels > MANY
    with st.container(horizontal=True, vertical_alignment="bottom", key="own knobs"):
        share = choice("Captured", list(SCALES), format_func=SCALES.get, default="share", key="curve") == "share"
        every = st.toggle("All patterns", value=not many, key="patterns", bind="query-params")
    patterns = dict(PATTERNS) if every else {}
    patterns.setdefault(shape.pattern, shape.offsets)
    base = selected_widths(data.n_labels, FEW_WIDTHS if many else WIDTHS)
    widths = sorted({*base, shape.width})
    script = Script()
    left, right = st.columns([5, 4], gap="medium")
    with left:
        curve = _curve(placed, base, widths, patterns)
        if curve is not None:
            _curve_figure(placed, curve, script, share=share)
    with right:
        found = _scores(placed, widths)
        if found:
            _scores_figure(placed, found, widths, script)
    if curve is None:
        return View(tune.sentence(placed), script)
    caption = summaries.about_capture_curve(curve.value, shape.pattern, shape.width, placed.unit, share=share)
    return View(caption, script)


def _curve_figure(placed: Placed, curve: Call, script: Script, *, share: bool) -> None:
    shape, by = placed.shape, IN_SENTENCES[placed.shape.compared(placed.data.n_labels)]
    chosen = {"pattern": shape.pattern, "width": shape.width, "share": share, "unit": placed.unit}
    chart = Call(capture_curve_figure, curve, **chosen)
    script.show(chart)
    figure(
        chart,
        alt=summaries.about_capture_curve(curve.value, shape.pattern, shape.width, placed.unit, share=share),
        key=_key("curves", shape),
        stem=f"{placed.data.name}-widths",
        caption=f"{by.capitalize()}, seed {shape.seed}. Click a point to use its width and pattern.",
        more={"table": table_files(curve.value)},
        on_click=_take,
    )


def _curve(
    placed: Placed, base: Sequence[int], widths: list[int], patterns: Mapping[str, tuple[Offset, ...]]
) -> Call | None:
    """Return the call that gives the curve over the widths: base widths, and the one that is set.

    Of very many labels, show the button that finds it.
    """
    shape, data = placed.shape, placed.workspace.call
    placement = shape.compared(placed.data.n_labels)
    given = None if list(patterns) == list(PATTERNS) else {name: list(of) for name, of in patterns.items()}

    def over(some: Sequence[int]) -> Call:
        return captured(data, shape.criterion, list(some), given, placement, shape.seed).named("curve")

    curve = over(widths)
    if not placed.is_whole:
        n_lattices = len(widths) * len(patterns)
        seconds = placed.price(1 + 2 * n_lattices, n_lattices)  # the bounds; what is captured, and at random
        key: Hashable = ("curve", placed.data.digest, shape.criterion, str(widths), str(given), placement, shape.seed)
        label = f"Place labels in {n_lattices} lattices, about {about(seconds)}"
        capture = curve.prepared()

        def work(progress: Progress, cancelled: Cancelled) -> pd.DataFrame:
            return capture(progress=progress, cancelled=cancelled)

        found = working(placed.workspace, key, label, "show_chart", work)
        return None if found is None else curve.given(found)
    if shape.width in base:
        return curve
    both = pd.concat([over(base).value, over([shape.width]).value])  # the base widths, once for all
    in_order = both.assign(place=both["pattern"].map(list(patterns).index)).sort_values(["place", "width"])
    return curve.given(in_order.drop(columns="place").reset_index(drop=True))


def _take(point: list) -> None:
    st.session_state["pattern"], st.session_state["width"] = point


def _key(chart: str, shape: Shape) -> str:
    """Return the key of a chart, another one for each selection: else a second click on the same point does nothing."""
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


def _scores_figure(placed: Placed, found: Mapping[int, Scores], widths: list[int], script: Script) -> None:
    shape, measure = placed.shape, scores.measures(placed)[0]
    tried = _tried(shape, shape.width)
    scored = known("scores", found)
    chart = Call(width_scores_figure, scored, measure.key, measure.name, shape.pattern, shape.width)
    caption = summaries.about_width_scores(found, measure, shape.width)
    if tried.placement != shape.placement:
        caption += " Hill climbing scores the widths, because a search takes long."
    figure(
        chart,
        alt=caption,
        key=_key("width scores", shape),
        stem=f"{placed.data.name}-width-scores",
        caption=f"{caption} Bars: standard deviations.",
        more={"table": table_files(_table(found))},
        on_click=_take,
    )
    use_folds(placed, script)
    compared = {
        name: placed.folds.scores(method, known("measures", None))
        for name, method in baselines(shape).items()
        if name in found[shape.width]
    }
    script.let("baselines", compared)
    method = Call(ClassifierTrellis, **tried.arguments | {"width": known("width", None)}, **tried.deciding)
    script.add(
        f"""scores = {{}}
for width in {widths}:
    method = {script.text(method)}
    scores[width] = {{'CT': cv.scores(method, measures), **baselines}}"""
    ).show(chart)


def _tried(shape: Shape, width: int) -> Shape:
    """Return the shape at another width; hill climbing takes the place of a search, which would take long at each."""
    return replace(shape.unswapped, width=width, placement=CLIMBING if shape.is_searched else shape.placement)


def _table(found: Mapping[int, Scores]) -> pd.DataFrame:
    of_width = {width: pd.concat(of_methods, names=["method", "fold"]) for width, of_methods in found.items()}
    return pd.concat(of_width, names=["width"]).reset_index()
