"""Scores of a prediction, and the register of them.

Every score takes the true label codes and either predicted codes or scores (probabilities, or whatever orders
the labels of an instance), all of shape ``(n_instances, n_labels)``, dense or CSR. Code 1 is *relevant*; only
`hamming_score` and `exact_match` also make sense for labels of more than two values; the others refuse them.

Where a score is 0/0, these rules hold:

- An instance with no true and no predicted label is predicted perfectly: `accuracy` and `example_f1` count
  it 1 (``empty=1.0``), as the software behind the paper's tables does.
- A label that is neither true nor predicted anywhere says nothing for the method: `macro_f1` counts it 0
  (``empty=0.0``), as scikit-learn does by default; `micro_f1` of nothing at all likewise.
- A label with no positive or no negative instance has no ROC curve: its AUC is ``nan``, and `macro_auc` is
  the mean over the labels that have one.
- An instance with no relevant label has nothing to rank: `ranking_loss` and `coverage` count it 0,
  `average_precision` 1, and `one_error` 1 (``empty=1.0``), for its highest-scored label is not relevant.

Where not every true label is known, ``known`` marks those that are, and what stands in the other cells of ``Y_true``
does not matter. They count neither for nor against a prediction; of every instance and every label something must be
known.

- `hamming_score` is the share of known cells that are right, and `exact_match` that of instances whose known labels
  all are.
- For `accuracy` and all F1 a label that is not known is neither true nor predicted; so a label's F1 is that of the
  instances in which it is known.
- `macro_auc` and `micro_auc` compare known cells. The other rankings compare all labels of an instance, so they are
  scored on the instances of which every label is known.
- `log_loss`, `brier_score`, `calibration_error` and `reliability` are of known cells.

A score of predicted codes is never ``nan``. Those keep Y sparse; the scores of rankings work on the dense
matrix of scores.
"""

from trellislib.metrics.decisions import accuracy, exact_match, example_f1, hamming_score, macro_f1, micro_f1
from trellislib.metrics.label_groups import frequency_groups, group_scores
from trellislib.metrics.measures import MEASURES, Measure, decision_measures
from trellislib.metrics.per_instance import example_wise_measures, per_instance_scores
from trellislib.metrics.per_label import per_label_scores
from trellislib.metrics.probabilities import brier_score, calibration_error, log_loss, reliability
from trellislib.metrics.rankings import (
    average_precision,
    coverage,
    macro_auc,
    micro_auc,
    one_error,
    precision_at_k,
    ranking_loss,
)

__all__ = [
    "MEASURES",
    "Measure",
    "accuracy",
    "average_precision",
    "brier_score",
    "calibration_error",
    "coverage",
    "decision_measures",
    "exact_match",
    "example_f1",
    "example_wise_measures",
    "frequency_groups",
    "group_scores",
    "hamming_score",
    "log_loss",
    "macro_auc",
    "macro_f1",
    "micro_auc",
    "micro_f1",
    "one_error",
    "per_instance_scores",
    "per_label_scores",
    "precision_at_k",
    "ranking_loss",
    "reliability",
]
