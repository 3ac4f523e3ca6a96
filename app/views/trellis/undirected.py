"""CT and CDT: the same lattice as CT and as CDT, and what shields a label from all others in each."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st
from components.parts import asking, figure, legend_on_stage, signs_of, working
from components.saving import graph_files, save, table_files
from components.tables import scores_by_method
from state import derived
from state.jobs import about_wait

from trellislib import ClassifierDependencyTrellis
from trellislib.figures.lattice import CHILD, CO_PARENT, DRAWN_EDGES, ITSELF, NEIGHBOUR, PARENT
from trellislib.running.progress import Cancelled, Progress
from trellislib.summaries import about_blanket, about_drawn
from views.trellis import scores
from views.trellis.placed import HALF, Placed, View

ask = asking(ct_label="The figures mark the neighbours of this label. A click on a label also chooses it.")


def show(placed: Placed) -> View:
    """Show both lattices, the surroundings of one label marked in each."""
    data, trellis = placed.data, placed.trellis
    label = _label(placed)
    sentence = about_blanket(placed.names, trellis, label)
    drawn = [placed.figure(directed=directed, label=label, width=HALF) for directed in (True, False)]
    for column, chart, directed in zip(st.columns(2, gap="medium"), drawn, (True, False), strict=True):
        with column:
            roles = (ITSELF, PARENT, CHILD, CO_PARENT) if directed else (ITSELF, NEIGHBOUR)
            marks = "; ".join(f"{role.mark} {role.word}" for role in roles)
            with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
                title = "**CT**, directed" if directed else "**CDT**, undirected"
                st.markdown(title, width="content")
                legend_on_stage(f"{marks}." if directed else f"{marks}. {signs_of(data)}".strip())
            graph = trellis if directed else trellis.undirected()
            figure(
                chart,
                alt=sentence,
                key=f"lattice {'directed' if directed else 'undirected'}",
                stem=f"{data.name}-{'ct' if directed else 'cdt'}",
                more={"graph": graph_files(graph, placed.names, dependence=placed.dependence, signs=placed.signs)},
                on_click=_clicked,
            )
            some = about_drawn(len(trellis.edges), DRAWN_EDGES)
            st.caption(f"{marks}. {'Arrows run from parent to child. ' * directed}{some}")
    _scored(placed)
    return View(sentence, placed.script(*drawn))


def _label(placed: Placed) -> int:
    """Let the label be chosen by name; a click on a lattice chooses it, too."""
    labels = range(placed.data.n_labels)
    if st.session_state.get("ct_label", 0) not in labels:
        st.session_state["ct_label"] = 0
    with st.container(key="own knobs"):
        return ask(st.selectbox, "Label", "ct_label", labels, format_func=placed.names.__getitem__, width=260)


def _clicked(point: list) -> None:
    st.session_state["ct_label"] = int(point[0])


def _scored(placed: Placed) -> None:
    bench, shape = derived.bench(placed.data), placed.shape
    if bench.n_folds < 2 or not placed.scores:
        return
    method = ClassifierDependencyTrellis(
        width=shape.width,
        parents=shape.offsets,
        placement=placed.trellis.order,
        random_state=shape.seed,
        **shape.deciding,
    )

    def work(progress: Progress, cancelled: Cancelled) -> Mapping[str, pd.DataFrame]:
        progress(0, 1, "CDT, cross-validated")
        in_place = bench.scores_in_place(placed.trellis, shape, cancelled)["CT"]
        return {"CT": in_place, "CDT": bench.sampled_scores(method, shape, cancelled)}

    label = f"Score CT and CDT, {about_wait(bench.sampling_seconds(shape))}"
    key = ("undirected", placed.data.digest, placed.trellis, shape.seed, shape.decide)
    found = working(placed.workspace, key, label, "casino", work)
    if found is None:
        return
    others = {name: of for name, of in placed.scores.items() if name != "CT"}
    st.table(scores_by_method(scores.chosen(found | others, scores.measures(placed))), border="horizontal")
    st.caption(
        "All rows placed the labels for every fold, so scores are slightly too high. CDT uses 100 sweeps of Gibbs "
        "sampling and discards 10."
    )
    folds = pd.concat(found | others, names=["method", "fold"]).reset_index()
    save(f"{placed.data.name}-ct-cdt-scores", table=table_files(folds))
