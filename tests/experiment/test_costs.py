import pytest

from trellislib.experiment.costs import (
    ROOM_CELLS,
    Costs,
    pair_seconds,
    recovery_seconds,
    room_comparison_seconds,
    room_training_seconds,
)

SIZE = (2000, 100, 50)


def seconds(costs):
    """Return all estimates for data of a size."""
    ways = ("hill-climbing", "random", "explained")
    return [
        costs.preparation,
        costs.gibbs_sampling,
        costs.residuals,
        costs.automatic,
        costs.deciding,
        *(costs.cross_validation(way) for way in ways),
        costs.cross_validation("search", 10),
        costs.placement("search", 10),
    ]


@pytest.mark.parametrize("larger", [(4000, 100, 50), (2000, 100, 100)])
def test_more_instances_or_labels_take_longer(larger):
    assert all(more > less for less, more in zip(seconds(Costs(*SIZE)), seconds(Costs(*larger)), strict=True))


def test_more_features_never_take_less_time():
    more = Costs(2000, 200, 50)
    assert all(after >= before for before, after in zip(seconds(Costs(*SIZE)), seconds(more), strict=True))
    assert more.preparation > Costs(*SIZE).preparation
    assert more.leverages > Costs(*SIZE).leverages


def test_placements_are_ordered_by_what_they_compute():
    costs = Costs(*SIZE)
    ways = [("random", 0), ("hill-climbing", 0), ("explained", 0), ("search", 10), ("search", 100)]
    assert [costs.placement(*way) for way in ways] == sorted(costs.placement(*way) for way in ways)
    validated = [costs.cross_validation(*way) for way in ways]
    assert validated == sorted(validated)
    assert costs.placement("random") == 0, "nothing is compared"


def test_scoring_takes_at_least_as_long_as_placing_the_labels_in_each_fold():
    costs = Costs(*SIZE)
    assert costs.cross_validation("explained") > 5 * costs.placement("explained")


@pytest.mark.parametrize("is_sparse", [True, False])
def test_seconds_of_pairs_grow_with_labels_passes_and_placements(is_sparse):
    base = pair_seconds(5000, 2, 3, is_sparse=is_sparse)
    for more in ((6000, 2, 3), (5000, 3, 3), (5000, 2, 4)):
        assert pair_seconds(*more, is_sparse=is_sparse) > base


def test_placing_by_sparse_counts_is_cheaper_where_labels_are_many():
    assert pair_seconds(10_000, 0, 1, is_sparse=True) < pair_seconds(10_000, 0, 1, is_sparse=False)


def test_seconds_of_a_room_grow_with_tiles_scenes_and_instances():
    base = room_training_seconds(400, 1000, is_climbed=False)
    assert room_training_seconds(400, 1000, is_climbed=True) > base
    assert room_training_seconds(900, 1000, is_climbed=False) > base
    assert room_training_seconds(400, 2000, is_climbed=False) > base
    by_learner = [room_training_seconds(400, 1000, is_climbed=False, learner=learner) for learner in ROOM_CELLS]
    assert by_learner == sorted(by_learner)
    assert by_learner[0] == base
    assert room_comparison_seconds(20, 0.1) < room_comparison_seconds(20, 1.0) < room_comparison_seconds(100, 1.0)


def test_seconds_of_a_recovery_add_up_over_data_sets():
    assert recovery_seconds(20, 10, [500, 500]) == pytest.approx(2 * recovery_seconds(20, 10, [500]))
    assert recovery_seconds(20, 10, [5000]) > recovery_seconds(20, 10, [500])
    assert recovery_seconds(40, 10, [500]) > recovery_seconds(20, 10, [500])


def test_automatic_features_take_longer_where_neighbours_are_tried():
    without, tried, too_many = (Costs(n, 100, 14).automatic for n in (999, 1000, 2**14 + 1))
    assert tried > 1.3 * without
    assert too_many < Costs(2**14, 100, 14).automatic
    assert Costs(2000, 100, 1001).automatic < Costs(2000, 100, 1000).automatic
