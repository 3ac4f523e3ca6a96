import numpy as np
import pytest
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.data.sets.installed import PACKAGED, packaged


def test_every_description_has_the_right_figures():
    for name, description in PACKAGED.items():
        data = packaged(name)
        for figure in (data.n_instances, data.n_labels, data.n_features):
            assert f"{figure:,} " in description
        assert data.name == name
        assert data.n_missing == 0


def test_yeast():
    data = packaged("yeast")
    assert (data.n_instances, data.n_features, data.n_labels) == (2417, 103, 14)
    assert data.label_names == tuple(f"Class{i}" for i in range(1, 15))
    assert data.statistics().label_cardinality == pytest.approx(4.237, abs=5e-4)


def test_movies():
    data = packaged("movies")
    assert (data.n_instances, data.n_labels) == (17029, 21)
    assert sparse.issparse(data.X)
    assert sparse.issparse(data.Y)
    assert data.statistics().label_cardinality == pytest.approx(2.0829, abs=5e-5)
    assert data.statistics().n_unlabelled == 0
    assert {"decade=1990s", "minutes=90 to 104", "language=French", "cast=Bruce Willis", "title=love"} <= set(
        data.feature_names
    )
    films_with = dict(zip(data.feature_names, data.X.sum(axis=0), strict=True))
    assert films_with["language=French"] == 1236
    assert films_with["country=Japan"] == 360
    assert films_with["title=love"] == 223
    bands = [j for j, name in enumerate(data.feature_names) if name.startswith("minutes=")]
    assert data.n_instances - data.X[:, bands].sum() == 1110  # the films of unknown runtime
    assert np.unique(data.X.data).tolist() == [1.0]


def test_solar_flare():
    data = packaged("solar-flare")
    assert (data.n_instances, data.n_labels) == (1066, 3)
    assert data.label_values[0] == ("0", "1", "2", "3", "4", "5", "6", "8")
    assert not data.is_multilabel
    assert "evolution=3" in data.feature_names
    assert set(np.unique(data.X)) == {0.0, 1.0}


def test_an_unknown_name_gets_the_list():
    with pytest.raises(DataError, match=r"iris: .*no packaged data set .*yeast, movies, solar-flare"):
        packaged("iris")
