"""The paper's tables of the room: Algorithm 3 against a classifier trellis, published and run here, and the optimum."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st
from components.parts import asking, working
from components.saving import save, table_files
from state import session
from streamlit.delta_generator import DeltaGenerator

from trellislib.data.room import Room
from trellislib.experiment.costs import ROOM_COMPARISONS, room_comparison_seconds
from trellislib.paper import published
from trellislib.room.comparison import compare_room, paper_sizes
from trellislib.running.progress import Cancelled, Progress, about
from trellislib.summaries import about_published_room, about_room_gap
from views.room.setting import scenes_of

SHARES = {"a tenth": 0.1, "all": 1.0}
MEASURES = {"accuracy": "Accuracy ↑", "hamming_score": "Hamming ↑"}

ask = asking(room_share="10,000 for W = 20, a fifth of them for testing, and 50,000 for W = 100, a third for testing.")


def compared(width: int, scale: float, progress: Progress, cancelled: Cancelled) -> pd.DataFrame:
    """Train and score all methods on the paper's room of a width."""
    n_training, n_test = paper_sizes(width, scale)
    return compare_room(
        Room.default(width),
        scenes_of(width, "paper"),
        n_training=n_training,
        n_test=n_test,
        n_flips=width**2 // 100,
        random_state=0,
        progress=progress,
        cancelled=cancelled,
    )


def view(row: DeltaGenerator) -> tuple[str, float]:
    """Show both tables, each with a button that runs it; return the sentence and the share of instances."""
    scale = SHARES[ask(row.selectbox, "Share of the paper's rows", "room_share", list(SHARES), width=200)]
    sentences = []
    for width in ROOM_COMPARISONS:
        st.header(f"W = {width}: {width**2:,} tiles", anchor=False)
        table = _ran(width, scale)
        shown = with_published(width, table)
        columns = {
            name: st.column_config.NumberColumn(format="%.3g" if name.startswith("Seconds") else "%.4f")
            for name in shown.columns
        }
        st.dataframe(shown, key=f"room table {width}", column_config=columns, placeholder="-")
        save(f"room-table-{width}", table=table_files(shown, index=True))
        if table is not None:
            sentences.append(about_room_gap(width, paper_sizes(width, scale)[1], table))
    st.caption(
        "Published: Tables 9 and 10 of the paper. Methods here are as in the paper: least squares, each tile marked "
        "above 1/2. The generator as printed does not reproduce the published accuracies."
    )
    with st.expander("About these tables"):
        st.markdown(
            "- MAP is Algorithm 3. Where no sensor looks it leaves 1/2, which counts as empty here.\n"
            "- The optimum knows the sensors and the scenes. It is computed for each score. The gap to it is what a "
            "method could still gain on average.\n"
            "- For accuracy the optimum is an approximation from below, because not every set of tiles can be tried.\n"
            "- CDT has the paper's 100 Gibbs sweeps. They are few here, because the tiles of a block change together."
        )
    return " ".join(sentences) or about_published_room(published("map_room")), scale


def _ran(width: int, scale: float) -> pd.DataFrame | None:
    """Return the comparison where it was run; else show its button or its progress."""
    takes = about(room_comparison_seconds(width, scale))
    return working(
        session.workspace(),
        ("room table", width, scale),
        f"Run W = {width} on {sum(paper_sizes(width, scale)):,} rows, about {takes}",
        "play_circle",
        partial(compared, width, scale),
        name=f"run table {width}",
    )


def with_published(width: int, table: pd.DataFrame | None) -> pd.DataFrame:
    """Return the published scores of each method and, where it was run, those of the comparison."""
    printed = published("map_room").query("W == @width").set_index("method")
    columns = {}
    for measure, name in MEASURES.items():
        columns[f"{name} published"] = printed[measure]
        if table is not None:
            columns[f"{name} here"] = table[measure]
    columns["Seconds published"] = printed["seconds"]
    if table is not None:
        columns["Seconds here"] = table["train_seconds"] + table["test_seconds"]
    order = list(printed.index if table is None else table.index)
    return pd.DataFrame(columns).reindex(order)
