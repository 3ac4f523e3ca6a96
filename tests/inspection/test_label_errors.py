from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import minmax_scale

from trellislib.data import Dataset, simulate_label_dag, simulate_room
from trellislib.inspection import suspicious_labels
from trellislib.labels.graph import LabelGraph
from trellislib.labels.matrices import dense


def made(X, Y, n_values=2):
    n_labels = Y.shape[1]
    values = tuple(tuple("abcdef"[:n_values]) for _ in range(n_labels))
    names = tuple(f"x{j}" for j in range(X.shape[1])), tuple(f"y{j}" for j in range(n_labels))
    return Dataset(X, Y, *names, values)


def flipped(data, share, seed=0):
    """Return data with a share of the labels changed, and which."""
    rng = np.random.default_rng(seed)
    wrong, Y = rng.random(data.Y.shape) < share, dense(data.Y)
    return replace(data, Y=np.where(wrong, 1 - Y, Y)), wrong


def by_definition(data):
    """Return the listed labels as (margin, row, label, suggested, confident), by naive Bayes fitted label by label."""
    X, Y, n_values = data.X, data.Y, len(data.label_values[0])
    found = []
    for label in range(data.n_labels):
        others = [Y[:, [j]] == np.arange(1, n_values) for j in range(data.n_labels) if j != label]
        inputs = np.hstack([X, *others])
        p = np.zeros((len(X), n_values))
        for train, test in KFold(5, shuffle=True, random_state=0).split(X):
            fitted = GaussianNB().fit(inputs[train], Y[train, label])
            p[np.ix_(test, fitted.classes_)] = fitted.predict_proba(inputs[test])
        thresholds = [p[Y[:, label] == value, value].mean() for value in range(n_values)]
        for row, given in enumerate(Y[:, label]):
            others = [value for value in range(n_values) if value != given]
            suggested = max(others, key=lambda value: p[row, value])
            margin = p[row, given] - p[row, suggested]
            reached = [value for value in range(n_values) if p[row, value] >= thresholds[value]]
            confident = bool(reached) and max(reached, key=lambda value: p[row, value]) != given
            if margin < 0 or confident:
                found.append((margin, row, label, suggested, confident))
    return sorted(found)


@pytest.mark.parametrize("n_values", [2, 3])
def test_the_list_is_that_of_the_definition(n_values):
    rng = np.random.default_rng(n_values)
    base = rng.random(60)
    Y = (
        np.column_stack([(base + rng.normal(0, 0.3, 60)) * n_values for _ in range(3)])
        .clip(0, n_values - 1)
        .astype(int)
    )
    data = made(np.column_stack([base, rng.random(60)]), Y, n_values)
    expected = by_definition(data)
    found = suspicious_labels(data, GaussianNB())
    assert len(found) > 5
    assert found["confident"].nunique() == 2
    assert_allclose(found["margin"], [margin for margin, *_ in expected], atol=1e-6)
    for column, at in (("row", 1), ("confident", 4)):
        assert found[column].tolist() == [line[at] for line in expected]
    assert found["label"].tolist() == [f"y{line[2]}" for line in expected]
    assert found["suggested"].tolist() == ["abc"[line[3]] for line in expected]
    assert found["given"].tolist() == ["abc"[Y[line[1], line[2]]] for line in expected]


def test_flipped_labels_are_found_and_the_other_labels_help():
    data, wrong = flipped(simulate_room(600, width=4, random_state=0), 0.02)
    found = suspicious_labels(data, most=int(wrong.sum()))
    position = {name: label for label, name in enumerate(data.label_names)}

    def precision(table):
        return np.mean([wrong[row, position[label]] for row, label in zip(table["row"], table["label"], strict=True)])

    alone = suspicious_labels(data, graph=LabelGraph.independent(16), most=int(wrong.sum()))
    assert precision(found) > max(precision(alone), 20 * wrong.mean())
    assert_allclose(alone["by_labels"], alone["by_features"])
    assert (found["margin"].diff().dropna() >= 0).all()


def test_neighbours_are_the_ten_nearest_other_rows_by_scaled_features():
    data, _ = flipped(simulate_label_dag(n_instances=80, n_labels=4, random_state=1), 0.05)
    data = replace(data, X=np.vstack([data.X[:20]] * 4))  # with more rows of the same features than neighbours
    found = suspicious_labels(data)
    X = minmax_scale(data.X)
    for line in found.itertuples():
        squares = ((X - X[line.row]) ** 2).sum(axis=1)
        squares[line.row] = np.inf
        label = data.label_names.index(line.label)
        given = data.label_values[label].index(line.given)
        tenth = np.sort(squares)[9]
        nearer = data.Y[squares < tenth - 1e-9, label] == given
        same = data.Y[abs(squares - tenth) <= 1e-9, label] == given
        least = nearer.sum() + max(10 - len(nearer) - (~same).sum(), 0)
        assert least / 10 <= line.by_neighbours <= (nearer.sum() + min(10 - len(nearer), same.sum())) / 10


def test_sparse_data_give_the_same_list():
    rng = np.random.default_rng(0)
    X = rng.random((80, 6)) * (rng.random((80, 6)) < 0.5)
    data = made(X, (X[:, :3] + rng.normal(0, 0.2, (80, 3)) > 0.3).astype(int))
    also = replace(data, X=sparse.csr_array(data.X), Y=sparse.csr_array(data.Y))
    columns = ["row", "label", "given", "suggested", "confident", "margin", "by_labels", "by_features"]
    pd.testing.assert_frame_equal(
        suspicious_labels(data, None)[columns], suspicious_labels(also, None)[columns], atol=1e-5
    )


def test_odd_data_are_judged_too():
    rng = np.random.default_rng(0)
    X = rng.random((30, 2))
    Y = np.column_stack([X[:, 0] > 0.5, np.zeros(30)]).astype(int)
    X[3, 0] = np.nan
    data = made(X, Y)
    assert set(suspicious_labels(data)["label"]) <= {"y0"}  # the other one is constant
    assert suspicious_labels(made(X, Y[:, [1]])).empty
    assert len(suspicious_labels(data, most=1)) <= 1
    assert suspicious_labels(made(X[:2], Y[:2])).shape[1] == 10


def test_more_labels_than_rows_allow_are_judged_by_neighbours_in_a_trellis():
    data, _ = flipped(simulate_room(40, width=5, random_state=0), 0.05)
    assert not suspicious_labels(data).empty


def test_what_cannot_be_judged_is_said():
    data = made(np.zeros((1, 1)), np.zeros((1, 1), dtype=int))
    with pytest.raises(ValueError, match="data has a single row"):
        suspicious_labels(data)
    with pytest.raises(ValueError, match="most=0"):
        suspicious_labels(data, most=0)
