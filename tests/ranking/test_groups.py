from itertools import combinations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellislib.ranking import groups_of

names = st.integers(1, 8).map(lambda n: [f"m{i}" for i in range(n)])
rankings = names.flatmap(
    lambda methods: st.lists(st.integers(0, 40), min_size=len(methods), max_size=len(methods)).map(
        lambda quarters: pd.Series(quarters, index=methods) / 4
    )
)


def by_distance(average_ranks, distance):
    return lambda one, other: abs(average_ranks[one] - average_ranks[other]) >= distance


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        (0.5, ()),
        (1.0, ()),
        (1.1, (("a", "b"), ("d", "e"))),
        (2.0, (("a", "b"), ("d", "e"))),
        (2.1, (("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"))),
        (3.1, (("a", "b", "c"), ("c", "d", "e"))),
        (9.0, (("a", "b", "c", "d", "e"),)),
    ],
)
def test_by_hand(distance, expected):
    average_ranks = pd.Series({"d": 6.0, "b": 2.0, "e": 7.0, "a": 1.0, "c": 4.0})
    assert groups_of(average_ranks, by_distance(average_ranks, distance)) == expected


def test_a_pair_that_differs_between_neighbours_that_do_not():
    """As pairwise tests can have it: b differs from c and nothing else differs."""
    average_ranks = pd.Series({"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0})
    assert groups_of(average_ranks, lambda *pair: set(pair) == {"b", "c"}) == (("a", "b"), ("c", "d"))
    assert groups_of(average_ranks, lambda *pair: set(pair) == {"a", "d"}) == (("a", "b", "c"), ("b", "c", "d"))


def test_same_average_rank_stays_in_order():
    assert groups_of(pd.Series({"b": 2.0, "a": 2.0, "c": 2.0}), lambda one, other: False) == (("b", "a", "c"),)


@given(rankings, st.integers(1, 20).map(lambda quarters: quarters / 4))
def test_groups_by_distance(average_ranks, distance):
    differs = by_distance(average_ranks, distance)
    groups = groups_of(average_ranks, differs)
    for group in groups:
        assert len(group) > 1
        assert list(average_ranks[list(group)]) == sorted(average_ranks[list(group)])
        assert not any(differs(*pair) for pair in combinations(group, 2))
        for other in set(average_ranks.index) - set(group):
            assert any(differs(other, method) for method in group)
    together = {frozenset(pair) for group in groups for pair in combinations(group, 2)}
    alike = {frozenset(pair) for pair in combinations(average_ranks.index, 2) if not differs(*pair)}
    assert together == alike


@given(rankings, st.data())
def test_groups_of_any_pairs(average_ranks, data):
    """The runs of neighbours without a pair that differs, of which none holds another: by trying all runs."""
    pairs = list(combinations(average_ranks.index, 2))
    different = {frozenset(pair) for pair in pairs if data.draw(st.booleans())}
    ordered = list(average_ranks.sort_values(kind="stable").index)
    runs = [ordered[i:j] for i in range(len(ordered)) for j in range(i + 2, len(ordered) + 1)]
    fine = [run for run in runs if not any(frozenset(pair) in different for pair in combinations(run, 2))]
    expected = [tuple(run) for run in fine if not any(set(run) < set(other) for other in fine)]
    assert list(groups_of(average_ranks, lambda *pair: frozenset(pair) in different)) == expected
