import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sentences import holds

from trellislib.data import DIFFICULTIES, simulate_label_dag
from trellislib.graphs import (
    VARIED,
    EdgeRoles,
    LabelGraph,
    difficulty_between,
    edge_roles,
    fs,
    recovery,
    recovery_batch,
    recovery_curve,
)


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


def test_roles_by_hand():
    truth = [(), (0,), (1,), (2,), ()]
    found = LabelGraph([(1,), (2,), (), (2,), (3,)])
    assert edge_roles(found, truth) == EdgeRoles(
        right=((2, 3),), reversed=((1, 0), (2, 1)), wrong=((3, 4),), missing=()
    )
    assert edge_roles([()] * 5, truth).missing == ((0, 1), (1, 2), (2, 3))


@given(graphs, graphs, st.permutations(range(5)))
def test_roles_and_scores_agree(one, other, order):
    turned = LabelGraph([[order[p] for p in other.parents[order.index(c)]] for c in range(5)])  # edges either way
    roles, scores = edge_roles(one, turned), recovery(one, turned)
    assert {*roles.right, *roles.reversed, *roles.wrong} == set(one.edges)
    n_found, n_true = len(one.edges), len(turned.edges)
    assert len(roles.right) + len(roles.reversed) + len(roles.missing) == n_true
    assert scores.shd == len(roles.reversed) + len(roles.wrong) + len(roles.missing)
    if n_found:
        assert scores.precision == len(roles.right) / n_found
        assert scores.skeleton_precision == (len(roles.right) + len(roles.reversed)) / n_found


def test_graphs_of_other_labels():
    with pytest.raises(ValueError, match="expected 3"):
        edge_roles([(), ()], [(), (), ()])
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
    with pytest.raises(ValueError, match=r"Got .*structure 'PC', .*expected .*\['FS'"):
        recovery_batch(["PC"])
    with pytest.raises(ValueError, match="Got n_datasets=0"):
        recovery_batch(n_datasets=0)
    assert np.isfinite(recovery_batch(["FS"], n_datasets=1, n_labels=1).select_dtypes("number")).all(axis=None)


# Curves over sizes and difficulties


class Seen:
    """A structure that finds nothing, and remembers the data sets and seeds that it was given."""

    def __init__(self):
        self.data, self.seeds = [], []

    def __call__(self, data, seed):
        self.data.append(data)
        self.seeds.append(seed)
        return LabelGraph.independent(data.n_labels)


def test_a_curve_has_a_row_for_each_value_data_set_and_structure():
    curve = recovery_curve(
        values=[20, 40], structures={"none": Seen(), "again": Seen()}, n_datasets=3, n_labels=5, random_state=0
    )
    assert list(curve.columns[:3]) == ["n_instances", "data set", "structure"]
    assert curve["n_instances"].to_list() == [20, 20, 40, 40] * 3
    assert curve["data set"].to_list() == [1] * 4 + [2] * 4 + [3] * 4
    assert curve["structure"].to_list() == ["none", "again"] * 6


def test_sizes_may_be_whole_numbers_of_any_kind():
    seen = Seen()
    curve = recovery_curve(values=np.array([20.0, 40.0]), structures={"none": seen}, n_datasets=1, random_state=0)
    assert [data.n_instances for data in seen.data] == curve["n_instances"].to_list() == [20, 40]
    with pytest.raises(ValueError, match=r"Got n_instances=20\.5, .*expected .*integer"):
        recovery_curve(values=[20.5], structures={"none": seen}, random_state=0)


def test_sizes_are_of_the_same_graphs_and_roots():
    seen = Seen()
    recovery_curve(values=[20, 40], structures={"none": seen}, n_datasets=2, n_labels=6, random_state=0)
    small, large, of_next, _ = seen.data
    assert [data.n_instances for data in seen.data] == [20, 40, 20, 40]
    assert small.true_parents == large.true_parents != of_next.true_parents
    assert seen.seeds[0] == seen.seeds[1] != seen.seeds[2]


