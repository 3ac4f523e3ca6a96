import gc
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
import zlib
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest
from numpy.testing import assert_allclose
from sentences import Containing

from trellislib.experiment import Store, StoreError
from trellislib.experiment.results import IDENTITY
from trellislib.experiment.store import APPLICATION, VARIABLE, default_path
from trellislib.score_tables import read_scores

LABELS = pd.DataFrame({"label": ["a", "b.c"], "frequency": [1 / 3, 0.1 + 0.2], "auc": [np.nan, 2 / 3]})
BINS = pd.DataFrame({"bin": [0, 9], "probability": [1 / 30, 0.9], "relevant": [0.0, 1.0], "cells": [3, 1]})
DETAILS = {"labels": LABELS, "reliability": BINS}


def row(dataset="Music", method="IC", fold=1, hamming_score=0.5, **others):
    return {
        "dataset": dataset,
        "digest": dataset.lower() * 3,
        "method": method,
        "parameters": json.dumps({"class": method}),
        "protocol": "5-fold",
        "n_fits": 5,
        "seed": 0,
        "repeat": 1,
        "fold": fold,
        "place": fold,
        "status": "done",
        "reason": "",
        "train_seconds": 0.25,
        "test_seconds": 1 / 3,
        "memory_mib": None,
        "hamming_score": hamming_score,
        "budget_seconds": None,
        "budget_gib": 2,
        "at_once": 1,
        "versions": "{}",
        "ended": "2025-01-01T00:00:00+00:00",
    } | others


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results.sqlite")


def content(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


# ---------------------------------------------------------------- where it is


def test_the_default_is_the_value_of_the_variable(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "deep" / "er" / "mine.sqlite"))
    assert Store().path == tmp_path / "deep" / "er" / "mine.sqlite"
    assert Store().path.is_file()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv(VARIABLE, "~/mine.sqlite")
    assert default_path() == tmp_path / "mine.sqlite"


@pytest.mark.skipif(sys.platform != "linux", reason="the directory is that of Linux")
def test_the_default_is_in_the_users_directory(monkeypatch, tmp_path):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "trellislib" / "results.sqlite"


def test_names_that_uris_would_not_take(tmp_path):
    for name in ("100% mine?.sqlite", "a b#c.sqlite", "Übung.db"):
        store = Store(tmp_path / name)
        store.save(store.begin("one"), row())
        assert len(Store(tmp_path / name).results().fits) == 1


# ---------------------------------------------------------------- what it keeps


def test_what_is_saved_is_read_back(store):
    run = store.begin("Both", "print()")
    score = 0.1 + 0.2
    fit = store.save(run, row(hamming_score=score, macro_auc=float("nan"), accuracy=np.float64(1 / 3)), DETAILS)
    store.save(run, row(fold=2, status="over time", reason="It took.", hamming_score=None, train_seconds=None))
    store.remark(run, ["A remark, with “quotes”."])
    store.end(run, "done")
    results = Store(store.path).results([run])
    assert results.fits.index.tolist() == [fit, fit + 1]
    first, second = results.fits.to_dict("records")
    assert {name: first[name] for name in IDENTITY} == {name: row()[name] for name in IDENTITY}
    assert (first["hamming_score"], first["accuracy"], first["test_seconds"]) == (score, 1 / 3, 1 / 3)
    assert np.isnan(first["macro_auc"])
    assert np.isnan(first["memory_mib"])
    assert (first["budget_gib"], np.isnan(first["budget_seconds"])) == (2.0, True)
    assert (second["status"], second["reason"]) == ("over time", "It took.")
    assert np.isnan(second["hamming_score"])
    assert results.notes == ("A remark, with “quotes”.",)


