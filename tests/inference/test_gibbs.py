from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib.inference import GibbsSampling
from trellislib.inference.draws import Draws
from trellislib.inference.pairs import groups_of, matchings
from trellislib.labels.coding import LabelCoding, with_first_value
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

    decide = None

    def __init__(self, joint):
        self.joint = joint  # (n_instances, *N_VALUES)

    def tiled(self, times):
        return Table(np.tile(self.joint, (times, 1, 1, 1, 1)))

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
        codes = [self.codes(other, Z) for other in range(4)]
        codes[label] = slice(None)
        of_value = self.joint[np.arange(len(self.joint)), *codes].T
        return of_value[1:] / of_value.sum(axis=0)

    @staticmethod
    def codes(label, Z):
        start, stop = CODING.starts[label : label + 2]
        return (np.arange(1, stop - start + 1) @ Z[start:stop]).astype(int)

    def marginals(self):
        """The probability of each column, all vectors being added up."""
        found = np.zeros((CODING.n_columns, len(self.joint)))
        for codes in product(*map(range, N_VALUES)):
            columns = CODING.indicators(np.array(codes)[:, None], range(4))
            found += columns * self.joint[:, *codes]
        return found


@every_graph
def test_marginals_are_within_two_hundredths_of_the_exact_ones(graph):
    given = Table.of_graph(graph, 5)
    found = GibbsSampling(1600, 160).infer(given, graph, CODING, 5)
    assert np.abs(found.marginals - given.marginals()).max() < 0.02
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
    X = np.arange(4.0)[:, None]
    whole = GibbsSampling(30, 5, 3).infer(given, graph, CODING, 4, Draws(X, 2))
    for row in range(4):
        alone = GibbsSampling(30, 5, 3).infer(given.which([row]), graph, CODING, 1, Draws(X[[row]], 2))
        assert_array_equal(alone.codes, whole.codes[:, [row]])
        assert_allclose(alone.marginals, whole.marginals[:, [row]], atol=1e-12)


@every_graph
def test_a_seed_gives_the_same_result(graph):
    given = Table.of_graph(graph)
    first, again, other = (
        GibbsSampling(20, 5).infer(given, graph, CODING, 2, Draws.of_places(2, seed)) for seed in (1, 1, 2)
    )
    assert_array_equal(first.marginals, again.marginals)
    assert (first.marginals != other.marginals).any()


class Twins(Given):
    """Two labels that are 1 with probability 0.6, and differ with probability 0.002."""

    decide = None
    joint = np.array([[0.399, 0.001], [0.001, 0.599]])

    def tiled(self, times):
        return self

    def probabilities(self, labels, Z):
        of_zero, of_one = self.joint[:, 1] / self.joint.sum(axis=1)  # the table is symmetric
        return np.array([of_zero + (of_one - of_zero) * Z[1 - label] for label in labels])


@pytest.mark.parametrize("n_chains", [1, 10])
def test_labels_that_all_but_determine_each_other_do_not_stick(n_chains):
    """By turns, each would keep its value some 400 times, and a hundred rows would mostly end near 0 or 1."""
    graph, coding = UndirectedLabelGraph.complete(2), LabelCoding([np.arange(2)] * 2)
    found = GibbsSampling(n_chains=n_chains).infer(Twins(), graph, coding, 100)
    assert_allclose(found.marginals, 0.6, atol=1e-9)


