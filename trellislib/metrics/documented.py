"""The sections that the docstrings of all measures share, written once."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import cleandoc, signature
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., float])

SECTIONS = """
Parameters
----------
{matrices}{empty}
known : ndarray of bool, of shape (n_instances, n_labels), optional
    Which true labels are known, all by default; see `trellislib.metrics`.
sample_weight : array-like of shape (n_instances,), optional
    How much each instance counts, 0 or more; one of weight 2 counts as if it stood there twice.

Returns
-------
float
    {returns}

Raises
------
ValueError
    If the two are not matrices of the same shape, {refused}; or weights are negative or all 0.

"""
CODES = """Y_true, Y_pred : {ndarray, csr_array} of shape (n_instances, n_labels)
    True and predicted codes of binary labels."""
ANY_CODES = """Y_true, Y_pred : {ndarray, csr_array} of shape (n_instances, n_labels)
    True and predicted codes; labels may have any number of values."""
SCORES = """Y_true : {ndarray, csr_array} of shape (n_instances, n_labels)
    True codes of binary labels.
scores : {ndarray, csr_array} of shape (n_instances, n_labels)
    Scores or probabilities; higher is more relevant."""
PROBABILITIES = """Y_true : {ndarray, csr_array} of shape (n_instances, n_labels)
    True codes of binary labels.
probabilities : {ndarray, csr_array} of shape (n_instances, n_labels)
    Probabilities that the labels are relevant."""


def documented(matrices: str, *, empty: str = "", returns: str = "Between 0 and 1.") -> Callable[[F], F]:
    """Return a decorator that adds parameters, value and errors to a docstring, before its references and examples.

    Parameters
    ----------
    matrices : str
        The description of the first two parameters: `CODES`, `ANY_CODES`, `SCORES` or
        `PROBABILITIES`.
    empty : str, optional
        Of a measure with the parameter ``empty``, its description.
    returns : str
        What is returned.
    """
    refused = {
        ANY_CODES: "or have no cell",
        CODES: "have no cell, or hold a code other than 0 and 1",
        SCORES: "have no cell, or hold a code other than 0 and 1 or a score that is not finite",
        PROBABILITIES: "have no cell, or hold a code other than 0 and 1 or a number that is no probability",
    }[matrices]

    def add(function: F) -> F:
        default = signature(function).parameters["empty"].default if empty else None
        of_empty = f"\nempty : float, default={default}\n    {empty}" if empty else ""
        sections = SECTIONS.format(matrices=matrices, empty=of_empty, returns=returns, refused=refused)
        summary, *rest = re.split(r"\n(?=(?:References|Examples)\n-)", cleandoc(function.__doc__ or ""), maxsplit=1)
        function.__doc__ = "".join([summary, sections, *rest])
        return function

    return add
