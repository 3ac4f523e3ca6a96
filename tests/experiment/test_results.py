import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sentences import Containing

from trellislib import ClassifierChain, IndependentClassifiers
from trellislib.data import simulate_label_dag
from trellislib.experiment import Results, Split, run
from trellislib.experiment.results import FIT, IDENTITY, PROVENANCE
from trellislib.metrics import MEASURES


def row(dataset="Music", method="IC", fold=1, hamming_score=0.5, **others):
    """A row of a run of 2-fold cross-validation."""
    return {
        "dataset": dataset,
        "digest": dataset.lower() * 3,
        "method": method,
        "parameters": json.dumps({"class": method}),
        "protocol": "2-fold",
        "n_fits": 2,
        "seed": 0,
        "repeat": 1,
        "fold": fold,
        "status": "done",
        "reason": "",
        "train_seconds": 1.0,
        "test_seconds": 0.5,
        "hamming_score": hamming_score,
        "at_once": 1,
        "versions": json.dumps({"numpy": "2.2"}),
        "ended": "2025-01-01T00:00:00+00:00",
    } | others


def failed(reason="No luck.", status="failed", **others):
    return row(status=status, reason=reason, **others) | {"hamming_score": None, "train_seconds": None}


ROWS = [
    row(hamming_score=0.5),
    row(method="CT", hamming_score=0.7),
    row(fold=2, hamming_score=0.7),
    row(method="CT", fold=2, hamming_score=0.8),
    row("Scene", hamming_score=0.9, train_seconds=3.0),
    row("Scene", "CT", hamming_score=1.0),
    row("Scene", fold=2, hamming_score=0.8),
    failed(dataset="Scene", method="CT", fold=2, status="over time", reason="It took more than 5 s."),
]


def test_means_and_spread_by_hand():
    results = Results.of(ROWS)
    assert (results.datasets, results.methods) == (("Music", "Scene"), ("IC", "CT"))
    table = results.table("hamming_score")
    expected = pd.DataFrame(
        {"IC": [0.6, 0.85], "CT": [0.75, np.nan]}, index=pd.Index(["Music", "Scene"], name="dataset")
    )
    pd.testing.assert_frame_equal(table, expected)
    assert_allclose(results.spread("hamming_score"), [[0.2 / 2**0.5, 0.1 / 2**0.5], [0.1 / 2**0.5, np.nan]], rtol=1e-12)
    assert_allclose(results.table("train_seconds"), [[1, 1], [2, np.nan]])


LATE = Containing("over time", "5 s", "1 of 2 fits")


def not_all_run(done, expected):
    return Containing("not all run", f"{done} of {expected} fits")


def test_the_status_of_a_method_has_the_reason():
    status = Results.of(ROWS).status()
    assert status.to_dict() == {
        "IC": {"Music": "", "Scene": ""},
        "CT": {"Music": "", "Scene": LATE},
    }
    assert status.index.name == "dataset"


def test_the_status_of_fits_that_were_not_run():
    results = Results.of(
        [ROWS[0], ROWS[2], ROWS[1], *ROWS[4:5], failed(dataset="Yeast"), failed(dataset="Yeast", fold=2)]
    )
    assert results.status().to_dict() == {
        "IC": {
            "Music": "",
            "Scene": not_all_run(1, 2),
            "Yeast": Containing("failed: No luck", "0 of 2 fits"),
        },
        "CT": {
            "Music": not_all_run(1, 2),
            "Scene": Containing("not run", "0 of 2 fits"),
            "Yeast": Containing("not run", "0 of 2 fits"),
        },
    }
    assert_allclose(results.table("hamming_score"), [[0.6, np.nan], [np.nan, np.nan], [np.nan, np.nan]])


def test_each_seed_has_its_fits():
    both = [row(fold=fold, seed=seed, hamming_score=seed + fold / 10) for seed in (0, 1) for fold in (1, 2)]
    one = [row(method="CT", fold=fold) for fold in (1, 2)]
    results = Results.of([*both, *one])
    assert results.table("hamming_score").loc["Music", "IC"] == pytest.approx(0.65)
    assert np.isnan(results.table("hamming_score").loc["Music", "CT"])
    assert results.status().loc["Music", "CT"] == not_all_run(2, 4)


