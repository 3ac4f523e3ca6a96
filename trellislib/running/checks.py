"""Checks of arguments that several functions make, with the same words."""

from __future__ import annotations

from numbers import Integral

import numpy as np
import pandas as pd
from sklearn.utils import check_array


def require_integer(name: str, value: object, lowest: int = 1) -> None:
    """Raise `ValueError` unless `value` is an integer of at least `lowest`."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < lowest:
        raise ValueError(f"Got {name}={value!r}, but expected an integer of at least {lowest}.")


def checked_weight(sample_weight: object, n_instances: int) -> np.ndarray:
    """Return the weights of the instances as an array; raise a ValueError unless all are at least 0 and some above."""
    weight = check_array(sample_weight, ensure_2d=False, dtype=float, input_name="sample_weight")
    if weight.shape != (n_instances,):
        raise ValueError(f"Got sample_weight of shape {weight.shape}, but expected ({n_instances},).")
    if (weight < 0).any() or not weight.any():
        raise ValueError(
            "Got a sample_weight that is negative, or all of zero, but expected some above and none below."
        )
    return weight


def checked_groups(groups: object, n_instances: int) -> np.ndarray:
    """Return the groups of the instances as numbers from 0 on; raise a ValueError unless every instance has one."""
    names = np.asarray(groups)
    if names.shape != (n_instances,):
        raise ValueError(f"Got groups of shape {names.shape}, but expected ({n_instances},).")
    codes = pd.factorize(names)[0]
    if (codes < 0).any():
        raise ValueError(f"Got no group for instance {codes.argmin()}, but expected what each instance is about.")
    return codes
