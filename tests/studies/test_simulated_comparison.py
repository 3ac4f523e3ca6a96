"""Methods on many simulated data sets."""

import pytest

from trellislib import ClassifierChain, IndependentClassifiers
from trellislib.data import simulate_label_dag
from trellislib.studies.simulated_comparison import simulated_comparison

METHODS = {"IC": IndependentClassifiers(), "CC": ClassifierChain()}


def test_every_score_is_that_of_its_data_set():
    scores, seconds = simulated_comparison(METHODS, 3, n_train=60, n_test=40, n_labels=4, seed=5)
    assert scores.index.to_list() == ["graph 5", "graph 6", "graph 7"]
    assert (seconds > 0).all(axis=None)
    for number in (5, 6, 7):
        data = simulate_label_dag(100, 4, random_state=number)
        for name, method in (("IC", IndependentClassifiers()), ("CC", ClassifierChain())):
            predicted = method.fit(data.X[:60], data.Y[:60]).predict(data.X[60:])
            right = sum(bool((ours == truth).all()) for ours, truth in zip(predicted, data.Y[60:], strict=True))
            assert scores.loc[f"graph {number}", name] == right / 40


def test_more_data_sets_begin_with_the_same_ones():
    few, _ = simulated_comparison(METHODS, 2, n_train=50, n_test=20)
    more, seconds = simulated_comparison(METHODS, 4, n_train=50, n_test=20)
    assert more.iloc[:2].equals(few)
    assert seconds.shape == more.shape == (4, 2)
    assert not hasattr(METHODS["IC"], "classes_")  # clones were trained


def test_no_methods_are_refused():
    with pytest.raises(ValueError, match=r"Got no methods, .*expected .*least"):
        simulated_comparison({}, 2, n_train=50, n_test=20)


@pytest.mark.parametrize("name", ["n_datasets", "n_train", "n_test"])
def test_no_number_is_below_one(name):
    with pytest.raises(ValueError, match=rf"Got {name}=0, .*expected .*integer .*least 1"):
        simulated_comparison(METHODS, **{name: 0})
