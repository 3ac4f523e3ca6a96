"""What the names of files say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellislib.data.filenames import Part, bundled, labelled, names_data, part, stem


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sky.arff", "sky"),
        ("sky.ARFF.GZ", "sky"),
        ("sky.csv.zip", "sky"),
        ("sky.zip", "sky"),
        ("sky.v2", "sky.v2"),
        ("sky", "sky"),
        ("tmc2007-500.arff", "tmc2007-500"),
        (".csv", ".csv"),
        ("a.b.xlsx", "a.b"),
    ],
)
def test_stem(name, expected):
    assert stem(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sky.arff", Part("sky")),
        ("sky-train.arff", Part("sky", "train")),
        ("SKY_Test.arff.gz", Part("SKY", "test")),
        ("sky.tra", Part("sky", "train")),
        ("sky.tes", Part("sky", "test")),
        ("sky-5-1tst.dat", Part("sky-5-1", "test")),
        ("train_sky.csv", Part("sky", "train")),
        ("X.npy", Part("", "", "X")),
        ("y.npy", Part("", "", "Y")),
        ("sky_labels.csv", Part("sky", "", "Y")),
        ("sky_target.csv", Part("sky", "", "Y")),
        ("sky data.csv", Part("sky", "", "X")),
        ("X_train.csv", Part("", "train", "X")),
        ("trainX.npy", Part("", "train", "X")),
        ("Ytest.npy", Part("", "test", "Y")),
        ("train-labels.csv", Part("", "train", "Y")),
        ("sky_trn_ft.txt", Part("sky", "train", "X")),
        ("sky_tst_lbl.txt", Part("sky", "test", "Y")),
        ("trn_X_Xf.txt", Part("", "train", "X")),
        ("tst_X_Y.txt", Part("", "test", "Y")),
        ("contest.csv", Part("contest")),
        ("galaxy.csv", Part("galaxy")),
        ("CAL500.arff", Part("CAL500")),
        ("my database.csv", Part("my database")),
        ("sky/X.csv", Part("sky", "", "X")),
        ("a.b/sky-train.csv", Part("a.b/sky", "train")),
        ("train/X.csv", Part("", "train", "X")),
        ("sky/Test/y.csv", Part("sky", "test", "Y")),
        ("test/sky-train.csv", Part("sky", "train")),
    ],
)
def test_part(name, expected):
    assert part(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("a.npz", True), ("b.XML", True), ("readme.csv", False), ("c.py", False)]
)
def test_names_data(name, expected):
    assert names_data(name) == expected


def sets(*names):
    """Return the names of the files of each set, rows to train and to test on apart."""
    xmls = [name for name in names if name.endswith(".xml")]
    tables = [name for name in names if name not in xmls]
    return [
        "; ".join(" + ".join(tables[i] for i in rows) for rows in bundle.tables)
        + ("" if bundle.xml is None else f" ({xmls[bundle.xml]})")
        for bundle in labelled(bundled(tables), xmls)
    ]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["sky.xml", "sky.arff"], ["sky.arff (sky.xml)"]),
        (["sky-test.arff", "sky-train.arff", "sky.xml"], ["sky-train.arff; sky-test.arff (sky.xml)"]),
        (["sky-train.arff", "sky.xml", "sea.arff"], ["sky-train.arff (sky.xml)", "sea.arff"]),
        # as Mulan packs them: the whole set beside its two parts
        (
            ["sky.arff", "sky-train.arff", "sky-test.arff", "sky.xml"],
            ["sky.arff (sky.xml)", "sky-train.arff; sky-test.arff (sky.xml)"],
        ),
        (["a.arff", "other.xml"], ["a.arff (other.xml)"]),
        (["a.arff", "b.arff", "other.xml"], ["a.arff", "b.arff"]),
        (["a.arff", "a.xml", "A_labels.xml"], ["a.arff (a.xml)"]),
        (["X.csv", "Y.csv"], ["X.csv + Y.csv"]),
        (["Y.csv", "X.npz"], ["X.npz + Y.csv"]),
        (["sky.csv", "sky_labels.csv"], ["sky.csv + sky_labels.csv"]),
        (["data.csv", "target.csv"], ["data.csv + target.csv"]),
        (["a_X.csv", "b_Y.csv"], ["a_X.csv", "b_Y.csv"]),
        (
            ["X_train.csv", "X_test.csv", "y_train.csv", "y_test.csv"],
            ["X_train.csv + y_train.csv; X_test.csv + y_test.csv"],
        ),
        (
            ["trn_X_Xf.txt", "trn_X_Y.txt", "tst_X_Xf.txt", "tst_X_Y.txt"],
            ["trn_X_Xf.txt + trn_X_Y.txt; tst_X_Xf.txt + tst_X_Y.txt"],
        ),
        (["X_train.csv", "y_train.csv", "X_test.csv"], ["X_train.csv + y_train.csv", "X_test.csv"]),
        (
            ["sky-train.csv", "sky-train.arff", "sky-test.csv", "sky-test.arff"],
            ["sky-train.csv; sky-test.csv", "sky-train.arff; sky-test.arff"],
        ),
        (["sky-train.csv", "sky-train.tsv", "sky-test.arff"], ["sky-train.csv", "sky-train.tsv", "sky-test.arff"]),
        (["sky.arff", "sky.arff"], ["sky.arff", "sky.arff"]),
        (["x.csv"], ["x.csv"]),
        ([], []),
    ],
)
def test_which_files_are_one_set(names, expected):
    assert sorted(sets(*names)) == sorted(expected)


def test_what_they_have_in_common():
    assert [bundle.title for bundle in bundled(["Sky-train.csv", "Sky-test.csv", "sea.csv"])] == ["Sky", ""]


WORDS = st.sampled_from(["sky", "sea", "train", "test", "X", "Y", "labels", "data", "5"])
NAMES = st.builds(
    lambda words, sign, ending: sign.join(words) + ending,
    st.lists(WORDS, min_size=1, max_size=3),
    st.sampled_from(["-", "_", "."]),
    st.sampled_from([".arff", ".csv", ".csv.gz", ".npz", ""]),
)
XMLS = st.lists(WORDS, min_size=1, max_size=2).map(lambda words: "-".join(words) + ".xml")


@given(st.lists(NAMES, max_size=8), st.lists(XMLS, max_size=3))
def test_every_table_is_in_one_set(names, xmls):
    bundles = labelled(bundled(names), xmls)
    used = [i for bundle in bundles for rows in bundle.tables for i in rows]
    assert sorted(used) == list(range(len(names)))
    assert all(bundle.names == tuple(names[i] for rows in bundle.tables for i in rows) for bundle in bundles)
    assert all(bundle.xml is None or 0 <= bundle.xml < len(xmls) for bundle in bundles)


@given(st.lists(NAMES, max_size=8, unique=True), st.lists(XMLS, max_size=3, unique=True), st.data())
def test_the_order_of_files_does_not_matter(names, xmls, data):
    mixed = data.draw(st.permutations([*names, *xmls]))
    assert sorted(sets(*mixed)) == sorted(sets(*names, *xmls))


@given(NAMES)
def test_a_table_alone_takes_the_only_xml(name):
    assert sets(name, "anything.xml") == [f"{name} (anything.xml)"]
