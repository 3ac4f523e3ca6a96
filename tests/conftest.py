"""What holds for all tests."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: more threads for small matrices only take turns
os.environ.setdefault("OMP_NUM_THREADS", "1")

from hypothesis import settings

# A slow machine breaks no property, and a property that holds today holds tomorrow. Examples are always the same, and a
# second fifty of them hardly ever finds more.
settings.register_profile("any machine", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("any machine")