def test_the_seeds_that_runs_ask_for_are_read_back(store):
    first, second = store.begin("one"), store.begin("two")
    store.ask(first, [0, np.int64(3)])
    store.ask(second, [7])
    fit = store.save(first, row())
    assert store.results().seeds == {"Music": {0, 3}}
    store.link(second, [row(id=fit)])
    assert store.results().seeds == {"Music": {0, 3, 7}}
    assert store.results([second]).seeds == {"Music": {7}}
    assert store.results([first]).status().loc["Music", "IC"] == Containing("not all run", "1 of 10 fits")


def test_labels_are_read_back_to_the_last_digit(store):
    run = store.begin("one")
    store.save(run, row(), DETAILS)
    store.save(run, row(fold=2))
    results = store.results()
    details = results.details_of(results.fits.index[0])
    assert set(details) == {"labels", "reliability"}
    for name, table in details.items():
        pd.testing.assert_frame_equal(table, DETAILS[name], check_exact=True)
    assert results.details_of(results.fits.index[1]) == {}
    assert results.details_of(12345) == {}
    of_one = results.of_dataset("Music")
    assert of_one.per_label["frequency"].tolist() == [1 / 3, 0.1 + 0.2]
    assert of_one.bins["cells"].tolist() == [3, 1]


def test_labels_that_an_earlier_version_kept_are_read(store):
    fit = store.save(store.begin("one"), row(), DETAILS)
    alone = json.dumps(DETAILS["labels"].to_dict("split", index=False)).encode()
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE fits SET labels = ? WHERE id = ?", (zlib.compress(alone), fit))
    details = store.results().details_of(fit)
    pd.testing.assert_frame_equal(details["labels"], DETAILS["labels"])
    assert list(details) == ["labels"]


def test_runs_are_listed_the_newest_first(store):
    assert store.runs().empty
    first, second = store.begin("First", "code"), store.begin("Second")
    for fold in (1, 2):
        for method in ("IC", "CT"):
            store.save(first, row(method=method, fold=fold))
    store.save(first, row("Yeast", "CT"))
    store.end(first, "cancelled")
    runs = store.runs()
    assert runs.index.tolist() == [second, first]
    assert runs["title"].tolist() == ["Second", "First"]
    assert runs["state"].tolist() == ["running", "cancelled"]
    assert runs.loc[first, "datasets"] == ["Music", "Yeast"]
    assert sorted(runs.loc[first, "methods"]) == ["CT", "IC"]
    assert runs["n_fits"].tolist() == [0, 5]
    assert runs["code"].tolist() == ["", "code"]


def test_methods_come_in_the_order_of_their_places(store):
    run = store.begin("several at a time")
    for place, method in ((2, "CC"), (0, "IC"), (1, "CT")):
        store.save(run, row(method=method, place=place))
    assert store.results().methods == ("IC", "CT", "CC")
    assert store.runs().loc[run, "methods"] == ["IC", "CT", "CC"]


def test_a_run_that_is_not_there(store):
    with pytest.raises(KeyError, match=r"There .*no run 7 .*results\.sqlite; .*removed"):
        store.results([7])
    store.remove(7)


# ---------------------------------------------------------------- several runs


def test_runs_share_fits_and_removing_one_keeps_them(store):
    first, second = store.begin("First"), store.begin("Second")
    shared, own = store.save(first, row()), store.save(first, row(fold=2))
    assert store.link(second, [row(method="The same", id=shared), row(id=999)]) == {shared}
    assert store.results([second]).methods == ("The same",)
    assert store.results().methods == ("IC", "The same")
    assert store.results().fits.index.tolist() == [shared, own, shared]
    store.remove(first)
    assert store.results().fits.index.tolist() == [shared]
    assert store.link(second, [row(id=own)]) == set()
    store.remove(second)
    assert store.fits_of("musicmusicmusic", "5-fold") == []
    assert store.runs().empty


