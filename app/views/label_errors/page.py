"""Label errors: which labels of the data look wrong, why, and data without them or with them corrected."""

import pandas as pd
import streamlit as st
from components.parts import asking, button, foot, opening, plain, working
from components.saving import save, table_files
from state import derived, session
from state.call import Call, Script
from state.jobs import about_wait
from state.sources import Source

from trellislib.data import DataError
from trellislib.experiment.costs import Costs
from trellislib.inspection import suspicious_labels, without
from trellislib.running.progress import Cancelled, Progress
from trellislib.summaries.label_errors import about_label_errors, about_suspicious, looking_wrong
from trellislib.wording import counted

AT_ONCE = 3.0  # seconds for which the page waits
SHARES = (10, 25, 50, 100, 250, 500, 1000)
PROBLEM = "label errors problem"

ask = asking(n_errors="Number of labels to correct, mask or leave out, from the top of the table.")

workspace = session.workspace()
data, source = workspace.dataset, workspace.source
answer = opening("Which labels look wrong?")
if data.n_instances < 2:
    answer.markdown("Labels are judged by other rows of the data.")
    st.info("This needs at least two instances.", icon=":material/info:")
    st.stop()


def found() -> pd.DataFrame | None:
    """Return the labels that look wrong, at once where that is quick, else by a button; None while there are none."""
    seconds = Costs.of(data).label_errors
    if seconds <= AT_ONCE:
        return derived.suspicious(data)
    label = f"Find labels that look wrong, {about_wait(seconds)}"
    return working(workspace, ("label errors", data.digest), label, "rule", _find, name="errors", is_primary=True)


def _find(progress: Progress, cancelled: Cancelled) -> pd.DataFrame:
    return suspicious_labels(data, progress=progress, cancelled=cancelled)


def take(suspicious: pd.DataFrame, how: str) -> None:
    """Make a data set without these labels, or with them corrected, the one that all pages show."""
    try:
        workspace.use(Source.of_errors(source, how, len(suspicious)), without(data, suspicious, how))
    except DataError as error:
        st.session_state[PROBLEM] = str(error)


COLUMNS: dict = {
    "name": st.column_config.Column("Row", help="Its id, or its number in the data, starting at 1."),
    "label": "Label",
    "given": "Given",
    "suggested": "Suggested",
    "by_labels": st.column_config.NumberColumn(
        "Probability",
        format="%.4f",
        help="Probability of the given value, given the features and the row's other labels.",
    ),
    "by_features": st.column_config.NumberColumn(
        "Features alone", format="%.3f", help="Probability of the given value, given the features alone."
    ),
    "by_neighbours": st.column_config.NumberColumn(
        "Nearest rows", format="percent", help="Share of the ten nearest other rows that have the given value."
    ),
    "confident": st.column_config.CheckboxColumn(
        "Confident",
        help="Another value is at least as probable as on average in rows that have it (confident learning).",
    ),
}


def show(suspicious: pd.DataFrame) -> None:
    """Show the table, and what can be done with its first rows."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n_wrong = len(looking_wrong(suspicious))
        numbers = sorted({*(n for n in SHARES if n < len(suspicious)), *filter(None, [n_wrong]), len(suspicious)})
        first_shown = numbers.index(n_wrong) if n_wrong else 0
        n = ask(st.selectbox, "How many", "n_errors", numbers, index=first_shown, width=110)
        first = suspicious.head(n)
        more = "more " if source.base is not None else ""
        labels, rows = counted(n, f"{more}label"), counted(first["row"].nunique(), f"{more}row")
        improbable = first[first["margin"] < 0]  # of others the given value is the most probable one
        button(
            f"Correct {counted(len(improbable), f'{more}label')}",
            "correct errors",
            "edit",
            take,
            improbable,
            "correct",
            help="Set these labels to their suggested values, where these are more probable.",
            disabled=improbable.empty,
        )
        button(f"Mask {labels}", "mask errors", "visibility_off", take, first, "mask", help=_MASKED)
        button(
            f"Leave out {rows}",
            "remove errors",
            "delete",
            take,
            first,
            "remove",
            help="Remove these rows with all their labels.",
        )
    if problem := st.session_state.pop(PROBLEM, None):
        st.error(plain(problem), icon=":material/error:")
    st.dataframe(suspicious, hide_index=True, column_order=list(COLUMNS), column_config=COLUMNS, height=420)
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        save(
            f"{data.name}-label-errors",
            table=table_files(suspicious.drop(columns="row").rename(columns={"name": "row"})),
        )
        st.caption(
            "The least probable value comes first. Each row is judged by the other rows. An improbable label is not "
            "always wrong, so check it."
        )


def compare_again() -> None:
    """Say which data are loaded since labels were taken out or corrected, and where to compare on them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            plain(f"{data.name} is loaded on all pages. The data before the change are in the list of loaded data."),
            width="content",
        )
        st.page_link("views/verdict/page.py", label="Compare methods on it", icon=":material/gavel:")
        before = next((loaded.dataset.name for loaded in workspace.sets if loaded.source == source.base), None)
        if before is not None:
            st.page_link(
                "views/train/page.py",
                label=plain(f"Train on it and on {before}"),
                icon=":material/play_circle:",
                query_params={"train_also": before},
            )


_MASKED = "Mark these labels as unknown. The other labels of their rows still train and are scored."

if source.base is not None:
    compare_again()
try:
    suspicious = found()
except ValueError as error:
    answer.markdown("The labels cannot be judged.")
    st.error(plain(str(error)), icon=":material/error:")
    st.stop()
if suspicious is None:
    answer.markdown(
        plain(f"The other rows of {data.name} judge each label: a model without the row gives its probability.")
    )
else:
    answer.markdown(plain(about_label_errors(suspicious, data)))
    if len(suspicious):
        st.markdown(plain(about_suspicious(suspicious.iloc[0])))
        show(suspicious)
table = Call(suspicious_labels, workspace.call).named("suspicious")
foot(Script().use(table).print(table.head(20)))
