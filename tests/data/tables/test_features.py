import numpy as np
import pytest
from scipy import sparse
from sentences import alike, has_line
from sklearn.feature_extraction.text import TfidfVectorizer

from trellislib.data.dataset import DataError
from trellislib.data.tables.columns import Columns
from trellislib.data.tables.features import WITHIN_FOLDS, fit_features

NAN = np.nan
TEXTS = ("the sea is blue", "the sky is blue", "sand")


def feature_matrix(table, candidates, **options):
    columns, X, notes, _ = fit_features(table, candidates, **options)
    again = columns.transform(table)
    assert sparse.issparse(again) == sparse.issparse(X)
    np.testing.assert_array_equal(dense(again), dense(X))
    return X, columns.names, notes


def dense(X):
    return X.toarray() if sparse.issparse(X) else X


def plots(form=np.asarray, texts=TEXTS):
    cells = np.array([[0.5, 0], [0.1, 1], [0.2, 2], [0.4, NAN], [0.3, 0]])
    return Columns("toy.csv", ("x", "plot"), (None, texts), form(cells), unusable={"plot": "free text"})


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_texts_become_weights_of_words(form):
    X, names, notes = feature_matrix(plots(form), [0, 1], text="tf-idf")
    assert names == ("x", "plot: blue", "plot: is", "plot: sea", "plot: the")
    rows = [TEXTS[0], TEXTS[1], TEXTS[2], "", TEXTS[0]]
    expected = TfidfVectorizer(vocabulary=["blue", "is", "sea", "the"]).fit_transform(rows).toarray()
    np.testing.assert_allclose(dense(X)[:, 1:], expected)
    sentence = "Column 'plot' holds free text and became 4 words, weighted by TF-IDF"
    alike(notes, [f"{sentence}; its 1 missing cell has no words.", WITHIN_FOLDS])
    assert sparse.issparse(X) == (form is sparse.csr_array)  # a dense X is smaller here


def test_few_words_in_many_are_stored_sparsely():
    texts = tuple(f"word{i} word{i + 1}" for i in range(40))
    cells = np.column_stack([np.arange(40) / 7, np.arange(40)])
    toy = Columns("toy.csv", ("x", "plot"), (None, texts), cells, unusable={"plot": "free text"})
    X, names, notes = feature_matrix(toy, [0, 1], text="tf-idf")
    assert sparse.issparse(X)
    assert X.shape == (40, len(names)) == (40, 40)  # the first and the last word occur once
    alike(notes[-1], "The features are stored without their zeros, which takes less memory.")


def test_words_are_bounded(monkeypatch):
    monkeypatch.setattr("trellislib.data.tables.features.MAX_WORDS", 2)
    assert feature_matrix(plots(), [0, 1], text="tf-idf")[1] == ("x", "plot: blue", "plot: is")


def test_of_words_that_are_as_frequent_the_first_in_the_alphabet_are_taken(monkeypatch):
    monkeypatch.setattr("trellislib.data.tables.features.MAX_WORDS", 50)
    words = [f"word{i:03d}" for i in range(200)]
    often = words[::9]
    toy = plots(texts=(" ".join(words), " ".join(often), "sea"))  # the first text stands in two rows
    kept = sorted([*often, *(word for word in words if word not in often)][:50])
    assert feature_matrix(toy, [1], text="tf-idf")[1] == tuple(f"plot: {word}" for word in kept)


def test_words_that_are_called_as_a_column_are_renamed_and_noted():
    toy = plots()
    toy = Columns(toy.name, ("plot: sea", "plot"), toy.categories, toy.cells, unusable=toy.unusable)
    _, names, notes = feature_matrix(toy, [0, 1], text="tf-idf")
    assert names == ("plot: sea", "plot: blue", "plot: is", "plot: sea (2)", "plot: the")
    has_line(notes, "The column name 'plot", "sea' occurs more than once", "later ones", "numbered")


def test_texts_are_left_out_unless_asked_for():
    X, names, notes = feature_matrix(plots(), [0, 1])
    assert (X.shape, names) == ((5, 1), ("x",))
    alike(notes, ["Column 'plot' holds free text and was left out of the features."])


def test_texts_without_words_in_common_are_left_out():
    toy = plots(texts=("one", "two", "?!"))
    toy = Columns(toy.name, toy.columns, toy.categories, toy.cells[:3], unusable=toy.unusable)
    X, names, notes = feature_matrix(toy, [0, 1], text="tf-idf")
    assert (X.shape, names) == ((3, 1), ("x",))
    alike(notes, ["Column 'plot' holds no word that occurs in two rows and was left out of the features."])
    with pytest.raises(DataError, match=r"no feature .*'plot' holds no word"):
        feature_matrix(toy, [1], text="tf-idf")


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_constant_features_are_left_out_if_asked(form):
    cells = np.array([[1, 5, 0, 2, NAN], [2, 5, 0, 2, 2], [3, 5, 0, 0, 2]])
    toy = Columns("toy.csv", tuple("abcde"), (None,) * 5, form(cells))
    assert feature_matrix(toy, range(5))[1] == tuple("abcde")
    X, names, notes = feature_matrix(toy, range(5), drop_constant=True)
    assert names == ("a", "d")
    alike(notes[-1], "3 constant features were left out: 'b', 'c' and 'e'.")
    assert X.shape == (3, 2)
    with pytest.raises(DataError, match="every feature is constant"):
        feature_matrix(toy, [1, 2], drop_constant=True)
    assert feature_matrix(toy, [0, 3], drop_constant=True)[2] == []


def test_very_wide_indicators_are_sparse(monkeypatch):
    towns = tuple(f"t{i}" for i in range(30))
    toy = Columns("toy.csv", ("x", "town"), (None, towns), np.column_stack([np.arange(30)] * 2) * 1.0)
    wide = feature_matrix(toy, [0, 1])[0]
    monkeypatch.setattr("trellislib.data.tables.features._MAX_DENSE_CELLS", 100)
    thin, _, notes = feature_matrix(toy, [0, 1])
    np.testing.assert_array_equal(thin.toarray(), wide)
    alike(
        notes,
        [
            "1 categorical column became 30 columns of 0 and 1: 'town'.",
            "The features are stored without their zeros, which takes less memory.",
        ],
    )
