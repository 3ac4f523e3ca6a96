"""What holds for all tests."""

import copy
import functools
import gc
import os
import sys
from collections.abc import Iterator

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: more threads for small matrices only take turns
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from trellislib.data.sets import installed

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


@pytest.fixture(autouse=True, scope="session")
def packaged_sets_are_read_once() -> Iterator[None]:
    """Read the data set that a package carries once, not hundreds of times; whoever asks for it has a copy."""
    with pytest.MonkeyPatch.context() as patched:
        for name in ("_yeast", "_movies", "_solar_flare"):
            read = functools.cache(getattr(installed, name))
            patched.setattr(installed, name, lambda read=read: copy.deepcopy(read()))
        yield
