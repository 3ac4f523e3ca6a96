"""fit, predict and score: from files to files, with the numbers that the library gives."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sentences import has_line, holds

from trellislib import fit_model, load_model, save_model
from trellislib.command_line import main, predicting
from trellislib.data import load
from trellislib.metrics import MEASURES


def called(capsys, *arguments):
    """Return the exit code, the output and the errors of a command."""
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def refused(capsys, *arguments):
    """Return the sentence with which a command is refused."""
    code, _, err = called(capsys, *arguments)
    assert (code, err.count("\n"), err[:12]) == (1, 1, "trellislib: ")
    return err


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table of 40 tickets with an id, numbers, a category, a text and tags in a column; and new ones."""
    folder = tmp_path_factory.mktemp("tickets")
    rng = np.random.default_rng(0)
    hours, team = rng.normal(size=40).round(2).tolist(), rng.choice(["red", "green", "blue"], 40).tolist()
    said = [("printer broken" if h > 0 else "password lost") + f" on day {i}" for i, h in enumerate(hours)]
    tags = [";".join(["device"] * (h > 0) + ["urgent"] * (t == "red")) for h, t in zip(hours, team, strict=True)]
    ids = [f"T-{i:03d}" for i in range(40)]
    tickets = pd.DataFrame({"ticket": ids, "hours": hours, "team": team, "said": said, "tags": tags})
    tickets.to_csv(folder / "tickets.csv", index=False)
    new = tickets.head(7).drop(columns="tags")[["said", "team", "hours", "ticket"]]
    new.to_csv(folder / "new.csv", index=False)
    code = main(["fit", str(folder / "tickets.csv"), "--split", "tags:;", "-o", str(folder / "tickets.model")])
    assert code == 0
    return folder


def test_the_way_from_a_table_to_predictions(folder, capsys):
    out = folder / "predictions.csv"
    code, printed, noted = called(capsys, "predict", folder / "tickets.model", folder / "new.csv", "-o", out, "--proba")
    assert code == 0
    has_line(printed, "7 rows", str(out))
    has_line(noted, "another order", "by name")
    found = pd.read_csv(out)
    assert found.columns.tolist() == ["ticket", "device", "urgent", "P(device)", "P(urgent)"]
    assert found["ticket"].tolist() == [f"T-{i:03d}" for i in range(7)]
    data = load(folder / "tickets.csv", split=("tags", ";"), text="tf-idf")
    model = fit_model(data)
    expected = model.predict(folder / "new.csv", probabilities=True)
    np.testing.assert_array_equal(found[["device", "urgent"]], expected.Y)
    np.testing.assert_allclose(found[["P(device)", "P(urgent)"]], expected.probabilities)


def test_without_a_file_csv_goes_to_the_standard_output(folder, capsys):
    _, printed, _ = called(capsys, "predict", folder / "tickets.model", folder / "new.csv")
    assert printed.splitlines()[0] == "ticket,device,urgent"
    assert len(printed.splitlines()) == 8


@pytest.mark.parametrize(("ending", "read"), [("xlsx", pd.read_excel), ("parquet", pd.read_parquet)])
def test_excel_and_parquet_have_the_same_labels(folder, capsys, ending, read):
    for name in ("p.csv", f"p.{ending}"):
        assert called(capsys, "predict", folder / "tickets.model", folder / "new.csv", "-o", folder / name)[0] == 0
    pd.testing.assert_frame_equal(read(folder / f"p.{ending}"), pd.read_csv(folder / "p.csv"), check_dtype=False)
    assert not list(folder.glob(".*"))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_large_file_is_predicted_block_by_block(folder, capsys, monkeypatch, tmp_path, separator):
    new = pd.read_csv(folder / "tickets.csv").assign(customer=["x"] * 20 + ["y"] * 20)
    new.to_csv(tmp_path / "large.csv", index=False, sep=separator)
    whole = called(capsys, "predict", folder / "tickets.model", tmp_path / "large.csv", "--proba")
    monkeypatch.setattr(predicting, "STREAMED", 10)
    monkeypatch.setattr(predicting, "BLOCK_CELLS", 21)  # 7 rows
    monkeypatch.setattr(predicting, "read_table", None)
    blocks = called(capsys, "predict", folder / "tickets.model", tmp_path / "large.csv", "--proba")
    found, expected = (pd.read_csv(io.StringIO(printed)) for _, printed, _ in (blocks, whole))
    pd.testing.assert_frame_equal(found, expected)
    new.drop(columns="ticket").to_csv(tmp_path / "large.csv", index=False, sep=separator)  # 5 rows in the last block
    printed = called(capsys, "predict", folder / "tickets.model", tmp_path / "large.csv")[1]
    assert {line.count(",") for line in printed.splitlines()} == {1}
    new.to_csv(tmp_path / "large.csv", index=False, sep=separator)
    bad = tmp_path / "bad.csv"
    bad.write_text((tmp_path / "large.csv").read_text().replace(str(new["hours"][30]), "many"))
    holds(refused(capsys, "predict", folder / "tickets.model", bad), "bad.csv", "'hours'", "'many'", "row 31")


