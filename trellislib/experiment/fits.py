"""One fit: a method trained on some rows of a data set and scored on others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from trellislib.data.dataset import Dataset
from trellislib.experiment import incomplete
from trellislib.experiment.protocols import Fold, about_groups, about_weights
from trellislib.metrics import MEASURES, per_label_scores, reliability
from trellislib.running.progress import Cancelled, CancelledError, Progress
from trellislib.typing import Matrix
from trellislib.wording import counted, listed, sentence

Details = Mapping[str, pd.DataFrame]
"""Tables of a fit that is done: the scores of ``"labels"``, and the bins of ``"reliability"``."""
Outcome = tuple[dict[str, Any], Details]
"""The row of a fit (status, reason, times, scores), and its details."""

TIMES = ("train_seconds", "test_seconds")
COST_NAMES = {"train_seconds": "training time", "test_seconds": "test time", "memory_mib": "memory"}
"""The names of what a fit costs, in sentences."""
COSTS = tuple(COST_NAMES)
RANKED_CELLS = 20_000_000  # of test rows and labels: scores of all of them, and their ranks, take some 70 bytes each


def higher_is_better(key: str) -> bool:
    """Return whether a measure is better the higher it is; what a fit costs is not."""
    return key not in COSTS and MEASURES[key].higher_is_better


def in_words(key: str) -> str:
    """Return the name of a measure or a cost in a sentence.

    Examples
    --------
    >>> in_words("macro_f1"), in_words("train_seconds")
    ('macro F1', 'training time')
    """
    return COST_NAMES.get(key) or MEASURES[key].in_words


@dataclass(frozen=True)
class Fit:
    """A method, and the rows that it is trained and tested on; `what` is for those who watch."""

    name: str
    method: BaseEstimator
    what: str
    fold: int
    train: np.ndarray
    test: np.ndarray


def require_methods(methods: Any) -> None:
    """Raise a TypeError unless methods are estimators by name."""
    if not isinstance(methods, Mapping):
        raise TypeError(f"Got a {type(methods).__name__} of methods, but expected them by name, as {{'IC': method}}.")
    for name, method in methods.items():
        if isinstance(method, type):
            raise TypeError(
                f"Got the class {method.__name__} as {name}, but expected a method: {method.__name__}(...)."
            )
        if not (hasattr(method, "fit") and hasattr(method, "get_params")):
            raise TypeError(
                f"Got a {type(method).__name__} as {name}, but expected an estimator, with fit and get_params."
            )


def watch_arguments(method: BaseEstimator, **watchers: Any) -> dict[str, Any]:
    """Return those of `watchers` that are there and that the method's fit takes, named as a pipeline wants them."""
    prefix = ""
    while isinstance(method, Pipeline):
        step, method = method.steps[-1]
        prefix += f"{step}__"
    given = {name: value for name, value in watchers.items() if value is not None}
    return {prefix + name: value for name, value in given.items() if has_fit_parameter(method, name)}


def weight_arguments(method: BaseEstimator, weight: np.ndarray | None) -> dict[str, Any]:
    """Return the weights of instances as the method's fit takes them; nothing where there are none.

    Raises `TypeError` if it takes none.
    """
    if weight is None:
        return {}
    if not (given := watch_arguments(method, sample_weight=weight)):
        last = method.steps[-1][1] if isinstance(method, Pipeline) else method
        raise TypeError(
            f"{type(last).__name__} takes no weights of rows: choose another method, or load the data without weights."
        )
    return given


