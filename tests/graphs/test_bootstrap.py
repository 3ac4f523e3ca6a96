import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib.data import simulate_label_dag
from trellislib.graphs import EdgeFrequencies, LabelGraph, edge_frequencies, fs, pc, resampled
from trellislib.graphs.bootstrap import RESAMPLED
from trellislib.running.extras import is_installed
from trellislib.running.progress import CancelledError

DATA = simulate_label_dag(n_instances=120, n_labels=5, random_state=0)
NEEDS_PC = pytest.mark.skipif(not is_installed("causallearn"), reason="PC is an extra")
ALL = [pytest.param(one, marks=NEEDS_PC if one == "pc" else ()) for one in RESAMPLED if one != "lead"]


@pytest.mark.parametrize("structure", ALL)
def test_weights_of_rows_are_copies_of_rows(structure):
    weight = np.random.default_rng(0).multinomial(120, np.full(120, 1 / 120))
    weighted = resampled(structure, DATA.X, DATA.Y)(weight, 3)
    rows = np.repeat(np.arange(120), weight)
    copied = resampled(structure, DATA.X[rows], DATA.Y[rows])(np.ones(120, dtype=int), 3)
    assert weighted.edges == copied.edges
    assert resampled(structure, DATA.X, DATA.Y, sample_weight=weight)(np.ones(120, dtype=int), 3).edges == copied.edges


def test_counts_by_hand():
    """Of four samples, three join 0 and 1, one of these the other way round."""
    parents = iter([((), (0,), ()), ((), (0,), (1,)), ((1,), (), ()), ((), (), ())])
    found = edge_frequencies(lambda weight, seed: LabelGraph(next(parents)), 10, n_samples=4)
    assert_allclose(found.directed, [[0, 0.5, 0], [0.25, 0, 0.25], [0, 0, 0]])
    assert found.consensus(0.75).edges == ((0, 1),)
    assert found.consensus(0.0).edges == ((0, 1), (1, 2))
    table = found.pairs(["a", "b", "c"])
    assert table.to_numpy().tolist() == [["a", "b", 0.75, pytest.approx(2 / 3)], ["b", "c", 0.25, 1.0]]


def test_a_sample_counts_as_its_rows_weigh():
    sample, weight = np.random.default_rng(1).integers(0, 3, (2, 120))
    weighted = resampled("tree", DATA.X, DATA.Y, sample_weight=weight)(sample, 3)
    assert weighted.edges == resampled("tree", DATA.X, DATA.Y)(sample * weight, 3).edges
    with pytest.raises(ValueError, match="sample_weight"):
        resampled("tree", DATA.X, DATA.Y, sample_weight=weight[:9])


@pytest.mark.parametrize("sampling", ["bootstrap", "halves"])
def test_samples_of_the_rows(sampling):
    seen = []

    def learn(weight, seed):
        seen.append((weight, seed))
        return LabelGraph([()])

    edge_frequencies(learn, 51, n_samples=3, sampling=sampling)
    weights = np.array([weight for weight, _ in seen])
    assert_array_equal(weights.sum(axis=1), 51 if sampling == "bootstrap" else 25)
    assert (weights.max() > 1) == (sampling == "bootstrap")
    assert len({seed for _, seed in seen}) == len({weight.tobytes() for weight, _ in seen}) == 3


def test_a_seed_gives_the_same_frequencies():
    one, again, other = (
        edge_frequencies(resampled("tree", DATA.X, DATA.Y), 120, n_samples=10, random_state=seed) for seed in (0, 0, 1)
    )
    assert_array_equal(one.directed, again.directed)
    assert (one.directed != other.directed).any()


@pytest.mark.parametrize("structure", ["fs", "lead", "tree"])
def test_true_pairs_of_an_easy_graph_come_back(structure):
    data = simulate_label_dag(n_labels=6, random_state=0)
    found = edge_frequencies(resampled(structure, data.X, data.Y), data.n_instances, n_samples=5)
    truth = {frozenset(edge) for edge in LabelGraph(data.true_parents).edges}
    assert {frozenset(edge) for edge in found.consensus(0.9).edges} == truth


def test_the_bound_of_stability_selection():
    """q = 2 pairs a sample of p = 3: 4 / (0.6 * 3)."""
    directed = np.array([[0, 1, 0.5], [0, 0, 0], [0, 0.5, 0]])
    assert EdgeFrequencies(directed, 10, "halves").expected_false(0.8) == pytest.approx(4 / 1.8)
    with pytest.raises(ValueError, match=r"least=0.5, but expected a share above 1/2"):
        EdgeFrequencies(directed, 10, "halves").expected_false(0.5)
    with pytest.raises(ValueError, match="sampling='halves'"):
        EdgeFrequencies(directed, 10, "bootstrap").expected_false(0.8)


def test_what_cannot_be_sampled():
    learn = resampled("tree", DATA.X, DATA.Y)
    with pytest.raises(ValueError, match="structure='best', but expected one of fs, lead"):
        resampled("best", DATA.X, DATA.Y)
    with pytest.raises(ValueError, match="sampling='thirds'"):
        edge_frequencies(learn, 120, sampling="thirds")
    with pytest.raises(CancelledError):
        edge_frequencies(learn, 120, cancelled=lambda: True)
    with pytest.raises(ValueError, match="n_samples"):
        edge_frequencies(learn, 120, n_samples=1)


@NEEDS_PC
def test_pc_takes_whole_weights():
    with pytest.raises(ValueError, match="fractions"):
        pc(DATA.Y, sample_weight=np.full(120, 0.5))


def test_a_weight_of_one_for_each_row_changes_nothing():
    assert resampled("fs", DATA.X, DATA.Y)(np.ones(120, dtype=int), 0).edges == fs(DATA.Y, random_state=0).edges
