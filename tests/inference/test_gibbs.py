from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib.inference import GibbsSampling
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph, UndirectedLabelGraph
from trellislib.learners import Given, LeastSquares
from trellislib.learners.training_set import TrainingSet

N_VALUES = (2, 3, 2, 3)
CODING = LabelCoding([np.arange(n) for n in N_VALUES])
GRAPHS = {
    "complete": UndirectedLabelGraph.complete(4),
    "lattice": UndirectedLabelGraph.of_edges(4, [(0, 1), (1, 3), (3, 2), (2, 0)]),
    "path": UndirectedLabelGraph.of_edges(4, [(2, 0), (0, 3), (3, 1)]),
    "pair": UndirectedLabelGraph.of_edges(4, [(1, 3)]),
}
every_graph = pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)


class Table(Given):
    """The conditionals that follow from one table of joint probabilities per instance."""

    tiled = decide = None

    def __init__(self, joint):
        self.joint = joint  # (n_instances, *N_VALUES)

    @classmethod
    def of_graph(cls, graph, n_instances=2):
        """Tables that are products of a random factor per label and per edge, and so Markov along the graph."""
        rng = np.random.default_rng(0)
        joint = np.ones((n_instances, *N_VALUES))
        for labels in [*((label,) for label in range(4)), *graph.edges]:
            shape = [n if label in labels else 1 for label, n in enumerate(N_VALUES)]
            joint *= np.exp(0.7 * rng.standard_normal((n_instances, *shape)))
        return cls(joint / joint.sum(axis=(1, 2, 3, 4), keepdims=True))

    def which(self, rows):
        return Table(self.joint[rows])

    def probabilities(self, labels, Z):
        return np.vstack([self.of_label(label, Z) for label in labels])

    def of_label(self, label, Z):
        p = np.empty((N_VALUES[label] - 1, len(self.joint)))
        for row, joint in enumerate(self.joint):
            codes = [self.code(other, Z[:, row]) for other in range(4)]
            of_value = joint[tuple(slice(None) if other == label else code for other, code in enumerate(codes))]
            p[:, row] = of_value[1:] / of_value.sum()
        return p

    @staticmethod
    def code(label, column):
        start, stop = CODING.starts[label : label + 2]
        return int(np.arange(1, stop - start + 1) @ column[start:stop])

    def marginals(self):
        """The probability of each column, all vectors being added up."""
        found = np.zeros((CODING.n_columns, len(self.joint)))
        for codes in product(*map(range, N_VALUES)):
            columns = CODING.indicators(np.array(codes)[:, None], range(4))
            found += columns * self.joint[:, *codes]
        return found


@every_graph
def test_marginals_approach_those_of_the_joint_distribution(graph):
    # Were the sweeps independent, the standard error would be at most sqrt(m (1 - m) / 3000). As they are not, half of
    # their number is counted; four standard errors.
    given = Table.of_graph(graph)
    exact = given.marginals()
    found = GibbsSampling(3050, 50).infer(given, graph, CODING, 2)
    assert (np.abs(found.marginals - exact) <= 4 * np.sqrt(exact * (1 - exact) / 1500)).all()
    assert_array_equal(found.codes, CODING.decide(found.marginals, range(4)))
    assert_array_equal(found.columns, CODING.indicators(found.codes, range(4)))


def test_the_tables_are_markov_along_their_graph():
    # What the test above relies on: a label that is no neighbour makes no difference.
    graph = GRAPHS["path"]
    given = Table.of_graph(graph)
    rng = np.random.default_rng(1)
    for label in range(4):
        codes = np.repeat(np.array([[rng.integers(n)] for n in N_VALUES]), 2, axis=1)
        other = np.array([[rng.integers(n)] * 2 for n in N_VALUES])
        near = list(graph.neighbours[label])
        other[near] = codes[near]
        here, there = (CODING.indicators(of, range(4)) for of in (codes, other))
        assert_allclose(given.probabilities((label,), here), given.probabilities((label,), there))


@every_graph
def test_instances_together_or_alone(graph):
    given = Table.of_graph(graph, 4)
    whole = GibbsSampling(30, 5).infer(given, graph, CODING, 4, seed=2)
    for row in range(4):
        alone = GibbsSampling(30, 5).infer(given.which([row]), graph, CODING, 1, seed=2)
        assert_array_equal(alone.codes, whole.codes[:, [row]])
        assert_allclose(alone.marginals, whole.marginals[:, [row]], atol=1e-12)


@every_graph
def test_a_seed_gives_the_same_result(graph):
    given = Table.of_graph(graph)
    first, again, other = (GibbsSampling(20, 5).infer(given, graph, CODING, 2, seed) for seed in (1, 1, 2))
    assert_array_equal(first.marginals, again.marginals)
    assert (first.marginals != other.marginals).any()


