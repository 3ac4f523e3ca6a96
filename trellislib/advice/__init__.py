"""Advice on one data set: is label structure worth it, which method to use, and how sure that is.

`advise` compares independent classifiers with chains and trellises within a number of seconds, on the same folds, each
method deciding for the same score. Its answer rests on the corrected resampled t-test (`trellislib.ranking.paired`).
"""

from trellislib.advice.advice import Advice, advise
from trellislib.advice.candidates import LEARNERS, STRUCTURES, about_seconds

__all__ = ["LEARNERS", "STRUCTURES", "Advice", "about_seconds", "advise"]
