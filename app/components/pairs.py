"""The tests of pairs of methods as a table: over folds of one data set, or over data sets."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.saving import save, table_files
from trellislib.ranking import FoldTests, Nemenyi, PairwiseTests
from trellislib.ranking.paired import CLEAR
from trellislib.ranking.resampled import ROPE
from trellislib.summaries import pairs_table
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
        f"Corrected resampled t-test over {found.n_splits} folds, which share training rows. Intervals are of each "
        f"pair alone; p-values are corrected for {counted(len(table), 'pair')} (Holm). Significant: p ≤ {CLEAR:g}. "
        f"P(better), P(equal): probabilities that the method leads, or is equal within {ROPE:g}.",
        help=f"Nadeau and Bengio (2003). A lead is positive where the method is better than "
        f"the other in {measure_name}. The probabilities are those of the Bayesian correlated t-test.",
    )


def dataset_pairs(found: Nemenyi | PairwiseTests, key: str) -> None:
    """Show each pair of methods over data sets: its effect sizes and p-value."""
    shown = pairs_table(found)
    st.dataframe(shown, hide_index=True, key=f"p-values {key}")
    st.caption(
        f"P-values are corrected for {counted(len(shown), 'pair')}. A lead is positive where the method is better.",
        help="Intervals of medians are distribution-free and of each pair alone. The rank-biserial correlation is 1 "
        "where a method is better on every data set and 0 where neither leads. Differences of 0 are ranked with the "
        "others, and their ranks are shared between both methods (zsplit).",
    )