def test_a_removed_run_is_put_back_as_it_was(store):
    first, second = store.begin("First", "code"), store.begin("Second")
    shared = store.save(first, row(), DETAILS)
    own = store.save(first, row(fold=2))
    store.link(second, [row(method="The same", id=shared)])
    store.remark(first, ["A sentence."])
    before, results = store.runs(), store.results()
    removed = store.remove(first)
    assert store.results().fits.index.tolist() == [shared]
    store.put_back(removed)
    store.put_back(removed)

    pd.testing.assert_frame_equal(store.runs(), before)
    pd.testing.assert_frame_equal(store.results().fits, results.fits)
    assert store.results().notes == results.notes
    assert store.results([first]).fits.index.tolist() == [shared, own]
    pd.testing.assert_frame_equal(store.results().details_of(shared)["labels"], LABELS)


def test_a_copy_replaces_a_file_that_is_in_use(store, tmp_path):
    other = Store(tmp_path / "other.sqlite")
    for number in range(30):
        other.begin(str(number))
    with closing(sqlite3.connect(other.path)) as connection:
        connection.execute("SELECT * FROM runs").fetchone()
        store.begin("the only one")
        store.back_up(other.path)
        assert other.runs()["title"].tolist() == ["the only one"]


def test_one_fit_under_two_names(store):
    run = store.begin("one")
    fit = store.save(run, row(method="A"))
    store.link(run, [row(method="B", id=fit, place=2), row(method="B", id=fit, place=2)])
    assert store.results().fits["method"].tolist() == ["A", "B"]
    assert store.results().table("hamming_score").shape == (1, 2)
    assert store.runs().loc[run, "n_fits"] == 2


def test_numbers_are_not_given_twice(store):
    run = store.begin("one")
    fit = store.save(run, row())
    store.remove(run)
    assert store.begin("two") > run
    assert store.save(run + 1, row()) > fit


def test_several_runs_are_one(store):
    first, second = store.begin("First"), store.begin("Second")
    for fold in range(1, 6):
        store.save(first, row(fold=fold, hamming_score=0.1))
    for fold in range(1, 6):
        store.save(second, row(fold=fold, hamming_score=0.3))
        store.save(second, row(method="CT", fold=fold, hamming_score=0.4))
    assert_allclose(store.results().table("hamming_score"), [[0.3, 0.4]])
    assert_allclose(store.results([first]).table("hamming_score"), [[0.1]])
    assert_allclose(store.results([second, first]).table("hamming_score"), [[0.3, 0.4]])
    store.save(second, row(protocol="1/3", n_fits=1))
    store.save(second, row("Yeast", digest="abcdefgh"))
    store.save(second, row("Yeast", digest="12345678"))
    store.save(second, row("Scene", parameters=json.dumps({"class": "IC", "width": 3})))
    store.save(second, row("Scene"))
    found = store.results()
    assert found.datasets == ("Music (5-fold)", "Music (1/3)", "Yeast #abcdef", "Yeast #123456", "Scene") or set(
        found.datasets
    ) == {"Music (5-fold)", "Music (1/3)", "Yeast #abcdef", "Yeast #123456", "Scene"}
    assert set(found.methods) == {"IC ()", "IC (width 3)", "CT"} or set(found.methods) == {"IC (1)", "IC (2)", "CT"}


def test_a_run_that_was_removed_by_another(store):
    run = store.begin("one")
    store.remove(run)
    with pytest.raises(StoreError, match=r"^The run .*removed .*results\.sqlite .*another"):
        store.save(run, row())
    assert store.fits_of("musicmusicmusic", "5-fold") == []
    store.end(run, "done")
    store.remark(run, ["x"])


# ---------------------------------------------------------------- export


