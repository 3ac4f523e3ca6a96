"""Inspect: why a method predicts what it does, label by label, sweep by sweep, and over a whole test set."""

import numpy as np
import streamlit as st
from components import catalogue
from components.catalogue import AS_INFERRED, BASE_LEARNERS, DECISIONS, LEAST_SQUARES
from components.parts import asking, button, foot, opening, plain, view_of
from state import address, session
from streamlit.delta_generator import DeltaGenerator

from trellislib.labels.graph import UndirectedLabelGraph
from trellislib.methods import METHODS
from views.inspect import by_hand, fitting, gibbs, test_set, walk

ONE, SWEEPS, WHOLE = "One prediction", "Gibbs sweeps", "A whole test set"
LEFT, TAKEN = "row left", "row taken"  # by a button, until the page has that row

ask = asking(
    member="Member of the ensemble. Each has its own graph and votes with its own predictions.",
    inspected_decide="The score that predictions optimise. The steps are decided without it, and a sentence says what "
    "it changes.",
)


workspace = session.workspace()
data = workspace.dataset
sentence = opening("Why does a method predict this?")

if data.n_apart < 2:
    sentence.markdown("A method is trained on some instances and predicts others.")
    st.info(plain(f"This needs at least two {data.parts}."), icon=":material/info:")
    st.stop()
if data.weights is not None:
    st.caption("Here every row counts once, whatever it weighs.")


def at_row() -> int:
    """Return the index of the row from which a button goes on.

    A button that is pressed before the browser has the row of the one before comes with the row that this left.
    """
    row = int(st.session_state["row"])
    return (st.session_state[TAKEN] if row == st.session_state.get(LEFT) else row) - 1


def go_to(row: int) -> None:
    st.session_state[LEFT] = int(st.session_state["row"])
    st.session_state["row"] = st.session_state[TAKEN] = row + 1


def move(by: int, n_rows: int) -> None:
    go_to((at_row() + by) % n_rows)


def to_next(rows: np.ndarray) -> None:
    """Go to the next of some rows, after the last one to the first."""
    later = rows[rows > at_row()]
    go_to(int((later if len(later) else rows)[0]))


def chosen_row(fitted: fitting.Fitted, n_rows: int, errors: DeltaGenerator | None) -> int:
    """Show the choice of a test row, what leads to errors in a place of its own if given; return its index."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        row = int(ask(st.number_input, f"Test row of {n_rows:,}", "row", 1, n_rows, width=130)) - 1
        with st.container(horizontal=True, gap="small", width="content", key="icon-of rows"):
            button("Previous row", "row back", "arrow_back", move, -1, n_rows)
            button("Next row", "row on", "arrow_forward", move, 1, n_rows)
        with errors or st.container(horizontal=True, gap="small", width="content"):
            button(
                "Next error",
                "row with an error",
                "error",
                to_next,
                fitted.wrong,
                disabled=not len(fitted.wrong),
                help="Go to the next row with a wrong label.",
            )
            button(
                "Next inherited error",
                "row with an inherited error",
                "link",
                to_next,
                fitted.inherited,
                disabled=not len(fitted.inherited),
                help="Go to the next row with a label that is wrong only because its inputs are.",
            )
    st.session_state.pop(LEFT, None)
    return row


def set_by_hand(fitted: fitting.Fitted) -> dict[int, int]:
    """Show the box in which labels are set by hand; return their codes."""
    with more or st.container():
        return by_hand.ask(fitted)


of_view = st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="stage row")
with of_view:
    view = view_of((ONE, SWEEPS, WHOLE), key="inspect_view", width=150)
    more = st.popover("Knobs", icon=":material/tune:") if address.is_presented() else None  # where one row has room
knobs = more or st.container(horizontal=True, vertical_alignment="bottom", gap="small")
with knobs:
    key = ask(
        st.selectbox,
        "Method",
        "inspected",
        fitting.OFFERED,
        index=fitting.OFFERED.index("CT"),
        format_func=lambda one: f"{one}: {METHODS[one].name}",
        width=215,
    )
    learner = ask(
        st.selectbox,
        "Base learner",
        "inspected_learner",
        BASE_LEARNERS,
        index=BASE_LEARNERS.index(LEAST_SQUARES),
        format_func=lambda one: one.name,
        width=175,
    )
    decisions = catalogue.decisions(data)
    as_inferred = decisions.index(AS_INFERRED)  # the steps that are shown are those of the inference
    decide = DECISIONS[ask(st.selectbox, "Decide for", "inspected_decide", decisions, index=as_inferred, width=175)]
    of_member = st.container(width="content")
of_row = (of_view if more else knobs).container(width="content")

fitted = fitting.offer(workspace, key, learner, decide)
if fitted is None:
    sentence.markdown(plain(f"{key} is not fitted to {data.name} yet."))
    st.stop()
n_rows = len(fitted.rows)
if len(fitted.members) > 1:
    with of_member:
        number = ask(st.number_input, "Member", "member", 1, len(fitted.members), width=90)
    fitted = fitted.of_member(int(number) - 1)
st.session_state["row"] = min(max(int(st.session_state.get("row", 1)), 1), n_rows)
with of_row:
    if view == WHOLE:
        test_set.score(fitted)
    else:
        row = chosen_row(fitted, n_rows, more)
how = "as published" if data.n_train is not None else "one split, 33% for testing"
which = f"The other {n_rows:,} are predicted" if view == WHOLE else f"Showing row {fitted.rows[row] + 1:,} of the data"
how_fitted = f"Fitted to {data.n_instances - n_rows:,} rows ({how}). {which}."
if learner.name == "Linear SVM":
    how_fitted += " A logistic model of its scores gives the probabilities."
if decide is not None and view != ONE:
    how_fitted += f" The steps are those before {key} decides for {fitted.decides_for}."

script = fitted.script(workspace.source)
if view == ONE:
    answer = walk.show(fitted, row, set_by_hand(fitted), script)
elif view == WHOLE:
    answer = test_set.show(fitted, script)
elif isinstance(fitted.member.graph_, UndirectedLabelGraph):
    answer = gibbs.show(fitted, row, set_by_hand(fitted), script)
else:
    answer = gibbs.show_refusal(fitted)
if len(fitted.members) > 1:
    answer = f"Member {int(number)} of {len(fitted.members)} votes as follows. {answer}"
sentence.markdown(plain(answer))
st.caption(plain(how_fitted))
foot(script)
