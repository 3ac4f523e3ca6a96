import io
import zipfile

import numpy as np
import pytest
from sentences import has_line, holds

from trellislib.command_line import main
from trellislib.experiment import Results, Store
from trellislib.metrics import MEASURES
from trellislib.plan import PlanError, read_archive, read_plan, write_archive
from trellislib.plan.archive import FIT

TEXT = """
title = "Small"
seeds = [1]
[protocol]
folds = 2
[[data]]
label_dag = {n_instances = 60, n_labels = 3, random_state = 0}
name = "dag"
[[data]]
load = "mine.csv"
labels = ["a", "b"]
[[methods]]
method = "CT"
[[methods]]
method = "Majority"
"""
ROWS = "x,a,b\n" + "".join(f"{n},{n % 2},{n // 10 % 2}\n" for n in range(40))


@pytest.fixture
def archived(tmp_path):
    """The archive of a run, beside the file of its data."""
    (tmp_path / "plan.toml").write_text(TEXT)
    (tmp_path / "mine.csv").write_text(ROWS)
    plan = read_plan(tmp_path / "plan.toml")
    write_archive(tmp_path / "run.zip", plan, plan.run())
    (tmp_path / "plan.toml").unlink()
    return tmp_path / "run.zip"


def test_an_archive_gives_the_same_scores(archived):
    archive = read_archive(archived)
    results = archive.plan.run()
    (sentence,) = archive.differences(results)
    has_line(sentence, "All", "8 fits", "the same")
    assert set(archive.folds) == {"dag", "mine"}
    of_dag = archive.folds["dag"]
    assert of_dag["digest"] == results.fits.groupby("dataset")["digest"].first()["dag"]
    assert sorted(row for *_, rows in of_dag["test"] for row in rows) == list(range(60))


def test_data_that_a_run_leaves_out_are_left_out_of_its_archive(archived):
    plan = read_archive(archived).plan
    (archived.parent / "mine.csv").write_text("x\n1\n")
    results = plan.run()
    write_archive(archived.parent / "part.zip", plan, results)
    found = read_archive(archived).differences(results)
    assert set(read_archive(archived.parent / "part.zip").folds) == {"dag"}
    has_line(found, "4 fits", "no partner")


def test_names_that_look_like_numbers_formulas_or_missing_values(archived):
    folder = archived.parent
    named = TEXT.replace('name = "dag"', 'name = "2019"').replace("load =", 'name = "None"\nload =')
    named = named.replace('method = "CT"', 'method = "CT"\nname = "NA"')
    (folder / "plan.toml").write_text(named.replace('method = "Majority"', 'method = "Majority"\nname = "-1"'))
    plan = read_plan(folder / "plan.toml")
    results = plan.run()
    write_archive(folder / "named.zip", plan, results)
    archive = read_archive(folder / "named.zip")
    assert archive.fits["dataset"].tolist() == ["2019"] * 4 + ["None"] * 4
    assert set(archive.fits["method"]) == {"NA", "-1"}
    has_line(archive.differences(results), "All", "8 fits", "the same")


def test_a_run_keeps_its_title(archived):
    (archived.parent / "chains.toml").write_text(TEXT.replace('title = "Small"', ""))
    plan = read_plan(archived.parent / "chains.toml")
    write_archive(archived, plan, Results(read_archive(archived).fits))
    plan = read_archive(archived).plan
    assert (plan.title, plan.path) == ("chains", archived)


def test_there_is_always_a_verdict(archived):
    archive = read_archive(archived)
    fits = archive.fits.copy()
    fits[list(MEASURES)] = np.nan
    for one, other in [(fits, fits), (archive.fits, fits.iloc[:0])]:
        has_line(type(archive)(archive.plan, {}, one).differences(Results(other))[0], "No score can be compared")
    fewer = archive.fits.copy()
    fewer.loc[0, list(MEASURES)] = np.nan
    found = type(archive)(archive.plan, {}, fewer.iloc[:-1]).differences(Results(archive.fits))
    has_line(found[0], "All", "7 fits", "the same")
    has_line(found, "1 fit", "no partner")
    has_line(found, "in one of the two runs only")
    found = type(archive)(archive.plan, {}, fits.iloc[:-1]).differences(Results(fits))
    has_line(found, "1 fit", "no partner")
    assert "runs only" not in " ".join(found)


