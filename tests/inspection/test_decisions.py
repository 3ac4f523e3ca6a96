"""What deciding for a score does to an instance."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sentences import holds

from trellislib import ClassifierChain, ClassifierTrellis, EnsembleClassifierTrellises, IndependentClassifiers
from trellislib.data import simulate_shapes
from trellislib.inspection import Decided, decided
from trellislib.summaries.inspection import about_decided

SHAPES = simulate_shapes(300, overlap=1.0, random_state=0)
X, Y = SHAPES.arrays()
VALUES = [["no", "yes"]] * 3


@pytest.mark.parametrize("measure", ["accuracy", "exact_match"])
@pytest.mark.parametrize(
    "method",
    [
        ClassifierChain(order=[0, 1, 2]),
        ClassifierTrellis(random_state=0),
        EnsembleClassifierTrellises(n_estimators=3, random_state=0),
    ],
    ids=lambda method: type(method).__name__,
)
def test_it_is_what_is_predicted_with_and_without(method, measure):
    method.set_params(decide=measure)
    with_decision = method.fit(X[:200], Y[:200])
    without = type(method)(**(method.get_params(deep=False) | {"decide": None})).fit(X[:200], Y[:200])
    predicted, by_itself = with_decision.predict(X[200:230]), without.predict(X[200:230])
    n_changed = 0
    for row in range(30):
        found = decided(with_decision, X[[200 + row]])
        assert_array_equal(found.codes, predicted[row])
        if not isinstance(method, EnsembleClassifierTrellises):  # whose members have other probabilities without
            assert_array_equal(found.by_itself, by_itself[row])
        assert found.changed == [label for label in range(3) if found.codes[label] != found.by_itself[label]]
        assert (found.measure, found.rule) == (measure, with_decision.decision_.rule.name)
        n_changed += bool(found.changed)
    assert n_changed


def test_changes_are_named_by_their_value():
    found = Decided("example_f1", "one threshold", np.array([0, 1, 0]), np.array([1, 0, 1]))
    text = about_decided(found, "abc", VALUES)
    holds(text, "“one threshold”", "a and c to yes", "b to no", "example F1")


def test_a_method_that_decides_for_no_score_and_several_instances_are_refused():
    with pytest.raises(ValueError, match=r"Got ClassifierChain\(decide=None\), but expected"):
        decided(ClassifierChain().fit(X, Y), X[:1])
    method = IndependentClassifiers(decide="f1").fit(X, Y)
    with pytest.raises(ValueError, match=r"Got 2 instances, but expected one"):
        decided(method, X[:2])
