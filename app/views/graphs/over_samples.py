"""Edges over samples of the rows: how often each comes back, drawn as strength, and which of their directions do."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st
from components.parts import about_figure, asking, figure, plain, working
from components.saving import save, table_files
from state import derived, structures
from state.assets import ASSETS
from state.call import Call, Script
from state.tuning import MOST_SEED
from state.workspace import Workspace
from streamlit.delta_generator import DeltaGenerator

from trellislib.figures import graph_figure
from trellislib.graphs import EdgeFrequencies, edge_frequencies, resampled
from trellislib.running.progress import Cancelled, Progress
from trellislib.summaries import about_edge_frequencies
from trellislib.summaries.frequencies import DIRECTED, about_true_pairs

OFFERED = {"MI tree": "tree", "FS": "fs", "LEAD (signed)": "lead", "PC": "pc", structures.TRELLIS: "trellis"}
AT_ONCE, MOST_LABELS = ("tree", "trellis"), 60  # what is learned while the page waits, and of how many labels
SAMPLES = (20, 50, 100, 200)
SAMPLING = {"bootstrap": "with replacement", "halves": "halves of the rows"}
ask = asking(
    sampled="It is learned from each sample of the rows.",
    sampled_n="Number of samples.",
    sampled_how="Samples with replacement (bootstrap), or random halves of the rows. Stability selection bounds the "
    "number of false pairs for halves.",
    sampled_least="Pairs that fewer samples join are hidden.",
    sampled_seed="Seed of the samples.",
)


def show(workspace: Workspace, row: DeltaGenerator) -> tuple[str, Script]:
    """Show the view, its knobs in a row; return the page's sentence and the Python of its figures."""
    data, call = workspace.dataset, workspace.call
    offered = [name for name in OFFERED if name != "PC" or (structures.HAS_PC and data.n_labels <= structures.MOST_PC)]
    name = ask(row.selectbox, "Structure", "sampled", offered, width=160)
    n_samples = ask(row.selectbox, "Samples", "sampled_n", SAMPLES, 1, width=100)
    how = ask(row.selectbox, "Sampling", "sampled_how", SAMPLING, format_func=SAMPLING.__getitem__, width=180)
    least = ask(row.slider, "Least frequency", "sampled_least", 0.05, 1.0, 0.9, 0.05, width=200)
    seed = ask(row.number_input, "Seed", "sampled_seed", 0, MOST_SEED, width=110)
    counted = frequencies(call, OFFERED[name], n_samples, how, seed)
    if data.weights is not None and name == "PC":
        st.caption("PC counts every row once, whatever it weighs.")
    if not (OFFERED[name] in AT_ONCE and data.n_labels <= MOST_LABELS):
        label = f"Learn {name} from {n_samples} samples"
        key = ("samples", data.digest, name, n_samples, how, seed)
        result = working(workspace, key, label, "casino", partial(_work, counted.prepared()), name="samples")
        if result is None:
            st.caption("Each sample is learned in full.")
            return f"Finding which edges of {name} come back takes a while.", Script()
        counted = counted.given(result)
    found: EdgeFrequencies = counted.value
    sentence = about_edge_frequencies(found, data.label_names, least, name)
    left, right = st.columns([3, 2], gap="medium")
    chart = Call(
        graph_figure,
        counted.consensus(least),
        call.label_names,
        derived.positions(call),
        counted.adjacent,
        signs=derived.signs(call),
        unit="of samples",
    )
    pairs = found.pairs(data.label_names)
    with left:
        figure(
            chart,
            alt=sentence,
            key="samples graph",
            stem=f"{data.name}-{name}-samples",
            caption="Thick edges are in more samples. Edges have no heads, because many directions are arbitrary.",
            more={"table": table_files(pairs)},
        )
        if name == structures.TRELLIS:
            st.caption("The trellis has its default width. Each sample starts Algorithm 1 from a label of its own.")
        _calibration(found, least, name)
    with right:
        st.dataframe(
            pairs[pairs["frequency"] >= least - 1e-9],
            hide_index=True,
            key="samples pairs",
            column_config={
                column: st.column_config.NumberColumn(column, format="percent") for column in ("frequency", "direction")
            },
        )
        save(f"{data.name}-{name}-pairs", table=table_files(pairs))
        st.caption(
            plain(
                f"Direction: of the samples with the pair, the share in which the label is the parent. From "
                f"{DIRECTED:.0%} on it comes back. At about 50%, the data leave it open."
            )
        )
    return sentence, Script().show(chart)


@derived.call_once
def frequencies(data: Call, structure: str, n_samples: int, how: str, seed: int) -> Call:
    weights = {} if structure == "pc" else derived.weights(data)  # which may be no whole numbers
    learn = Call(resampled, structure, derived.features(data), data.Y, **weights)
    return Call(edge_frequencies, learn, data.n_instances, n_samples=n_samples, sampling=how, random_state=seed).named(
        "found"
    )


def _work(search: partial, progress: Progress, cancelled: Cancelled) -> EdgeFrequencies:
    return search(progress=progress, cancelled=cancelled)


def _calibration(found: EdgeFrequencies, least: float, name: str) -> None:
    """Say what is known of how many of the edges are true."""
    if found.sampling == "halves" and least > 0.5:
        st.caption(
            f"Stability selection: at most {found.expected_false(least):.1f} false pairs are expected among these.",
            help="Meinshausen and Bühlmann (2010). The bound holds where false pairs are exchangeable.",
        )
    about_figure(plain(about_true_pairs(_measured(), OFFERED[name], name)))


@st.cache_data
def _measured() -> pd.DataFrame:
    """Return which pairs were true on simulated sets, as ``tests/benchmarks/edge_frequencies.py`` counts them."""
    return pd.read_csv(ASSETS / "edge_frequencies.csv")
