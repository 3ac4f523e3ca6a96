"""One pair of labels in detail: its table, its tests, what the features leave of it, and instances."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from components.parts import plain
from components.saving import save, table_files
from state import derived

from trellislib.data import Dataset, pair_examples
from trellislib.dependence import UNITS, Association, association
from trellislib.summaries import about_pair, about_residual, remaining_share
from trellislib.wording import p_value, three_digits
from views.dependence.label_map import are_other_data

ONE, OTHER = "first-label", "second-label"  # the widgets that choose the pair, and their names in the address


def choose(one: int, other: int) -> None:
    """Make two labels the pair that is shown: to be called before the page is drawn."""
    st.session_state[ONE], st.session_state[OTHER] = one, other


def boxes(data: Dataset) -> tuple[int, int]:
    """Let a person choose the pair by name; return it. Of other data than before it is the strongest."""
    strongest = strongest_pair(data)
    if are_other_data(data, "pair"):
        choose(*strongest)
    with st.container(horizontal=True):
        one, other = (
            st.selectbox(
                label,
                range(data.n_labels),
                index=index,
                format_func=data.label_names.__getitem__,
                key=key,
                bind="query-params",
            )
            for label, key, index in zip(("Label", "Other label"), (ONE, OTHER), strongest, strict=True)
        )
    return one, other


def strongest_pair(data: Dataset) -> tuple[int, int]:
    seen = derived.seen(data)
    return int(seen.first[0]), int(seen.second[0])


def show(data: Dataset, one: int, other: int, unit: str) -> None:
    if one == other:
        st.info("Choose two different labels.", icon=":material/info:")
        return
    names = data.label_names[one], data.label_names[other]
    pair = association(derived.counts(data), one, other)
    residuals = derived.residuals(data)
    beyond = residuals.pair(one, other) if residuals is not None else None
    sentence = about_pair(names, pair.strength, pair.sign, pair.p_value)
    if beyond is not None:
        sentence = f"{sentence} {about_residual(beyond, pair.p_value, unit)}"
    st.markdown(plain(sentence))
    with st.container(horizontal=True):
        st.metric(
            "Mutual information",
            f"{three_digits(pair.information / UNITS[unit])} {unit}",
            help="Information that one label has about the other. 0 means independent.",
        )
        st.metric(
            "Phi" if pair.table.shape == (2, 2) else "Cramer's V",
            f"{pair.strength:.3f}",
            help="Phi is the correlation of two binary labels. Cramer's V is the equivalent for more values.",
        )
        st.metric("p-value", p_value(pair.p_value), help=f"G-test of independence, G = {pair.g:.4g}")
        if beyond is not None:
            st.metric(
                "Remains beyond the features",
                remaining_share(beyond),
                help="Share of their dependence that remains when the features are known. It is "
                f"{three_digits(beyond.ignoring / UNITS[unit])} {unit} without the features and "
                f"{three_digits(beyond.information / UNITS[unit])} {unit} between the residuals of a ridge regression "
                f"(p = {p_value(beyond.p_value)}). Both take the labels as jointly normal, so they differ from mutual "
                "information.",
            )
    if pair.sign:
        st.caption(
            f"{pair.table[1, 1]:,} instances have both labels. Independent labels would have "
            f"{pair.expected[1, 1]:,.0f}."
        )
    if residuals is None:
        st.caption("Dependence beyond the features is not shown: it takes too long for so many features.")
    st.table(_counted(data, one, other, pair))
    st.caption("Number of instances with each pair of values. In brackets: the number for independent labels.")
    examples = pair_examples(data, one, other)
    st.caption("Instances with both labels or only one" if pair.sign else "Instances with their values")
    st.dataframe(examples, key="examples", height=min(36 + 35 * len(examples), 250))
    with st.container(horizontal=True, vertical_alignment="center"):
        save(
            f"{data.name}-pair-{names[0]}-{names[1]}",
            table=table_files(
                pd.DataFrame(pair.table, *(data.label_values[label] for label in (one, other))), index=True
            ),
            instances=table_files(examples, index=True),
        )
        st.page_link("views/graphs/page.py", label="Open in Graphs", icon=":material/hub:")


def _counted(data: Dataset, one: int, other: int, pair: Association) -> pd.DataFrame:
    rows, columns = ([plain(value) for value in data.label_values[label]] for label in (one, other))
    cells = [
        [f"{count:,} ({expected:,.0f})" for count, expected in zip(*of_row, strict=True)]
        for of_row in zip(pair.table, pair.expected, strict=True)
    ]
    table = pd.DataFrame(cells, index=rows, columns=columns)
    return table.rename_axis(f"{plain(data.label_names[one])} ↓  {plain(data.label_names[other])} →")