def test_a_score_that_one_fit_lacks_has_no_mean():
    results = Results.of([row(macro_auc=0.5), row(fold=2, macro_auc=None), row(method="CT"), row(method="CT", fold=2)])
    assert results.table("macro_auc").isna().all(axis=None)
    assert results.table("hamming_score").notna().all(axis=None)
    assert results.of_dataset("Music").summary()["macro_auc", "mean"].isna().all()
    assert results.status().eq("").all(axis=None)


def test_a_measure_that_one_data_set_does_not_have():
    rows = [row(accuracy=0.4), row(fold=2, accuracy=0.6), row("Parkinson"), row("Parkinson", fold=2)]
    results = Results.of(rows)
    assert results.measures == ["accuracy", "hamming_score", "train_seconds", "test_seconds"]
    assert_allclose(results.table("accuracy"), [[0.5], [np.nan]])
    assert "accuracy" not in results.of_dataset("Parkinson").measures
    with pytest.raises(KeyError, match=r"measure 'macro_f1'; .*accuracy, hamming_score"):
        results.table("macro_f1")


def test_a_table_is_the_summary_of_each_data_set():
    rng = np.random.default_rng(0)
    rows = [
        row(data, method, fold, rng.random(), repeat=repeat, seed=seed, n_fits=4, test_seconds=rng.random())
        for data in "abc"
        for repeat in (1, 2)
        for seed in (3, 4)
        for fold in (1, 2)
        for method in ("IC", "CT", "CC")
    ]
    del rows[5], rows[40]
    rows[20] |= {"status": "failed", "reason": "x"}
    results = Results.of(rows)
    for key in ("hamming_score", "test_seconds"):
        table, spread = results.table(key), results.spread(key)
        assert table.isna().sum(axis=None) == 3
        for name in results.datasets:
            summary = results.of_dataset(name).summary()
            assert_allclose(table.loc[name, summary.index], summary[key, "mean"])
            assert_allclose(spread.loc[name, summary.index], summary[key, "std"])


def test_folds_are_numbered_through_seeds_and_repeats():
    rows = [row(fold=fold, repeat=repeat, seed=seed) for seed in (1, 5) for repeat in (1, 2) for fold in (1, 2)]
    labels = pd.DataFrame({"label": ["a"], "f1": [0.5]})
    results = Results.of(
        [each | {"n_fits": 4, "id": 70 + place} for place, each in enumerate(rows)], lambda _: {"labels": labels}
    )
    of_data = results.of_dataset("Music")
    assert of_data.fits["fold"].tolist() == list(range(1, 9))
    assert (of_data.n_folds, of_data.complete, of_data.methods) == (8, True, ("IC",))
    assert of_data.per_label["fold"].tolist() == list(range(1, 9))
    assert of_data.label_scores().loc[("IC", "a"), "f1"] == 0.5
    with pytest.raises(KeyError, match=r"There .*no results .*'Scene'; .*Music"):
        results.of_dataset("Scene")


def test_what_is_not_complete():
    assert not Results.of(ROWS[:3]).of_dataset("Music").complete
    assert Results.of(ROWS).of_dataset("Scene").complete  # it has all its fits, one of them not done
    assert Results.of(ROWS).of_dataset("Scene").folds_done().to_dict() == {"IC": 2, "CT": 1}


def test_labels_are_asked_for_by_the_index_of_a_fit():
    asked = []
    Results.of(
        [each | {"id": 10 * place} for place, each in enumerate(ROWS)], lambda fit: asked.append(fit) or {}
    ).of_dataset("Scene")
    assert asked == [40, 50, 60, 70]


