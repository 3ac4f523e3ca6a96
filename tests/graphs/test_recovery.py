import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellislib.data import DIFFICULTIES
from trellislib.graphs import LabelGraph, difficulty_between, recovery, recovery_batch


def test_by_hand():
    truth = [(), (0,), (1,), (2,), ()]
    found = LabelGraph([(1,), (2,), (), (2,), (3,)])  # 0-1 and 1-2 reversed, 2-3 right, 3-4 extra
    agreement = recovery(found, truth)
    assert (agreement.precision, agreement.recall, agreement.f) == (1 / 4, 1 / 3, 2 / 7)
    assert (agreement.skeleton_precision, agreement.skeleton_recall, agreement.skeleton_f) == (3 / 4, 1, 6 / 7)
    assert agreement.shd == 3
    assert recovery([(), (0,), ()], [(), (), (0,)]).shd == 2  # one missing, one extra


def test_empty_graphs():
    empty, one = LabelGraph.independent(3), LabelGraph([(), (0,), ()])
    both = recovery(empty, empty)
    assert (both.precision, both.recall, both.f, both.skeleton_f, both.shd) == (1, 1, 1, 1, 0)
    nothing_found = recovery(empty, one)
    assert (nothing_found.precision, nothing_found.recall, nothing_found.f, nothing_found.shd) == (1, 0, 0, 1)
    nothing_to_find = recovery(one, empty)
    assert (nothing_to_find.precision, nothing_to_find.recall, nothing_to_find.f) == (0, 1, 0)


graphs = st.lists(st.booleans(), min_size=10, max_size=10).map(
    lambda kept: LabelGraph([[p for p in range(c) if kept[c * (c - 1) // 2 + p]] for c in range(5)])
)


@given(graphs, graphs)
def test_distance_and_agreement(one, other):
    there, back = recovery(one, other), recovery(other, one)
    assert there.shd == back.shd
    assert (there.precision, there.f) == (back.recall, back.f)
    assert there.skeleton_f >= there.f
    assert (there.shd == 0) == (there.f == 1) == (one.edges == other.edges)


def test_graphs_of_other_labels():
    with pytest.raises(ValueError, match="expected 3"):
        recovery([(), ()], [(), (), ()])
    with pytest.raises(ValueError, match="cycle"):
        recovery([(1,), (0,)], [(), ()])


def test_difficulty_runs_from_easy_to_hard():
    assert difficulty_between(0.0) == DIFFICULTIES["easy"]
    assert difficulty_between(1.0) == DIFFICULTIES["hard"]


def test_a_batch_has_a_row_for_each_data_set_and_structure():
    seen = []

    def truth(data, seed):
        seen.append(seed)
        return LabelGraph(data.true_parents)

    structures = {"none": lambda data, seed: LabelGraph.independent(data.Y.shape[1]), "truth": truth}
    batch = recovery_batch(structures, n_datasets=3, n_instances=20, n_labels=6, random_state=1)
    assert batch["structure"].to_list() == ["none", "truth"] * 3
    assert batch["data set"].to_list() == [1, 1, 2, 2, 3, 3]
    assert (batch.loc[batch["structure"] == "truth", "f"] == 1).all()
    assert batch["alpha"].between(0.25, 1).all()
    assert batch["sigma2"].between(1, 5).all()
    assert batch["alpha"].nunique() == len(set(seen)) == 3
    assert batch.equals(recovery_batch(structures, n_datasets=3, n_instances=20, n_labels=6, random_state=1))


def test_the_papers_batch_is_beaten():
    f = recovery_batch(random_state=0).groupby("structure")[["f", "skeleton_f"]].mean()
    assert list(f.index) == ["FS", "LEAD (error)", "LEAD (signed)", "MI tree"]
    assert (f.loc[["FS", "LEAD (signed)", "MI tree"], "f"] > 0.5).all()  # the paper has 0.278 and 0.263
    assert (f.loc[["FS", "LEAD (signed)", "MI tree"], "skeleton_f"] > 0.78).all()


def test_unknown_structures():
    with pytest.raises(ValueError, match=r"Got the structure 'PC', but expected one of \['FS'"):
        recovery_batch(["PC"])
    with pytest.raises(ValueError, match="Got n_datasets=0"):
        recovery_batch(n_datasets=0)
    assert np.isfinite(recovery_batch(["FS"], n_datasets=1, n_labels=1).select_dtypes("number")).all(axis=None)
