import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from trellislib import (
    ClassifierChain,
    ClassifierTrellis,
    ConditionalDependencyNetwork,
    EnsembleClassifierChains,
    EnsembleClassifierTrellises,
    IndependentClassifiers,
    Logistic,
    MonteCarloClassifierChain,
)
from trellislib.running import memory
from trellislib.running.memory import GIB, MemoryBudgetError, Need, Size, limited_memory, memory_budget


def made(n_labels=1000, n_instances=400):
    rng = np.random.default_rng(0)
    return rng.random((n_instances, 5)), sparse.random_array((n_instances, n_labels), density=0.01, rng=rng) > 0


def test_the_budget_is_the_innermost_limit_then_the_variable_then_the_machine(monkeypatch):
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    assert 0 < memory_budget() <= memory._of_machine()
    monkeypatch.setenv(memory.VARIABLE, "1.5")
    assert memory_budget() == 1.5 * GIB
    with limited_memory(1), limited_memory(2):
        assert memory_budget() == 2 * GIB
    for wrong in (0, -1, "2GB", None):
        with pytest.raises(ValueError, match=r"memory limit .*number .*GiB above 0"), limited_memory(wrong):
            pass
    assert memory_budget() == 1.5 * GIB
    monkeypatch.setenv(memory.VARIABLE, "much")
    with pytest.raises(ValueError, match=r"TRELLISLIB_MEMORY='much'.*GiB"):
        memory_budget()


def test_a_container_may_have_less_than_the_machine(monkeypatch, tmp_path):
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(memory, "CGROUP_LIMITS", (str(limit),))
    assert memory_budget() == memory._of_machine()
    limit.write_text("max\n")
    assert memory_budget() == memory._of_machine()
    limit.write_text("1048576\n")
    assert memory_budget() == 2**20


def test_needs_add_up_in_the_words_of_the_larger():
    both = Need(3, "this", "use that") + Need(5, "more", "use less")
    assert both == Need(8, "more", "use less")


@pytest.mark.parametrize(
    ("method", "instead"),
    [
        (ClassifierChain(), "use ClassifierTrellis"),
        (EnsembleClassifierChains(), "use EnsembleClassifierTrellises"),
        (MonteCarloClassifierChain(), "use ClassifierTrellis"),
        (ConditionalDependencyNetwork(), "use ClassifierDependencyTrellis"),
        (ClassifierTrellis(dependence="residual"), "use placement='explained'"),
        (EnsembleClassifierTrellises(dependence="co-occurrence"), "use placement='explained'"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_too_large_is_refused_before_it_starts_and_what_is_cheaper_is_named(method, instead):
    X, Y = made()
    with (
        limited_memory(2**-10),
        pytest.raises(MemoryBudgetError, match=f"{type(method).__name__} would need.*{instead}"),
    ):
        method.fit(X, Y)
    assert not hasattr(method, "coding_")


def test_what_fits_is_fitted():
    X, Y = made(n_labels=50)
    with limited_memory(2**-10):
        for method in (IndependentClassifiers(), ClassifierTrellis(random_state=0), ClassifierChain()):
            method.fit(X, Y)


@pytest.mark.parametrize(
    "method",
    [
        ClassifierChain(),
        EnsembleClassifierChains(n_estimators=4, random_state=0),
        MonteCarloClassifierChain(n_orders=2, random_state=0),
        ClassifierTrellis(random_state=0),
        ClassifierTrellis(dependence="residual", random_state=0),
    ],
)
def test_estimates_are_near_what_is_taken(method):
    X, Y = made()
    method.fit(X, Y)  # what is imported on first use does not count
    tracemalloc.start()
    method.fit(X, Y)
    _, taken = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    estimated = method.memory_needed(Size.of(X, Y, Y.shape[1])).n_bytes
    assert taken / 4 < estimated < 4 * taken


@pytest.mark.parametrize(
    "method",
    [
        IndependentClassifiers(),
        IndependentClassifiers(Logistic()),
        EnsembleClassifierTrellises(n_estimators=2, random_state=0),
    ],
    ids=str,
)
def test_estimates_of_many_instances_are_near_what_is_taken(method):
    rng = np.random.default_rng(0)
    X, Y = rng.random((40_000, 60)), rng.integers(2, size=(40_000, 6), dtype=np.int8)
    method.fit(X[:50], Y[:50])
    tracemalloc.start()
    method.fit(X, Y)
    _, taken = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken / 4 < method.memory_needed(Size.of(X, Y, 6)).n_bytes < 4 * taken


def test_a_base_learner_that_sums_up_nothing_needs_no_sums():
    many = Size(50_000, 50_000, 20, dense_features=False)
    assert IndependentClassifiers(LogisticRegression()).memory_needed(many).n_bytes < 2**24
    assert IndependentClassifiers().memory_needed(many).n_bytes > 2**34