class Parity(Given):
    """Each binary label is for certain what the labels beside it make odd; notes what it is asked and answers."""

    tiled = decide = None

    def __init__(self, graph):
        self.graph = graph
        self.asked = []

    def probabilities(self, labels, Z):
        p = np.array([(label + Z[list(self.graph.neighbours[label])].sum(axis=0)) % 2 for label in labels])
        self.asked.append((tuple(labels), Z.copy(), p))
        return p


@pytest.mark.parametrize(
    ("graph", "n_groups"),
    [
        (UndirectedLabelGraph.complete(5), 5),
        (UndirectedLabelGraph.of_edges(6, [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]), 2),
        (UndirectedLabelGraph([()] * 3), 1),
    ],
    ids=["complete", "lattice", "none"],
)
def test_labels_are_drawn_given_their_neighbours_as_they_are(graph, n_groups):
    given, coding = Parity(graph), LabelCoding([np.arange(2)] * graph.n_labels)
    found = GibbsSampling(12, 4).infer(given, graph, coding, 3)
    assert len(graph.colours) == n_groups
    assert len(given.asked) == 12 * n_groups
    state, kept, orders = np.zeros((graph.n_labels, 3)), np.zeros((graph.n_labels, 3)), set()
    for sweep in range(12):
        turns = given.asked[sweep * n_groups : (sweep + 1) * n_groups]
        orders.add(tuple(group for group, _, _ in turns))
        assert sorted(group for group, _, _ in turns) == sorted(graph.colours), "each label once"
        for group, seen, p in turns:
            assert_array_equal(seen, state)
            state[list(group)] = p  # certain, so that it is what was drawn
            kept[list(group)] += p * (sweep >= 4)
    assert_allclose(found.marginals, kept / 8)
    assert (len(orders) > 1) == (n_groups > 1), "in a random order"


@pytest.mark.parametrize(("n_iterations", "n_burn_in"), [(10, 10), (1, 5)])
def test_a_burn_in_that_leaves_nothing_is_refused(n_iterations, n_burn_in):
    graph = GRAPHS["path"]
    message = f"n_burn_in={n_burn_in}, but expected fewer than the {n_iterations} iterations"
    with pytest.raises(ValueError, match=message):
        GibbsSampling(n_iterations, n_burn_in).infer(Table.of_graph(graph), graph, CODING, 2)


@pytest.mark.parametrize("n_burn_in", [-1, 0.5, None, True])
def test_a_burn_in_that_is_no_number_is_refused(n_burn_in):
    graph = GRAPHS["path"]
    with pytest.raises(ValueError, match=rf"n_burn_in={n_burn_in}, .*expected .*integer .*least 0"):
        GibbsSampling(10, n_burn_in).infer(Table.of_graph(graph), graph, CODING, 2)


def test_labels_without_neighbours_are_exact_at_once():
    graph = UndirectedLabelGraph.of_edges(4, [])
    given = Table.of_graph(graph)
    found = GibbsSampling(1, 0).infer(given, graph, CODING, 2)
    assert_allclose(found.marginals, given.marginals(), atol=1e-12)


def test_a_label_without_neighbours_is_exact_next_to_others():
    given = Table.of_graph(GRAPHS["pair"])
    found = GibbsSampling(3, 1).infer(given, GRAPHS["pair"], CODING, 2)
    alone = CODING.columns([0, 2])
    assert_allclose(found.marginals[alone], given.marginals()[alone], atol=1e-12)


def test_fitted_conditionals_along_a_lattice():
    # What a learner fits need not follow from one joint distribution; what is sampled is still the average of its
    # conditionals over the vectors met, here replayed one label at a time with the same numbers.
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 2))
    Y = (X[:, :1] + rng.standard_normal((60, 4)) > 0).astype(int)
    graph = LabelGraph([(), (0,), (0,), (1, 2)]).undirected()
    training_set = TrainingSet.of(X, Y)
    given = LeastSquares().prepare(training_set).fit(graph).given(X)
    found = GibbsSampling(40, 10).infer(given, graph, training_set.coding, 60, seed=5)
    numbers = np.random.default_rng(5)
    Z, kept = np.zeros((4, 60)), np.zeros((4, 60))
    for sweep in range(40):
        u = numbers.random(4)
        for turn in numbers.permutation(len(graph.colours)):
            for label in graph.colours[turn]:
                p = given.probabilities((label,), Z)[0]
                kept[label] += p * (sweep >= 10)
                Z[label] = u[label] < p
    assert_allclose(found.marginals, kept / 30, atol=1e-12)
