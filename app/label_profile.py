"""One label at a glance: how frequent it is, what it goes with, its place in graphs, and instances that have it."""

from __future__ import annotations

from collections.abc import Mapping

import derived
import pandas as pd
import streamlit as st
from parts import plain
from saving import save, table_files

from trellislib.data import Dataset, LabelProfile, label_profile
from trellislib.graphs import AnyLabelGraph, LabelGraph
from trellislib.takeaways import about_label

NAMED_LABELS = 12  # of a Markov blanket; of more, the first are named


@derived.once
def profile(data: Dataset, label: int) -> LabelProfile:
    return label_profile(data, label, derived.information(data), derived.signs(data))


def show(data: Dataset, label: int, key: str, graphs: Mapping[str, AnyLabelGraph] | None = None) -> None:
    """Show what the data say of a label, and its family in each of some graphs.

    Parameters
    ----------
    data
        The data.
    label
        The number of the label.
    key
        Tells this profile from others of the page.
    graphs
        Graphs over the labels, by name.
    """
    of = profile(data, label)
    st.header(plain(of.name), anchor=False)
    st.markdown(plain(about_label(of)))
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption("Labels that depend most on it")
        _table(of.partners, f"{key} partners")
        if graphs:
            st.caption("Its family in each graph: given its Markov blanket, no other label tells more of it")
            _table(family_table(label, graphs, data.label_names), f"{key} family")
    with right:
        st.caption("Instances that have it: their other labels, and the first features")
        _table(of.examples, f"{key} examples", index=True)
    save(
        f"{data.name}-{of.name}",
        partners=table_files(of.partners),
        examples=table_files(of.examples, index=True),
        **({"family": table_files(family_table(label, graphs, data.label_names))} if graphs else {}),
    )


def family_table(label: int, graphs: Mapping[str, AnyLabelGraph], names: tuple[str, ...]) -> pd.DataFrame:
    """Return the parents, children and Markov blanket of a label in each graph."""

    def named(labels: tuple[int, ...]) -> str:
        more = f" and {len(labels) - NAMED_LABELS} more" if len(labels) > NAMED_LABELS else ""
        return ", ".join(names[one] for one in labels[:NAMED_LABELS]) + more or "none"

    def family(graph: AnyLabelGraph) -> dict[str, tuple[int, ...]]:
        blanket = {"Markov blanket": graph.markov_blanket(label)}
        if isinstance(graph, LabelGraph):
            return {"parents": graph.parents[label], "children": graph.children[label]} | blanket
        return {"neighbours": graph.neighbours[label]} | blanket

    rows = [
        {"graph": name} | {kind: named(labels) for kind, labels in family(graph).items()}
        for name, graph in graphs.items()
    ]
    return pd.DataFrame(rows).fillna("")


def _table(table: pd.DataFrame, key: str, *, index: bool = False) -> None:
    forms = {"MI (nats)": "%.4f", "phi": "%.2f"}
    numbers = table.select_dtypes("number").columns
    columns = {name: st.column_config.NumberColumn(format=forms.get(name, "%.4g")) for name in numbers}
    st.dataframe(table, hide_index=not index, key=key, column_config=columns)