def test_what_differs_is_named(archived):
    (archived.parent / "mine.csv").write_text(ROWS.replace("7,1,0", "7,0,0"))
    archive = read_archive(archived)
    found = archive.differences(archive.plan.run())
    results = archive.plan.run()
    digest = results.fits.groupby("dataset")["digest"].first()["mine"]
    has_line(found, "data of mine", f"digest is {digest}, not {archive.folds['mine']['digest']}")
    assert "test rows" not in " ".join(found)
    (archived.parent / "mine.csv").write_text(ROWS)
    archive.folds["mine"]["test"][0][-1].pop()
    (found,) = [line for line in archive.differences(archive.plan.run()) if "test rows" in line]
    has_line(found, "folds of mine", "other test rows")
    fits = archive.fits.copy()
    fits.loc[0, "accuracy"] += 0.25
    fits.loc[0, "versions"] = '{"numpy": "1.0"}'
    found = type(archive)(archive.plan, {}, fits).differences(archive.plan.run())
    has_line(found, "Scores differ", "accuracy", "CT on dag", "not the same to three digits")
    has_line(found, "different versions", "numpy 1.0")
    found = type(archive)(archive.plan, {}, fits.iloc[1:]).differences(archive.plan.run())
    has_line(found, "1 fit", "no partner")


def test_the_command_repeats_a_run_and_never_takes_its_fits_from_the_store(archived, tmp_path, capsys):
    store = tmp_path / "store.sqlite"
    again = tmp_path / "again.zip"
    assert main(["run", str(archived), "--store", str(store), "--archive", str(again)]) == 0
    has_line(capsys.readouterr().out, "All", "scores of 8 fits", "the same")
    assert main(["run", str(again), "--store", str(store)]) == 0
    has_line(capsys.readouterr().out, "All", "scores of 8 fits", "the same")
    took = [Store(store).results([number]).fits["train_seconds"].tolist() for number in (1, 2)]
    assert took[0] != took[1]


DEEP = "[" * 100_000
WHOLE = {"plan.toml": TEXT, "folds.json": "{}", "fits.csv": ",".join(FIT) + ",versions\n"}


def spoilt(content, at, to):
    """Return a ZIP file with some bytes of its first member and of its entry in the directory changed."""
    content = bytearray(content)
    for start in (content.index(b"PK\x03\x04"), content.index(b"PK\x01\x02") + 2):
        content[start + at : start + at + len(to)] = to
    return bytes(content)


def zipped(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return file.getvalue()


def refusal(path):
    with pytest.raises(PlanError) as raised:
        read_archive(path)
    sentence = str(raised.value)
    assert sentence.startswith(str(path))
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize(
    ("members", "cause"),
    [
        ({}, "with a plan, folds.json and fits.csv"),
        ({"plan.toml": "x", "folds.json": "{}"}, "with a plan, folds.json and fits.csv"),
        (WHOLE | {"plan.toml": "x"}, "not valid TOML"),
        (WHOLE | {"plan.toml": f"a = {DEEP}"}, "nested too deeply"),
        (WHOLE | {"plan.toml": b"\xff"}, "utf-8"),
        (WHOLE | {"folds.json": "x"}, "line 1 column 1"),
        (WHOLE | {"folds.json": DEEP}, "damaged"),
        (WHOLE | {"folds.json": "[]"}, "folds.json has no digest"),
        (WHOLE | {"folds.json": '{"mine": {}}'}, "folds.json has no digest"),
        (WHOLE | {"fits.csv": ""}, "No columns"),
        (WHOLE | {"fits.csv": "method,seed\nIC,1\n"}, "fits.csv has no dataset, repeat, fold and versions"),
        (WHOLE | {"fits.csv": WHOLE["fits.csv"] + "a,b,one,1,1,{}\n"}, "'one'"),
        (WHOLE | {"fits.csv": WHOLE["fits.csv"] + "a,b,1,1,1,{\n"}, "line 1 column 2"),
    ],
)
def test_what_is_no_archive_of_a_run(tmp_path, members, cause):
    (tmp_path / "mine.csv").write_text(ROWS)
    (tmp_path / "run.zip").write_bytes(zipped(members))
    holds(refusal(tmp_path / "run.zip"), cause)


@pytest.mark.parametrize(
    ("spoil", "cause"),
    [
        (lambda _: b"no archive", "not a zip file"),
        (lambda content: content[: len(content) // 2], "not a zip file"),
        (lambda content: spoilt(content, 6, b"\x01"), "encrypted"),
        (lambda content: spoilt(content, 8, b"\x63"), "compression method is not supported"),
        (lambda content: content[:39] + b"\xff" * 20 + content[59:], "while decompressing"),
    ],
)
def test_what_is_no_zip_file(tmp_path, spoil, cause):
    (tmp_path / "run.zip").write_bytes(spoil(zipped(WHOLE)))
    holds(refusal(tmp_path / "run.zip"), cause)


def test_an_archive_is_a_zip_file_that_is_there(tmp_path):
    holds(refusal(tmp_path / "run.zip"), "No such file")
    with pytest.raises(ValueError, match=r"run\.tar: expected a name in \.zip"):
        write_archive(tmp_path / "run.tar", None, None)
