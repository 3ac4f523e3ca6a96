"""Which method is best and at what price, in a few sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd

from trellislib.experiment import TIMES, Evaluation
from trellislib.metrics import Measure
from trellislib.ranking.resampled import FoldTests
from trellislib.wording import ROUNDING, agreed, counted, listed, named, roughly, thousandths

ALIKE = 0.05  # by how much more, relatively, two times are about the same


def about_result(result: Evaluation, measure: Measure) -> str:
    """Return which method is best on one data set, and whether that is significant over its folds.

    Where there is no test, as of one split, the time is set against the score instead; see `about_comparison`.
    """
    try:
        return about_fold_tests(result.tests(measure.key), measure.in_words)
    except ValueError:
        return about_comparison(result.summary(), measure)


def about_fold_tests(tests: FoldTests, measure_name: str) -> str:
    """Return which method is best, and which differences are significant, over folds of one data set."""
    equal = [method for method in tests.means.index if abs(tests.lead(tests.best, method)) <= ROUNDING]
    others = [method for method in tests.means.index if method not in equal]
    worse = [method for method in others if tests.differs(tests.best, method)]
    alike = [method for method in others if method not in worse]
    be, score = agreed(len(equal), "is", "are"), f"{tests.means[tests.best]:.3f}"
    best = f"{listed(equal)} {be}"
    if worse:
        text = f"{listed(equal)} ({score}) {be} significantly better than {listed(worse)} in {measure_name}"
        text += f", and not significantly different from {listed(alike)}." if alike else "."
    elif tests.better_pairs:
        one, other = tests.better_pairs[0]
        more = f"; {counted(len(tests.better_pairs) - 1, 'other pair')} too" if len(tests.better_pairs) > 1 else ""
        text = f"{best} best in {measure_name} with {score}, but not significantly. "
        text += f"{one} is significantly better than {other}{more}."
    else:
        text = f"{best} best in {measure_name} with {score}. No difference between methods is significant."
    if tests.left_out:
        text += f" Without {listed(tests.left_out)}, which did not finish all folds."
    return text


def seconds_of(summary: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return the mean seconds of training and testing together by method, and at most how much they spread.

    Parameters
    ----------
    summary : DataFrame
        As `trellislib.experiment.Evaluation.summary` returns it.

    Examples
    --------
    >>> times = {("train_seconds", "mean"): [2.0], ("train_seconds", "std"): [0.5], ("test_seconds", "mean"): [1.0]}
    >>> mean, spread = seconds_of(pd.DataFrame(times | {("test_seconds", "std"): [None]}, index=["IC"], dtype=float))
    >>> float(mean["IC"]), float(spread["IC"])
    (3.0, 0.5)
    """
    train, test = (summary[time] for time in TIMES)
    return train["mean"] + test["mean"], train["std"].fillna(0.0) + test["std"].fillna(0.0)


def about_comparison(summary: pd.DataFrame, measure: Measure) -> str:
    """Return which method is best in one measure, by how much, and at what price.

    Where others are within one standard deviation over the folds, they are named with the fastest of them all;
    otherwise its time is set against that of the fastest method. Times within one standard deviation are about equal.
    """
    finished = summary[summary[measure.key, "mean"].notna()]
    if finished.empty:
        return f"No method finished all folds, so there is no {measure.in_words} to compare."
    mean = finished[measure.key, "mean"]
    mean = mean.sort_values(ascending=not measure.higher_is_better, kind="stable")
    best = mean.index[0]
    if len(finished) == 1:
        return f"{best} reaches {mean[best]:.3f} in {measure.in_words}."
    gaps = (mean - mean[best]).abs()
    second = mean.index[1]
    if gaps[second] == 0:
        equal = listed(list(mean.index[gaps == 0]))
        return f"{equal} are equally good in {measure.in_words}: {mean[best]:.3f}."
    seconds, spreads = seconds_of(finished)
    spread = float(np.nan_to_num(finished.loc[best, (measure.key, "std")]))
    close = [name for name in mean.index if gaps[name] < spread]
    among = close if len(close) > 1 else list(mean.index)
    fastest = seconds[among].idxmin()
    longer = seconds[best] - seconds[fastest]
    what = "the fastest of these" if len(close) > 1 else "the fastest"
    if fastest == best:
        price = f"{best} is also {what}"
    elif longer <= max(ALIKE * seconds[fastest], *spreads[[best, fastest]]):
        price = f"{best} takes about as long as {fastest}, {what}"
    elif not seconds[fastest]:
        price = f"{best} takes longer than {fastest}, {what}"
    else:
        price = f"{best} takes {roughly(seconds[best] / seconds[fastest])} as long as {fastest}, {what}"
    reached = f"{best} is best in {measure.in_words} with {mean[best]:.3f}"
    if len(close) > 1:
        return f"{reached}. {named(close[1:])} within one standard deviation over folds. {price}."
    return f"{reached}, {thousandths(gaps[second])} ahead of {second}. {price}."
