"""Whether a lead over independent classifiers is from label dependence, or from depth alone."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd

INDEPENDENT, STACKED = "IC", "Stacked"


def about_depth(
    means: pd.Series, measure_name: str, higher_is_better: bool = True, without: Collection[str] = ()
) -> str:
    """Return how much of the best method's lead over independent classifiers stacking them gives, too.

    Parameters
    ----------
    means : Series of shape (n_methods,)
        Mean scores by method, with those of ``"IC"`` and ``"Stacked"``
        (`trellislib.StackedIndependentClassifiers`); "" is returned where either has none.
    measure_name : str
        What was scored.
    higher_is_better : bool, default=True
        False for losses.
    without : collection of str
        Methods that have no label structure, as baselines.

    Examples
    --------
    >>> about_depth(pd.Series({"IC": 0.50, "Stacked": 0.52, "CT": 0.56, "CC": 0.55}), "accuracy")
    'CT leads IC by 0.060 in accuracy. Depth alone (Stacked) gives 0.020, so 0.040 is left for label dependence.'
    """
    gains = (means - means.get(INDEPENDENT, float("nan"))) * (1 if higher_is_better else -1)
    others = gains.drop([INDEPENDENT, STACKED, *without], errors="ignore").dropna()
    if pd.isna(gains.get(STACKED)) or others.empty:
        return ""
    best, lead, depth = others.idxmax(), others.max(), gains[STACKED]
    if lead <= 0:
        return f"No method leads {INDEPENDENT} in {measure_name}, so there is no gain to explain."
    leads = f"{best} leads {INDEPENDENT} by {lead:.3f} in {measure_name}."
    if depth >= lead:
        return f"{leads} Depth alone ({STACKED}) gives {depth:.3f}, so nothing is left for label dependence."
    if depth <= 0:
        return f"{leads} Depth alone ({STACKED}) gives nothing, so all of it is left for label dependence."
    return f"{leads} Depth alone ({STACKED}) gives {depth:.3f}, so {lead - depth:.3f} is left for label dependence."
