"""The register of all measures, with what one needs to know to show them and to rank by them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from trellislib.metrics.decisions import accuracy, exact_match, example_f1, hamming_score, macro_f1, micro_f1
from trellislib.metrics.probabilities import brier_score, calibration_error, log_loss
from trellislib.metrics.rankings import average_precision, coverage, macro_auc, micro_auc, one_error, ranking_loss


@dataclass(frozen=True)
class Measure:
    """A score, and what one needs to know to show and rank by it.

    Attributes
    ----------
    function : callable
        ``function(Y_true, Y_pred)`` or ``function(Y_true, scores)``, by `needs`; with ``known=`` of known cells only.
    name : str
        Its heading in tables.
    description : str
        What it measures, in one sentence.
    needs : {"labels", "scores", "probabilities"}
        What it is taken of: predicted codes, scores of the labels, or their probabilities.
    higher_is_better : bool
        False for a loss.
    binary_only : bool
        Whether it refuses labels of more than two values.

    Examples
    --------
    >>> MEASURES["accuracy"].name
    'Accuracy (Jaccard)'
    >>> [key for key, measure in MEASURES.items() if not measure.higher_is_better]
    ['ranking_loss', 'one_error', 'coverage', 'log_loss', 'brier_score', 'calibration_error']
    """

    function: Callable[..., float]
    name: str
    description: str
    needs: Literal["labels", "scores", "probabilities"] = "labels"
    higher_is_better: bool = True
    binary_only: bool = True

    @property
    def key(self) -> str:
        """Its key in `MEASURES`, the name of its function."""
        return self.function.__name__

    @property
    def in_words(self) -> str:
        """Its name in a sentence.

        Examples
        --------
        >>> MEASURES["accuracy"].in_words, MEASURES["macro_f1"].in_words, MEASURES["hamming_score"].in_words
        ('accuracy', 'macro F1', 'Hamming score')
        """
        name = self.name.partition(" (")[0]
        return name if name.startswith(("Hamming", "Brier")) else f"{name[0].lower()}{name[1:]}"


MEASURES: dict[str, Measure] = {
    measure.key: measure
    for measure in (
        Measure(
            accuracy,
            "Accuracy (Jaccard)",
            "True and predicted label sets: intersection over union, averaged over instances.",
        ),
        Measure(hamming_score, "Hamming score", "Share of all label cells that are right.", binary_only=False),
        Measure(exact_match, "Exact match", "Share of instances whose every label is right.", binary_only=False),
        Measure(micro_f1, "Micro F1", "F1 of all label cells taken together; frequent labels weigh most."),
        Measure(macro_f1, "Macro F1", "F1 of each label, averaged; rare labels weigh as much as frequent ones."),
        Measure(example_f1, "Example F1", "F1 of each instance's label set, averaged over instances."),
        Measure(
            average_precision,
            "Average precision",
            "How pure the top of each instance's ranking of the labels is.",
            "scores",
        ),
        Measure(
            macro_auc,
            "Macro AUC",
            "Area under each label's ROC curve, averaged over the labels that have one.",
            "scores",
        ),
        Measure(micro_auc, "Micro AUC", "Area under the ROC curve of all label cells taken together.", "scores"),
        Measure(
            ranking_loss,
            "Ranking loss",
            "Share of pairs of a relevant and an irrelevant label that are ordered wrongly; ties count as wrong, so "
            "that an ensemble of hard votes fares badly.",
            "scores",
            higher_is_better=False,
        ),
        Measure(
            one_error,
            "One error",
            "Share of instances whose highest-scored label is not relevant. Equal scores count by their share.",
            "scores",
            higher_is_better=False,
        ),
        Measure(
            coverage,
            "Coverage",
            "How many of the highest-scored labels it takes to have all the relevant ones.",
            "scores",
            higher_is_better=False,
        ),
        Measure(
            log_loss,
            "Log loss",
            "How much the truth surprises the probabilities: the mean of -log p of each label's true value.",
            "probabilities",
            higher_is_better=False,
        ),
        Measure(
            brier_score,
            "Brier score",
            "Mean squared difference between the probability of each label and what is true, 0 or 1.",
            "probabilities",
            higher_is_better=False,
        ),
        Measure(
            calibration_error,
            "Calibration error",
            "How far labels are relevant more or less often than their probability says, on average.",
            "probabilities",
            higher_is_better=False,
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
