"""The classifier trellis, directed (CT) and undirected (CDT), and ensembles of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.dependence import InformationRows, ResidualGram, co_occurrence, information_of_residuals
from trellislib.dependence.gram import singular_explained
from trellislib.dependence.information import WHOLE_LABELS
from trellislib.graphs import (
    Trellis,
    explained_trellis,
    random_trellis,
    searched_trellis,
    trellis,
)
from trellislib.graphs.placement import lattice
from trellislib.inference import GibbsSampling, Inference
from trellislib.labels.graph import UndirectedLabelGraph
from trellislib.learners import LeastSquares, Training
from trellislib.learners.training_set import TrainingSet
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.ensemble import Ensemble
from trellislib.methods.label_graph import LabelGraphClassifier
from trellislib.methods.parameters import with_parameters
from trellislib.methods.structure_score import cross_validated_score
from trellislib.metrics import decision_measures
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled, Progress, part_of

DEPENDENCES = ("mutual-information", "co-occurrence", "residual")
PLACEMENTS = ("hill-climbing", "swaps", "random", "explained", "search")
ALPHA = 1.0  # of what guides a placement beyond the features, whatever the base learner


@with_parameters
class PlacedLabels(MultiOutputMethod):
    """How classifier trellises, and ensembles of them, place labels in a lattice.

    Parameters
    ----------
    width : int, optional
        Number of columns of the lattice; by default the square root of the number of labels, rounded down.
    parents : str or sequence of (int, int), default="left-up"
        Parent pattern: a name of `trellislib.graphs.PATTERNS`, or offsets (rows, columns) to the parents.
    placement : {"hill-climbing", "swaps", "random", "explained", "search"} or list of int, default="hill-climbing"
        How labels are placed: by their dependence (Algorithm 1); by swaps of two labels from there on, until none
        captures more dependence (`trellislib.graphs.trellis`); at random (the paper's baseline); by what their parents
        explain of them together, beyond the features (`trellislib.graphs.explained_trellis`); or by trial, from
        Algorithm 1's placement on (`trellislib.graphs.searched_trellis`). A list names the labels row by row, as
        somebody has placed them.
    n_swaps : int, default=100
        Of ``placement="search"``: how many swaps of two labels are tried.
    payoff : str, optional
        Of ``placement="search"``: the score of `trellislib.metrics.MEASURES` by which swaps are accepted, in a
        cross-validation of least squares on the training rows; by default accuracy, or where labels have more than
        two values the Hamming score.
    dependence : {"mutual-information", "co-occurrence", "residual"} or ndarray of shape (n_labels, n_labels)
        What guides the placement: the mutual information of the labels (the paper's), their co-occurrence, which
        grows with frequency and may serve better (binary labels only), the information that the features leave
        unexplained, or a symmetric matrix. See `trellislib.dependence`.
    """

    width: int | None = None
    parents: str | Sequence[tuple[int, int]] = "left-up"
    placement: str | Sequence[int] = "hill-climbing"
    n_swaps: int = 100
    payoff: str | None = None
    dependence: str | np.ndarray | InformationRows = "mutual-information"

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory `fit` takes; see `MultiOutputMethod.memory_needed`."""
        n_columns, of_pairs = size.n_columns, f"the dependence of all pairs of {size.n_columns} label columns"
        counts = n_columns**2 * size.dense_labels
        if not (isinstance(self.placement, str) and self.placement in ("hill-climbing", "swaps", "search")):
            return super().memory_needed(size) + Need(FLOAT * counts, of_pairs, "give labels as a CSR array")
        named = isinstance(self.dependence, str) and self.dependence in ("co-occurrence", "residual")
        held = 6 * n_columns**2 if named else 3 * min(n_columns, WHOLE_LABELS) ** 2
        instead = "dependence='mutual-information'" if named and n_columns > WHOLE_LABELS else "placement='explained'"
        instead = f"use {instead}, which finds it row by row"
        return super().memory_needed(size) + Need(FLOAT * (held + counts), of_pairs, instead)

    def _reads_rows(self) -> str | None:
        return f"{type(self).__name__}(placement='search')" if self._searches else super()._reads_rows()

    @property
    def _searches(self) -> bool:
        return isinstance(self.placement, str) and self.placement == "search"


@with_parameters
class ClassifierTrellis(PlacedLabels, LabelGraphClassifier):
    """Classifier trellis (CT): each label is predicted from the features and its parents in a trellis.

    The labels are placed in a lattice so that neighbours depend on each other (Algorithm 1); every label then has
    a few parents, whatever their number. It models the main dependences at nearly the price of independent
    classifiers: L fits on D plus a few inputs, prediction in about two wavefronts per row of the lattice.

    Parameters
    ----------
    random_state : int, RandomState or None
        Seed of the first label, or of the random placement, and of sampling.

    Attributes
    ----------
    graph_ : Trellis
        The structure between the labels.
    conditionals_ : Conditionals
        The fitted p(y_l | x, y_parents).

    References
    ----------
    Section 4 of the paper, Algorithms 1 and 2.

    Examples
    --------
    >>> from trellislib import ClassifierTrellis
    >>> X = [[0.0], [0.2], [0.8], [1.0]]
    >>> Y = [[0, 1, 0, 1], [0, 1, 1, 1], [1, 0, 0, 1], [1, 0, 1, 1]]
    >>> method = ClassifierTrellis(width=2, random_state=0).fit(X, Y)
    >>> method.graph_.order
    (2, 0, 1, 3)
    """

    def _fit_structure(
        self,
        training: Training,
        rng: np.random.RandomState,
        progress: Progress | None,
        cancelled: Cancelled | None,
    ) -> None:
        finding, fitting = None, progress
        if self._searches:
            finding, fitting = part_of(progress, 0, 2), part_of(progress, 1, 2)
        self.graph_ = self._structure_of(self._placed(training, rng, finding, cancelled))
        self.conditionals_ = training.fit(self.graph_, progress=fitting, cancelled=cancelled)

    def _structure_of(self, placed: Trellis) -> Trellis | UndirectedLabelGraph:
        """Return the structure that the lattice stands for."""
        return placed

    def _placed(
        self,
        training: Training,
        rng: np.random.RandomState,
        progress: Progress | None,
        cancelled: Cancelled | None,
    ) -> Trellis:
        data, lattice = training.training_set, (self.width, self.parents)
        if not isinstance(self.placement, str):
            return _given_trellis(self.placement, data.n_labels, *lattice)
        if self.placement not in PLACEMENTS:
            raise ValueError(f"Got placement={self.placement!r}, but expected one of {PLACEMENTS}.")
        if self.placement == "random":
            return random_trellis(data.n_labels, *lattice, random_state=rng)
        if self.placement == "explained":
            return explained_trellis(_residuals(data), *lattice, alpha=ALPHA, random_state=rng)
        by = "hill-climbing" if self._searches else self.placement
        placed = trellis(dependence_matrix(self.dependence, data), *lattice, placement=by, random_state=rng)
        if not self._searches:
            return placed
        learner = training.learner if isinstance(training.learner, LeastSquares) else LeastSquares()
        payoff = cross_validated_score(data, learner, self._measure(data), rng)
        return searched_trellis(
            placed, payoff, n_swaps=self.n_swaps, random_state=rng, progress=progress, cancelled=cancelled
        )

    def _measure(self, data: TrainingSet) -> str:
        """Return the name of the score by which a search accepts swaps."""
        if self.payoff is None:
            return "accuracy" if data.coding.is_binary else "hamming_score"
        fitting = decision_measures(binary=data.coding.is_binary)
        if self.payoff not in fitting:
            raise ValueError(f"Got payoff={self.payoff!r}, but expected one of {fitting}.")
        return self.payoff


@with_parameters
class ClassifierDependencyTrellis(ClassifierTrellis):
    """Classifier dependency trellis (CDT): each label is predicted from the features and its neighbours in a trellis.

    The undirected reading of the classifier trellis. Training costs what it costs there, but labels depend on each
    other in circles and must be sampled: T sweeps over all labels. Probabilities are marginals by sampling.

    Parameters
    ----------
    inference : Inference, optional
        `trellislib.GibbsSampling`, by default with the paper's 100 sweeps of which 10 are discarded.
    random_state : int, RandomState or None
        Seed of the placement and of sampling.

    Attributes
    ----------
    trellis_ : Trellis
        The labels in their lattice.
    graph_ : UndirectedLabelGraph
        The structure between the labels: neighbours in the trellis.
    conditionals_ : Conditionals
        The fitted p(y_l | x, y_neighbours).

    References
    ----------
    Section 4 of the paper, the algorithm of the classifier dependency trellis.

    Examples
    --------
    >>> from trellislib import ClassifierDependencyTrellis
    >>> X = [[0.0], [0.2], [0.8], [1.0]]
    >>> Y = [[0, 1, 0, 1], [0, 1, 1, 1], [1, 0, 0, 1], [1, 0, 1, 1]]
    >>> method = ClassifierDependencyTrellis(width=2, random_state=0).fit(X, Y)
    >>> method.trellis_.order, method.graph_.neighbours
    ((2, 0, 1, 3), ((2, 3), (2, 3), (0, 1), (0, 1)))
    """

    def _default_inference(self) -> Inference:
        return GibbsSampling()

    def _structure_of(self, placed: Trellis) -> UndirectedLabelGraph:
        self.trellis_ = placed
        return placed.undirected()


@with_parameters
class EnsembleClassifierTrellises(PlacedLabels, Ensemble):
    """Ensemble of classifier trellises (ECT): trellises that start from random labels and vote.

    Training and prediction cost M times a trellis's. In the paper ten hardly do better than one.

    Parameters
    ----------
    inference : Inference, optional
        How each member decides, as for `ClassifierTrellis`.

    References
    ----------
    Section 4 of the paper.

    Examples
    --------
    >>> from trellislib import EnsembleClassifierTrellises
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> EnsembleClassifierTrellises(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    inference: Inference | None = None
    _method = ClassifierTrellis

    def _members(
        self, training: Training, seeds: Sequence[int], cancelled: Cancelled | None
    ) -> list[MultiOutputMethod]:
        return [self._member(self._method, random_state=seed) for seed in seeds]


@with_parameters
class EnsembleClassifierDependencyTrellises(EnsembleClassifierTrellises):
    """Ensemble of classifier dependency trellises (ECDT): undirected trellises, each sampled, that vote.

    The paper names it and leaves it out for its price in prediction, M times T sweeps over all labels.

    Parameters
    ----------
    inference : Inference, optional
        How each member decides, as for `ClassifierDependencyTrellis`.

    References
    ----------
    Section 4 of the paper.

    Examples
    --------
    >>> from trellislib import EnsembleClassifierDependencyTrellises
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> EnsembleClassifierDependencyTrellises(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    _method = ClassifierDependencyTrellis


def _given_trellis(
    order: Sequence[int], n_labels: int, width: int | None, parents: str | Sequence[tuple[int, int]]
) -> Trellis:
    """Return the trellis whose labels somebody has placed."""
    if len(order) != n_labels:
        raise ValueError(f"Got a placement of {len(order)} labels, but expected each of {n_labels} labels once.")
    return Trellis(order, *lattice(n_labels, width, parents))


def dependence_matrix(
    dependence: str | np.ndarray | InformationRows, training_set: TrainingSet
) -> np.ndarray | InformationRows:
    """Return the matrix that `dependence` names, or is.

    Raises
    ------
    ValueError
        If it is no known name, or a matrix of another size.
    """
    if not isinstance(dependence, str):
        matrix = dependence if isinstance(dependence, InformationRows) else np.asarray(dependence)
        if matrix.shape != (training_set.n_labels,) * 2:
            raise ValueError(
                f"Got dependence of shape {matrix.shape}, but expected one row and column for each of "
                f"{training_set.n_labels} labels."
            )
        return matrix
    if dependence == "mutual-information":
        return training_set.information
    if dependence == "co-occurrence":
        return training_set.once(dependence, lambda: co_occurrence(training_set.counts))
    if dependence == "residual":
        return training_set.once(dependence, lambda: information_of_residuals(_residuals(training_set)))
    raise ValueError(f"Got dependence={dependence!r}, but expected one of {DEPENDENCES} or a matrix.")


def _residuals(training_set: TrainingSet) -> ResidualGram:
    """Return what the features leave unexplained of the labels."""
    with singular_explained(ALPHA):
        return ResidualGram(training_set.regression(ALPHA), training_set.counts)
