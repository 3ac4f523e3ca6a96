"""What all reports have: the data, the terms, and what makes the same numbers again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trellislib.data.dataset import Dataset
from trellislib.methods import METHODS
from trellislib.metrics import MEASURES
from trellislib.report.markup import Html, code, paragraphs, section, terms
from trellislib.wording import counted, listed

GENERAL = {
    "Label": "What is predicted. A row has several labels at once.",
    "Label structure": "Labels are predicted from other labels: in a chain from all earlier labels, in a trellis from "
    "a few neighbours.",
    "Fold": "A part of the rows. Each fold is predicted by methods that were trained on the other rows.",
}


def of_data(dataset: Dataset) -> list[str]:
    """Return what data these are: name, size and digest."""
    incomplete = f", and {dataset.n_incomplete:,} more with some labels unknown" * bool(dataset.n_incomplete)
    return [
        f"{dataset.name}: {counted(dataset.n_instances, 'row')}{incomplete}, {counted(dataset.n_features, 'feature')}, "
        f"{counted(dataset.n_labels, 'label')}. A row has {dataset.statistics().label_cardinality:.2f} relevant labels "
        "on average.",
        f"SHA-256 of its content: {dataset.digest}",
    ]


def of_terms(methods: Iterable[str], measures: Iterable[str], more: Mapping[str, str] | None = None) -> Html:
    """Return the terms of a report and what they mean, methods and measures by their keys."""
    known = {f"{METHODS[key].name} ({key})": METHODS[key].what for key in METHODS if key in set(methods)}
    scores = {
        MEASURES[key].name: f"{MEASURES[key].description} {'Higher' if MEASURES[key].higher_is_better else 'Lower'} is "
        "better."
        for key in measures
        if key in MEASURES
    }
    return section("Terms", terms({**GENERAL, **scores, **known, **(more or {})}))


def of_making(versions: Iterable[Mapping[str, str]], script: str) -> Html:
    """Return what makes the same numbers again: versions, and the Python."""
    named = [f"Made with {listed([' '.join(one) for one in of_one.items()], 99)}." for of_one in versions]
    return section("Reproduce it", paragraphs(named), code(script))
