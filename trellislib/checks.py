"""Checks of arguments that several functions make, with the same words."""

from __future__ import annotations

from numbers import Integral


def require_integer(name: str, value: object, lowest: int = 1) -> None:
    """Raise `ValueError` unless `value` is an integer of at least `lowest`."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < lowest:
        raise ValueError(f"Got {name}={value!r}, but expected an integer of at least {lowest}.")
