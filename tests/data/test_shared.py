"""The real files beside the checkout, where they are; they are not part of the project."""

import csv
import json
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sentences import alike
from sklearn.datasets import load_svmlight_file

from trellislib import ClassifierChain
from trellislib.data.dataset import DataError
from trellislib.data.files import load
from trellislib.data.reading.formats import read_table
from trellislib.data.reading.gathering import gather

SHARED = Path(__file__).parents[2].parent / "shared"
DATA, AWKWARD, CASES = SHARED / "data", SHARED / "awkward", SHARED / "cases"

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason=f"the folder of real files is not there ({SHARED})")

SETS = {  # N, L, D (attributes that are no labels), label cardinality, sparse, rows to train on
    "mulan/emotions": (593, 6, 72, 1.868, False, None),
    "mulan/scene": (2407, 6, 294, 1.074, False, 1211),
    "mulan/yeast": (2417, 14, 103, 4.237, False, None),
    "mulan/medical": (978, 45, 1449, 1.245, True, None),
    "mulan/enron": (1702, 53, 1001, 3.378, True, None),
    "mulan/tmc2007": (28596, 22, 500, 2.158, True, None),
    "mulan/delicious": (16105, 983, 500, 19.020, True, None),
    "other/mediamill-sample": (2000, 101, 120, 4.394, False, None),
    "mulan/flags": (194, 7, 19, 3.392, False, None),
    "mulan/birds": (645, 19, 260, 1.014, False, 322),
    "mulan/cal500": (502, 174, 68, 26.044, False, None),
    "mulan/bibtex": (7395, 159, 1836, 2.402, True, None),
}


def xml_of(arff):
    return next(arff.parent.glob("*.xml"))


@pytest.mark.parametrize("name", SETS)
def test_published_figures(name):
    n, n_labels, d, cardinality, is_sparse, n_train = SETS[name]
    files = sorted((DATA / name).iterdir())
    (found,), errors = gather(files)
    assert not errors
    assert set(found.files) == {path.name for path in files}
    assert len(found.table.columns) - n_labels == d
    data = found.table.to_dataset()
    assert (data.n_instances, data.n_labels, data.n_train) == (n, n_labels, n_train)
    assert data.n_features >= d
    assert data.is_multilabel
    assert sparse.issparse(data.X) == sparse.issparse(data.Y) == is_sparse
    assert data.n_missing == 0
    assert data.statistics().label_cardinality == pytest.approx(cardinality, abs=5e-4)


def test_all_sets_at_once():
    names = ("emotions", "scene", "birds", "flags", "cal500")
    files = [path for name in names for path in (DATA / "mulan" / name).iterdir()]
    sets, errors = gather(files)
    assert not errors
    assert {found.table.to_dataset().name for found in sets} == set(names)


def test_mediamill_has_labels_without_positives_and_rows_without_labels():
    arff = DATA / "other/mediamill-sample/mediamill-sample.arff"
    figures = load(arff, xml_of(arff)).statistics()
    assert (figures.frequencies == 0).sum() == 5
    assert figures.n_unlabelled == 75


def test_the_order_is_that_of_the_xml():
    arff = DATA / "mulan/enron/enron.arff"
    data = load(arff, xml_of(arff))
    assert data.label_names[:2] == ("A.A1", "A.A2")
    assert [name for name in read_table(arff).columns if name in data.label_names] != list(data.label_names)


@pytest.mark.parametrize(
    ("name", "n", "n_labels", "values"),
    [
        ("sf1", 323, 3, None),
        ("sf2", 1066, 3, None),
        ("edm", 154, 2, ("-1", "0", "1")),
        ("wq", 1060, 14, ("0", "1", "3", "5")),
    ],
)
def test_multi_output(name, n, n_labels, values):
    data = load(DATA / f"multi-output/{name}.arff", -n_labels)
    assert (data.n_instances, data.n_labels) == (n, n_labels)
    assert not data.is_multilabel
    if values:
        assert set(data.label_values) == {values}


def awkward(name, labels=None, n=None, n_labels=None, n_columns=None):
    data = load(AWKWARD / name, labels)
    assert (data.n_instances, data.n_labels) == (n, n_labels)
    assert len(read_table(AWKWARD / name).columns) == n_columns
    return data


