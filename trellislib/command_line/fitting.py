"""``trellislib fit``: a method fitted to files, and kept in a model file."""

from __future__ import annotations

import argparse
import inspect
import json
from functools import partial
from pathlib import Path
from typing import Any

from trellislib.command_line import data_files
from trellislib.command_line.running import INTERRUPTED, watched
from trellislib.data import Dataset
from trellislib.methods import METHODS
from trellislib.methods.preprocessing import FILLS, SCALINGS
from trellislib.models import Model, fit_model, save_model, with_sets
from trellislib.models.prediction_sets import CONFIDENCES
from trellislib.plan.reading import PlannedMethod, planned_method
from trellislib.plan.section import Section
from trellislib.running.progress import Cancelled, Progress
from trellislib.wording import counted, listed


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add all options."""
    data_files.add_options(parser)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="MODEL", help="the model file to write")
    parser.add_argument(
        "--sets",
        action="store_true",
        help=f"calibrate prediction sets of certainty {listed([f'{share:g}' for share in CONFIDENCES])} by five more "
        "fits, for predict --sets",
    )
    method = parser.add_argument_group("what is fitted, in the words of experiment files (see trellislib.plan)")
    method.add_argument("--method", default="CT", metavar="KEY", help=f"{', '.join(METHODS)}; by default CT")
    method.add_argument(
        "--estimator",
        metavar="NAME",
        help='the base learner: LeastSquares, Logistic, a class of scikit-learn by its path, or "auto", the default',
    )
    method.add_argument(
        "--decide", metavar="SCORE", help="the score to decide for; by default accuracy, of labels of two values"
    )
    method.add_argument("--scale", choices=SCALINGS, help="what becomes of the features")
    method.add_argument("--fill", choices=FILLS, help="what becomes of missing features")
    method.add_argument("--threshold", metavar="RULE", help="cardinality, per-label, or a number")
    method.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any parameter of the method, its value as JSON has it: width=4",
    )


def fit_files(options: argparse.Namespace) -> int:
    """Fit, write the model, say what came of it, and return the exit code."""
    data = data_files.loaded(options)
    method = planned(options, data)

    def work(progress: Progress, cancelled: Cancelled) -> Model:
        made, scale, fill = method.estimator, method.scale, method.fill
        return fit_model(data, made, scale=scale, fill=fill, progress=progress, cancelled=cancelled)

    model, _ = watched(work)
    if model is None:
        return INTERRUPTED
    save_model(model, options.output)
    if options.sets:
        whole, _ = watched(partial(with_sets, model, data))
        if whole is None:
            return INTERRUPTED
        save_model(whole, options.output)
    shape = ", ".join(
        counted(n, what)
        for n, what in ((model.origin.n_instances, "row"), (data.n_features, "feature"), (data.n_labels, "label"))
    )
    print(f"{data.name}: {shape}. Fitted in {model.origin.seconds:.1f} s: {' '.join(repr(model.method).split())}")
    print(f"The model is in {options.output}.")
    for note in data.notes:
        print(f"- {note}")
    return 0


def planned(options: argparse.Namespace, data: Dataset) -> PlannedMethod:
    """Return the method that was asked for, with the defaults of the command where it has such parameters."""
    entry = METHODS.get(options.method)
    offered = inspect.signature(entry.method).parameters if entry else {}
    decide = "accuracy" if data.is_multilabel else "exact_match"
    defaults = {"estimator": "auto", "decide": decide, "random_state": 0}
    given = {
        name: getattr(options, name) for name in ("estimator", "decide", "scale", "fill") if getattr(options, name)
    }
    if options.threshold:
        given["threshold"] = _value(options.threshold)
    chosen = {name: value for name, value in defaults.items() if name in offered}
    if options.threshold:
        chosen.pop("decide", None)
    chosen |= given | {name: _value(value) for name, value in (data_files.pair(text, "--set") for text in options.set)}
    return planned_method(Section("fit", {"method": options.method, **chosen}))


def _value(given: str) -> Any:
    """Return a value as JSON has it, or else the text."""
    try:
        return json.loads(given)
    except ValueError:
        return given
