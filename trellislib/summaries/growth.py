"""How costs grow, in two sentences."""

from __future__ import annotations

import pandas as pd

from trellislib.studies.growth import MAIN_BASE, growth_exponent
from trellislib.wording import listed

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
