"""Columns that group rows, weigh them, or hold a number for what is missing."""

import numpy as np
import pandas as pd
import pytest
from sentences import Containing, has_line

from trellislib.data import from_frame
from trellislib.data.roles import roles

N = 40
RNG = np.random.default_rng(0)


def made(**columns):
    group = np.arange(N) // 4
    frame = pd.DataFrame({"x": RNG.normal(size=N), **columns, "a": group % 2, "b": group % 3 % 2})
    return list(roles(from_frame(frame, -2)))


@pytest.mark.parametrize("values", [[f"S{i // 4:02d}" for i in range(N)], [101 + i // 4 for i in range(N)]])
def test_a_column_that_decides_the_labels_groups_rows(values):
    assert made(patient_id=values) == [Containing("'patient_id'", "all labels", "10 values", "40 rows", "groups rows")]


def test_a_column_that_does_not_decide_them_is_none():
    assert made(city=[f"c{i % 5}" for i in range(N)]) == []
    assert made(dose=[i % 5 for i in range(N)]) == []


def test_an_id_that_repeats_is_proposed_as_groups():
    has_line(made(patient_id=[i % 5 for i in range(N)]), "'patient_id'", "5 values", "40 rows", "groups")
    assert made(patient_id=[i % 2 for i in range(N)]) == []
    many = pd.DataFrame(
        {"user": [f"u{i // 2:03d}x" for i in range(500)], "x": RNG.normal(size=500), "a": RNG.random(500) < 0.5}
    )
    assert from_frame(many, -1).notes[-1] == Containing("'user'", "250 values", "groups")
    grouped = from_frame(many, -1, groups="user")
    assert grouped.n_apart == 250
    assert not [note for note in [*grouped.notes, *roles(grouped)] if "choose it as groups" in note]


@pytest.mark.parametrize("name", ["weight", "sample_weight", "Weights", "wgt"])
def test_weights(name):
    has_line(made(**{name: RNG.uniform(size=N)}), repr(name), "weight", "weights")
    assert made(weight_of_bird=RNG.uniform(size=N)) == made(weight=RNG.integers(0, 2, size=N)) == []


@pytest.mark.parametrize("code", [-999, -9, 9999])
def test_codes_of_missing_cells(code):
    cells = RNG.uniform(1, 4, size=N)
    cells[[3, 9, 11]] = code
    assert made(age=cells) == [Containing(str(code), "3 rows", "'age'", "missing")]


@pytest.mark.parametrize(
    "cells", [np.arange(N) - 9, np.where(np.arange(N) % 2, 99, 98), np.where(np.arange(N) % 2, -1, 1)]
)
def test_numbers_among_others_are_no_codes(cells):
    assert made(age=cells) == []
