"""Known sets: what is known of them, and finding them on this machine."""

import hashlib
import json
import shutil
from dataclasses import FrozenInstanceError, replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from sentences import alike, has_line

from trellislib.data.dataset import DataError
from trellislib.data.files import load
from trellislib.data.sets.known import KNOWN, KnownFile, KnownSet, known_set
from trellislib.data.sets.library import (
    available,
    cache_folder,
    data_folder,
    data_sets,
    find,
    obtain,
    obtainable,
    origin,
)

library = import_module("trellislib.data.sets.library")
SHARED = Path(__file__).parents[3].parent / "shared/data"
with_real_files = pytest.mark.skipif(not SHARED.is_dir(), reason=f"the folder of real files is not there ({SHARED})")

ARFF = "@relation sky\n@attribute x numeric\n@attribute p {0,1}\n@attribute q {0,1}\n@data\n0.5,0,1\n1.5,1,0\n"
XML = '<labels><label name="p"/><label name="q"/></labels>'


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


SKY = KnownSet(
    "sky",
    "Sky",
    "Sky",
    n_instances=2,
    n_labels=2,
    n_features=1,
    label_cardinality=1.0,
    files=(KnownFile("sky.arff", sha256(ARFF)), KnownFile("sky.xml", sha256(XML), other_names=("heaven.xml",))),
    folder="sky",
    data_id=1,
)


@pytest.fixture(autouse=True)
def nothing_is_named(monkeypatch, tmp_path):
    """No test sees the data or the downloads of whoever runs it."""
    for variable in ("TRELLIS_DATA", "TRELLISLIB_DATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TRELLISLIB_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def sky(monkeypatch):
    known = {**KNOWN, "sky": SKY}
    monkeypatch.setattr(library, "KNOWN", known)
    monkeypatch.setattr(library, "known_set", known.__getitem__)


def write(folder, **files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".").replace("_", "-")).write_text(text)


def test_the_known_sets_are_those_of_the_paper_and_four_more():
    paper = ["Music", "Scene", "Yeast", "Medical", "Enron", "TMC2007", "MediaMill", "Delicious", "Local400", "Local10k"]
    assert list(dict.fromkeys(known.paper_name for known in KNOWN.values() if known.paper_name)) == paper
    assert [key for key, known in KNOWN.items() if known.paper_name is None] == ["flags", "birds", "cal500", "bibtex"]
    assert all(key == known.key for key, known in KNOWN.items())
    with pytest.raises(TypeError):
        KNOWN["sky"] = SKY
    with pytest.raises(FrozenInstanceError):
        KNOWN["yeast"].name = "Sky"
    with pytest.raises(DataError, match=r"^iris: no data set .*known .*name; known .*emotions, scene, "):
        known_set("iris")


def test_what_can_be_fetched_has_a_checksum_for_every_file():
    fetched = [known for known in KNOWN.values() if known.can_be_fetched]
    assert {known.key for known in KNOWN.values()} - {known.key for known in fetched} == {
        "mediamill",
        "mediamill-sample",
        "local400",
        "local10k",
    }
    for known in fetched:
        assert all(len(file.sha256) == 64 and file.n_bytes > 0 for file in known.files)
        assert known.files[-1].name == f"{known.stem}.xml"


@with_real_files
@pytest.mark.parametrize("folder", [SHARED, SHARED / "mulan"])
def test_available_in_the_real_folder(folder):
    expected = {key for key, known in KNOWN.items() if known.folder} | {"mediamill-sample"}
    assert available(folder) == (expected if folder == SHARED else expected - {"mediamill-sample"})


@with_real_files
@pytest.mark.parametrize("key", [key for key, known in KNOWN.items() if known.files and key != "mediamill"])
def test_real_sets_are_the_published_ones(key):
    known, data = KNOWN[key], find(SHARED, key)
    assert data.name == known.name
    assert (data.n_instances, data.n_labels) == (known.n_instances, known.n_labels)
    if key not in ("flags", "birds"):  # whose categories become indicators
        assert data.n_features == known.n_features
    assert data.statistics().label_cardinality == pytest.approx(known.label_cardinality, abs=5e-4)
    assert not any("SHA-256" in note or "published" in note for note in data.notes)
    assert sum(path.stat().st_size for file in known.files for path in SHARED.rglob(file.name)) == known.n_bytes


@with_real_files
def test_the_sample_is_described_as_one():
    assert find(SHARED, "mediamill") is None
    assert find(SHARED, "mediamill-sample").name == "MediaMill (2,000 rows)"


@pytest.mark.parametrize("below", [".", "sky", "mulan/sky"])
def test_found_two_levels_down(tmp_path, sky, below):
    write(tmp_path / "data" / below, sky__arff=ARFF, sky__xml=XML)
    data = find(tmp_path / "data", "sky")
    assert data.name == "Sky"
    assert data.label_names == ("p", "q")
    assert data.notes == ()
    assert available(tmp_path / "data") == {"sky"}


