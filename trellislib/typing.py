"""Types that several parts of the library share."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

Labels: TypeAlias = Sequence[int] | np.ndarray
"""The numbers of some labels."""

Matrix: TypeAlias = Any
"""An ndarray or a `scipy.sparse.csr_array`; scipy's sparse arrays carry no types that a checker could use."""
