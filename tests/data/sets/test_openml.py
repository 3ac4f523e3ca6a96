"""A data set of OpenML as it is kept on this machine."""

import gzip
import json
from pathlib import Path

import pytest
from sentences import alike, has_line
from sklearn import datasets

from trellislib.data.dataset import DataError
from trellislib.data.sets.openml import OpenMLFiles

ARFF = """@RELATION 'heaven'
@ATTRIBUTE row REAL
@ATTRIBUTE x REAL
@ATTRIBUTE 'it\\'s' {FALSE,TRUE}
@ATTRIBUTE q {0,1}
@DATA
1,0.5,FALSE,1
2,1e-17,TRUE,0
"""
DESCRIPTION = {"name": "heaven", "url": "https://openml.example/7.arff", "md5_checksum": "0" * 32}


@pytest.fixture
def kept(tmp_path):
    """Return what writes the three files."""

    def write(description=DESCRIPTION, targets=("it's", "q"), ignored=("row",), features=None):
        columns = [
            {"name": name, "is_target": str(name in targets).lower(), "is_ignore": str(name in ignored).lower()}
            for name in ("row", "x", "it's", "q")
        ]
        files = OpenMLFiles(tmp_path, 7)
        files.table.write_text(ARFF)
        files.description.write_text(json.dumps({"data_set_description": description}))
        files.features.write_text(json.dumps({"data_features": {"feature": columns if features is None else features}}))
        return files

    return write


def test_targets_are_labels_and_what_is_to_be_ignored_is_left_out(kept):
    data = kept().read()
    assert data.name == "heaven"
    assert data.label_names == ("it's", "q")
    assert data.feature_names == ("x",)
    assert data.Y.tolist() == [[0, 1], [1, 0]]
    assert "From OpenML, data set 7." in data.provenance
    has_line(data.provenance, "2 labels", "according", "OpenML says", "columns")
    has_line(data.notes, "Column 'row'", "left out", "OpenML says")


def test_what_is_ignored_but_a_target_is_a_label(kept):
    assert kept(ignored=("q", "elsewhere")).read().label_names == ("it's", "q")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"targets": ()}, "heaven: OpenML names no target column of data set 7; give the labels."),
        (
            {"features": [{"name": "rows", "is_target": "true"}]},
            "heaven: there is no column 'rows' to be a label; the nearest name is 'row'.",
        ),
        ({"features": ["q"]}, "openml-7-features.json: this is not what OpenML says of columns; remove the file."),
        ({"features": 7}, "openml-7-features.json: this is not what OpenML says of columns; remove the file."),
        (
            {"description": {"name": "x"}},
            "openml-7-description.json: OpenML's description of the data set gives no file to download.",
        ),
        (
            {"description": 7},
            "openml-7-description.json: this is not what OpenML says of a data set; remove the file.",
        ),
    ],
)
def test_answers_that_are_not_right(kept, changed, message):
    with pytest.raises(DataError) as error:
        kept(**changed).read()
    alike(str(error.value), message)


def test_a_file_that_is_not_there(kept):
    files = kept()
    files.features.unlink()
    with pytest.raises(DataError, match=r"^openml-7-features.json: .*file cannot .*read \(No .*file"):
        files.read()


def test_the_answers_that_scikit_learn_keeps_for_its_tests(tmp_path):
    """They are real ones of OpenML, with the first rows of the data."""
    folder = Path(datasets.__file__).parent / "tests/data/openml/id_40589"
    if not folder.is_dir():
        pytest.skip("this scikit-learn comes without its tests")
    contents = [
        gzip.decompress((folder / f"{name}.gz").read_bytes())
        for name in ("api-v1-jd-40589.json", "api-v1-jdf-40589.json", "data-v1-dl-4644182.arff")
    ]
    for path, content in zip(OpenMLFiles(tmp_path, 40589).all, contents, strict=True):
        path.write_bytes(content)
    data = OpenMLFiles(tmp_path, 40589).read()
    assert (data.name, data.n_labels, data.n_features) == ("emotions", 6, 72)
    assert data.label_names[0] == "amazed.suprised"
