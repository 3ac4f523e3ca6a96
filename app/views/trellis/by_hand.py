"""By hand: two labels change places, and captured dependence and scores show at once what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import button, legend_on_stage, signs_of
from components.saving import figure_files, graph_files, save, table_files
from state import derived
from state.call import Call
from state.trellis_scores import Bench
from state.tuning import MOST_BY_HAND, Swap, written_swaps

from trellislib.graphs import Trellis, captured_by_each
from trellislib.metrics import Measure
from trellislib.summaries import about_change, about_swaps
from trellislib.wording import ROUNDING, three_digits
from views.trellis import scores, tune
from views.trellis.lattice_editor import MOST_CELLS, lattice_editor
from views.trellis.placed import Placed, View

MOST_SHOWN = 12  # swaps of the history that are scored again when it is opened by its address
FITTING = 16  # letters of a swap in a line of the history
ONE_LINE, TWO_LINES = 35, 66  # pixels


def show(placed: Placed) -> View:
    """Show the lattice to be changed, and next to it what every swap has done."""
    data, shape = placed.data, placed.shape
    if data.n_labels < 2:
        st.info("A single label has no other label to swap places with.", icon=":material/info:")
        return View(tune.sentence(placed), placed.script())
    measure, bench = scores.measures(placed)[0], derived.bench(data)
    stages, is_changed = _stages(placed), bool(shape.swaps)
    if is_changed:  # what is compared are labels that stay in their places in every fold
        known = [_scores(bench, stage, placed, nth, len(stages)) for nth, stage in enumerate(stages)]
    else:
        known = [placed.scores["CT"] if placed.scores else None]
    first, last = known[0], known[-1]
    scores.line(placed, placed.scores, in_place=is_changed)
    change = ""
    if first is not None and last is not None:
        change = about_change(first[measure.key], last[measure.key], measure)
    captured = captured_by_each(stages, placed.dependence) if is_changed else [placed.captured]
    sentence = about_swaps(len(shape.swaps), (captured[0], captured[-1]), placed.unit, change)
    left, right = st.columns([5, 3], gap="medium")
    moved = _moved(placed)
    drawn = placed.figure(moved=moved)
    with left:
        _lattice(placed, drawn, moved)
    with right:
        _metrics(placed, captured, [first, last], measure)
        _by_name(placed)
        _history(placed, captured, known, measure)
    return View(sentence or tune.sentence(placed), placed.script(drawn))


def swap(one: int, other: int) -> None:
    """Let two labels change places from the next run on."""
    _remember([*_swaps(), (one, other)])


def _swap_chosen() -> None:
    """Swap the labels that are chosen at the time of the click, which may be later than the page was drawn."""
    swap(st.session_state["swap_one"], st.session_state["swap_other"])


def _undo(n_left: int) -> None:
    _remember(_swaps()[:n_left])


def _swaps() -> list[Swap]:
    return list(st.session_state["workspace"].shape.swaps)


def _remember(swaps: Sequence[Swap]) -> None:
    st.session_state["swaps"] = written_swaps(swaps[:MOST_BY_HAND])


def _stages(placed: Placed) -> list[Trellis]:
    """Return the trellis before the first swap and after each."""
    stages = [placed.workspace.placed(placed.shape.unswapped)]
    for one, other in placed.shape.swaps:
        stages.append(stages[-1].swapped(one, other))
    return stages


def _moved(placed: Placed) -> list[int]:
    """Return the labels that are not where they were placed."""
    start = placed.workspace.placed(placed.shape.unswapped)
    return sorted(now for now, before in zip(placed.trellis.order, start.order, strict=True) if now != before)


def _scores(bench: Bench, stage: Trellis, placed: Placed, nth: int, n_stages: int) -> pd.DataFrame | None:
    """Return the scores of a stage where they are there, or needed and quick."""
    needed = nth == 0 or nth >= n_stages - MOST_SHOWN
    if placed.scores and needed and bench.is_quick(placed.shape.in_place):
        return bench.scores_in_place(stage, placed.shape)["CT"]
    return bench.known(stage, placed.shape)


def _lattice(placed: Placed, drawn: Call, moved: Sequence[int]) -> None:
    """Show the lattice to be changed by drag or keyboard; where it is too large for that, as it is `drawn`."""
    if placed.data.n_labels > MOST_CELLS:
        tune.lattice(placed, drawn, key="lattice")
        st.caption(f"More than {MOST_CELLS:,} labels swap places by name only.")
        return
    signs = signs_of(placed.data)
    legend_on_stage(f"{signs} ⇄, framed: moved by hand.")
    lattice_editor(
        placed.trellis,
        placed.names,
        placed.dependence,
        signs=placed.signs,
        moved=moved,
        help_text="Drag a label onto another to swap them, or press Enter on one and then on the other. Arrow keys "
        "move between cells.",
        key="editor",
        on_swap=swap,
    )
    save(
        f"{placed.data.name}-trellis-by-hand",
        figure=figure_files(drawn.value),
        graph=graph_files(placed.trellis, placed.names, dependence=placed.dependence, signs=placed.signs),
    )
    st.caption(f"Arrows run from parent to child. Thick edges have more dependence. {signs} ⇄, framed: moved by hand.")


def _metrics(placed: Placed, captured: Sequence[float], ends: Sequence[pd.DataFrame | None], measure: Measure) -> None:
    name = measure.name.partition(" (")[0]
    before, after = ends
    with st.container(horizontal=True):
        gain = captured[-1] - captured[0]
        unit = "nats" if placed.unit == "nats" else ""
        st.metric(
            "Captured",
            f"{three_digits(captured[-1])} {unit}".strip(),
            delta=None if np.isclose(captured[0], captured[-1], rtol=ROUNDING, atol=0) else f"{gain:+.3g}",
            help=f"Sum over the edges, in {placed.unit}. Below it: the change by the swaps.",
        )
        if before is not None and after is not None:
            gains = after[measure.key] - before[measure.key]
            in_every_fold = (gains > 0).all() or (gains < 0).all()
            st.metric(
                name,
                f"{after[measure.key].mean():.3f}",
                delta=f"{gains.mean():+.4f}" if gains.any() else None,
                delta_color="normal" if in_every_fold else "off",
                help=f"Mean of {len(after)} folds. After a swap every label keeps its place in all folds. The score is "
                "then slightly too high, as the placement saw all rows. Below it: the change by the swaps, grey where "
                "the folds disagree.",
            )


def _by_name(placed: Placed) -> None:
    labels = range(placed.data.n_labels)
    for key, start in (("swap_one", 0), ("swap_other", 1)):
        if st.session_state.get(key, start) not in labels:
            st.session_state[key] = start
    with st.container(horizontal=True, vertical_alignment="bottom"):
        one, other = (
            st.selectbox(
                words,
                labels,
                index=start,
                format_func=placed.names.__getitem__,
                key=key,
                width=140,
                persist_state="page",
            )
            for words, key, start in (("Swap", "swap_one", 0), ("with", "swap_other", 1))
        )
        button(
            "Swap", "swap", "swap_horiz", _swap_chosen, disabled=one == other or len(placed.shape.swaps) >= MOST_BY_HAND
        )


def _history(placed: Placed, captured: Sequence[float], known: Sequence[pd.DataFrame | None], measure: Measure) -> None:
    n_swaps = len(placed.shape.swaps)
    with st.container(horizontal=True):
        button("Undo", "undo", "undo", _undo, n_swaps - 1, disabled=not n_swaps)
        button("Reset", "reset", "restart_alt", _undo, 0, disabled=not n_swaps)
    if not n_swaps:
        return
    done = ["as placed", *(f"{placed.names[one]} ⇄ {placed.names[other]}" for one, other in placed.shape.swaps)]
    table = pd.DataFrame(
        {
            "Swap": done,
            f"Captured ({placed.unit})": captured,
            f"{measure.name.partition(' (')[0]} ↑": [
                None if folds is None else folds[measure.key].mean() for folds in known
            ],
        }
    )
    row = TWO_LINES if max(map(len, done)) > FITTING else ONE_LINE
    height = min(row * len(table) + 40, 250)
    st.dataframe(table, hide_index=True, height=height, row_height=row, column_config=_formats(table))
    save(f"{placed.data.name}-swaps", table=table_files(table))


def _formats(table: pd.DataFrame) -> dict[Any, Any]:
    swapped, captured, score = table
    return {
        swapped: st.column_config.TextColumn(width=130),
        captured: st.column_config.NumberColumn("Captured", help=captured, format="%.3g", width=80),
        score: st.column_config.NumberColumn(format="%.3f", width=80),
    }