def test_csv_is_read_back(store, tmp_path):
    run, other = store.begin("one"), store.begin("two")
    store.save(run, row(hamming_score=0.1 + 0.2, reason='said "no", and\nleft', status="failed"))
    store.save(run, row("Übung; 2", "CT"))
    store.save(other, row(fold=3))
    store.export(tmp_path / "fits.csv", [run])
    found = pd.read_csv(tmp_path / "fits.csv", index_col="fit", keep_default_na=False, na_values=[""])
    expected = store.results([run]).fits
    assert found.columns.tolist() == expected.columns.tolist()
    pd.testing.assert_frame_equal(
        found.fillna({"reason": ""}), expected, check_dtype=False, check_exact=True, check_index_type=False
    )
    store.export(tmp_path / "all.csv")
    assert len(pd.read_csv(tmp_path / "all.csv")) == 3


def test_csv_holds_no_formulas_and_is_read_as_scores(store, tmp_path):
    run = store.begin("one")
    store.save(run, row("@data", "=CT", reason="-x"))
    store.save(run, row("@data", "IC", hamming_score=-0.25))
    store.export(tmp_path / "fits.csv")

    assert ",'=CT," in (tmp_path / "fits.csv").read_text(encoding="utf-8")
    scores = read_scores(tmp_path / "fits.csv").table("hamming_score")
    assert scores.loc["@data"].to_dict() == {"=CT": 0.5, "IC": -0.25}


def test_parquet_is_read_back(store, tmp_path):
    pytest.importorskip("pyarrow", reason="the export extra is not installed")
    store.export(tmp_path / "empty.parquet")
    run = store.begin("one")
    store.save(run, row(hamming_score=0.1 + 0.2))
    store.save(run, row(method="CT", fold=2))
    store.export(tmp_path / "fits.parquet")
    pd.testing.assert_frame_equal(
        pd.read_parquet(tmp_path / "fits.parquet"), store.results().fits, check_dtype=False, check_exact=True
    )
    assert pd.read_parquet(tmp_path / "empty.parquet").empty


def test_other_endings_are_refused(store, tmp_path):
    with pytest.raises(ValueError, match=r"Got 'fits\.xlsx' .*write results .*expected .*name .*\.csv"):
        store.export(tmp_path / "fits.xlsx")
    assert not (tmp_path / "fits.xlsx").exists()


# ---------------------------------------------------------------- files that cannot be used


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A store of some pages, all in one file."""
    path = tmp_path_factory.mktemp("filled") / "results.sqlite"
    store = Store(path)
    run = store.begin("one")
    for fold in range(60):
        labels = pd.DataFrame({"label": [str(n) for n in range(50)], "f1": np.random.rand(50)})
        store.save(run, row(fold=fold), {"labels": labels})
    assert [file.name for file in path.parent.iterdir()] == ["results.sqlite"]
    assert path.stat().st_size > 40_000
    return path


def foreign(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()


def foreign_of_a_name(path):
    foreign(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA application_id = 123")
    connection.close()


def foreign_with_a_log(path):
    """Left by a program that was killed: what it wrote last is in the log."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    with connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    for ending in ("", "-wal"):
        shutil.copy(f"{path}{ending}", f"{path}.copy{ending}")
    connection.close()
    for ending in ("", "-wal"):
        os.replace(f"{path}.copy{ending}", f"{path}{ending}")


