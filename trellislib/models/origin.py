"""How a model came about: data, settings, versions and scores."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

import trellislib


@dataclass(frozen=True)
class Origin:
    """How a model came about.

    Attributes
    ----------
    data : str
        The name of the data set.
    n_instances : int
        Number of rows that it was fitted to, those with some labels unknown too.
    when : str
        Date and time in UTC, as ISO 8601 has it.
    seconds : float
        What the fit took.
    settings : str
        The method and what comes before it, as Python writes it.
    versions : mapping of str to str
        Of trellislib, scikit-learn, numpy and Python.
    scores : mapping of str to float
        Its scores, if some were given.
    n_scored : int
        Number of rows that the scores are of, 0 where that is not known.
    """

    data: str
    n_instances: int
    when: str
    seconds: float
    settings: str
    versions: Mapping[str, str]
    scores: Mapping[str, float] = field(default_factory=dict)
    n_scored: int = 0


def versions() -> dict[str, str]:
    """Return the versions of what a model depends on."""
    others = {package: version(package) for package in ("scikit-learn", "numpy")}
    return {"trellislib": trellislib.__version__, **others, "Python": platform.python_version()}