def test_not_found_deeper_or_in_hidden_or_unlike_folders(tmp_path, sky):
    write(tmp_path / "a/b/c", sky__arff=ARFF, sky__xml=XML)
    write(tmp_path / ".sky", sky__arff=ARFF, sky__xml=XML)
    write(tmp_path / "one", sky__arff=ARFF)
    write(tmp_path / "two", sky__xml=XML)
    assert available(tmp_path) == set()
    assert find(tmp_path, "sky") is None


def test_the_nearest_counts(tmp_path, sky):
    write(tmp_path / "a/b", sky__arff=ARFF.replace("1.5", "7.5"), sky__xml=XML)
    write(tmp_path / "z", sky__arff=ARFF, sky__xml=XML)
    assert find(tmp_path, "sky").X.tolist() == [[0.5], [1.5]]


@pytest.mark.parametrize("names", [("SKY.ARFF", "Sky.xml"), ("sky.arff", "heaven.xml")])
def test_other_spellings_and_names(tmp_path, sky, names):
    for name, text in zip(names, (ARFF, XML), strict=True):
        (tmp_path / name).write_text(text)
    assert find(tmp_path, "sky").notes == ()


def test_two_parts_are_joined(tmp_path, sky):
    write(tmp_path, sky_train__arff=ARFF, sky_test__arff=ARFF.replace("1.5,1,0\n", ""), sky__xml=XML)
    data = find(tmp_path, "sky")
    assert data.X.ravel().tolist() == [0.5, 1.5, 0.5]
    assert data.n_train == 2
    has_line(data.provenance, "The first 2 rows", "sky-train.arff", "other 1 sky-test.arff")
    alike(
        data.notes,
        (
            "sky-train.arff was not checked: the SHA-256 of the published file is not known.",
            "sky-test.arff was not checked: the SHA-256 of the published file is not known.",
            "It has 3 instances and 2 labels, where the published set has 2 and 2.",
        ),
    )
    write(tmp_path, sky__arff=ARFF)
    assert find(tmp_path, "sky").n_instances == 2


def test_other_content_is_read_and_noted(tmp_path, sky):
    write(tmp_path, sky__arff=ARFF.replace("0.5", "0.25"), sky__xml=XML)
    data = find(tmp_path, "sky")
    assert data.X.tolist() == [[0.25], [1.5]]
    alike(data.notes, ("sky.arff is not the published file: its SHA-256 is another.",))


def test_a_bad_file_is_named(tmp_path, sky):
    write(tmp_path, sky__arff="version https://git-lfs.github.com/spec/v1\n", sky__xml=XML)
    with pytest.raises(DataError, match=r"sky.arff: .*LFS"):
        find(tmp_path, "sky")


def test_folders_by_argument_and_variable(tmp_path, monkeypatch, sky):
    write(tmp_path / "data", sky__arff=ARFF, sky__xml=XML)
    assert data_folder() is None
    assert available() == set()
    assert find(None, "sky") is None
    monkeypatch.setenv("TRELLISLIB_DATA", str(tmp_path / "data"))
    assert data_folder() == tmp_path / "data"
    assert available() == {"sky"}
    assert obtain("sky").name == "Sky"
    assert cache_folder() == tmp_path / "cache"
    assert cache_folder(tmp_path / "other") == tmp_path / "other"
    with pytest.raises(DataError, match=r"nowhere: .*no .*folder; name .*holds .*data sets\.$"):
        obtain("sky", tmp_path / "nowhere")
    monkeypatch.setenv("TRELLISLIB_DATA", "nowhere")
    with pytest.raises(DataError, match=r"^nowhere: .*no .*folder, .*variable TRELLISLIB_DATA names"):
        available()
    monkeypatch.setenv("TRELLIS_DATA", str(tmp_path / "data"))
    assert available() == {"sky"}
    monkeypatch.setenv("TRELLIS_DATA", "neither")
    with pytest.raises(DataError, match=r"^neither: .*no .*folder, .*variable TRELLIS_DATA names"):
        available()


