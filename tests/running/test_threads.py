import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from trellislib import Greedy, IndependentClassifiers
from trellislib.running import threads
from trellislib.running.threads import LARGE, blas_threads_for, one_blas_thread


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_overlapping_blocks_neither_undo_each_other_nor_leave_a_trace():
    first_in, second_in, first_out = threading.Event(), threading.Event(), threading.Event()
    seen = []

    def first():
        with one_blas_thread():
            first_in.set()
            assert second_in.wait(10)
        first_out.set()

    def second():
        assert first_in.wait(10)
        with one_blas_thread():
            second_in.set()
            assert first_out.wait(10)
            seen.append(blas_threads())

    with threadpool_limits(limits=2, user_api="blas"):
        before = blas_threads()
        workers = [threading.Thread(target=work) for work in (first, second)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert seen == [{1}], "the second block still has one thread after the first has ended"
        assert blas_threads() == before


def test_the_number_comes_back_after_an_error():
    with threadpool_limits(limits=2, user_api="blas"):
        before = blas_threads()
        try:
            with one_blas_thread():
                raise RuntimeError
        except RuntimeError:
            pass
        assert blas_threads() == before


def test_large_products_have_all_threads_and_small_ones_one():
    with threadpool_limits(limits=2, user_api="blas"):
        before = blas_threads()
        with blas_threads_for(LARGE - 1):
            assert blas_threads() == {1}
        for multiplications in (threads.SMALL - 1, LARGE):
            with blas_threads_for(multiplications):
                assert blas_threads() == before


@pytest.mark.parametrize(("worth", "is_one"), [(1, False), (2**60, True)])
def test_methods_ask_for_the_threads_that_their_products_are_worth(worth, is_one, monkeypatch):
    monkeypatch.setattr(threads, "SMALL", 1)
    monkeypatch.setattr(threads, "LARGE", worth)
    seen = []
    monkeypatch.setattr(IndependentClassifiers, "_label_graph", noting(seen, IndependentClassifiers._label_graph))
    monkeypatch.setattr(Greedy, "infer", noting(seen, Greedy.infer))
    with threadpool_limits(limits=2, user_api="blas"):
        most = blas_threads()
        X, Y = np.eye(4), np.eye(4, dtype=int)
        IndependentClassifiers().fit(X, Y).predict(X)
        assert blas_threads() == most
    assert seen == [{1} if is_one else most] * 2


def noting(seen, function):
    """Return a function that notes how many threads there are, and calls another."""

    def noted(*arguments):
        seen.append(blas_threads())
        return function(*arguments)

    return noted