def test_meka_with_labels_first():
    dense = awkward("meka_upper_dquote_dense.arff", n=189, n_labels=6, n_columns=39)
    thin = awkward("meka_upper_dquote_sparse.arff", n=75, n_labels=6, n_columns=39)
    assert dense.label_names == thin.label_names
    assert dense.label_names[0] == "Validity"
    assert set(dense.label_values) == {("0", "1")}


def test_meka_with_labels_last_is_the_same_flags_as_mulans():
    thin = awkward("meka_negative_C_sparse_nominal.arff", n=194, n_labels=7, n_columns=26)
    dense = load(DATA / "mulan/flags/flags.arff", DATA / "mulan/flags/flags.xml")
    assert thin.label_names == dense.label_names
    order = np.lexsort(np.hstack([dense.X, dense.Y]).T)
    thin_order = np.lexsort(np.hstack([thin.X.toarray(), thin.Y.toarray()]).T)
    np.testing.assert_array_equal(thin.X.toarray()[thin_order], dense.X[order])
    np.testing.assert_array_equal(thin.Y.toarray()[thin_order], dense.Y[order])


def test_an_escaped_name():
    data = awkward("escaped_name.arff", AWKWARD / "escaped_name.xml", n=3185, n_labels=983, n_columns=1483)
    assert "TAG_m'usica" in data.label_names
    with pytest.raises(DataError, match=r"no column \"TTAG_m\\'usica\".*nearest .*\"TAG_m'usica\""):
        load(AWKWARD / "escaped_name.arff", AWKWARD / "escaped_name_xml_with_misspelt_label.xml")


def test_no_label_hint():
    with pytest.raises(DataError, match=r"crlf_no_label_hint.arff: nothing .*file says"):
        load(AWKWARD / "crlf_no_label_hint.arff")
    data = awkward("crlf_no_label_hint.arff", -7, n=65, n_labels=7, n_columns=26)
    assert data.label_names[-1] == "orange"


def test_comments_and_spaces():
    data = awkward("crlf_comments_spaces_multiclass.arff", -3, n=323, n_labels=3, n_columns=13)
    assert [len(values) for values in data.label_values] == [3, 4, 2]
    assert read_table(AWKWARD / "crlf_comments_spaces_multiclass.arff").propose_labels() == data.label_names


def test_gzip_and_true_false():
    table = read_table(AWKWARD / "openml_true_false.arff.gz")
    data = table.to_dataset(table.propose_labels())
    assert (data.n_instances, data.n_labels, data.n_features) == (13, 6, 72)
    assert set(data.label_values) == {("FALSE", "TRUE")}
    assert data.statistics().label_cardinality == pytest.approx(22 / 13)


def test_missing_features_and_count_targets():
    table = read_table(AWKWARD / "missing_features_count_targets.arff")
    assert np.isnan(table.cells).sum() == 9255
    alike(table.to_dataset(["city=Oakland"]).notes, ("9,255 feature cells are missing.",))
    with pytest.raises(DataError, match="column 'num_views' holds continuous targets"):
        table.to_dataset(["num_views", "num_votes", "num_comments"])


def test_bom_and_units_in_names():
    data = awkward("bom_units_in_names.csv", -6, n=10000, n_labels=6, n_columns=14)
    assert "Air temperature [K]" in data.feature_names
    assert "Product ID" not in data.feature_names
    assert any("'Product ID'" in note for note in data.notes)
    assert any("'UDI' only numbers the rows" in note for note in data.notes)


def test_labels_in_one_column():
    with pytest.raises(DataError, match=r"column 'Genre' looks .*lists .*split=\('Genre', ','\)"):
        load(AWKWARD / "labels_in_one_column.csv")
    data = load(AWKWARD / "labels_in_one_column.csv", split="Genre")
    with (AWKWARD / "labels_in_one_column.csv").open(newline="") as file:
        genres = [[genre.strip() for genre in row["Genre"].split(",")] for row in csv.DictReader(file)]
    assert set(data.label_names) == {genre for row in genres for genre in row}
    assert data.n_instances == len(genres)
    assert data.statistics().label_cardinality == pytest.approx(sum(map(len, genres)) / len(genres))


