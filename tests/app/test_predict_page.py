"""Predict: a model of the visit or of a file, and new rows from a file or typed by hand."""

import io
import runpy
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from pandas.testing import assert_frame_equal
from sentences import holds
from sklearn.base import clone
from views.predict import by_hand, from_file

from trellislib import IndependentClassifiers, Logistic, load_model
from trellislib.data import load
from trellislib.data.reading.plain import EXACTLY
from trellislib.models import fit_model, prediction_script, save_model

ROWS = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "id": [f"t{n}" for n in range(60)],
        "wind": ROWS.standard_normal(60),
        "sky": ROWS.choice(["blue", "grey", "red"], 60),
    }
)
FRAME["sail"] = (FRAME["wind"] > 0).astype(int)
FRAME["stay"] = ((FRAME["sky"] == "grey") | (FRAME["wind"] < -1)).astype(int)
TRAINING = FRAME.to_csv(index=False).encode()
NEW = FRAME.drop(columns=["sail", "stay"])[["sky", "id", "wind"]].assign(more=1).to_csv(index=False).encode()


@pytest.fixture(scope="module")
def model_file():
    data = load(TRAINING, labels=["sail", "stay"])
    buffer = io.BytesIO()
    save_model(fit_model(data, IndependentClassifiers(Logistic()), scores={"accuracy": 0.75}, n_scored=40), buffer)
    return buffer.getvalue()


def give(visitor, key, name, content):
    visitor.at.file_uploader(key=key).set_value((name, content, "application/octet-stream"))
    return visitor.run()


@pytest.fixture
def opened(visitor, model_file):
    """A visitor with the model of a file."""
    return give(visitor.go("predict"), "model file", "sailing.trellis", model_file)


def test_without_a_model_it_says_how_to_get_one(small):
    small.go("predict")
    holds(small.takeaway, small.workspace().dataset.name, "model file")
    assert any(button.label.startswith("Fit IC to all 80 rows") for button in small.at.button)


def test_a_method_is_fitted_with_one_click_and_a_row_is_predicted_at_once(small):
    small.go("predict")
    (button,) = [button for button in small.at.button if button.label.startswith("Fit IC")]
    button.click()
    small.run()
    (job,) = small.workspace().pieces.values()
    small.wait(lambda: not job.is_active)
    holds(small.captions, "80 rows", "3 labels")
    assert len(small.figures) == 1
    holds(small.takeaway, "file of new rows")


def test_new_rows_of_a_file_are_matched_by_name_and_keep_their_ids_and_order(opened, model_file):
    give(opened, "new rows", "new.csv", NEW)
    model = load_model(io.BytesIO(model_file))
    expected = model.predict(pd.read_csv(io.BytesIO(NEW)), probabilities=True)
    table = opened.table("Labels")
    assert list(table["id"]) == list(FRAME["id"])
    assert list(table["Labels"]) == [", ".join(labels) or "none" for labels in expected.label_sets()]
    assert_array_equal(table["P(sail)"], expected.probabilities[:, 0])
    holds(opened.takeaway, "60 rows", "new.csv")
    holds(opened.captions, "'more'")
    assert "true labels" not in opened.text


def test_scores_of_a_comparison_say_of_how_many_rows_they_are(opened):
    holds(opened.captions, "60 rows", "the 40 rows that Verdict compared: accuracy 0.750")


def test_a_file_with_labels_is_scored(opened):
    give(opened, "new rows", "old.csv", TRAINING)
    holds(opened.text, "true labels", "accuracy", "exact match")


def test_labels_near_one_half_are_withheld_where_that_is_asked_for(opened):
    give(opened, "new rows", "new.csv", NEW)
    found = opened.at.session_state["new"].found
    opened.set("withhold", True)
    shown = [set(labels.split(", ")) - {"none", "withheld"} for labels in opened.table("Labels")["Labels"]]
    assert shown == [
        set(labels) - set(unsure) for labels, unsure in zip(found.label_sets(), found.unsure(), strict=True)
    ]
    assert any(found.unsure())
    (written,) = [pd.read_csv(io.BytesIO(from_file._files(found, withhold=True)["csv"]()))]
    assert written[["sail", "stay"]].isna().sum().sum() == sum(map(len, found.unsure()))


def test_the_least_sure_rows_come_first_where_that_is_asked_for(opened):
    give(opened, "new rows", "new.csv", NEW)
    found = opened.at.session_state["new"].found
    before = opened.table("Labels")
    after = opened.set("least_sure", True).table("Labels")
    distances = np.abs(found.probabilities - 0.5).min(axis=1)
    assert list(after["id"]) == list(FRAME["id"][np.argsort(distances, kind="stable")])
    assert_frame_equal(after.sort_values("id", ignore_index=True), before.sort_values("id", ignore_index=True))


def test_a_row_that_is_unlike_the_training_rows_is_marked(opened):
    far = FRAME.drop(columns=["sail", "stay"]).head(3).assign(wind=[0.1, 0.2, 40.0])
    give(opened, "new rows", "far.csv", far.to_csv(index=False).encode())
    holds(opened.takeaway, "1 row", "unlike")
    assert list(opened.table("Labels")["Unlike"]) == [False, False, True]


def test_a_file_that_lacks_a_column_is_refused_in_a_sentence_and_the_model_stays(opened):
    give(opened, "new rows", "short.csv", FRAME[["id", "wind"]].to_csv(index=False).encode())
    (error,) = opened.errors
    holds(error, "short.csv", "'sky'")
    give(opened, "new rows", "new.csv", NEW)
    assert not opened.errors


