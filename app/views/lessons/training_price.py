"""What training a trellis takes with ever more labels, next to a chain and independent classifiers: for lesson 5."""

from __future__ import annotations

from math import comb

import pandas as pd
import streamlit as st
from components.parts import about_figure, figure
from state import derived

from trellislib.figures import growth_figure
from trellislib.graphs import random_trellis
from trellislib.running.progress import duration
from trellislib.studies.growth import MAIN_BASE, growth_exponent
from trellislib.wording import listed, ratio_of

COMPARED = ("IC", "CC", "CT")
MEASURED = "in November 2026"  # when assets/growth.csv was


@st.cache_data
def growth() -> pd.DataFrame:
    """Return what training takes with ever more labels, of the methods that are compared here."""
    table = derived.growth().value
    return table[table["method"].isin(COMPARED) & (table["base"] == MAIN_BASE) & (table["variable"] == "L")]


@st.cache_data
def at_most_labels() -> dict[str, str]:
    """Return what the text says of the largest number of labels that was measured."""
    table = growth()
    n_labels = int(table["size"].max())
    seconds = table[table["size"] == n_labels].set_index("method")["train s"]
    return {
        "most": f"{n_labels:,}",
        "most_chain": f"{comb(n_labels, 2):,}",
        "most_edges": f"{len(random_trellis(n_labels, random_state=0).edges):,}",
        "chain_time": duration(seconds["CC"]),
        "trellis_time": duration(seconds["CT"]),
        "independent_time": duration(seconds["IC"]),
        "longer": ratio_of(seconds["CT"] / seconds["IC"]),
    }


@st.cache_data
def doubled() -> str:
    """Say what twice the labels cost each method."""
    table = growth().sort_values("size")
    powers = {method: growth_exponent(of["size"], of["train s"]) for method, of in table.groupby("method", sort=False)}
    return listed([f"{2**power:.2g} times as long for {method}" for method, power in powers.items()])


def price() -> None:
    """Draw what training costs with ever more labels."""
    known = at_most_labels()
    figure(
        growth_figure(growth()),
        alt=f"With {known['most']} labels, training takes {known['chain_time']} for CC, {known['trellis_time']} for CT "
        f"and {known['independent_time']} for IC.",
        key="lesson price",
        caption="The legend has the power of L with which time grows. Training with twice as many labels takes "
        f"{doubled()}.",
    )
    about_figure(
        f"The times were measured once, {MEASURED}, with least squares on one of two processor cores. The data are "
        "2,000 instances of the simulated room of light sensors. Times include the placement of labels."
    )
