import numpy as np
import pytest
from numpy.testing import assert_array_equal

from trellislib.inference import Greedy
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Given

#  0 -> 2 -> 3,  1 -> 2,  0 -> 3, and 4 alone; of 2, 3, 4, 3 and 1 values
GRAPH = LabelGraph([(), (), (0, 1), (2, 0), ()])
CODING = LabelCoding([np.arange(2), np.arange(3), np.arange(4), np.arange(3), np.arange(1)])
ROOTS = np.array([[0, 1, 1, 0], [2, 0, 2, 1], [0, 0, 0, 0]])  # codes of the labels 0, 1 and 4


class Sum(Given):
    """Each label with parents is the sum of their codes, modulo its number of values; notes what it is asked."""

    def __init__(self):
        self.asked = []

    def decide(self, labels, Z):
        self.asked.append((tuple(labels), Z.copy()))
        return np.array([self.of_label(label, Z) for label in labels])

    def of_label(self, label, Z):
        if not GRAPH.parents[label]:
            return ROOTS[[0, 1, 4].index(label)]
        codes = [np.arange(1, len(columns) + 1) @ Z[columns] for columns in self.parents(label)]
        return np.sum(codes, axis=0).astype(int) % len(CODING.classes[label])

    def parents(self, label):
        return [CODING.columns([parent]) for parent in GRAPH.parents[label]]

    def probabilities(self, labels, Z):
        raise AssertionError("greedy inference asks for decisions only")

    tiled = None


def test_each_label_is_decided_given_the_decisions_on_its_parents():
    inferred = Greedy().infer(Sum(), GRAPH, CODING, 4)
    second = [2, 1, 3, 1]  # 0 + 2, 1 + 0, 1 + 2, 0 + 1, of four values
    third = [2, 2, 1, 1]  # 2 + 0, 1 + 1, 3 + 1, 1 + 0, of three
    assert inferred.codes.tolist() == [[0, 1, 1, 0], [2, 0, 2, 1], second, third, [0, 0, 0, 0]]
    assert_array_equal(inferred.columns, CODING.indicators(inferred.codes, range(5)))
    assert inferred.codes.dtype == np.intp
    assert inferred.marginals is None


def test_labels_are_asked_for_once_by_wavefront():
    given = Sum()
    Z = Greedy().infer(given, GRAPH, CODING, 4).columns
    assert [labels for labels, _ in given.asked] == [(0, 1, 4), (2,), (3,)]
    decided = []
    for labels, seen in given.asked:
        columns = CODING.columns(decided)
        assert_array_equal(seen[columns], Z[columns])
        decided += labels
        assert not seen[CODING.columns(labels)].any()


def test_a_chain_is_decided_label_by_label_in_its_order():
    class One(Given):
        asked = ()

        def decide(self, labels, Z):
            self.asked += tuple(labels)
            return np.full((len(labels), Z.shape[1]), len(self.asked) % 2)

        probabilities = tiled = None

    given = One()
    coding = LabelCoding([np.array([0, 1])] * 4)
    inferred = Greedy().infer(given, LabelGraph.chain([2, 0, 3, 1]), coding, 2)
    assert given.asked == (2, 0, 3, 1)
    assert inferred.codes.tolist() == [[0, 0], [0, 0], [1, 1], [1, 1]]
    assert_array_equal(inferred.columns, inferred.codes)


@pytest.mark.parametrize("n_instances", [0, 1])
def test_few_instances(n_instances):
    class Last(Given):
        def decide(self, labels, Z):
            return np.array([np.full(Z.shape[1], len(CODING.classes[label]) - 1) for label in labels])

        probabilities = tiled = None

    inferred = Greedy().infer(Last(), GRAPH, CODING, n_instances)
    assert inferred.codes.T.tolist() == [[1, 2, 3, 2, 0]] * n_instances
    assert inferred.columns.T.tolist() == [[1, 0, 1, 0, 0, 1, 0, 1, 0]] * n_instances
