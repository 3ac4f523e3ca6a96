"""Sentences on a data set, how frequent its labels are, and how many of them an instance has."""

from dataclasses import replace

import numpy as np
import pytest
from sentences import holds

from trellislib.data import Dataset
from trellislib.data.dataset import PartiallyLabelled
from trellislib.summaries import about_data, about_frequencies, about_labels_per_instance

MANY = (("none", "few", "many"), ("0", "1"))


def dataset(Y, values=None):
    Y = np.asarray(Y)
    values = values or (("0", "1"),) * Y.shape[1]
    return Dataset(np.zeros((len(Y), 2)), Y, ("x", "z"), tuple("abcdefgh"[: Y.shape[1]]), values, name="made")


def statistics(Y):
    return dataset(Y).statistics()


@pytest.mark.parametrize(
    ("Y", "parts"),
    [
        ([[1, 0], [1, 0], [1, 1], [0, 0]], ("made", "4 instances", "2 features", "2 labels", "1 label on average")),
        ([[1, 0], [1, 0], [1, 1], [0, 0]], ("b is 3 times rarer than a",)),
        ([[1], [0]], ("2 instances", "1 label", "single label")),
        ([[1, 0]], ("1 instance",)),
        ([[1, 0], [0, 0]], ("b is never relevant",)),
        ([[0, 0], [0, 0]], ("is never relevant",)),
        ([[1, 0], [0, 1]], ("labels are equally frequent",)),
        ([[1, 1], [1, 1]], ("labels are equally frequent",)),
        ([[1, 0]] + 299 * [[1, 1]], ("labels are about equally frequent",)),
    ],
)
def test_data(Y, parts):
    data = dataset(Y)
    holds(about_data(data, data.statistics()), *parts)


def test_data_of_which_some_labels_are_unknown():
    incomplete = PartiallyLabelled(np.zeros((1, 2)), np.array([[1, 0]]), np.array([[True, False]]))
    data = replace(dataset([[1, 0], [0, 1]]), incomplete=incomplete)
    holds(about_data(data, data.statistics()), "2 instances", "1 instance partially labelled", "2 features")


@pytest.mark.parametrize(
    ("Y", "parts"),
    [
        ([[2, 0], [0, 1], [1, 0], [0, 0]], ("0.75 labels", "b is 2 times rarer than a")),
        ([[2, 0], [1, 0]], ("1 label on average", "b always has its first value")),
    ],
)
def test_labels_of_more_values_differ_from_their_first(Y, parts):
    data = dataset(Y, MANY)
    holds(about_data(data, data.statistics()), *parts)


@pytest.mark.parametrize(
    ("Y", "parts"),
    [
        ([[1, 0, 1], [1, 0, 0], [1, 1, 0], [0, 0, 0]], ("a is relevant in 75%", "c in 25%")),
        ([[1], [0], [0], [0]], ("a is relevant in 25%",)),
        ([[1, 0], [0, 1]], ("Each label is relevant in 50%",)),
        ([[1, 0]] * 70 + [[1, 1]], ("a is relevant in 100%", "b in 1.4%")),
        ([[1, 0]] * 999 + [[0, 0]], ("a is relevant in more than 99%", "b in 0%")),
        ([[1, 0]] * 2999 + [[1, 1]], ("a is relevant in 100%", "b in less than 0.1%")),
    ],
)
def test_frequencies(Y, parts):
    holds(about_frequencies(statistics(Y)), *parts)


@pytest.mark.parametrize(
    ("Y", "parts"),
    [
        ([[1, 0], [1, 0], [1, 1]], ("most often", "1 label (67%)", "from 1 to 2")),
        (
            [[1, 1], [1, 1], [1, 1], [0, 0], [0, 0]],
            ("most often", "2 labels (60%)", "from 0 to 2", "2 instances have none"),
        ),
        ([[1, 0], [0, 1]], ("Every instance has 1 label",)),
        ([[0, 0], [0, 0]], ("Every instance has 0 labels",)),
    ],
)
def test_labels_per_instance(Y, parts):
    holds(about_labels_per_instance(statistics(Y)), *parts)


def test_frequencies_of_labels_with_more_values():
    found = statistics([[1, 0], [1, 0], [1, 1]])
    holds(about_frequencies(found, is_multilabel=False), "a differs from its first value in 100%", "b in 33%")
    holds(about_labels_per_instance(found, is_multilabel=False), "1 label not of its first value (67%)", "from 1 to 2")
