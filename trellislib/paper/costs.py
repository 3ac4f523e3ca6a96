"""About how long the paper's experiments take here: an estimate before they start, right within a factor of three.

The constants were measured on one core of a two-core machine, on Music, Scene, Yeast, Enron and a room of 400 tiles.
"""

from __future__ import annotations

from trellislib.data.sets.known import KnownSet
from trellislib.paper.learners import MANY_LABELS, MEMBERS, SWEEPS

NON_ZEROS = {"medical": 13.4, "enron": 84.1, "tmc2007": 22.7, "delicious": 18.3}  # per row, of the sparse sets


def fit_seconds(method: str, learner: str, known: KnownSet, test: float) -> float:
    """Estimate the seconds in which a method is trained, tested and scored once.

    Parameters
    ----------
    method : str
        One of the paper's methods, as in `trellislib.paper.learners`.
    learner : {"fast", "logistic", "paper"}
        Its base learner.
    known : KnownSet
        The data.
    test : float
        Share of the rows that are tested on.

    Returns
    -------
    float

    Examples
    --------
    >>> from trellislib.data.sets.known import known_set
    >>> round(fit_seconds("IC", "fast", known_set("enron"), 0.2), 2)
    0.13
    >>> round(fit_seconds("ECC", "paper", known_set("scene"), 0.2))
    7
    """
    n_train, n_test = (1 - test) * known.n_instances, test * known.n_instances
    n_labels = known.n_labels
    inputs = NON_ZEROS.get(known.key, known.n_features)
    scoring = 1e-2 + 4e-7 * n_test * n_labels
    if method == "MAP":
        return scoring + 1e-8 * n_test * n_labels
    if learner == "fast":
        solved = min(known.n_features, n_train) ** 2
        independent = 3e-3 + 1e-10 * known.n_features * (n_train * inputs + solved)
        independent += 1e-8 * known.n_instances * n_labels
        return scoring + independent + _least_squares(method, n_labels, n_test)
    if learner == "logistic":
        independent = 5e-3 + 2e-8 * n_train * inputs * n_labels
    elif n_labels <= MANY_LABELS:
        independent = n_labels * (1e-3 + 2e-7 * n_train * inputs)
    else:
        independent = n_labels * (4.5e-3 + 2.3e-8 * n_train * inputs)
    fitting = independent * _times(method, n_labels, inputs)
    return scoring + fitting + _sampling(method, learner, n_labels, n_test)


def _least_squares(method: str, n_labels: int, n_test: float) -> float:
    """Return what a method takes beyond independent classifiers, all of them sharing the sums of the data."""
    structure = 3e-8 * n_labels**2
    chains = MEMBERS * (2e-8 * n_labels**2 + 5e-12 * n_labels**3)
    if method == "ECC":
        return chains + MEMBERS * 4e-8 * n_test * n_labels
    if method == "MCC":
        return 2 * chains + MEMBERS * 2e-8 * n_test * n_labels
    if method == "OCC":
        return 0.5
    if method.startswith("EBCC"):
        members = min(MEMBERS, n_labels)
        return structure + members * (4e-4 * n_labels + 1.5e-8 * n_test * n_labels)
    if method == "ECT":
        return MEMBERS * (structure + 1.5e-8 * n_test * n_labels)
    return structure + _sampling(method, "fast", n_labels, n_test)


def _times(method: str, n_labels: int, inputs: float) -> float:
    """Return how many times independent classifiers a method costs where labels are fitted one by one."""
    longer = 1 + n_labels / (2 * inputs)  # half of the labels are inputs of a chain's label on average
    return {
        "ECC": MEMBERS * longer,
        "MCC": (MEMBERS * 2 / 3 + 1) * longer,
        "OCC": 90.0,  # 192 fits where independent classifiers have 6, and predictions of 720 chains
        "EBCC": 0.6 * min(MEMBERS, n_labels),  # members have fits in common
        "EBCC-FS": 0.6 * min(MEMBERS, n_labels),
        "EBCC-LEAD": 0.6 * min(MEMBERS, n_labels) + 2,
        "ECT": 0.6 * MEMBERS,
    }.get(method, 1.1)


def _sampling(method: str, learner: str, n_labels: int, n_test: float) -> float:
    """Return what the sweeps of Gibbs sampling take."""
    if method != "CDT":
        return 0.0
    if learner == "paper":
        return SWEEPS * n_labels * (6e-4 + 3e-7 * n_test)  # every classifier is asked in every sweep
    return SWEEPS * n_labels * 1.3e-8 * n_test