def test_difficulties_are_of_the_same_graphs_and_features():
    seen = Seen()
    setting = {"n_instances": 30, "n_labels": 6, "n_features": 4, "n_ones": 2, "delta": 0.2}
    recovery_curve("difficulty", structures={"none": seen}, n_datasets=1, random_state=0, **setting)
    assert len(seen.data) == len(VARIED["difficulty"])
    for data in seen.data:
        assert data.true_parents == seen.data[0].true_parents
        np.testing.assert_array_equal(data.X, seen.data[0].X)
    assert [data.notes[0] for data in seen.data[::4]] == [
        simulate_label_dag(**DIFFICULTIES[name], delta=0.2).notes[0] for name in ("easy", "hard")
    ]


def test_the_first_data_sets_of_a_curve_stay():
    given = {"values": [30], "structures": ["FS"], "n_labels": 6, "random_state": 4}
    two, three = (recovery_curve(n_datasets=n, **given) for n in (2, 3))
    pd.testing.assert_frame_equal(three[:2], two)


def test_a_curve_agrees_with_its_data_sets_one_by_one():
    seen = Seen()
    given = {"values": [100, 300], "n_datasets": 2, "n_labels": 8, "random_state": 1}
    recovery_curve(structures={"none": seen}, **given)
    curve = recovery_curve(structures=["FS"], **given)
    for (_, row), data, seed in zip(curve.iterrows(), seen.data, seen.seeds, strict=True):
        assert row["f"] == recovery(fs(data.Y, random_state=seed), data.true_parents).f


def test_more_instances_and_easier_sets_help():
    f = recovery_curve(values=[50, 1000], structures=["LEAD (signed)"], n_datasets=4, n_labels=10, random_state=0)
    assert f.groupby("n_instances")["skeleton_f"].mean().is_monotonic_increasing
    f = recovery_curve("difficulty", [0, 1], ["LEAD (signed)"], n_datasets=4, n_labels=10, random_state=0)
    assert f.groupby("difficulty")["skeleton_f"].mean().is_monotonic_decreasing


@pytest.mark.parametrize("learn", [recovery_curve, recovery_batch])
def test_progress_is_reported_and_a_cancel_keeps_what_is_finished(learn):
    reported = []
    given = {"structures": {"one": Seen(), "other": Seen()}, "n_datasets": 3, "n_labels": 4, "random_state": 0}
    given |= {"values": [20, 40]} if learn is recovery_curve else {"n_instances": 20}
    whole = learn(**given, progress=lambda done, total, what: reported.append((done, total, what)))
    assert [done for done, _, _ in reported] == list(range(len(whole) + 1))  # at last, that it is all done
    assert {total for _, total, _ in reported} == {len(whole)}
    holds(reported[0][2], "one", "data set 1", "N = 20")
    asked = iter([False] * 3 + [True])
    part = learn(**given, cancelled=lambda: next(asked))
    pd.testing.assert_frame_equal(part, whole[:3])
    nothing = learn(**given, cancelled=lambda: True)
    assert nothing.empty
    assert list(nothing.columns) == list(whole.columns)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"vary": "L"}, r"Got vary='L', .*expected .*\['n_instances', 'difficulty'\]"),
        ({"n_instances": 50}, r"Got n_instances=50, .*varies .*leave .*out."),
        ({"vary": "difficulty", "sigma2": 2.0}, r"Got sigma2=2.0, .*varies"),
        ({"structures": ["PC"]}, "Got the structure 'PC'"),
        ({"n_datasets": 0}, "Got n_datasets=0"),
    ],
)
def test_errors_of_a_curve(arguments, message):
    with pytest.raises(ValueError, match=message):
        recovery_curve(**arguments)


def test_what_a_curve_has_finished_is_reported_after_each_data_set():
    reported = []
    whole = recovery_curve(
        values=[20, 50], structures=["FS", "MI tree"], n_datasets=2, n_labels=4, random_state=0, so_far=reported.append
    )
    assert [len(curve) for curve in reported] == [2, 4, 6, 8]
    for curve in reported:
        pd.testing.assert_frame_equal(curve, whole[: len(curve)])
