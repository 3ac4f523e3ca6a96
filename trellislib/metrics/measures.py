"""The register of all scores: what one needs to know to show them and to rank by them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from trellislib.metrics.decisions import accuracy, exact_match, example_f1, hamming_score, macro_f1, micro_f1
from trellislib.metrics.rankings import average_precision, coverage, macro_auc, micro_auc, one_error, ranking_loss


@dataclass(frozen=True)
class Measure:
    """A score, and what one needs to know to show and rank by it.

    Attributes
    ----------
    key : str
        Its key in `MEASURES`, the name of its function.
    name : str
        How a table heads it.
    function : callable
        ``function(Y_true, Y_pred)`` or ``function(Y_true, scores)``, by `needs`; with ``known=`` of known cells only.
    higher_is_better : bool
        False for a loss.
    needs : {"labels", "scores"}
        What it is taken of: predicted codes, or scores of the labels.
    binary_only : bool
        Whether it refuses labels of more than two values.
    description : str
        What it says, in one sentence.

    Examples
    --------
    >>> MEASURES["accuracy"].name
    'Accuracy (Jaccard)'
    >>> [key for key, measure in MEASURES.items() if not measure.higher_is_better]
    ['ranking_loss', 'one_error', 'coverage']
    """

    key: str
    name: str
    function: Callable[..., float]
    higher_is_better: bool
    needs: Literal["labels", "scores"]
    binary_only: bool
    description: str

    @property
    def in_words(self) -> str:
        """What a sentence calls it.

        Examples
        --------
        >>> MEASURES["accuracy"].in_words, MEASURES["macro_f1"].in_words, MEASURES["hamming_score"].in_words
        ('accuracy', 'macro F1', 'Hamming score')
        """
        name = self.name.partition(" (")[0]
        return name if name.startswith("Hamming") else f"{name[0].lower()}{name[1:]}"


MEASURES: dict[str, Measure] = {
    measure.key: measure
    for measure in (
        Measure(
            key="accuracy",
            name="Accuracy (Jaccard)",
            function=accuracy,
            higher_is_better=True,
            needs="labels",
            binary_only=True,
            description="True and predicted label sets: intersection over union, averaged over instances.",
        ),
        Measure(
            key="hamming_score",
            name="Hamming score",
            function=hamming_score,
            higher_is_better=True,
            needs="labels",
            binary_only=False,
            description="Share of all label cells that are right.",
        ),
        Measure(
            key="exact_match",
            name="Exact match",
            function=exact_match,
            higher_is_better=True,
            needs="labels",
            binary_only=False,
            description="Share of instances whose every label is right.",
        ),
        Measure(
            key="micro_f1",
            name="Micro F1",
            function=micro_f1,
            higher_is_better=True,
            needs="labels",
            binary_only=True,
            description="F1 of all label cells taken together; frequent labels weigh most.",
        ),
        Measure(
            key="macro_f1",
            name="Macro F1",
            function=macro_f1,
            higher_is_better=True,
            needs="labels",
            binary_only=True,
            description="F1 of each label, averaged; rare labels weigh as much as frequent ones.",
        ),
        Measure(
            key="example_f1",
            name="Example F1",
            function=example_f1,
            higher_is_better=True,
            needs="labels",
            binary_only=True,
            description="F1 of each instance's label set, averaged over instances.",
        ),
        Measure(
            key="average_precision",
            name="Average precision",
            function=average_precision,
            higher_is_better=True,
            needs="scores",
            binary_only=True,
            description="How pure the top of each instance's ranking of the labels is.",
        ),
        Measure(
            key="macro_auc",
            name="Macro AUC",
            function=macro_auc,
            higher_is_better=True,
            needs="scores",
            binary_only=True,
            description="Area under each label's ROC curve, averaged over the labels that have one.",
        ),
        Measure(
            key="micro_auc",
            name="Micro AUC",
            function=micro_auc,
            higher_is_better=True,
            needs="scores",
            binary_only=True,
            description="Area under the ROC curve of all label cells taken together.",
        ),
        Measure(
            key="ranking_loss",
            name="Ranking loss",
            function=ranking_loss,
            higher_is_better=False,
            needs="scores",
            binary_only=True,
            description="Share of pairs of a relevant and an irrelevant label that are ordered wrongly; ties count as "
            "wrong, so that an ensemble of hard votes fares badly.",
        ),
        Measure(
            key="one_error",
            name="One error",
            function=one_error,
            higher_is_better=False,
            needs="scores",
            binary_only=True,
            description="Share of instances whose highest-scored label is not relevant.",
        ),
        Measure(
            key="coverage",
            name="Coverage",
            function=coverage,
            higher_is_better=False,
            needs="scores",
            binary_only=True,
            description="How many of the highest-scored labels it takes to have all the relevant ones.",
        ),
    )
}


def decision_measures(*, binary: bool) -> list[str]:
    """Return the keys of the scores that take decisions, where all labels are `binary` or not.

    Examples
    --------
    >>> decision_measures(binary=False)
    ['hamming_score', 'exact_match']
    """
    return [key for key, of in MEASURES.items() if of.needs == "labels" and (binary or not of.binary_only)]
