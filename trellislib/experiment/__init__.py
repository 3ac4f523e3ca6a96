"""Methods side by side: on one data set, or on many with a store of results."""

from trellislib.experiment.budget import Budget
from trellislib.experiment.evaluation import Evaluation, evaluate
from trellislib.experiment.fits import COST_NAMES, COSTS, TIMES, higher_is_better, in_words
from trellislib.experiment.grouped import LabelStratifiedGroupKFold
from trellislib.experiment.protocols import EvaluationProtocol, Given, KFold, Split, folds, require_dataset
from trellislib.experiment.results import Results
from trellislib.experiment.running import run
from trellislib.experiment.store import Removed, Store, StoreError

__all__ = [
    "COSTS",
    "COST_NAMES",
    "TIMES",
    "Budget",
    "Evaluation",
    "EvaluationProtocol",
    "Given",
    "KFold",
    "LabelStratifiedGroupKFold",
    "Removed",
    "Results",
    "Split",
    "Store",
    "StoreError",
    "evaluate",
    "folds",
    "higher_is_better",
    "in_words",
    "require_dataset",
    "run",
]
