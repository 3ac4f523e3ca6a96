import numpy as np
from sentences import alike

from trellislib.data.dataset import Dataset
from trellislib.data.report import report


def test_what_was_read_changed_and_is_odd():
    X, Y = np.eye(4), np.array([[1], [0], [1], [1]])
    data = Dataset(X, Y, tuple("wxyz"), ("a",), (("0", "1"),), notes=("A note.",), provenance=("Read as CSV.",))
    found = report(data)
    assert found.read == ("Read as CSV.",)
    assert found.changed == ("A note.",)
    alike(found.odd, ("1 row has all labels 0.",))
