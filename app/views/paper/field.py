"""The field: the best published scores of 28 methods, next to what one default reaches here."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from components.parts import choice, figure, foot, plain
from components.saving import save, table_files
from state.assets import ASSETS
from state.call import Call, Script, known

from trellislib.figures import differences_figure
from trellislib.metrics import MEASURES
from trellislib.paper import FIELD_METHODS, FIELD_SCORES, field
from trellislib.summaries import about_field

TITLE = "The field: the best of 28 methods"
BEST = "best of 28"
OURS = ("IC", "CT", "ECT")
PROTOCOL = "5 folds"
OTHERWISE = {"example_f1": "birds"}  # its rows without labels count as 0 there, as its low values show, and as 1 here
SOURCE = (
    "Published: J. Bogatinovski, L. Todorovski, S. Dzeroski and D. Kocev, Comprehensive comparative study of "
    "multi-label classification methods, Expert Systems with Applications 203 (2022)."
)


@st.cache_data
def _measured() -> pd.DataFrame:
    """Return the scores that were measured here: a row for each data set and score, a column for each method."""
    rows = pd.read_csv(ASSETS / "field.csv")
    rows = rows[rows["protocol"] == PROTOCOL]
    return rows.pivot(index=["score", "data"], columns="method", values="mean")[list(OURS)]


def show() -> str:
    """Show the best published scores and ours, data set by data set."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = st.selectbox(
            "Score",
            FIELD_SCORES,
            format_func=lambda key: MEASURES[key].name,
            key="field_score",
            bind="query-params",
            width=220,
        )
        method = choice("Method here", OURS, key="field_method", default="IC")
    measure = MEASURES[key]
    call = Call(field, key).named("published")
    ours = _measured().loc[key].drop(index=OTHERWISE.get(key, []))
    table = call.value.join(ours, how="inner").rename(columns={"best": BEST, "method": "best method"})
    scores = table[[method, BEST]]
    chart = Call(differences_figure, known("scores", scores), method, BEST, measure.name)
    script = Script().print(call)
    script.add(f"measured = {scores[method].to_dict()!r}")
    script.add(f"scores = published.loc[list(measured), ['best']].rename(columns={{'best': {BEST!r}}})")
    script.add(f"scores.insert(0, {method!r}, scores.index.map(measured))").show(chart)
    sentence = about_field(table[BEST], table[list(OURS)], measure)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        figure(
            chart,
            key=f"field {key} {method}",
            caption=f"Lead of {method} over the best published score of each data set.",
            stem=f"field-{key}",
        )
    with right:
        shown = [BEST, "best method", "BR", "CC", *(f"{one} here" for one in OURS)]
        st.dataframe(
            table.rename(columns={one: f"{one} here" for one in OURS})[shown].rename_axis("Data"),
            column_config={
                name: st.column_config.NumberColumn(format="%.3f") for name in shown if name != "best method"
            },
        )
        save(f"field-{key}-scores", table=table_files(table, index=True))
        st.caption(
            "Here: one default, which chooses features, penalties and the decision on training rows, in five folds. "
            "Published: one test file, so a difference of 0.01 means little."
        )
        with st.expander("Names of the study's methods", icon=":material/info:"):
            st.caption("What these abbreviations usually stand for. The study's files explain three of them.")
            named = {one for cell in table["best method"] for one in cell.split("/")}
            st.markdown("\n".join(f"- **{one}**: {plain(what)}" for one, what in FIELD_METHODS.items() if one in named))
        st.caption(
            "tmc2007 seems to be another file there: scikit-learn's linear support vector machines, one for each "
            "label, have accuracy 0.555 on ours, where the study's BR has 0.669."
        )
        if key in OTHERWISE:
            st.caption(f"{OTHERWISE[key]} is left out: the study counts rows without labels as wrong, and we as right.")
        st.caption(SOURCE)
    foot(script)
    return sentence