OTHERS = "is a database of another program, and was left as it is: name another file"
DAMAGED = r"is damaged or no file of results \(.*\), and was left as it is: move it away, or name another file"


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (foreign, OTHERS),
        (foreign_of_a_name, OTHERS),
        (foreign_with_a_log, OTHERS),
        (lambda path: path.write_text("method,score\nIC,0.5\n"), DAMAGED),
        (lambda path: path.write_text("method,score\nIC,0.5\n" * 100), DAMAGED),
        (lambda path: path.write_bytes(b"\0" * 4096), DAMAGED),
        (lambda path: path.write_bytes(np.random.default_rng(0).bytes(50_000)), DAMAGED),
        (lambda path: path.write_bytes(b"SQLite format 3\0"), DAMAGED),
    ],
    ids=["foreign", "foreign of a name", "foreign with a log", "line", "text", "zeros", "random", "cut off"],
)
def test_files_of_others_are_left_alone(tmp_path, make, complaint):
    path = tmp_path / "theirs.db"
    make(path)
    before = {file.name: content(file) for file in tmp_path.iterdir()}
    with pytest.raises(StoreError, match=complaint) as caught:
        Store(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert {file.name: content(file) for file in tmp_path.iterdir()} == before


def cut(file, at):
    file.truncate(at)


def overwrite(file, at, n):
    file.seek(at)
    file.write(np.random.default_rng(at).bytes(n))


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: cut(file, 50),
        lambda file: cut(file, 4096),
        lambda file: cut(file, 30_000),
        lambda file: overwrite(file, 0, 100),
        lambda file: overwrite(file, 100, 2000),
        lambda file: overwrite(file, 4096, 4096),
        lambda file: overwrite(file, 20_000, 20_000),
    ],
    ids=["in the header", "after a page", "in the middle", "header", "schema", "second page", "pages"],
)
def test_damaged_files_are_left_alone(tmp_path, filled, damage):
    path = tmp_path / "results.sqlite"
    shutil.copy(filled, path)
    assert len(Store(path).results().fits) == 60
    with path.open("r+b") as file:
        damage(file)
    before = content(path)
    with pytest.raises(StoreError, match=r"damaged .*no file .*results|is .*database .*another program") as caught:
        Store(path)
    assert "\n" not in str(caught.value)
    assert content(path) == before
    assert [file.name for file in tmp_path.iterdir()] == ["results.sqlite"]


def test_a_file_emptied_while_its_log_is_there(tmp_path):
    path = tmp_path / "results.sqlite"
    path.touch()
    path.with_name("results.sqlite-wal").write_bytes(b"x" * 5000)
    with pytest.raises(StoreError, match=DAMAGED):
        Store(path)
    assert path.with_name("results.sqlite-wal").stat().st_size == 5000


def test_an_empty_file_becomes_a_store(tmp_path):
    path = tmp_path / "new.sqlite"
    path.touch()
    Store(path).begin("one")
    assert int.from_bytes(path.read_bytes()[68:72]) == APPLICATION


def test_a_later_version_is_left_alone(tmp_path, filled):
    path = tmp_path / "results.sqlite"
    shutil.copy(filled, path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 2")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    before = content(path)
    with pytest.raises(StoreError, match=r"holds results .*later version .*trellislib: update .*name another"):
        Store(path)
    assert content(path) == before


def test_a_store_that_becomes_damaged_is_refused_where_it_is_read(tmp_path, filled):
    path = tmp_path / "results.sqlite"
    shutil.copy(filled, path)
    store = Store(path)
    path.write_bytes(b"gone")
    with pytest.raises(StoreError, match=DAMAGED):
        store.results()
    with pytest.raises(StoreError, match=DAMAGED):
        store.begin("one")
    assert path.read_bytes() == b"gone"


def test_a_directory(tmp_path):
    with pytest.raises(StoreError, match=r"cannot .*used .*results \(.*\): name another file"):
        Store(tmp_path)


def test_a_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"cannot .*used .*results \(.*\): name another file \(TRELLISLIB_STORE\)"):
        Store(tmp_path / "file" / "results.sqlite")


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="users are those of Unix")
@pytest.mark.parametrize("name", ["there.sqlite", "new.sqlite"])
def test_a_directory_that_may_only_be_read(filled, name):
    with tempfile.TemporaryDirectory() as folder:  # not in that of the test, which others may not enter
        path = Path(folder) / name
        shutil.copy(filled, Path(folder) / "there.sqlite")
        (Path(folder) / "there.sqlite").chmod(0o444)
        Path(folder).chmod(0o555)
        reader, writer = os.pipe()
        with warnings.catch_warnings(action="ignore"):  # that there are threads
            child = os.fork()
        if child == 0:
            if os.geteuid() == 0:  # who may write everywhere
                os.setuid(65534)
            try:
                Store(path).begin("one")
            except BaseException as error:
                os.write(writer, f"{type(error).__name__}: {error}".encode())
            os._exit(0)
        os.close(writer)
        os.waitpid(child, 0)
        with os.fdopen(reader) as errors:
            assert re.fullmatch(
                r"StoreError: .*\.sqlite cannot be used for results \(.*\): name another file .*", errors.read()
            )
        assert [file.name for file in Path(folder).iterdir()] == ["there.sqlite"]
        assert content(Path(folder) / "there.sqlite") == content(filled)


