"""A stream that never is in memory: run ``python tests/benchmarks/streaming.py [N_MILLIONS [CSV]]``.

A classifier trellis is fitted to N_MILLIONS (by default 10) million instances with 20 features and 1,000 labels, drawn
chunk by chunk from a seed. Every instance has one of 20 topics, which its features show with noise, and on average 4.75
labels of that topic, which depend on each other: labels fall into five slots of ten variants, a slot is taken by at
most one of them, and slots prefer the variant of the instance.

Prints the seconds of drawing, of summing up and of the fit that follows, instances per second, the peak of memory
after 1 %, 10 % and all of the stream, and what the fit is worth on a chunk that was held out, beside independent
classifiers fitted to one chunk. Last, a stream of 100,000 instances is compared with all of them fitted at once. One
BLAS thread.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from common import peak_gib, show
from numpy.testing import assert_allclose
from scipy import sparse
from threadpoolctl import threadpool_limits

from trellislib import ClassifierTrellis, IndependentClassifiers
from trellislib.metrics import accuracy, exact_match, hamming_score

Chunk = tuple[np.ndarray, sparse.csr_array]

N_TOPICS, N_SLOTS, N_VARIANTS = 20, 5, 10
N_FEATURES, N_LABELS = N_TOPICS, N_TOPICS * N_SLOTS * N_VARIANTS
SIGNAL = 10.0  # by how much the feature of the topic is raised, in standard deviations of the noise
AGREE, TAKEN = 0.8, 0.95  # how often a slot has the instance's variant, and any variant
CHUNK = 50_000
N_COMPARED = 100_000


def drawn(n_instances: int, seed: list[int]) -> Chunk:
    """Return features and labels of some instances; variants have frequencies that fall fast."""
    rng = np.random.default_rng(seed)
    topic = rng.integers(N_TOPICS, size=n_instances)
    X = rng.standard_normal((n_instances, N_FEATURES))
    X[np.arange(n_instances), topic] += SIGNAL
    shape = (n_instances, N_SLOTS)
    own, other = (
        (N_VARIANTS * rng.random(size, dtype=np.float32) ** 8).astype(np.int32) for size in ((n_instances, 1), shape)
    )
    variant = np.where(rng.random(shape, dtype=np.float32) < AGREE, own, other)
    labels = (topic[:, None] * N_SLOTS + np.arange(N_SLOTS)) * N_VARIANTS + variant
    taken = rng.random(shape, dtype=np.float32) < TAKEN
    indptr = np.concatenate([[0], taken.sum(axis=1).cumsum()])
    indices = labels[taken]
    Y = sparse.csr_array((np.ones(len(indices), dtype=np.int8), indices, indptr), shape=(n_instances, N_LABELS))
    return X, Y


@dataclass
class Stream:
    """Chunks of a stream, and what was noted while they passed."""

    n_instances: int
    n_passed: int = 0
    drawing: float = 0.0
    ended: float = 0.0
    peaks: dict[float, float] = field(default_factory=dict)

    def chunks(self) -> Iterator[Chunk]:
        """Draw the chunks, one when it is asked for."""
        for number, first in enumerate(range(0, self.n_instances, CHUNK)):
            start = time.perf_counter()
            chunk = drawn(min(CHUNK, self.n_instances - first), [1, number])
            self.drawing += time.perf_counter() - start
            yield chunk
            self.n_passed += chunk[0].shape[0]
            for share in (0.01, 0.1, 1.0):
                if self.n_passed >= share * self.n_instances:
                    self.peaks.setdefault(share, peak_gib())
        self.ended = time.perf_counter()


def check_small() -> None:
    """Compare a stream with all of it at once."""
    X, Y = drawn(N_COMPARED, [0])
    whole = ClassifierTrellis(random_state=0).fit(X, Y)
    parts = ((X[first : first + 7_000], Y[first : first + 7_000]) for first in range(0, N_COMPARED, 7_000))
    streamed = ClassifierTrellis(random_state=0).fit_chunks(parts)
    if whole.graph_ != streamed.graph_:
        raise AssertionError("Got another trellis from chunks than from all instances at once.")
    for name in ("on_features", "intercept"):
        assert_allclose(getattr(streamed.conditionals_, name), getattr(whole.conditionals_, name), atol=1e-9)
    assert_allclose(streamed.conditionals_.on_inputs.toarray(), whole.conditionals_.on_inputs.toarray(), atol=1e-9)
    differ = (streamed.predict(X) != whole.predict(X)).sum()
    print(f"{N_COMPARED:,} instances in chunks: the trellis and the weights of all at once; {differ} cells differ")


def main(n_millions: str = "10", csv: str | None = None) -> None:
    """Measure."""
    stream = Stream(round(float(n_millions) * 1e6))
    start = time.perf_counter()
    method = ClassifierTrellis(random_state=0).fit_chunks(stream.chunks())
    fitted = time.perf_counter()
    X, Y = drawn(CHUNK, [2])
    predicted = method.predict(X)
    done = time.perf_counter()
    alone = IndependentClassifiers().fit(*drawn(CHUNK, [1, 0])).predict(X)
    summing = stream.ended - start - stream.drawing
    rows: list[dict[str, object]] = [
        {"what": "instances", "value": f"{stream.n_instances:,}"},
        {"what": "drawing", "value": stream.drawing, "unit": "s"},
        {"what": "summing up", "value": summing, "unit": "s"},
        {"what": "placing and fitting", "value": fitted - stream.ended, "unit": "s"},
        {"what": "rate, drawing left out", "value": f"{stream.n_instances / summing:,.0f}", "unit": "instances/s"},
        {"what": f"predicting {CHUNK:,} instances", "value": done - fitted, "unit": "s"},
        *({"what": f"peak after {share:.0%}", "value": peak, "unit": "GiB"} for share, peak in stream.peaks.items()),
        *(
            {"what": f"{name} on a held-out chunk, {key}", "value": score(Y, found)}
            for name, score in (("accuracy", accuracy), ("exact match", exact_match), ("Hamming score", hamming_score))
            for key, found in (("CT", predicted), (f"IC of {CHUNK:,} instances", alone))
        ),
    ]
    show(rows, Path(csv) if csv else None)
    check_small()


if __name__ == "__main__":
    with threadpool_limits(limits=1, user_api="blas"):
        main(*sys.argv[1:])