def test_select():
    results = Results.of(ROWS, remarks=["A remark."])
    chosen = results.select(["Scene", "Music", "Yeast"], ["CT"])
    assert (chosen.datasets, chosen.methods, chosen.notes) == (("Scene", "Music"), ("CT",), ("A remark.",))
    assert results.select(methods=["CT", "IC"]).methods == ("CT", "IC")
    assert results.select(datasets=["Scene", "Music"]).methods == ("IC", "CT")
    assert results.select(["Scene", "Music"], ["CT", "IC"]).table("hamming_score").columns.tolist() == ["CT", "IC"]
    assert results.select(methods=[]).fits.empty
    pd.testing.assert_frame_equal(results.select().fits, results.fits)


def test_select_keeps_both_orders():
    rows = [row("a", "X"), row("a", "Y"), row("b", "Y"), row("b", "X"), row("c", "Z"), row("c", "Y"), row("c", "X")]
    results = Results.of(rows)
    for datasets, methods in ((["c", "a", "b"], ["Y", "Z", "X"]), (["a", "c"], ["Z", "X", "Y"]), (["b"], ["X", "Y"])):
        chosen = results.select(datasets, methods)
        assert (chosen.datasets, chosen.methods) == (tuple(datasets), tuple(methods))
        assert chosen.table("hamming_score").index.tolist() == datasets
        assert chosen.status().columns.tolist() == methods
        assert chosen.select(methods=methods[::-1]).datasets == tuple(datasets)
        assert chosen.select(datasets[::-1]).methods == tuple(methods)
    first = results.select(["a", "c"], ["Z", "X", "Y"])
    assert first.fits[["dataset", "method"]].agg("".join, axis=1).tolist() == ["aX", "aY", "cZ", "cX", "cY"]
    assert first.of_dataset("c").methods == ("Z", "X", "Y")
    assert results.select(["a"]).methods == ("X", "Y")


def test_what_did_not_finish_by_reason():
    rows = [*ROWS, failed(dataset="Yeast"), failed(dataset="Yeast", fold=2), failed(dataset="Birds")]
    assert list(Results.of(rows).unfinished().items()) == [
        (LATE, [("Scene", "CT")]),
        (Containing("failed: No luck", "0 of 2 fits"), [("Yeast", "IC"), ("Birds", "IC")]),
        (Containing("not run", "0 of 2 fits"), [("Yeast", "CT"), ("Birds", "CT")]),
    ]
    assert Results.of(ROWS[:4]).unfinished() == {}


def test_where_a_measure_is_not_defined():
    rows = [
        *(row("Music", method, fold, accuracy=0.5) for method in ("IC", "CT") for fold in (1, 2)),
        *(row("Parkinson", method, fold) for method in ("IC", "CT") for fold in (1, 2)),
        *(row("Bridges", fold=fold) for fold in (1, 2)),
        *(failed(dataset="Scene", method=method) for method in ("IC", "CT")),
    ]
    results = Results.of(rows)
    why = "labels with more than two values"
    assert results.undefined("accuracy") == {"datasets": {"Parkinson": why, "Bridges": why}, "methods": {}}
    assert results.defined("accuracy").datasets == ("Music", "Scene")
    assert results.undefined("hamming_score") == {"datasets": {}, "methods": {}}
    with pytest.raises(KeyError, match=r"No fit .*measure 'macro_f1'"):
        results.undefined("macro_f1")


def test_seeds_that_were_asked_for_count():
    rows = [row(fold=fold, seed=0) for fold in (1, 2)] + [row("Scene", fold=fold) for fold in (1, 2)]
    asked = [("Music", "musicmusicmusic", "2-fold", [0, 1]), ("Music", "musicmusicmusic", "2-fold", [0, 5])]
    results = Results.of(rows, asked=[*asked, ("Yeast", "none", "2-fold", [9])])
    assert results.status()["IC"].to_dict() == {"Music": not_all_run(2, 6), "Scene": ""}
    assert results.table("hamming_score").isna()["IC"].to_dict() == {"Music": True, "Scene": False}
    assert (results.of_dataset("Music").n_folds, results.of_dataset("Music").complete) == (6, False)
    assert results.select(["Music"]).status().loc["Music", "IC"] == not_all_run(2, 6)
    both = [*rows, row(protocol="5-fold", n_fits=5)]
    assert Results.of(both, asked=asked).status()["IC"].to_dict() == {
        "Music (2-fold)": not_all_run(2, 6),
        "Music (5-fold)": not_all_run(1, 5),
        "Scene": "",
    }