def test_scores_are_printed(folder, capsys):
    code, printed, _ = called(capsys, "score", folder / "tickets.model", folder / "tickets.csv", "--per-label")
    assert code == 0
    scored = load_model(folder / "tickets.model").score(folder / "tickets.csv")
    for key in ("accuracy", "exact_match", "log_loss"):
        has_line(printed, MEASURES[key].name, f"{scored.measures[key]:.4f}")
    has_line(printed, "device")
    holds(refused(capsys, "score", folder / "tickets.model", folder / "new.csv"), "new.csv", "'device' and 'urgent'")


def test_any_method_of_a_plan_can_be_fitted(folder, capsys, tmp_path):
    model = tmp_path / "m"
    options = ("--split", "tags:;", "-o", model, "--leave-out", "said,ticket", "--text", "leave out")
    asked = {
        ("--method", "IC", "--estimator", "Logistic", "--scale", "to unit variance", "--set", "decide=null"): [
            "Logistic()",
            "StandardScaler",
        ],
        ("--method", "CT", "--set", "width=1", "--threshold", "0.5"): ["width=1", "threshold=0.5"],
        ("--estimator", "sklearn.tree.DecisionTreeClassifier"): ["DecisionTreeClassifier()", "decide='accuracy'"],
        ("--set", 'estimator={"class": "LeastSquares", "alpha": 7}'): ["LeastSquares(alpha=7)"],
        ("--method", "MOF", "--set", "n_estimators=2"): ["MultiOutputForest", "n_estimators=2"],
        ("--method", "sklearn.neighbors.KNeighborsClassifier"): ["KNeighborsClassifier()"],
    }
    for given, parts in asked.items():
        code, printed, _ = called(capsys, "fit", folder / "tickets.csv", *options, *given)
        assert code == 0
        settings = load_model(model).origin.settings
        assert all(part in settings for part in parts), settings
        has_line(printed, "40 rows", "4 features", "2 labels")
        has_line(printed, "'said'", "left out")


def test_labels_are_chosen_as_load_takes_them(capsys, tmp_path):
    table, model = tmp_path / "sky.csv", tmp_path / "m"
    table.write_text("x,sunny,warm\n" + "0.5,1,no\n0.1,0,yes\n" * 6)
    (tmp_path / "sky.xml").write_text('<labels><label name="warm"/><label name="sunny"/></labels>')
    for given, expected in {
        "warm, sunny": ("warm", "sunny"),
        "-2": ("sunny", "warm"),
        str(tmp_path / "sky.xml"): ("warm", "sunny"),
    }.items():
        assert called(capsys, "fit", table, f"--labels={given}", "-o", model, "--method", "IC")[0] == 0
        assert load_model(model).label_names == expected
    relevant = ("--labels", "warm", "--leave-out", "sunny", "--relevant", "warm=no")
    assert called(capsys, "fit", table, *relevant, "-o", model)[0] == 0
    assert load_model(model).schema.label_values == (("yes", "no"),)


def test_what_cannot_be_done_is_one_sentence(folder, capsys, tmp_path):
    tickets, model = folder / "tickets.csv", folder / "tickets.model"
    holds(refused(capsys, "fit", tickets, "-o", tmp_path / "m"), "tickets.csv", "labels")
    split = ("fit", tickets, "--split", "tags:;", "-o", tmp_path / "m")
    holds(refused(capsys, *split, "--method", "TC"), "fit", "'TC'", "there are", "CT")
    holds(refused(capsys, *split, "--set", "widht=2"), "'widht'", "nearest is 'width'")
    holds(refused(capsys, *split, "--set", "width"), "--set width", "name=value")
    holds(refused(capsys, *split, "--labels", "nothing"), "'nothing'")
    holds(refused(capsys, "predict", model, folder / "new.csv", "-o", "p.txt"), "p.txt", ".csv, .xlsx, .parquet")
    holds(refused(capsys, "predict", tickets, folder / "new.csv"), "tickets.csv", "no model file")
    holds(refused(capsys, "predict", tmp_path / "none", folder / "new.csv"), "none", "cannot be read")
    (tmp_path / "short.csv").write_text("hours,said\n1,a\n")
    holds(refused(capsys, "predict", model, tmp_path / "short.csv", "-o", tmp_path / "p.csv"), "short.csv", "'team'")
    assert not list(tmp_path.glob("*p*.csv"))


