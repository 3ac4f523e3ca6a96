"""The best published scores of 28 methods on 16 data sets, a large study of the field after the paper."""

from __future__ import annotations

import pandas as pd

from trellislib.paper.published import published

FIELD_SCORES = ("accuracy", "exact_match", "hamming_score", "micro_f1", "macro_f1", "example_f1")
# What the names of methods with a best score usually stand for; the study's files explain Ada300, RAkEL2 and RSMLCC.
FIELD_METHODS = {
    "Ada300": "AdaBoost.MH",
    "BR": "binary relevance, which is IC here",
    "CC": "classifier chain",
    "CDE": "ensemble over groups of dependent labels, found by chi-squared tests",
    "CLEMS": "cost-sensitive label embedding by multidimensional scaling",
    "CLR": "calibrated label ranking",
    "DEEP4": "deep belief network",
    "EBRJ48": "ensemble of binary relevance on J48 decision trees",
    "ECCJ48": "ensemble of classifier chains on J48 decision trees",
    "HOMER": "hierarchy of multi-label classifiers",
    "LP": "label powerset",
    "MBR": "meta binary relevance, two layers of binary relevance",
    "MLARM": "multi-label adaptive resonance associative map",
    "MLTSVM": "multi-label twin support vector machine",
    "MLkNN": "multi-label nearest neighbours",
    "PCT": "predictive clustering tree",
    "PSt": "pruned label sets",
    "RAkEL2": "random label sets of k labels",
    "RFDTBR": "binary relevance on random forests of decision trees",
    "RFPCT": "random forest of predictive clustering trees",
    "RSMLCC": "random subspaces, RSLP in the study's figures",
    "SSM": "subset mapping, to the nearest label set that was seen",
    "TREMLC": "triple random ensemble: each member draws rows, features and labels",
    "TREMLCnew": "TREMLC as a second entry of the study's files",
}


def field(measure: str) -> pd.DataFrame:
    """Return the best published score of each data set, which method has it, and the scores of BR, CC and ECC.

    BR, binary relevance, is what the paper calls independent classifiers. Each score is of one training and one test
    file; options were chosen by three folds of the training file. In ``example_f1``, rows without labels seem to count
    as wrong: its values on birds and langlog are below those of ``accuracy``. Here they are right if none is predicted.

    Parameters
    ----------
    measure : str
        One of `FIELD_SCORES`.

    Returns
    -------
    DataFrame of shape (16, 5)
        A row for each data set, with the columns ``best``, ``method`` (as in `FIELD_METHODS`), ``BR``, ``CC`` and
        ``ECC``; NaN where a method did not finish.

    Raises
    ------
    KeyError
        If the study has no such score.

    References
    ----------
    J. Bogatinovski, L. Todorovski, S. Dzeroski and D. Kocev, "Comprehensive comparative study of multi-label
    classification methods", Expert Systems with Applications 203 (2022). Hamming scores are 1 minus its loss.

    Examples
    --------
    >>> field("accuracy").loc["emotions", ["best", "method", "CC"]].to_dict()
    {'best': 0.609, 'method': 'TREMLCnew', 'CC': 0.594}
    """
    if measure not in FIELD_SCORES:
        raise KeyError(f"Got the score {measure!r}, but the study has {', '.join(FIELD_SCORES)}.")
    table = published("field")
    return table[table["measure"] == measure].drop(columns="measure").set_index("dataset")