def test_downloads_are_in_the_users_cache_by_default(monkeypatch, tmp_path):
    monkeypatch.delenv("TRELLISLIB_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "trellislib"
    assert origin("emotions") is None


def test_the_order_of_places(tmp_path, sky):
    assert origin("sky") is None
    assert obtain("sky") is None
    write(tmp_path / "cache/sky", sky__arff=ARFF.replace("0.5", "0.25"), sky__xml=XML)
    assert origin("sky") == "download"
    assert obtain("sky").X.tolist() == [[0.25], [1.5]]
    write(tmp_path / "data", sky__arff=ARFF, sky__xml=XML)
    assert origin("sky", tmp_path / "data") == "folder"
    assert obtain("sky", tmp_path / "data").X.tolist() == [[0.5], [1.5]]


def test_what_came_from_openml_is_read(tmp_path, sky):
    features = [{"name": name, "is_target": str(name != "x").lower()} for name in "xpq"]
    write(
        tmp_path / "cache/sky",
        openml_1__arff=ARFF.replace("{0,1}", "{FALSE,TRUE}").replace("0,1", "FALSE,TRUE").replace("1,0", "TRUE,FALSE"),
        openml_1_description__json=json.dumps(
            {"data_set_description": {"name": "sky", "url": "", "md5_checksum": ""}},
        ),
        openml_1_features__json=json.dumps({"data_features": {"feature": features}}),
    )
    data = obtain("sky")
    assert data.label_names == ("p", "q")
    assert data.X.tolist() == [[0.5], [1.5]]
    assert data.Y.tolist() == [[0, 1], [1, 0]]
    assert "From OpenML, data set 1." in data.provenance
    (tmp_path / "cache/sky/openml-1-features.json").unlink()
    assert obtain("sky") is None


def test_any_data_sets_in_a_folder(tmp_path):
    assert data_sets() == {}
    write(tmp_path / "a", sky_train__csv="", sky_test__csv="", sky__xml="", sea__npz="", README__md="", notes__txt="")
    write(tmp_path / "b/c", X__csv="", Y__csv="", sea__npz="")
    write(tmp_path / "b/c/d", deep__csv="")
    write(tmp_path / ".hidden", secret__csv="")
    assert data_sets(tmp_path) == {
        "sky": tuple(tmp_path / "a" / name for name in ("sky-train.csv", "sky-test.csv", "sky.xml")),
        "a/sea.npz": (tmp_path / "a/sea.npz",),
        "b/c/sea.npz": (tmp_path / "b/c/sea.npz",),
        "c": (tmp_path / "b/c/X.csv", tmp_path / "b/c/Y.csv"),
    }


def test_not_more_files_than_that(tmp_path, monkeypatch):
    monkeypatch.setattr(library, "_MOST_FILES", 2)
    write(tmp_path, a__csv="", b__csv="", c__csv="")
    write(tmp_path / "more", d__csv="")
    assert list(data_sets(tmp_path)) == ["a", "b"]


@with_real_files
def test_data_sets_in_the_real_folder():
    found = data_sets(SHARED / "mulan")
    assert [path.name for path in found["birds"]] == ["birds-train.arff", "birds-test.arff", "birds.xml"]
    assert load(found["birds"]).n_train == 322
    assert set(found) == {path.name for path in (SHARED / "mulan").iterdir()} - {"tmc2007"} | {"tmc2007-500"}


def test_yeast_comes_with_a_package(monkeypatch):
    assert origin("yeast") == "package"
    data = obtain("yeast")
    assert (data.name, data.n_instances, data.n_features, data.n_labels) == ("Yeast", 2417, 103, 14)
    monkeypatch.setattr(library, "is_installed", lambda _: False)
    assert origin("yeast") is None


def test_what_is_obtainable_is_what_has_an_origin(tmp_path, monkeypatch, sky):
    def origins():
        return {key for key in library.KNOWN if origin(key, tmp_path / "data")}

    write(tmp_path / "data/flags", flags__arff=ARFF, flags__xml=XML)
    assert obtainable(tmp_path / "data") == origins() == {"flags", "yeast", "local400", "local10k"}
    write(tmp_path / "cache/sky", sky__arff=ARFF, sky__xml=XML)
    assert obtainable(tmp_path / "data") == origins() == {"flags", "sky", "yeast", "local400", "local10k"}
    assert obtainable(cache=tmp_path / "none") == {"yeast", "local400", "local10k"}
    with pytest.raises(DataError, match="there is no such folder"):
        obtainable(tmp_path / "nowhere")
    monkeypatch.setattr(library, "is_installed", lambda _: False)
    assert obtainable(tmp_path / "data") == origins() == {"flags", "sky", "local400", "local10k"}


def test_each_folder_is_looked_through_once_for_what_is_obtainable(tmp_path, monkeypatch):
    walked = []
    directories = library._directories
    monkeypatch.setattr(library, "_directories", lambda folder: walked.append(folder) or directories(folder))
    (tmp_path / "data").mkdir()
    obtainable(tmp_path / "data")
    assert walked == [tmp_path / "data", tmp_path / "cache"]


@with_real_files
def test_yeast_of_the_package_is_mulans():
    ours, theirs = obtain("yeast"), find(SHARED, "yeast")
    np.testing.assert_array_equal(ours.X, theirs.X)
    order = [theirs.label_names.index(label) for label in ours.label_names]  # their XML has another
    np.testing.assert_array_equal(ours.Y, theirs.Y[:, order])


def test_the_room_is_simulated(monkeypatch):
    made = []

    def simulate(n_instances, width, random_state):
        made.append((n_instances, width, random_state))
        return replace(obtain("yeast"), name="Room")

    monkeypatch.setattr(library, "simulate_room", simulate)
    assert [obtain(key).name for key in ("local400", "local10k")] == ["Local400", "Local10k"]
    assert made == [(10_000, 20, 0), (50_000, 100, 0)]
    assert origin("local10k") == "simulated"


def test_a_folder_that_vanished_offers_nothing(tmp_path, sky):
    write(tmp_path / "cache/sky", sky__arff=ARFF, sky__xml=XML)
    shutil.rmtree(tmp_path / "cache")
    assert origin("sky") is None
