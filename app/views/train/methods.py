"""What the methods are, what they cost, and how that grows, in boxes of Train."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd
import streamlit as st
from components.parts import choice, figure, plain
from components.saving import save, table_files
from state import derived
from state.call import Call

from trellislib.methods import METHODS
from trellislib.summaries import about_growth, about_structure_price

VARIABLES = {"L": "labels", "N": "instances", "D": "features"}
STAGES = {"train": "training", "predict": "prediction"}


def described(picked: Collection[str]) -> None:
    with st.expander("What the methods are, and what they cost", icon=":material/info:"):
        st.table(
            [
                {
                    "Method": f"**{plain(key)}** {'✓ ' * (key in picked)}{plain(entry.name)} ({plain(entry.section)})",
                    "What it does": plain(entry.what),
                    "Cost": f"Training: {plain(entry.training)}. Prediction: {plain(entry.prediction)}.",
                    "When": plain(entry.when),
                }
                for key, entry in METHODS.items()
            ],
            border="horizontal",
            hide_index=True,
        )
        st.caption(
            "A method joins a structure between labels, a base learner for each label and a decision rule. L: labels. "
            "D: features. W: width of the trellis. k: labels in a set. M: members. T: sweeps. Training counts fits of "
            "base learners, prediction is per instance. The section of the paper is in brackets."
        )
        table = pd.DataFrame(METHODS.values(), index=METHODS).drop(columns="method")
        save("methods", table=table_files(table, index=True))


def growth() -> Call:
    """Draw how the cost of methods grows; return the call that does."""
    with st.expander("How their cost grows", icon=":material/trending_up:"):
        with st.container(horizontal=True):
            variable = choice(
                "With the number of", VARIABLES, key="growth_with", default="L", format_func=VARIABLES.get
            )
            stage = choice("Of", STAGES, key="growth_of", default="train", format_func=STAGES.get)
        measured = derived.growth().value
        chart = derived.growth_drawn(variable, stage)
        caption = about_growth(measured, variable, stage)
        st.markdown(
            f"**When is label structure nearly free?** {plain(about_structure_price(measured))} Expensive fits hide "
            "the cost of structure. Least squares reuses cached sums for all labels, so counting label pairs dominates."
        )
        figure(chart, key="growth", caption=caption, more={"table": table_files(measured)})
        st.caption(
            "Processor time, measured once on the simulated room of light sensors. A straight line is a power of the "
            "size. The legend has its exponent over the larger half of the sizes."
        )
    return chart
