"""The best published scores of the field."""

import pytest

from trellislib.metrics import MEASURES
from trellislib.paper import FIELD_METHODS, FIELD_SCORES, field


@pytest.mark.parametrize("measure", FIELD_SCORES)
def test_every_data_set_has_a_best_score_which_is_at_least_that_of_the_named_methods(measure):
    table = field(measure)

    assert MEASURES[measure].higher_is_better
    assert len(table) == table.index.nunique() == 16
    assert table["best"].between(0, 1).all()
    for method in ("BR", "CC", "ECC"):
        assert not (table[method] > table["best"]).any()


def test_a_score_that_the_study_lacks_is_named():
    with pytest.raises(KeyError, match=r"auc.*accuracy, exact_match"):
        field("auc")


def test_every_method_with_a_best_score_has_a_full_name_and_no_other():
    cells = [cell for measure in FIELD_SCORES for cell in field(measure)["method"]]
    assert {name for cell in cells for name in cell.split("/")} == FIELD_METHODS.keys()
