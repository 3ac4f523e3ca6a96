"""What holds for all tests."""

import gc
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: more threads for small matrices only take turns
os.environ.setdefault("OMP_NUM_THREADS", "1")

from hypothesis import settings

# What is compiled is kept, also for the many processes that tests start.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A slow machine breaks no property, and a property that holds today holds tomorrow. Examples are always the same, and a
# second fifty of them hardly ever finds more.
settings.register_profile("any machine", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("any machine")


def pytest_collection_finish() -> None:
    """Leave modules and tests out of every later search for garbage: they stay to the end."""
    gc.collect()
    gc.freeze()
