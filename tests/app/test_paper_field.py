"""The field: the best published scores next to those that were measured here."""

import pandas as pd
from sentences import holds
from state.assets import ASSETS

from trellislib.paper import field


def test_ours_stand_next_to_the_best_published_scores(visit, same_figures):
    visitor = visit().go("paper").set("item", "The field: the best of 28 methods (2022)")
    visitor.set("field_score", "exact_match")
    measured = pd.read_csv(ASSETS / "field.csv").query("score == 'exact_match' and protocol == '5 folds'")
    ours, best = measured.pivot(index="data", columns="method", values="mean"), field("exact_match")["best"]
    ahead, of = (ours["IC"].dropna() > best[ours["IC"].dropna().index]).sum(), ours["IC"].notna().sum()

    holds(visitor.takeaway, "IC", "exact match", "28 methods", f"{ahead} of {of} data sets")
    assert "Bogatinovski" in visitor.captions
    assert "Pattern Recognition 48" not in visitor.captions
    table = visitor.table("best method")
    assert table.loc["scene", "IC here"] == ours.loc["scene", "IC"]
    for name in {one for cell in table["best method"] for one in cell.split("/")}:
        assert f"**{name}**: " in visitor.text
    same_figures(visitor)
