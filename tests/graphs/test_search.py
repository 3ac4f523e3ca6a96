import pytest

from trellislib.graphs import Trellis, random_trellis, searched_trellis
from trellislib.running.progress import CancelledError


def in_order(trellis):
    """Count the edges from a lower label to a higher one."""
    return sum(parent < child for parent, child in trellis.edges)


def test_only_improvements_are_accepted_and_every_trial_is_a_swap():
    start = random_trellis(9, 3, random_state=0)
    tried = []

    def payoff(trellis):
        tried.append(trellis)
        return in_order(trellis)

    found = searched_trellis(start, payoff, n_swaps=50, random_state=1)
    assert len(tried) == len({trellis.order for trellis in tried}) <= 51
    assert tried[0] == start
    best = start
    for trellis in tried[1:]:
        assert sum(a != b for a, b in zip(trellis.order, best.order, strict=True)) == 2
        assert (trellis.width, trellis.offsets) == (start.width, start.offsets)
        if in_order(trellis) > in_order(best):
            best = trellis
    assert found == best
    assert in_order(found) > in_order(start)


def test_an_equal_payoff_changes_nothing():
    start = random_trellis(6, random_state=0)
    assert searched_trellis(start, lambda trellis: 1.0, random_state=0) == start


@pytest.mark.parametrize("start", [Trellis([0], 1, [(0, -1)]), random_trellis(4, random_state=0)])
def test_nothing_to_swap_or_no_budget(start):
    assert searched_trellis(start, in_order, n_swaps=0 if start.n_labels > 1 else 5, random_state=0) == start


def test_a_seed_repeats_the_search():
    start = random_trellis(8, random_state=0)
    found = [searched_trellis(start, in_order, n_swaps=20, random_state=seed).order for seed in (3, 3, 4)]
    assert found[0] == found[1] != found[2]


def test_progress_cancel_and_budget():
    start, reported = random_trellis(5, random_state=0), []
    searched_trellis(start, in_order, n_swaps=3, random_state=0, progress=lambda *what: reported.append(what))
    assert reported == [(1, 3, "swaps"), (2, 3, "swaps"), (3, 3, "swaps")]
    answers = iter([False, True])
    with pytest.raises(CancelledError):
        searched_trellis(start, in_order, random_state=0, cancelled=lambda: next(answers))
    with pytest.raises(ValueError, match="n_swaps=-1"):
        searched_trellis(start, in_order, n_swaps=-1)
