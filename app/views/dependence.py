"""Dependence: how much every pair of labels tells about each other, and one pair in detail."""

import derived
import pandas as pd
import session
import streamlit as st
from parts import figure, head, p_value, plain, python_box

from trellislib.dependence import UNITS, association, pairs_table
from trellislib.figures import CLICKABLE_LABELS, ORDERS, dependence_heatmap
from trellislib.takeaways import about_pair

SHOWN_PAIRS = 200

workspace = session.workspace()
data = workspace.dataset
names = data.label_names
counts, information = derived.counts(data), derived.information(data)

head("Which labels depend on each other?", derived.about_dependence(data))

with st.container(horizontal=True, vertical_alignment="bottom"):
    order = st.segmented_control(
        "Order of labels",
        ORDERS,
        default="clustered",
        required=True,
        format_func=str.capitalize,
        key="order",
        bind="query-params",
        help="Clustered puts dependent labels side by side; frequency starts with the most frequent label.",
    )
    unit = st.segmented_control(
        "Unit",
        ("nats", "bits"),
        default="nats",
        required=True,
        key="unit",
        bind="query-params",
        help="One bit is 0.693 nats.",
    )
    diagonal = st.toggle(
        "Entropy on the diagonal",
        key="diagonal",
        bind="query-params",
        help="A label's entropy is the most that another label could tell about it.",
    )

if data.n_labels == 1:
    st.info("Load a data set with at least two labels to see dependence.", icon=":material/info:")
    st.stop()


def strongest_pair() -> tuple[int, int]:
    row = pairs.iloc[0]
    return names.index(row["label"]), names.index(row["other label"])


pairs = derived.strongest_pairs(data, SHOWN_PAIRS)
chosen = f"pair {data.digest}"  # a pair belongs to its data set
st.session_state.setdefault(chosen, strongest_pair())


def click() -> None:
    points = st.session_state["dependence-map"]["selection"]["points"]
    if points and "customdata" in points[0]:
        one, other = (int(label) for label in points[0]["customdata"][:2])
        if one != other:
            st.session_state[chosen] = (one, other)


def choose() -> None:
    st.session_state[chosen] = (st.session_state["first-label"], st.session_state["second-label"])


selected = st.session_state[chosen]
left, right = st.columns([3, 2], gap="medium")
with left:
    figure(
        dependence_heatmap(
            information, names, derived.order(data, order), unit=unit, diagonal=diagonal, selected=selected
        ),
        alt=derived.about_dependence(data),
        key="dependence-map",
        on_select=click,
        selection_mode="points",
    )
    if data.n_labels > CLICKABLE_LABELS:
        st.caption(f"With more than {CLICKABLE_LABELS} labels, choose a pair by name.")
    else:
        st.caption("Click a cell to open its pair, or choose the labels by name.")

with right:
    st.session_state["first-label"], st.session_state["second-label"] = selected
    with st.container(horizontal=True):
        for which, label in (("first-label", "Label"), ("second-label", "Other label")):
            st.selectbox(label, range(data.n_labels), format_func=names.__getitem__, key=which, on_change=choose)
    one, other = selected
    if one == other:
        st.info("Choose two different labels.", icon=":material/info:")
    else:
        pair = association(counts, one, other)
        st.markdown(plain(about_pair((names[one], names[other]), pair.strength, pair.sign, pair.p_value)))
        with st.container(horizontal=True):
            st.metric(
                "Mutual information",
                f"{pair.information / UNITS[unit]:.3g} {unit}",
                help="How much knowing one label tells about the other; 0 for independent labels.",
            )
            st.metric(
                "Phi" if pair.table.shape == (2, 2) else "Cramer's V",
                f"{pair.strength:.3f}",
                help="Phi is the correlation of two binary labels; Cramer's V is its like for more values.",
            )
            st.metric("p-value", p_value(pair.p_value), help=f"G-test of independence, G = {pair.g:.4g}")
        if pair.sign:
            st.caption(
                f"{pair.table[1, 1]:,} instances have both; if the labels were independent, "
                f"{pair.expected[1, 1]:,.0f} would be expected."
            )
        rows, columns = ([plain(value) for value in data.label_values[label]] for label in selected)
        table = pd.DataFrame(pair.table, index=rows, columns=columns).map("{:,}".format)
        st.table(table.rename_axis(f"{plain(names[one])} ↓  {plain(names[other])} →"))

st.header("Strongest pairs", anchor=False)
st.dataframe(
    pairs.assign(**{"MI (nats)": pairs["MI (nats)"] / UNITS[unit], "p-value": pairs["p-value"].map(p_value)}).rename(
        columns={"MI (nats)": f"MI ({unit})"}
    ),
    hide_index=True,
    key="pairs",
    column_config={name: st.column_config.NumberColumn(format="%.4f") for name in (f"MI ({unit})", "phi")},
)
st.download_button(
    f"Download all {data.n_labels * (data.n_labels - 1) // 2:,} pairs (CSV)",
    lambda: pairs_table(names, counts, information).to_csv(index=False),
    file_name=f"{data.name}-pairs.csv",
    mime="text/csv",
    on_click="ignore",
    icon=":material/download:",
)
python_box(
    "from trellislib.data import " + workspace.source.function + "\n"
    "from trellislib.dependence import association, mutual_information, pair_counts\n\n"
    f"data = {workspace.source.code}\n"
    "information = mutual_information(data.Y)  # nats\n"
    f"pair = association(pair_counts(data.Y), {one}, {other})\n"
    "print(pair)"
)
