"""One row typed by hand: its labels, their probabilities, and what labels that are known change of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import figure, plain
from state.models import KeptModel
from streamlit.delta_generator import DeltaGenerator

from trellislib.data import DataError
from trellislib.figures import probabilities_figure
from trellislib.inspection import features_for, graph_members, prediction_path
from trellislib.labels.matrices import dense
from trellislib.models import Model, ModelError
from trellislib.wording import listed
from views.predict.from_file import about_decision

ROW = 35  # pixels of a row of the table
MOST_SHOWN = 30  # labels whose probabilities are drawn


def show(kept: KeptModel, answer: DeltaGenerator) -> None:
    """Show a row that can be typed, and what is predicted of it."""
    model = kept.model
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.markdown("Or type one row:")
        row = _typed(model, key=f"row of {id(kept)}")
    try:
        found = model.predict(row, probabilities=model.gives_probabilities)
    except (DataError, ModelError) as error:
        answer.markdown("This row cannot be predicted as it is.")
        left.error(plain(str(error)), icon=":material/error:")
        return
    labels = found.label_sets()[0]
    answer.markdown(plain(f"The row below gets {_named(labels)}. Type other values, or load a file of new rows."))
    with right:
        if isinstance(found.probabilities, np.ndarray):
            chart = probabilities_figure(found.label_names, found.probabilities[0], dense(found.Y)[0], MOST_SHOWN)
            figure(
                chart,
                key="probabilities of a row",
                alt=f"This row gets {_named(labels)}.",
                caption=about_decision(model),
            )
        _known_labels(model, row)


def _typed(model: Model, key: str) -> pd.DataFrame:
    """Let the cells of a row be typed, starting with what is usual; return it."""
    columns = model.schema.columns
    usual = _usual(model)
    table = pd.DataFrame({"Feature": columns.columns, "Value": [usual[name] for name in columns.columns]})
    edited = st.data_editor(
        table,
        hide_index=True,
        disabled=["Feature"],
        key=key,
        height=min(380, ROW * (len(table) + 1) + 3),
        column_config={
            "Value": st.column_config.TextColumn(help="A number, a category, a date or a text. Empty means missing.")
        },
    )
    cells = dict(zip(edited["Feature"], edited["Value"], strict=True))
    as_written = {*columns.words, *columns.dates}
    return pd.DataFrame(
        {
            name: [_cell(cells[name], is_number=categories is None and name not in as_written)]
            for name, categories in zip(columns.columns, columns.categories, strict=True)
        }
    )


def _usual(model: Model) -> dict[str, str]:
    """Return the usual value of each column as a text: the mean, the most frequent category, or no text."""
    means = dict(zip(model.schema.feature_names, model.typical.means, strict=True)) if model.typical else {}
    columns = model.schema.columns
    return {
        name: ""
        if name in columns.words or name in columns.dates
        else f"{means.get(name, 0):.4g}"
        if values is None
        else _most_frequent(name, values, means)
        for name, values in zip(columns.columns, columns.categories, strict=True)
    }


def _most_frequent(name: str, values: Sequence[str], means: Mapping[str, float]) -> str:
    """Return the category that most training rows have, by the means of the features that it became."""
    if len(values) == 2:
        return values[means.get(name, 0) > 0.5]
    return max(values, key=lambda value: means.get(f"{name}={value}", 0))


def _cell(text: str | float | None, *, is_number: bool) -> float | str | None:
    """Return a cell as it is typed, a number where the column holds numbers and it is one; a deleted one is NaN."""
    if not isinstance(text, str) or not text.strip():
        return np.nan if is_number else None
    if is_number:
        try:
            return float(text.strip().replace(",", "."))
        except ValueError:
            return text
    return text.strip()


def _known_labels(model: Model, row: pd.DataFrame) -> None:
    """Let labels be set that are known, and show what the structure makes of the others."""
    try:
        (member,) = graph_members(model.estimator)
    except ValueError:  # an ensemble, or a method without a graph
        return
    if not model.is_multilabel or not member.graph_.edges:
        return
    names = list(model.label_names)
    with st.container(horizontal=True):
        present = st.multiselect("Known to be present", names, key="known there")
        absent = st.multiselect("Known to be absent", [n for n in names if n not in present], key="known absent")
    if not present and not absent:
        st.caption("Set known labels. The structure predicts the others from them.")
        return
    set_to = {names.index(name): 1 for name in present} | {names.index(name): 0 for name in absent}
    X = features_for(model.estimator, model.features(row)[0])
    codes = prediction_path(member, X, set_to=set_to).codes
    after = [name for name, code in zip(names, codes, strict=True) if code]
    st.markdown(plain(f"The row gets {_named(after)} given these labels."))
    st.caption("This decides each label at 1/2, as on Inspect. The answer above decides for the score.")


def _named(labels: list[str] | tuple[str, ...]) -> str:
    return listed(list(labels), 8) if labels else "no label"