def fit_and_score(
    dataset: Dataset,
    method: BaseEstimator,
    train: np.ndarray,
    test: np.ndarray,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Outcome:
    """Fit on `train`, score on `test`; return the row of the fit and its details.

    Partially labelled instances take part as `trellislib.experiment.incomplete` describes. Features that are fitted
    themselves, words of texts, are those of `train`; that is no part of the training time. Rows count as they weigh.
    """
    try:
        dataset = dataset.fit_features(train)
        groups = incomplete.groups_of(dataset, train)
        watch = watch_arguments(method, groups=groups, progress=progress, cancelled=cancelled)
        watch |= weight_arguments(method, incomplete.weights_of(dataset, train))
        X, Y = incomplete.to_train(dataset, train)
        start = perf_counter()
        fitted = clone(method).fit(X, Y, **watch)
        trained = perf_counter()
        testing = incomplete.to_test(dataset, test)
        predicted = fitted.predict(testing.X)
        tested = perf_counter()
        scores, details = scored(fitted, testing, predicted, dataset.label_names, dataset.is_multilabel)
    except CancelledError:
        raise
    except MemoryError as error:
        return {"status": "over memory", "reason": sentence(error)}, {}
    except SystemExit as error:
        return {"status": "failed", "reason": f"The method asked Python to exit, with code {error.code}."}, {}
    except Exception as error:  # whatever a base learner raises is the reason why this fit failed
        return {"status": "failed", "reason": sentence(error)}, {}
    times = {"train_seconds": trained - start, "test_seconds": tested - trained}
    return {"status": "done", "reason": "", **times, **scores}, details


def scored(
    fitted: BaseEstimator,
    testing: incomplete.TestRows,
    predicted: Matrix,
    label_names: Sequence[str],
    is_multilabel: bool,
) -> tuple[dict[str, float], Details]:
    """Return the measures of what was predicted, those of probabilities where there are some, and the details."""
    true = testing.Y
    counting: dict[str, Any] = {"known": testing.known, "sample_weight": testing.weight}
    predicted = predicted.reshape(true.shape)  # one label may come back in one dimension
    ranked = is_multilabel and not _too_many_to_rank(true)
    chances = relevance(fitted, testing.X, len(label_names)) if ranked else None
    scores = {
        key: measure.function(true, predicted if measure.needs == "labels" else chances, **counting)
        for key, measure in MEASURES.items()
        if (is_multilabel or not measure.binary_only) and (measure.needs == "labels" or chances is not None)
    }
    of_labels = per_label_scores(true, predicted, chances, **counting).reset_index(drop=True)
    if not is_multilabel:  # also where the larger values happen to be absent from this fold
        of_labels = of_labels[["frequency", "hamming"]].copy()
    of_labels.insert(0, "label", label_names)
    bins = {} if chances is None else {"reliability": reliability(true, chances, **counting).reset_index()}
    return scores, {"labels": of_labels} | bins


def _too_many_to_rank(Y_test: Matrix) -> bool:
    """Return whether the probabilities of all these labels would be too many."""
    return Y_test.shape[0] * Y_test.shape[1] > RANKED_CELLS


def relevance(fitted: BaseEstimator, X: Matrix, n_labels: int) -> np.ndarray | None:
    """Return the probability that each label is relevant, (n_instances, n_labels); None if there are none.

    Estimators give it as one array, or as one array per label with a column for each value seen in training.
    """
    if not hasattr(fitted, "predict_proba"):
        return None
    probabilities = fitted.predict_proba(X)
    if isinstance(probabilities, np.ndarray) and probabilities.shape[1] == n_labels:
        return probabilities
    per_label = [probabilities] if isinstance(probabilities, np.ndarray) else probabilities
    classes = [fitted.classes_] if len(per_label) == 1 and len(fitted.classes_) != 1 else fitted.classes_
    return np.column_stack([p[:, of_label == 1].sum(axis=1) for p, of_label in zip(per_label, classes, strict=True)])


def why_undefined(fits: pd.DataFrame, key: str) -> str:
    """Return in a few words why fits that are done lack a measure, "" where all have it.

    Parameters
    ----------
    fits : DataFrame
        The fits of a method on a data set, with a column for each measure.
    key : str
        A measure, or a cost.

    Examples
    --------
    >>> fits = pd.DataFrame({"macro_auc": [0.5, float("nan")], "coverage": [1.0, 2.0], "accuracy": [0.5, 0.5]})
    >>> why_undefined(fits, "macro_auc"), why_undefined(fits, "accuracy")
    ('undefined in 1 of 2 fits', '')
    >>> why_undefined(fits.assign(coverage=float("nan"), macro_auc=float("nan")), "macro_auc")
    'no probabilities'
    """
    missing = fits[key].isna()
    if not missing.any() or key in COSTS:
        return ""
    if MEASURES[key].binary_only and fits["accuracy"].isna().all():
        return "labels with more than two values"
    if MEASURES[key].needs != "labels" and fits["coverage"].isna().all():
        return "no probabilities"
    return f"undefined in {missing.sum()} of {counted(len(fits), 'fit')}"


def notes(dataset: Dataset, chosen: list[Fold]) -> list[str]:
    """Return notes on who takes part, on labels that are constant or absent in training, and on what is not scored."""
    lowest, highest = incomplete.known_range(dataset)
    constant = lowest == highest
    found = [*filter(None, [about_groups(dataset, chosen), about_weights(dataset)]), *incomplete.note(dataset, chosen)]
    if constant.any():
        rows = f"all {counted(dataset.n_instances, 'instance')} compared"
        found.append(f"{_listed(dataset, constant)}: the same value in {rows}, so predicted as that value.")
    for number, (train, _) in enumerate(chosen, 1):
        absent = (incomplete.known_range(dataset, train)[1] == 0) & (highest > 0)
        if absent.any():
            found.append(f"{_listed(dataset, absent)}: not relevant in any training row of fold {number}.")
    if dataset.is_multilabel and any(_too_many_to_rank(dataset.Y[test]) for _, test in chosen):
        found.append(
            f"Scores of rankings were left out: they would take the probabilities of all {dataset.n_labels} labels of "
            f"all test rows at once, more than {RANKED_CELLS:,} numbers."
        )
    return found


def _listed(dataset: Dataset, which: np.ndarray) -> str:
    """Return the names of the labels marked in `which`, the first few of them if there are many."""
    return listed([name for name, marked in zip(dataset.label_names, which, strict=True) if marked])
