"""The score of a structure: that of least squares on held-out rows, cheap enough to be computed a thousand times."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from trellislib.inference import Greedy
from trellislib.labels.graph import LabelGraph
from trellislib.learners import LeastSquares
from trellislib.learners.training_set import TrainingSet
from trellislib.metrics import MEASURES

N_FOLDS = 3
JUDGED_CELLS = 2**22  # of held-out rows and labels, in each fold


def cross_validated_score(
    training_set: TrainingSet, learner: LeastSquares, measure: str, random_state: np.random.RandomState
) -> Callable[[LabelGraph], float]:
    """Return a function that scores a graph by three-fold cross-validation on the training rows, with greedy inference.

    Parameters
    ----------
    training_set : TrainingSet
        The training rows.
    learner : LeastSquares
        The base learner of the score, whatever that of the method.
    measure : str
        One of `trellislib.metrics.MEASURES` that takes decisions.
    random_state : RandomState
        Seed of the folds.

    Returns
    -------
    callable
        From a graph to its mean score; higher is better. Of many labels, only some of the held-out rows are scored.
        Of a single instance nothing can be held out, and all graphs score alike.
    """
    coding, judge = training_set.coding, MEASURES[measure]
    sign = 1.0 if judge.higher_is_better else -1.0
    trials = []
    for _, test in training_set.divided(N_FOLDS, random_state) if training_set.n_instances > 1 else ():
        rest, held = training_set.split(test)
        trials.append((learner.prepare(rest), held.spread(max(JUDGED_CELLS // training_set.n_labels, 100))))

    def score(graph: LabelGraph) -> float:
        scores = []
        for training, held in trials:
            given = training.fit(graph).given(held.X)
            decided = Greedy().infer(given, graph, coding, held.n_instances)
            scores.append(judge.function(held.sparse_codes, sparse.csr_array(decided.codes.T)))
        return sign * float(np.mean(scores)) if scores else 0.0

    return score
