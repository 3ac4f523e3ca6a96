"""A ready script that predicts by a model file, to be handed over with it."""

from __future__ import annotations

from string import Template

from trellislib.models.model import Model

_SCRIPT = Template('''"""Predict the labels of new rows: python predict.py NEW.csv [PREDICTIONS.csv]"""

import sys
from pathlib import Path

from trellislib import load_model
from trellislib.data.writing.csv_text import csv_text

if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    new, *written = sys.argv[1:]
    model = load_model(Path(__file__).with_name($file))
    found = model.predict(new$more)
    text = csv_text(found.frame(probabilities=$probabilities), index=False)
    Path(written[0]).write_bytes(text.encode()) if written else sys.stdout.write(text)
    print(*found.notes, sep="\\n", file=sys.stderr)
''')


def prediction_script(model: Model, file: str) -> str:
    """Return Python that predicts the rows of a file, with probabilities and prediction sets where the model has them.

    Parameters
    ----------
    model : Model
        The model.
    file : str
        The name of its file, next to which the script will be.

    Examples
    --------
    >>> from trellislib.data import simulate_label_dag
    >>> from trellislib.models import fit_model
    >>> model = fit_model(simulate_label_dag(n_instances=60, n_labels=3, random_state=0))
    >>> "model = load_model(Path(__file__).with_name('sea.model'))" in prediction_script(model, "sea.model")
    True
    """
    confidences = [sets.confidence for sets in model.sets]
    more = ", probabilities=True" if model.gives_probabilities else ""
    more += f", sets={float(confidences[len(confidences) // 2])!r}" if confidences else ""
    return _SCRIPT.substitute(file=repr(file), more=more, probabilities=model.gives_probabilities)
