"""Which types a model file may hold: those of which estimators of trellislib and of scikit-learn are made.

Loading makes objects of these types and sets their attributes; none of them does anything else when it is made. What
scikit-learn compiles, such as trees, trusts the numbers in it: a file that somebody forged could end the process when
it predicts, but not run code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module

from sklearn.base import BaseEstimator

import trellislib
from trellislib.decisions import Decision, Rule
from trellislib.decisions.nearby import NearbySets
from trellislib.decisions.rules import LabelSets
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph, UndirectedLabelGraph, _AllBefore
from trellislib.learners.base import Conditionals
from trellislib.learners.chain_weights import ChainWeights
from trellislib.learners.per_label import _Fitted

OURS: tuple[type, ...] = (
    BaseEstimator,
    Conditionals,
    Rule,
    LabelGraph,
    UndirectedLabelGraph,
    _AllBefore,
    LabelCoding,
    Decision,
    LabelSets,
    NearbySets,
    ChainWeights,
    _Fitted,
)
"""Types of trellislib that may be in a file, and those derived from them."""

COMPILED = (
    "numpy.dtype",
    "scipy.sparse._csr.csr_array",
    "sklearn._loss.",
    "sklearn.calibration._",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.gaussian_process.kernels.",
    "sklearn.linear_model._sgd_fast.",
    "sklearn.metrics._dist_metrics.",
    "sklearn.neighbors._ball_tree.BallTree",
    "sklearn.neighbors._kd_tree.KDTree",
    "sklearn.neural_network._stochastic_optimizers.",
    "sklearn.tree._tree.Tree",
)
"""Names of other types, or how those of a module begin, of which estimators of scikit-learn are made."""


def untrusted(names: Iterable[str], trusted: Iterable[str | type]) -> list[str]:
    """Return which of some types, by their names, are not trusted.

    Examples
    --------
    >>> untrusted(["sklearn.tree._tree.Tree", "os.system", "trellislib.decisions.choice.Decision"], [])
    ['os.system']
    >>> untrusted(["sklearn.calibration._fit_calibrator"], [])
    ['sklearn.calibration._fit_calibrator']
    """
    known = {*map(_name, (kind for base in OURS for kind in _derived(base) if _is_ours(kind)))}
    known |= {kind if isinstance(kind, str) else _name(kind) for kind in trusted}
    return [name for name in names if name not in known and not _is_compiled(name)]


def _is_compiled(name: str) -> bool:
    """Return whether a name is that of a class of `COMPILED`: a function of these modules is none."""
    if not any(name == known or (known[-1] in "._" and name.startswith(known)) for known in COMPILED):
        return False
    module, _, last = name.rpartition(".")
    try:
        return isinstance(getattr(import_module(module), last, None), type)
    except ImportError:
        return False


def _is_ours(kind: type) -> bool:
    return kind.__module__.startswith(f"{trellislib.__name__}.")


def _derived(kind: type) -> Iterator[type]:
    yield kind
    below: list[type] = kind.__subclasses__()
    for derived in below:
        yield from _derived(derived)


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
