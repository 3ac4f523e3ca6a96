"""The experiments: plans that run, tables that stand next to each other."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from trellislib.data import simulate_label_dag, simulate_room
from trellislib.data.sets.known import KNOWN
from trellislib.data.sets.library import obtain
from trellislib.experiment import KFold, Split, run
from trellislib.paper import EXPERIMENTS, LEARNERS, appendix, published_and_ours
from trellislib.paper.costs import fit_seconds

SHARED = Path(__file__).parents[3] / "shared" / "data"
GRIDS = [key for key in EXPERIMENTS if key != "room"]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("key", GRIDS)
def test_every_experiment_runs(key, learner):
    experiment = EXPERIMENTS[key]
    data = simulate_label_dag(n_instances=60, n_labels=4, n_features=4, random_state=0)
    plan = experiment.plan(learner)
    results = run([data], plan.methods, Split(), seeds=plan.seeds)
    assert (results.status() == "").all(axis=None)
    for measure in experiment.measures:
        ours = experiment.measured(results, measure)
        assert ours.columns.tolist() == list(experiment.methods)
        assert ours.notna().all(axis=None)


def test_room_runs_and_adds_up_its_seconds():
    experiment = EXPERIMENTS["room"]
    plan = experiment.plan("fast")
    results = run([simulate_room(60, width=8, n_sensors=6, random_state=0)], plan.methods, Split(), seeds=plan.seeds)
    assert results.methods == ("MAP", "CT")
    total = experiment.measured(results, "total_seconds")
    parts = results.table("train_seconds") + results.table("test_seconds")
    pd.testing.assert_frame_equal(total, parts[["MAP", "CT"]])


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_published_tables_have_the_data_sets_and_methods(key):
    experiment = EXPERIMENTS[key]
    for measure in experiment.measures:
        table = experiment.published(measure)
        assert table.index.tolist() == [KNOWN[name].name for name in experiment.datasets]
        assert table.columns.tolist() == list(experiment.methods)
        spread = experiment.published_spread(measure)
        assert (spread is None) == (key in ("results", "room"))
    with pytest.raises(KeyError, match="the paper prints no 'micro_f1'"):
        experiment.published("micro_f1")


def test_published_values():
    assert EXPERIMENTS["structure"].published("accuracy").loc["Scene", "OCC"] == 0.699
    assert EXPERIMENTS["structure"].published_spread("accuracy").loc["Music", "EBCC-FS"] == 0.02
    assert EXPERIMENTS["placement"].published_spread("accuracy").loc["Scene", "CT-random"] == 0.21
    assert EXPERIMENTS["results"].published("test_seconds").loc["Delicious", "CDT"] == 31985
    assert EXPERIMENTS["room"].published("total_seconds").loc["Local10k"].to_dict() == {"MAP": 3, "CT": 7}


def test_protocols():
    assert EXPERIMENTS["structure"].divide(KNOWN["emotions"]) == KFold(5)
    assert EXPERIMENTS["placement"].divide(KNOWN["scene"]) == KFold(10, repeats=10)
    for key in ("results", "room"):
        divided = {name: EXPERIMENTS[key].divide(KNOWN[name]) for name in EXPERIMENTS[key].datasets}
        assert divided.pop("local10k") == Split(1 / 3)
        assert set(divided.values()) == {KFold(5)}


def test_missing_data_sets_are_left_out_or_replaced():
    results = EXPERIMENTS["results"]
    assert results.plan("fast").datasets == results.datasets
    assert results.plan("fast", {"scene", "mediamill-sample", "birds"}).datasets == ("scene", "mediamill-sample")
    assert results.plan("fast", {"mediamill", "mediamill-sample"}).datasets == ("mediamill",)
    assert results.plan("fast", set()).datasets == ()
    assert results.estimated_seconds("fast", set()) == 0
    with pytest.raises(ValueError, match="Got the base learner 'svm'"):
        results.plan("svm")


def test_estimates_add_up_fits():
    placement = EXPERIMENTS["placement"]
    once = sum(fit_seconds(method, "paper", KNOWN["scene"], 0.1) for method in placement.methods)
    assert placement.estimated_seconds("paper", {"scene"}) == pytest.approx(100 * once)
    assert placement.estimated_seconds("paper", {"scene"}, budget=1e-3) == pytest.approx(100 * 2 * 1e-3)
    local10k = KNOWN["local10k"]
    once = fit_seconds("MAP", "fast", local10k, 1 / 3) + fit_seconds("CT", "fast", local10k, 1 / 3)
    assert EXPERIMENTS["room"].estimated_seconds("fast", {"local10k"}) == pytest.approx(once)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("name", ["emotions", "local10k", "delicious"])
def test_estimates_order_methods_as_they_are(learner, name):
    seconds = {method: fit_seconds(method, learner, KNOWN[name], 0.2) for method in ("IC", "CT", "ECT", "ECC", "CDT")}
    assert min(seconds.values()) > 0
    assert seconds["IC"] <= seconds["CT"] <= seconds["ECT"]
    assert seconds["IC"] < seconds["ECC"]
    assert seconds["CT"] < seconds["CDT"]


def test_published_and_measured_scores_in_one_table():
    printed = pd.DataFrame({"IC": [0.5, np.nan], "CT": [0.6, 0.7]}, index=["Music", "MediaMill"])
    ours = pd.DataFrame({"CT": [0.5, 0.25], "CC": [0.1, 0.2]}, index=["MediaMill (2,000 rows)", "Music"])
    expected = pd.DataFrame(
        [
            ("Music", "IC", 0.5, np.nan, np.nan),
            ("Music", "CT", 0.6, 0.25, -0.35),
            ("MediaMill (2,000 rows)", "IC", np.nan, np.nan, np.nan),
            ("MediaMill (2,000 rows)", "CT", 0.7, 0.5, -0.2),
        ],
        columns=["dataset", "method", "published", "ours", "difference"],
    )
    pd.testing.assert_frame_equal(published_and_ours(printed, ours), expected)


def test_the_full_set_comes_before_its_sample():
    printed = pd.DataFrame({"CT": [0.7]}, index=["MediaMill"])
    ours = pd.DataFrame({"CT": [0.5, 0.6]}, index=["MediaMill (2,000 rows)", "MediaMill"])
    assert published_and_ours(printed, ours)[["dataset", "ours"]].to_numpy().tolist() == [["MediaMill", 0.6]]


def test_nothing_run_yet():
    table = published_and_ours(EXPERIMENTS["results"].published("accuracy"), pd.DataFrame())
    assert len(table) == 70
    assert table["ours"].isna().all()


def test_appendix():
    batch = appendix.batch(n_datasets=2, random_state=1)
    directed, skeleton = appendix.measured_f(batch), appendix.measured_f(batch, "skeleton_f")
    assert directed.columns.tolist() == appendix.published_f().columns.tolist() == ["FS", "LEAD"]
    assert (directed <= skeleton).all(axis=None)
    of_fs = batch.loc[batch["structure"] == "FS", "f"]
    assert directed.loc["10 simulated sets", "FS"] == pytest.approx(of_fs.mean())


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real data sets are not in ../shared/data")
def test_music_with_support_vector_machines_comes_close_to_the_paper():
    """IC and ECC against the published .517 and .588; other solver, other folds: a few hundredths."""
    experiment = EXPERIMENTS["structure"]
    music = obtain("emotions", SHARED)
    plan = experiment.plan("paper", {"emotions"})
    chosen = {key: method for key, method in plan.methods(music).items() if key in ("IC", "ECC")}
    ours = run([music], chosen, plan.protocol, seeds=plan.seeds).table("accuracy")
    assert music.name in ours.index
    compared = published_and_ours(experiment.published("accuracy").loc[["Music"], ["IC", "ECC"]], ours)
    assert compared["difference"].abs().max() < 0.04
    assert ours.loc["Music", "ECC"] > ours.loc["Music", "IC"]
