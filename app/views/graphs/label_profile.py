"""One label at a glance: how frequent it is, what it goes with, its place in graphs, and instances that have it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pandas as pd
import streamlit as st
from components.parts import plain
from components.saving import save, table_files
from state import derived

from trellislib.data import Dataset, LabelProfile, label_profile
from trellislib.graphs import AnyLabelGraph, LabelGraph
from trellislib.summaries import about_label
from trellislib.wording import listed

NAMED_LABELS = 12  # of a Markov blanket; of more, the first are named


@derived.once
def profile(data: Dataset, label: int) -> LabelProfile:
    return label_profile(data, label, derived.information(data), derived.signs(data))


def show(data: Dataset, label: int, key: str, graphs: Mapping[str, AnyLabelGraph] | None = None) -> None:
    """Show what there is to know of a label, and its family in each of some graphs; `key` is of this profile alone."""
    of = profile(data, label)
    st.header(plain(of.name), anchor=False)
    st.markdown(plain(about_label(of)))
    if graphs:
        st.caption("Its Markov blanket in each graph. Given these labels, no other label has information about it.")
        st.table(family_table(label, graphs, data.label_names).map(plain), hide_index=True)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.caption("Labels that depend most on it")
        _table(of.partners, f"{key} partners")
    with right:
        st.caption("Instances with this label, the features most correlated with it, and the other labels")
        features = [name for name in of.examples if name != "with"]
        _table(of.examples, f"{key} examples", index=True, order=[*features, "with"])
    save(
        f"{data.name}-label-{of.name}",
        partners=table_files(of.partners),
        examples=table_files(of.examples, index=True),
        **({"family": table_files(family_table(label, graphs, data.label_names))} if graphs else {}),
    )


def family_table(label: int, graphs: Mapping[str, AnyLabelGraph], names: tuple[str, ...]) -> pd.DataFrame:
    """Return the family of a label in each graph: how many edges it has, and what makes up its Markov blanket."""

    def named(labels: Collection[int]) -> str:
        return listed([names[one] for one in labels], NAMED_LABELS) or "none"

    def family(graph: AnyLabelGraph) -> dict[str, str]:
        edges = {"edges": str(len(graph.neighbours[label]))}
        if not isinstance(graph, LabelGraph):
            return edges | {"neighbours": named(graph.neighbours[label])}
        parents, children = graph.parents[label], graph.children[label]
        others = set(graph.markov_blanket(label)) - {*parents, *children}
        return edges | {
            "parents": named(parents),
            "children": named(children),
            "other parents of its children": named(sorted(others)),
        }

    return pd.DataFrame([{"graph": name} | family(graph) for name, graph in graphs.items()]).fillna("")


def _table(table: pd.DataFrame, key: str, *, index: bool = False, order: list[str] | None = None) -> None:
    forms = {"MI (nats)": "%.4f", "phi": "%.2f"}
    numbers = table.select_dtypes("number").columns
    columns = {name: st.column_config.NumberColumn(format=forms.get(name, "%.4g"), width=75) for name in numbers}
    st.dataframe(table, hide_index=not index, key=key, column_config=columns, column_order=order)