def test_nothing():
    nothing = Results.of([])
    assert (nothing.datasets, nothing.methods, nothing.measures, nothing.notes) == ((), (), [], ())
    assert nothing.fits.columns.tolist()[:9] == IDENTITY
    assert nothing.fits.columns.tolist()[-5:] == PROVENANCE
    assert nothing.status().empty
    assert nothing.select(["a"], ["b"]).fits.empty


# ---------------------------------------------------------------- several runs as one


def test_of_equal_fits_the_newest_counts():
    older, newer = row(hamming_score=0.1, id=4), row(hamming_score=0.2, id=9)
    for rows in ([older, newer], [newer, older]):
        results = Results.of(rows)
        assert results.fits["hamming_score"].tolist() == [0.2]
        assert results.fits.index.tolist() == [9]
    again = failed(id=11)
    assert Results.of([older, newer, again]).fits["status"].tolist() == ["failed"]


def test_other_folds_seeds_and_repeats_are_other_fits():
    rows = [row(), row(fold=2), row(seed=1), row(repeat=2)]
    assert len(Results.of(rows).fits) == 4


def test_protocols_have_different_names():
    results = Results.of([row(), row(fold=2), row(protocol="5-fold", n_fits=5), row("Scene")])
    assert results.datasets == ("Music (2-fold)", "Music (5-fold)", "Scene")
    assert results.status()["IC"].tolist() == ["", not_all_run(1, 5), not_all_run(1, 2)]


def test_contents_of_one_name_get_different_names():
    results = Results.of([row(digest="abcdef123"), row(digest="123456789"), row("Scene")])
    assert results.datasets == ("Music #abcdef", "Music #123456", "Scene")
    both = Results.of([row(digest="abcdef123"), row(digest="123456789"), row(digest="123456789", protocol="5-fold")])
    assert both.datasets == ("Music (2-fold) #abcdef", "Music (2-fold) #123456", "Music (5-fold)")


def differ(methods):
    return Containing("Not the same on every data set", "parameters", methods)


def named(**parameters):
    return json.dumps({"class": "x.CT"} | parameters, sort_keys=True)


def test_parameters_on_one_data_set_get_different_names():
    rows = [row(method="CT", parameters=named(width=width, base={"C": 1})) for width in (4, 5, None)]
    assert Results.of(rows).methods == ("CT (width 4)", "CT (width 5)", "CT (width None)")
    other = [row(method="CT", parameters=named(width=4)), row("Scene", "CT", parameters=named(width=5))]
    assert Results.of(other).methods == ("CT",)  # what suits each data set
    assert Results.of(other).notes == (differ("CT"),)


def test_parameters_with_other_seeds_are_not_averaged():
    rows = [
        row(method="CT", parameters=named(width=width), seed=seed, fold=fold, hamming_score=width / 10)
        for width, seed in ((4, 0), (5, 1))
        for fold in (1, 2)
    ]
    results = Results.of(rows)
    assert results.methods == ("CT (width 4)", "CT (width 5)")
    assert results.table("hamming_score").isna().all(axis=None)
    assert results.status().loc["Music"].tolist() == [not_all_run(2, 4)] * 2


def pipeline(**parameters):
    """Preparation, then the method."""
    fill = {"class": "x.SimpleImputer", "strategy": "mean"}
    steps = [["fill", fill], ["method", {"class": "x.CT"} | parameters]]
    return json.dumps({"class": "sklearn.pipeline.Pipeline", "memory": None, "steps": steps}, sort_keys=True)


