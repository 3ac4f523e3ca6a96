"""The Python that predicts what the page predicts, from a model file."""

from __future__ import annotations

from state.call import Call, Script
from state.models import KeptModel

from trellislib import load_model


def script_of(kept: KeptModel, rows: str | None) -> Script:
    """Return Python that loads the model and predicts a file of new rows."""
    model = Call(load_model, "new.model").named("model")
    probabilities = kept.model.gives_probabilities
    found = model.predict(rows or "new.csv", probabilities=probabilities).named("found")
    return Script().use(found).print(found.frame(probabilities=probabilities))
