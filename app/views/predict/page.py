"""Predict: the labels of new rows by a fitted method, from a file or typed by hand."""

from components.parts import foot, opening, plain
from state import session
from state.models import KeptModel
from state.workspace import Workspace
from streamlit.delta_generator import DeltaGenerator

from views.predict import by_hand, choosing, from_file
from views.predict.script import script_of


def predict(workspace: Workspace, kept: KeptModel, answer: DeltaGenerator) -> None:
    """Let new rows be given, and show what a model predicts of them."""
    asked = from_file.show(workspace, kept, answer)
    if asked is None:
        by_hand.show(kept, answer)
    foot(script_of(kept, *(asked or ())))


workspace = session.workspace()
answer = opening("Which labels do new rows have?")
kept = choosing.model(workspace)
if kept is not None:
    predict(workspace, kept, answer)
else:
    answer.markdown(
        plain(
            f"Fit a method to all rows of {workspace.dataset.name}, or open a model file. Then load new rows, with or "
            "without labels."
        )
    )