def test_a_file_that_is_no_model_is_refused_in_a_sentence(visitor):
    give(visitor.go("predict"), "model file", "notes.txt", b"hello")
    (error,) = visitor.errors
    holds(error, "notes.txt", "model file")


def test_python_of_the_page_predicts_the_file(opened):
    give(opened, "new rows", "new.csv", NEW)
    assert "load_model('new.model')" in opened.flat_code
    assert "model.predict('new.csv', probabilities=True)" in opened.flat_code


def test_prediction_sets_are_calibrated_and_checked(small):
    content = small.workspace().dataset.frame().to_csv(index=False).encode()
    small.go("predict").set("predict_method", "IC")
    (button,) = [button for button in small.at.button if button.label.startswith("Fit IC")]
    button.click()
    small.run()
    jobs = small.workspace().pieces
    small.wait(lambda: not any(job.is_active for job in jobs.values()))
    give(small, "new rows", "again.csv", content)
    small.set("prediction_sets", True).click("verified")
    small.wait(lambda: not any(job.is_active for job in jobs.values()))
    holds(small.text, "nearly 90% certainty", "of this file")
    sets = small.table("Labels")["Set (90% sure)"]
    assert "sets=0.9" in small.flat_code
    (kept,) = small.workspace().models.models
    give(small, "model file", "again.model", kept.written())
    assert len(small.workspace().models.models) == 2
    small.set("certainty", 0.8).set("certainty", 0.9)
    assert not any(button.label.startswith("Calibrate") for button in small.at.button)
    assert list(small.table("Labels")["Set (90% sure)"]) == list(sets)


def test_eight_models_and_more_end_in_no_endless_runs(opened):
    models = opened.workspace().models
    model = models.models[0].model
    for number in range(10):
        models.keep(f"model {number}", replace(model), "")
    opened.run()
    assert len(models.models) == 8
    assert [kept.title for kept in models.models][:2] == ["model 9", "model 8"]


def test_files_of_predictions_begin_with_ids_and_hold_no_formulas(opened):
    risky = FRAME.drop(columns=["sail", "stay"]).head(3).assign(id=["=1+1", "b", "c"])
    give(opened, "new rows", "risky.csv", risky.to_csv(index=False).encode())
    files = from_file._files(opened.at.session_state["new"].found, withhold=False)
    assert files["csv"]().decode().startswith("id,sail,stay,")
    assert pd.read_excel(io.BytesIO(files["xlsx"]()))["id"].tolist() == ["'=1+1", "b", "c"]
    assert pd.read_parquet(io.BytesIO(files["parquet"]())).columns[0] == "id"


def test_a_row_begins_with_the_most_frequent_category():
    means = {"colour=blue": 0.5, "colour=green": 0.2, "colour=red": 0.3, "is old": 0.8}
    assert by_hand._most_frequent("colour", ("blue", "green", "red"), means) == "blue"
    assert by_hand._most_frequent("is old", ("no", "yes"), means) == "yes"
    assert by_hand._most_frequent("unknown", ("a", "b", "c"), {}) == "a"


def test_a_cell_that_was_emptied_is_missing():
    assert np.isnan(by_hand._cell(float("nan"), is_number=True))
    assert np.isnan(by_hand._cell(None, is_number=True))
    assert by_hand._cell(float("nan"), is_number=False) is None
    assert by_hand._cell(" 1,5 ", is_number=True) == 1.5


def test_page_library_command_and_script_predict_the_same(opened, model_file, tmp_path, monkeypatch):
    (tmp_path / "sailing.model").write_bytes(model_file)
    (tmp_path / "new.csv").write_bytes(NEW)
    give(opened, "new rows", "new.csv", NEW)
    of_page = from_file._files(opened.at.session_state["new"].found, withhold=False)["csv"]()
    command = [sys.executable, "-m", "trellislib", "predict", "sailing.model", "new.csv", "--proba", "-o", "p.csv"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "p.csv").read_bytes() == of_page
    (tmp_path / "predict.py").write_text(prediction_script(load_model(io.BytesIO(model_file)), "sailing.model"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["predict.py", "new.csv", "by script.csv"])
    runpy.run_path("predict.py", run_name="__main__")
    assert (tmp_path / "by script.csv").read_bytes() == of_page
    fitted = fit_model(load(TRAINING, labels=["sail", "stay"]), IndependentClassifiers(Logistic()))
    rows = pd.read_csv(io.BytesIO(NEW), **EXACTLY)
    of_library = fitted.predict(rows, probabilities=True).frame(probabilities=True)
    written = pd.read_csv(io.BytesIO(of_page), **EXACTLY)
    assert_frame_equal(written, of_library, check_dtype=False, check_exact=True)


def test_methods_of_runs_are_fitted_as_they_were_trained(small):
    small.go("compare").click("train-default")
    small.wait(lambda: not small.workspace().active_runs)
    small.go("predict")
    (run,) = small.workspace().runs
    data = small.workspace().dataset
    first, *_ = small.widget("predict_method").options
    (button,) = [button for button in small.at.button if button.label.startswith(f"Fit {first} to all")]
    button.click()
    small.run()
    (job,) = small.workspace().pieces.values()
    small.wait(lambda: not job.is_active)
    (kept,) = small.workspace().models.models
    best = run.job.result.of_dataset(data.name).summary()["accuracy", "rank"].idxmin()
    assert kept.title == f"{best}, run {abs(run.number)} on {data.name}"
    expected = clone(run.methods[data.digest][best]).fit(*data.arrays())
    assert_array_equal(kept.model.predict(data.X).Y, expected.predict(data.X))