def test_variants_have_one_name_on_all_data_sets():
    rows = [
        row(data, "CT", parameters=described(width=width), fold=fold)
        for data, described in (("Music", named), ("Birds", pipeline))
        for width in (4, 5)
        for fold in (1, 2)
    ]
    rows += [row("Scene", "CT", parameters=named(width=5), fold=fold) for fold in (1, 2)]
    results = Results.of(rows)
    assert results.methods == ("CT (width 4)", "CT (width 5)")
    table = results.table("hamming_score")
    assert table.isna().to_numpy().tolist() == [[False, False], [False, False], [True, False]]
    assert results.notes == (differ("CT (width 4), CT (width 5)"),)
    assert results.select(["Music", "Scene"]).notes == ()


def test_one_fit_under_two_names_and_names_of_variants():
    """A fit that two runs have, one under another name, while that name has two variants."""
    rows = [
        row(method="CT", parameters=named(width=4), id=1),
        row(method="CT", parameters=named(width=5), id=2),
        row(method="Mine", parameters=named(width=4), id=1),
        row("Other", "CT", parameters=named(width=4), id=1, digest="x"),
        row("Other", "CT", parameters=named(width=4), id=3, digest="y"),
    ]
    fits = Results.of(rows).fits
    assert fits.index.tolist() == [1, 2, 1, 1, 3]
    assert fits["method"].tolist() == ["CT (width 4)", "CT (width 5)", "Mine", "CT (width 4)", "CT (width 4)"]
    assert fits["dataset"].tolist() == ["Music"] * 3 + ["Other #x", "Other #y"]


def test_variants_with_long_parameters_are_numbered():
    rows = [row(method="CT", parameters=named(order=list(range(place, 40 + place)))) for place in range(3)]
    assert Results.of(rows).methods == ("CT (1)", "CT (2)", "CT (3)")
    alike = [row(method="CT", parameters=json.dumps({"class": f"{module}.CT"})) for module in ("mine", "yours")]
    assert Results.of(alike).methods == ("CT (1)", "CT (2)")


def test_notes():
    rows = [row(at_once=4), row(fold=2, versions=json.dumps({"numpy": "2.3"}))]
    assert Results.of(rows, remarks=["First.", "Second.", "First."]).notes == (
        "First.",
        "Second.",
        Containing("4 fits", "at a time", "longer"),
        Containing("different versions", "numpy 2.2", "numpy 2.3"),
    )


def test_tables_of_many_fits_are_right_whatever_their_order():
    """A mean of each pair by hand, over 6 data sets, 5 methods, 10 x 10 fits in any order."""
    rng = np.random.default_rng(1)
    scores = rng.random((6, 5, 10, 10))
    places = rng.permutation(scores.size)
    rows = []
    for place in places:
        data, method, repeat, fold = np.unravel_index(place, scores.shape)
        rows.append(
            row(f"d{data}", f"m{method}", int(fold), scores[data, method, repeat, fold], repeat=int(repeat), n_fits=100)
        )
    results = Results.of(rows)
    table = results.table("hamming_score").sort_index().sort_index(axis=1)
    assert_allclose(table, scores.mean(axis=(2, 3)))
    assert results.status().eq("").all(axis=None)
    assert set(FIT) <= set(results.fits)
    assert set(MEASURES) <= set(results.fits)


def test_splits_of_several_seeds_are_tested_with_their_share_of_test_rows():
    data = simulate_label_dag(n_instances=120, n_labels=4, random_state=0)
    methods = {"IC": IndependentClassifiers(), "CC": ClassifierChain()}
    result = run([data], methods, Split(1 / 3), seeds=range(4)).of_dataset("Label DAG")
    gains = result.fold_scores("accuracy").pipe(lambda folds: folds["CC"] - folds["IC"])
    error = np.sqrt((1 / 4 + 1 / 2) * gains.var())
    assert result.tests("accuracy").errors.loc["IC", "CC"] == pytest.approx(error)
    with pytest.raises(ValueError, match="One split"):
        run([data], methods, Split(1 / 3)).of_dataset("Label DAG").tests("accuracy")
