"""Types that several parts of the library share."""

from typing import Any, TypeAlias

Matrix: TypeAlias = Any
"""An ndarray or a `scipy.sparse.csr_array`; scipy's sparse arrays carry no types that a checker could use."""
