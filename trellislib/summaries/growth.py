"""How costs grow, and what structure costs, in a sentence or two."""

from __future__ import annotations

import pandas as pd

from trellislib.studies.growth import MAIN_BASE, growth_exponent
from trellislib.wording import listed, ratio_of

NAMES = {"L": "labels", "N": "instances", "D": "features"}
STAGES = {"train": "Training", "predict": "Prediction"}


def about_growth(frame: pd.DataFrame, variable: str = "L", stage: str = "train") -> str:
    """Return for which method a cost grows with the highest power of a size of the data, and for which with the lowest.

    Parameters
    ----------
    frame : DataFrame
        As for `trellislib.figures.growth_figure`; of each method the rows with least squares count.
    variable : {"L", "N", "D"}, default="L"
        Number of labels, instances or features.
    stage : {"train", "predict"}, default="train"
        What takes the time.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": ["IC", "IC", "CC", "CC"], "base": "least squares", "variable": "L",
    ...                       "size": [10, 100] * 2, "train s": [1.0, 10.0, 1.0, 100.0]})
    >>> print(about_growth(frame))
    Training time grows fastest with the number of labels for CC (L to the power 2.00). It grows slowest for IC (1.00).
    """
    column = f"{stage} s"
    measured = frame[(frame["variable"] == variable) & (frame["base"] == MAIN_BASE) & frame[column].notna()]
    powers = {
        str(method): growth_exponent(rows["size"], rows[column])
        for method, rows in measured.sort_values("size", kind="stable").groupby("method", sort=False)
        if rows["size"].nunique() > 1
    }
    if not powers:
        return f"No method was measured at two numbers of {NAMES[variable]}."
    written = {method: f"{round(power, 2) + 0.0:.2f}" for method, power in powers.items()}  # + 0.0: no -0.00
    fast, slow = max(powers, key=powers.__getitem__), min(powers, key=powers.__getitem__)
    time, size = f"{STAGES[stage]} time", f"with the number of {NAMES[variable]}"
    if written[fast] == written[slow]:
        return f"{time} grows {size} for {listed(list(powers))} as {variable} to the power {written[fast]}."
    return (
        f"{time} grows fastest {size} for {fast} ({variable} to the power {written[fast]}). "
        f"It grows slowest for {slow} ({written[slow]})."
    )


def about_structure_price(frame: pd.DataFrame, method: str = "CT", baseline: str = "IC") -> str:
    """Return how many times as long training with label structure takes, by base learner, where labels are most.

    Parameters
    ----------
    frame : DataFrame
        As for `trellislib.figures.growth_figure`.
    method, baseline : str
        Of the methods in it.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": ["IC", "CT"] * 2, "base": ["logistic"] * 2 + ["least squares"] * 2,
    ...                       "variable": "L", "size": [400, 400, 10_000, 10_000], "train s": [2.0, 3.0, 0.1, 5.0]})
    >>> print(about_structure_price(frame))
    Training CT takes 1.5 times as long as IC with logistic (400 labels) and 50 times as long with least squares
    (10,000 labels).
    """
    seconds = frame[frame["variable"] == "L"].pivot_table(index=["base", "size"], columns="method", values="train s")
    ratios = (seconds[method] / seconds[baseline]).dropna()
    at_most = ratios.groupby("base").tail(1).sort_values()
    first, *others = (f"with {base} ({size:,} labels)" for base, size in at_most.index)
    first_ratio, *other_ratios = map(ratio_of, at_most)
    clauses = [f"{first_ratio} as long as {baseline} {first}"]
    clauses += [f"{ratio} as long {other}" for ratio, other in zip(other_ratios, others, strict=True)]
    return f"Training {method} takes {listed(clauses)}."