def test_svmlight():
    data = load(AWKWARD / "svmlight_multilabel.txt")
    assert data.label_names == ("label 0", "label 1", "label 2")
    lines = (AWKWARD / "svmlight_multilabel.txt").read_text().splitlines()
    rows = [line.partition("#")[0] for line in lines if line.partition("#")[0].strip()]
    labels = [set(row.split()[0].split(",")) if row.split()[0].count(":") == 0 else set() for row in rows]
    assert data.Y.toarray().tolist() == [[int(str(j) in row) for j in range(3)] for row in labels]
    assert not all(labels)
    assert data.X.toarray()[0, [1, 9, 14]].tolist() == [2.5, -5.2, 1.5]


def test_yeast_as_svmlight():
    data = load(AWKWARD / "yeast_test.txt")
    assert (data.n_instances, data.n_features, data.n_labels) == (917, 103, 14)
    theirs, labels = load_svmlight_file(AWKWARD / "yeast_test.txt", multilabel=True)
    np.testing.assert_array_equal(data.X.toarray(), theirs.toarray())
    assert [tuple(np.flatnonzero(row)) for row in data.Y.toarray()] == [tuple(sorted(row)) for row in labels]


def test_extreme_classification():
    data = load(AWKWARD / "xmc_single_file.txt")
    assert (data.n_instances, data.n_features, data.n_labels) == (1500, 1836, 159)
    rows = (AWKWARD / "xmc_single_file.txt").read_text().splitlines()[1:]
    assert data.Y.sum() == sum(len(row.split()[0].split(",")) for row in rows)


def test_excel_with_continuous_targets():
    table = read_table(AWKWARD / "xlsx_continuous_targets.xlsx")
    with pytest.raises(DataError, match=r"^xlsx_continuous_targets.xlsx: .*continuous targets"):
        table.to_dataset(table.columns[-2:])


def test_all_awkward_files_at_once():
    files = [path for path in sorted(AWKWARD.iterdir()) if path.name != "README.md"]
    sets, errors = gather(files)
    refused = ("escaped_name_xml_with_misspelt_label.xml", "lfs_pointer.arff", "zero_bytes.arff")
    assert sorted(str(error).partition(":")[0] for error in errors) == sorted(refused)
    assert {name for found in sets for name in found.files} == {path.name for path in files} - set(refused)
    assert ("escaped_name.arff", "escaped_name.xml") in [found.files for found in sets]


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("lfs_pointer.arff", "Git LFS pointer"),
        ("zero_bytes.arff", "empty"),
        ("escaped_name.xml", "XML"),
    ],
)
def test_what_is_no_table(name, cause):
    with pytest.raises(DataError, match=rf"{name}: .*{cause}"):
        read_table(AWKWARD / name)


def test_labels_only():
    table = read_table(AWKWARD / "labels_only.arff")
    data = table.to_dataset(table.columns)
    assert (data.n_labels, data.has_features) == (6, False)
    assert any("labels only" in note for note in data.notes)


def case(name, labels=None):
    return load(CASES / "inputs" / name, labels if labels is None or isinstance(labels, int) else list(labels))


def test_b01_quoted_nominals():
    data = case("B01_quoted_nominals.arff", -2)
    assert data.label_names == ("label one", "label2")
    assert data.Y.tolist() == [[1, 0], [0, 0], [1, 1], [0, 1]]
    counts = dict(zip(data.feature_names, data.X.sum(axis=0), strict=True))
    assert (counts["colour=red, dark"], counts["colour=it's blue"], counts["colour=green"]) == (2, 1, 1)


def test_b02_sparse():
    data = case("B02_sparse_omitted.arff", -2)
    assert data.X.toarray().tolist() == [[2.5, 0, 0], [0, 0, 0], [0, 1, 4], [0, 0, 0.5], [0, 0, 0]]
    assert data.Y.toarray().tolist() == [[1, 0], [0, 0], [1, 1], [0, 1], [0, 1]]


def test_b04_labels_in_the_middle():
    arff, xml = (CASES / "inputs" / f"B04_mid_labels.{ending}" for ending in ("arff", "xml"))
    data = load(arff, xml)
    assert data.feature_names == ("f1", "f2", "f3")
    assert dict(zip(data.label_names, data.Y.T.tolist(), strict=True)) == {
        "L-a": [0, 1, 1],
        "L-b": [1, 1, 0],
        "L-c": [1, 0, 1],
    }
    with pytest.raises(DataError, match="'L-bb'"):
        load(arff, CASES / "inputs/B04_wrong_name.xml")


