"""The tests of pairs of methods over folds of one data set, as a table."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.saving import save, table_files
from trellislib.ranking import FoldTests
from trellislib.ranking.resampled import ROPE
from trellislib.wording import counted, p_value


def fold_pairs(found: FoldTests, measure_name: str) -> None:
    """Show each pair of methods: its lead with an interval, its p-value, and posterior probabilities."""
    table = found.pairs
    shown = pd.DataFrame(
        {
            "Method": table["method"],
            "Other": table["other"],
            "Lead": table["lead"].map("{:+.3f}".format),
            "95 % interval": table["low"].map("{:+.3f}".format) + " to " + table["high"].map("{:+.3f}".format),
            "p (Holm)": table["p"].map(p_value),
            "P(better)": table["better"].map("{:.2f}".format),
            "P(equal)": table["equal"].map("{:.2f}".format),
        }
    )
    st.dataframe(shown, hide_index=True, key="pairs")
    save("pairs", table=table_files(table))
    st.caption(
        f"Corrected resampled t-test over {found.n_splits} folds, which share training rows; p-values adjusted for "
        f"{counted(len(table), 'pair')} by Holm.",
        help=f"Nadeau and Bengio (2003). A lead is positive where the method is better than the other in "
        f"{measure_name}; intervals are of each pair alone. P(better) and P(equal): Bayesian correlated t-test, "
        f"equal within {ROPE:g}.",
    )