def test_a_formula_in_an_id_is_neutralised(folder, capsys, tmp_path):
    new = pd.read_csv(folder / "new.csv").assign(ticket=[f"=1+{i}" for i in range(7)])
    new.to_csv(tmp_path / "new.csv", index=False)
    for name, read in (("p.csv", pd.read_csv), ("p.xlsx", pd.read_excel)):
        called(capsys, "predict", folder / "tickets.model", tmp_path / "new.csv", "-o", tmp_path / name)
        assert read(tmp_path / name)["ticket"].tolist() == [f"'=1+{i}" for i in range(7)]


def test_rows_that_belong_together(capsys, tmp_path):
    rows = "".join(f"p{i // 3},{i},{i % 2},{i % 5 > 2:d}\n" for i in range(24))
    (tmp_path / "visits.csv").write_text("patient,x,a,b\n" + rows)
    asked = ("fit", tmp_path / "visits.csv", "--labels", "a,b", "--groups", "patient", "--method", "IC", "-o")
    code, out, _ = called(capsys, *asked, tmp_path / "ic.model")
    assert code == 0
    has_line(out, "24 rows", "1 feature", "2 labels")
    has_line(out, "'patient'", "8 groups of 3 rows each")


def test_prediction_sets_go_with_the_model(folder, capsys, tmp_path):
    model = tmp_path / "m"
    asked = ("fit", folder / "tickets.csv", "--split", "tags:;", "--leave-out", "said", "--method", "IC", "-o", model)
    assert called(capsys, *asked, "--sets")[0] == 0
    _, printed, _ = called(capsys, "predict", model, folder / "new.csv", "--sets", "0.8")
    expected = load_model(model).predict(folder / "new.csv", sets=0.8).frame()
    pd.testing.assert_frame_equal(pd.read_csv(io.StringIO(printed)), expected, check_dtype=False)
    assert expected.columns.tolist() == ["ticket", "device", "urgent", "Set (80% sure)"]
    _, printed, _ = called(capsys, "score", model, folder / "tickets.csv")
    has_line(printed, "certainty 0.95", "hold at least 90%")
    holds(refused(capsys, "predict", model, folder / "new.csv", "--sets", "0.5"), "0.8, 0.9 and 0.95", "not of 0.5")
    holds(refused(capsys, "predict", folder / "tickets.model", folder / "new.csv", "--sets", "0.9"), "fit --sets")


def test_sentences_name_the_options_of_the_command(folder, capsys, tmp_path):
    films, model = tmp_path / "films.csv", tmp_path / "m"
    genres = ("Drama, Comedy", "Drama", "(no genres listed)", "Comedy, Horror", "Horror, Drama")
    films.write_text("x,genres\n" + "".join(f'{x},"{of}"\n' for x, of in enumerate(genres)))
    split = ("fit", films, "--split", "genres:,", "-o", model, "--method", "IC")
    holds(refused(capsys, "fit", films, "-o", model), "--split 'genres:,'.")
    has_line(called(capsys, *split)[1], "--no-label '' keeps it")
    assert "(no genres listed)" in (called(capsys, *split, "--no-label", "") and load_model(model).label_names)
    visits = tmp_path / "visits.csv"
    visits.write_text("id,x,label\n1,3,sea\n1,3,sky\n2,4,sky\n3,5,sea\n3,5,sand\n4,1,sand\n")
    holds(refused(capsys, "fit", visits, "-o", model), "--long id:label")
    holds(refused(capsys, "fit", visits, "--long", "id", "-o", model), "--long id", "two columns or three")
    holds(refused(capsys, *split, "--decide", "luck"), "--decide luck", "accuracy")
    holds(refused(capsys, *split, "--threshold", "3"), "--threshold 3")
    holds(refused(capsys, *split, "--estimator", "sklearn.linear_model.Ridge"), "--estimator 'Ridge()'")
    old = load_model(folder / "tickets.model")
    save_model(replace(old, origin=replace(old.origin, versions=old.origin.versions | {"trellislib": "0.0.1"})), model)
    holds(refused(capsys, "predict", model, folder / "new.csv"), "--any-version")
