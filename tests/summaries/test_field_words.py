import numpy as np
import pandas as pd
from sentences import holds

from trellislib.metrics import MEASURES
from trellislib.summaries import about_field


def test_only_higher_scores_count_and_only_data_sets_that_were_measured():
    best = pd.Series({"a": 0.5, "b": 0.6, "c": 0.7})
    ours = pd.DataFrame({"IC": [0.51, 0.6, 0.8], "CT": [0.4, np.nan, 0.71]}, best.index)

    holds(
        about_field(best, ours, MEASURES["exact_match"]),
        "IC exceeds",
        "exact match",
        "2 of 3 data sets",
        "CT on 1 of 2",
    )
    alike = ours.assign(CT=[0.51, 0.5, 0.8])
    holds(about_field(best, alike, MEASURES["exact_match"]), "IC and CT exceed", "2 of 3 data sets")
