"""The path of a prediction: how each label of one instance is decided, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from trellislib.inspection.interventions import forced
from trellislib.inspection.members import trace_of_one
from trellislib.inspection.outcomes import outcomes, true_codes
from trellislib.inspection.places import places
from trellislib.inspection.shares import log_odds, shapley_shares
from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.labels.graph import AnyLabelGraph, LabelGraph
from trellislib.learners import as_learner
from trellislib.methods.label_graph import LabelGraphClassifier, Trace


@dataclass(frozen=True, eq=False)
class Step:
    """One label in the path of a prediction.

    Attributes
    ----------
    label, place, level : int
        The label, its place in the order of prediction, and its wavefront (or colour), from 0.
    inputs, input_codes : tuple of int
        Its parents (or neighbours), and the codes that were decided for them.
    probabilities : ndarray of shape (n_values,)
        Of its values, given the features and these inputs.
    of_code : int
        The value whose log-odds are explained: 1 for a binary label, the decided one for more values.
    from_features : float
        Its log-odds, in nats, with all inputs at their first value.
    from_inputs : ndarray of shape (n_inputs,)
        What each input adds to them by Shapley's shares. An input that is decided its first value adds nothing.
    if_changed : ndarray of shape (n_inputs,)
        The probability of `of_code` if that input alone had its other value, or its most probable other one.
    code : int
        The decision.
    true, given_true : int, optional
        The truth, and what would be decided if all inputs were true; None where that is not known.
    is_set : bool
        Whether it was set by hand.
    inputs_right : bool
        Whether all inputs are known to have their true values.
    """

    label: int
    place: int
    level: int
    inputs: tuple[int, ...]
    input_codes: tuple[int, ...]
    probabilities: np.ndarray
    of_code: int
    from_features: float
    from_inputs: np.ndarray
    if_changed: np.ndarray
    code: int
    true: int | None
    given_true: int | None
    is_set: bool
    inputs_right: bool = False

    @property
    def outcome(self) -> str:
        """``set`` (by hand), ``unknown``, or one of `trellislib.inspection.outcomes.outcomes`."""
        if self.is_set:
            return "set"
        if self.true is None:
            return "unknown"
        is_right = self.code == self.true
        if self.given_true is None:  # the truth of an input is not known
            return "right" if is_right else "unknown"
        return str(outcomes(is_right, self.given_true == self.true, self.inputs_right))


@dataclass(frozen=True, eq=False)
class PredictionPath:
    """How all labels of one instance were decided.

    Attributes
    ----------
    steps : tuple of Step
        In the order of prediction; of an undirected graph, in the order of the labels.
    graph : LabelGraph or UndirectedLabelGraph
        The structure between the labels.
    coding : LabelCoding
        The values of the labels.
    codes : ndarray of shape (n_labels,)
        The decisions.
    marginals : ndarray of shape (n_columns,), optional
        Marginal probabilities, where the inference finds them.
    """

    steps: tuple[Step, ...]
    graph: AnyLabelGraph
    coding: LabelCoding
    codes: np.ndarray
    marginals: np.ndarray | None

    def of(self, label: int) -> Step:
        """Return the step of a label."""
        return next(step for step in self.steps if step.label == label)

    def downstream(self, label: int) -> tuple[int, ...]:
        """Return all labels that depend on `label`, in increasing order."""
        after = self.graph.children if isinstance(self.graph, LabelGraph) else self.graph.inputs
        found, waiting = {label}, [label]
        while waiting:
            new = set(after[waiting.pop()]) - found
            found |= new
            waiting += new
        return tuple(sorted(found - {label}))


def prediction_path(
    method: LabelGraphClassifier, X: Any, truth: Any = None, set_to: Mapping[int, int] | None = None
) -> PredictionPath:
    """Explain how each label of one instance is decided.

    Parameters
    ----------
    method : method of one label graph
        Fitted; see `graph_members`.
    X : {array-like, CSR} of shape (1, n_features)
        The instance.
    truth : array-like or CSR of n_labels values, optional
        Its labels. A value that did not occur in training is not known to the method, and counts as unknown.
    set_to : mapping of int to int, optional
        Labels that take a code whatever their inputs are: an intervention, Pearl's do. Labels that do not depend on
        them keep their conditionals.

    Returns
    -------
    PredictionPath
        Its codes are what the method predicts, where no label is set.

    Raises
    ------
    ValueError
        If there is not one instance, the base learner gives no probabilities, or a label or code does not exist.

    Examples
    --------
    >>> from trellislib import ClassifierChain
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> chain = ClassifierChain(order=[0, 1]).fit(X, Y)
    >>> [step.outcome for step in prediction_path(chain, [[0.9]], truth=[1, 1], set_to={0: 1}).steps]
    ['set', 'right']
    """
    trace = trace_of_one(method, X)
    if not hasattr(method, "predict_proba"):
        learner = as_learner(method.estimator)
        raise ValueError(f"Got {learner!r}, but expected a base learner that gives probabilities.")
    set_to = dict(set_to or {})
    inferred = replace(trace, given=forced(trace.given, trace.coding, set_to)).infer()
    codes = inferred.codes[:, 0]
    decided = _Decided(trace, inferred.columns, codes, _true_codes(truth, trace.coding), set_to)
    order, level = places(trace.graph)
    steps = tuple(decided.step(int(label), place, level[label]) for place, label in enumerate(order))
    marginals = None if inferred.marginals is None else inferred.marginals[:, 0]
    return PredictionPath(steps, trace.graph, trace.coding, codes, marginals)


@dataclass(frozen=True)
class _Decided:
    """One instance and the decisions on its labels, from which all steps are made."""

    trace: Trace
    columns: np.ndarray
    codes: np.ndarray
    true: list[int | None]
    set_to: Mapping[int, int]

    @property
    def coding(self) -> LabelCoding:
        return self.trace.coding

    def step(self, label: int, place: int, level: int) -> Step:
        inputs = tuple(int(one) for one in self.trace.graph.inputs[label])
        code = int(self.codes[label])
        of_code = 1 if len(self.coding.classes[label]) == 2 else code
        from_features, from_inputs = self.shares(label, inputs, of_code)
        return Step(
            label=label,
            place=place,
            level=level,
            inputs=inputs,
            input_codes=tuple(int(self.codes[one]) for one in inputs),
            probabilities=self.probabilities(label, self.columns)[:, 0],
            of_code=of_code,
            from_features=from_features,
            from_inputs=from_inputs,
            if_changed=self.if_changed(label, inputs, of_code),
            code=code,
            true=self.true[label],
            given_true=self.given_true(label, inputs),
            is_set=label in self.set_to,
            inputs_right=all(self.codes[one] == self.true[one] for one in inputs),
        )

    def probabilities(self, label: int, Z: np.ndarray) -> np.ndarray:
        given = self.trace.given if Z.shape[1] == 1 else self.trace.given.tiled(Z.shape[1])
        return with_first_value(given.probabilities((label,), Z))

    def shares(self, label: int, inputs: tuple[int, ...], of_code: int) -> tuple[float, np.ndarray]:
        active = [place for place, one in enumerate(inputs) if self.codes[one]]  # the others change nothing

        def value(subsets: np.ndarray) -> np.ndarray:
            Z = np.zeros((self.coding.n_columns, len(subsets)))
            for player, place in enumerate(active):
                rows = self.coding.columns([inputs[place]])
                Z[rows] = self.columns[rows] * subsets[:, player]
            return log_odds(self.probabilities(label, Z)[of_code])

        from_features, of_active = shapley_shares(value, len(active))
        from_inputs = np.zeros(len(inputs))
        from_inputs[active] = of_active
        return from_features, from_inputs

    def if_changed(self, label: int, inputs: tuple[int, ...], of_code: int) -> np.ndarray:
        if not inputs:
            return np.zeros(0)
        Z = np.repeat(self.columns, len(inputs), axis=1)
        for place, one in enumerate(inputs):
            n_values = len(self.coding.classes[one])
            if n_values == 1:
                continue  # has no other value
            p = self.probabilities(one, self.columns)[:n_values, 0]
            p[self.codes[one]] = -1.0
            Z[self.coding.columns([one]), place] = self.coding.indicators(np.array([[p.argmax()]]), [one])[:, 0]
        return self.probabilities(label, Z)[of_code]

    def given_true(self, label: int, inputs: tuple[int, ...]) -> int | None:
        true = [self.true[one] for one in inputs]
        if self.true[label] is None or None in true:
            return None
        Z = self.columns.copy()
        if inputs:
            Z[self.coding.columns(inputs)] = self.coding.indicators(np.array(true)[:, None], inputs)
        return int(self.trace.given.decide((label,), Z)[0, 0])


def _true_codes(truth: Any, coding: LabelCoding) -> list[int | None]:
    """Return the code of each label's true value, None where it is not one of the label's."""
    if truth is None:
        return [None] * coding.n_labels
    values = truth.toarray() if sparse.issparse(truth) else np.asarray(truth)
    if values.size != coding.n_labels:
        raise ValueError(f"Got the truth of {values.size} labels, but expected {coding.n_labels}.")
    found = true_codes(values.reshape(1, -1), coding)[:, 0].tolist()
    return [None if code < 0 else code for code in found]
