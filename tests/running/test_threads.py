import threading

from threadpoolctl import threadpool_info, threadpool_limits

from trellislib.running.threads import one_blas_thread


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