def replayed(given, graph, coding, n_sweeps, n_burn_in, draws, n_instances):
    """One chain, one label and instance at a time; two labels together by alternating draws 10,000 times on average."""
    labels = range(coding.n_labels)
    widths = np.diff(coding.starts)
    Z = np.repeat(np.repeat(1 / (widths + 1), widths)[:, None], n_instances, axis=1)

    def put(label, codes):
        Z[coding.columns([label])] = coding.indicators(np.asarray(codes)[None], [label])

    def given_all(label):
        return with_first_value(given.probabilities((label,), Z))

    def code_of(p, u):
        at_least = np.cumsum(p[:0:-1])  # of the highest value, of the two highest, ...
        return int((u < at_least).sum())

    for group in graph.colours:
        for label in group:
            Z[coding.columns([label])] = given_all(label)[1:]
    for group in graph.colours:
        for label in group:
            put(label, given_all(label).argmax(axis=0))
    rng = np.random.default_rng(draws.seed)
    pairings = matchings(graph) or [[]]
    order = rng.permutation(len(pairings))
    sums, counts = np.zeros_like(Z), np.zeros_like(Z)
    for sweep in range(1, n_sweeps + 1):
        groups = groups_of(graph, pairings[order[(sweep - 1) % len(order)]])
        for turn in rng.permutation(len(groups)):
            for label in groups[turn].singles:
                p = given_all(label)
                u = draws.uniforms(sweep, [label])[0]
                put(label, [code_of(of_row, one) for of_row, one in zip(p.T, u, strict=True)])
                if sweep > n_burn_in:
                    sums[coding.columns([label])] += p[1:]
                    counts[coding.columns([label])] += 1
            for a, b in zip(groups[turn].firsts, groups[turn].seconds, strict=True):
                n_a, n_b = widths[a] + 1, widths[b] + 1
                a_given_b, b_given_a = np.empty((n_b, n_a, n_instances)), np.empty((n_a, n_b, n_instances))
                for value in range(n_b):
                    put(b, [value] * n_instances)
                    a_given_b[value] = given_all(a)
                for value in range(n_a):
                    put(a, [value] * n_instances)
                    b_given_a[value] = given_all(b)
                of_a, of_b, chosen = [], [], []
                for row in range(n_instances):
                    moves = b_given_a[:, :, row] @ a_given_b[:, :, row]
                    p = np.linalg.matrix_power(moves, 10_000)[0]
                    code = code_of(p, draws.uniforms(sweep, [a])[0, row])
                    other = code_of(b_given_a[code, :, row], draws.uniforms(sweep, [b])[0, row])
                    chosen.append((code, other))
                    of_a.append(p[1:])
                    of_b.append((p @ b_given_a[:, :, row])[1:])
                codes, others = zip(*chosen, strict=True)
                put(a, codes)
                put(b, others)
                if sweep > n_burn_in:
                    for label, of in ((a, of_a), (b, of_b)):
                        sums[coding.columns([label])] += np.array(of).T
                        counts[coding.columns([label])] += 1
    assert set(labels) == {label for of in graph.colours for label in of}
    return sums / counts


@every_graph
def test_one_chain_step_by_step(graph):
    given = Table.of_graph(graph, 3)
    draws = Draws.of_places(3, seed=5)
    found = GibbsSampling(9, 2, n_chains=1).infer(given, graph, CODING, 3, draws)
    assert_allclose(found.marginals, replayed(given, graph, CODING, 9, 2, draws, 3), atol=1e-9)


def test_marginals_are_right_where_one_state_determines_a_pair_and_another_does_not():
    """With c = 1, a and b are nearly equal, and mostly 1; with c = 0 they are independent, and mostly 0."""
    joint = np.zeros((2, 2, 2))
    for a, b, c in np.ndindex(joint.shape):
        of_a = 0.9 if a == c else 0.1
        joint[a, b, c] = of_a * ((0.999 if a == b else 0.001) if c else (0.1 if b else 0.9)) / 2
    coding = LabelCoding([np.arange(2)] * 3)

    class OfJoint(Given):
        decide = None

        def tiled(self, times):
            return self

        def probabilities(self, labels, Z):
            found = []
            for label in labels:
                cells = [np.where(np.arange(3)[:, None] == label, value, Z).astype(int) for value in (0, 1)]
                zero, one = (joint[tuple(of)] for of in cells)
                found.append(one / (zero + one))
            return np.array(found)

    graph = UndirectedLabelGraph.of_edges(3, [(0, 1), (0, 2), (1, 2)])
    found = GibbsSampling(1600, 160).infer(OfJoint(), graph, coding, 50).marginals.mean(axis=1)
    assert_allclose(found, [joint[1].sum(), joint[:, 1].sum(), joint[:, :, 1].sum()], atol=0.01)


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
    """What a learner fits need not follow from one joint distribution."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 2))
    Y = (X[:, :1] + rng.standard_normal((60, 4)) > 0).astype(int)
    graph = LabelGraph([(), (0,), (0,), (1, 2)]).undirected()
    training_set = TrainingSet.of(X, Y)
    given = LeastSquares().prepare(training_set).fit(graph).given(X[:9])
    draws = Draws(X[:9], seed=5)
    found = GibbsSampling(12, 3, n_chains=1).infer(given, graph, training_set.coding, 9, draws)
    assert_allclose(found.marginals, replayed(given, graph, training_set.coding, 12, 3, draws, 9), atol=1e-9)


def test_sweeps_are_shared_out_to_chains():
    graph = GRAPHS["pair"]
    given = Table.of_graph(graph)
    asked = []
    probabilities = given.probabilities
    given.probabilities = lambda labels, Z: asked.append(Z.shape[1]) or probabilities(labels, Z)
    given.tiled = lambda times: setattr(given, "joint", np.tile(given.joint, (times, 1, 1, 1, 1))) or given
    GibbsSampling(7, 3, n_chains=3).infer(given, graph, CODING, 2)
    # Twice over two colours to start; in each of ceil(7 / 3) sweeps, the pair's three and three values, and the others.
    assert asked == [6] * (2 * 2 + 3 * (3 + 3 + 1))