# ---------------------------------------------------------------- several at once


WRITER = """
import sys, threading, time
from pathlib import Path
from trellislib.experiment.store import Store

folder, name, n_threads, n_fits = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
(folder / f"{name}.ready").touch()
while not (folder / "go").exists():
    time.sleep(0.001)

def write(thread):
    store = Store(folder / "results.sqlite")
    run = store.begin(f"{name}.{thread}")
    for fold in range(n_fits):
        row = dict(dataset="d", digest="d", method="m", parameters=f'"{name}.{thread}"', protocol="p", n_fits=1, seed=0)
        store.save(run, row | dict(repeat=1, fold=fold, status="done", reason="", ended=""))
    store.end(run, "done")

threads = [threading.Thread(target=write, args=(thread,)) for thread in range(n_threads)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def at_once(wait_until, folder, n_processes, n_threads, n_fits, here=lambda: None):
    """Let several processes write, and return their errors."""
    script = folder / "writer.py"
    script.write_text(WRITER)
    names = [f"p{number}" for number in range(n_processes)]
    writers = [
        subprocess.Popen(
            [sys.executable, str(script), str(folder), name, str(n_threads), str(n_fits)],
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    wait_until(lambda: all((folder / f"{name}.ready").exists() for name in names))
    (folder / "go").touch()
    here()
    return [writer.communicate(timeout=300)[1] for writer in writers]


def test_processes_and_threads_make_the_file_write_and_read_at_once(tmp_path, wait_until):
    seen = []

    def reads():
        for _ in range(20):
            seen.append(len(Store(tmp_path / "results.sqlite").results().fits))
            time.sleep(0.01)

    assert at_once(wait_until, tmp_path, 2, 4, 10, reads) == [""] * 2
    store = Store(tmp_path / "results.sqlite")
    assert seen == sorted(seen)
    runs = store.runs()
    assert sorted(runs["title"]) == [f"p{process}.{thread}" for process in range(2) for thread in range(4)]
    assert runs["n_fits"].tolist() == [10] * 8
    assert set(runs["state"]) == {"done"}
    for run, title in runs["title"].items():
        fits = store.results([run]).fits
        assert sorted(fits["fold"]) == list(range(10))
        assert set(fits["parameters"]) == {f'"{title}"'}
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_run_whose_process_has_gone_was_broken_off(store):
    script = "import os, sys; from trellislib.experiment.store import Store; "
    script += "Store(sys.argv[1]).begin('theirs'); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", script, str(store.path)], check=False)
    store.begin("ours")
    assert store.runs()["state"].tolist() == ["running", "broken off"]


def test_a_process_of_the_same_number_is_another(store, monkeypatch):
    run = store.begin("theirs")
    began = psutil.Process().create_time()
    monkeypatch.setattr(psutil.Process, "create_time", lambda _: began + 60)
    assert store.runs().loc[run, "state"] == "broken off"


def test_nothing_is_left_open(store, recwarn):
    gc.collect()
    recwarn.clear()
    run = store.begin("one")
    store.save(run, row())
    store.results()
    with pytest.raises(StoreError):
        Store(store.path.parent)
    gc.collect()
    assert [file.name for file in store.path.parent.iterdir()] == ["results.sqlite"]
    assert [str(one.message) for one in recwarn.list] == []