def test_b06_semicolons():
    data = case("B06_semicolon_decimal_comma.csv", ["lab_A", "lab_B"])
    assert data.X.tolist() == [[1.5, -0.25], [2, 0.75], [0.125, 3.5], [-4.5, 0]]
    assert data.Y.tolist() == [[1, 0], [0, 1], [1, 1], [0, 0]]


def test_b08_labels_between_bars():
    data = load(CASES / "inputs/B08_pipe_labels.csv", split=("tags", "|"))
    assert data.label_names == ("sand", "sea", "sky")
    assert data.Y.tolist() == [[0, 1, 1], [0, 0, 0], [1, 0, 1], [1, 1, 1]]
    assert data.statistics().label_cardinality == 1.75


def test_b09_minus_one():
    data = case("B09_plus_minus_one.csv", "ABC")
    assert data.statistics().label_cardinality == pytest.approx(4 / 3)
    assert data.statistics().label_density == pytest.approx(4 / 9)
    assert any("-1/1" in note for note in data.notes)


def test_b12_three_values():
    data = case("B12_three_valued_label.csv", -2)
    assert data.label_values == (("0", "1", "2"), ("0", "1"))
    assert data.Y[:, 0].tolist() == [0, 0, 1, 1, 2, 2, 0, 1, 2]


def test_b16_question_marks():
    data = case("B16_question_marks.arff")
    assert data.n_instances == 5
    assert data.n_missing == 2
    assert data.Y[:, 0].tolist() == [1, 0, 1, 0, 1]
    alike(
        data.notes,
        (
            "1 row has a missing label and was left out (1 missing label cell).",
            "Of two categories, 1 is 'green' of 'colour'.",
            "2 feature cells are missing.",
        ),
    )
    incomplete = load(CASES / "inputs/B16_question_marks.arff", missing_labels="masked").incomplete
    assert incomplete.known.tolist() == [[False, True]]


def test_b18_rare_label():
    assert case("B18_rare_label.csv", -3).Y[:, 2].sum() == 1


def test_b21_columns_of_a_file_to_predict_go_by_name():
    def read(name):
        return read_table(CASES / f"inputs/B21_{name}.csv").preview(99)

    expected = next(case for case in json.loads((CASES / "cases.json").read_text()) if case["id"] == "B21")["expected"]
    train = read("train")
    model = ClassifierChain().fit(train[["x1", "x2", "x3"]], train[["A", "B"]])
    assert model.predict_frame(read("test_same_order")).to_numpy().tolist() == expected["pred"]
    assert model.predict_frame(read("test_reordered")).to_numpy().tolist() == expected["pred"]
    with pytest.warns(UserWarning, match="'id'"):
        assert model.predict_frame(read("test_extra_column")).to_numpy().tolist() == expected["pred"]
    with pytest.raises(ValueError, match="x2"):
        model.predict_frame(read("test_missing_x2"))


@pytest.mark.parametrize("name", ["B40_number_like_names.csv", "B40_exponent_like_names.csv"])
def test_b40_names_like_numbers(name):
    table = read_table(CASES / "inputs" / name)
    header = (CASES / "inputs" / name).read_text().splitlines()[0].split(",")
    assert list(table.columns) == header
    assert list(table.propose_labels()) == header[1:]


def test_b46_bad_files_and_a_good_one():
    assert case("B46_GOOD_UPPERCASE.ARFF").Y.ravel().tolist() == [0, 1, 1, 0]
    for name, cause in (
        ("B46_empty.csv", "empty"),
        ("B46_header_only.csv", "no rows"),
        ("B46_short_row.arff", "line 8: expected 3 values but got 2"),
        ("B46_csv_named_arff.arff", "not an ARFF file"),
        ("B46_binary.csv", "binary"),
    ):
        with pytest.raises(DataError, match=rf"{name}: .*{cause}"):
            case(name)


def test_b48_many_labels(tmp_path, monkeypatch, capsys):
    path = tmp_path / "wide.arff"
    monkeypatch.setattr(sys, "argv", ["B48_gen.py", str(path)])
    runpy.run_path(str(CASES / "inputs/B48_gen.py"))
    expected = json.loads((CASES / "cases.json").read_text())
    assert "B48" in json.dumps(expected)
    figures = load(path).statistics()
    assert (figures.n_instances, figures.n_labels, figures.n_features) == (200, 983, 20)
    assert figures.label_cardinality == pytest.approx(19.485)
    assert (figures.frequencies == 0).sum() == 17
