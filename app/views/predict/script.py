"""The Python that predicts what the page predicts, from a model file."""

from __future__ import annotations

from state.call import Call, Script
from state.models import KeptModel

from trellislib import load_model


def script_of(kept: KeptModel, rows: str = "new.csv", certainty: float | None = None) -> Script:
    """Return Python that loads the model and predicts a file of new rows, with sets of a certainty."""
    model = Call(load_model, "new.model").named("model")
    probabilities = kept.model.gives_probabilities
    sets = {} if certainty is None else {"sets": certainty}
    found = model.predict(rows, probabilities=probabilities, **sets).named("found")
    return Script().use(found).print(found.frame(probabilities=probabilities))
