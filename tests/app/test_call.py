"""A call runs and prints itself, and what it prints gives the same result."""

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from state.call import Call, Script, constant, known, public_module

import trellislib.metrics
from trellislib import ClassifierTrellis, LeastSquares
from trellislib.data import packaged, simulate_label_dag
from trellislib.dependence import pair_counts, whole_or_rows
from trellislib.graphs import LabelGraph, captured_dependence, trellis

DATA = Call(simulate_label_dag, n_instances=60, n_labels=5, n_features=4, random_state=0).named("data")


def run(script):
    """Return the names that a script defines."""
    names = {}
    exec(str(script), names)
    return names


def test_what_is_printed_is_what_runs():
    information = Call(whole_or_rows, Call(pair_counts, DATA.Y)).named("information")
    placed = Call(trellis, information, width=2, random_state=1).named("placed")
    captured = Call(captured_dependence, placed, information).named("captured")
    names = run(Script().print(captured, placed.order[0]))
    assert names["captured"] == captured.value
    assert names["placed"] == placed.value
    np.testing.assert_array_equal(names["information"], information.value)


def test_a_result_is_found_once_and_may_be_given():
    asked = []
    call = Call(lambda number: asked.append(number) or number + 1, 1)
    assert (call.value, call.value, asked) == (2, 2, [1])
    assert Call(max, [Call(int, 1).given(7), known("three", 3)]).value == 7


def test_more_arguments_of_a_run_are_not_printed():
    call = Call(sorted, [2, 1])
    assert call.run(reverse=True) == [2, 1]
    assert Script().text(call) == "sorted([2, 1])"


def test_a_name_is_defined_once_and_another_call_of_that_name_has_a_number():
    one, again, other = (Call(max, 1, second).named("most") for second in (2, 2, 3))
    script = Script().print(one, again, other)
    assert str(script).splitlines() == ["most = max(1, 2)", "most_2 = max(1, 3)", "print(most, most, most_2)"]


@pytest.mark.parametrize(
    ("thing", "module"),
    [
        (ClassifierTrellis, "trellislib"),
        (pair_counts, "trellislib.dependence"),
        (packaged, "trellislib.data"),
        (SimpleImputer, "sklearn.impute"),
        (np.zeros, "numpy"),
    ],
)
def test_things_are_imported_from_their_shortest_public_path(thing, module):
    assert public_module(thing) == module


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (ClassifierTrellis(LeastSquares(2.0)), "ClassifierTrellis(estimator=LeastSquares(alpha=2.0))"),
        (LabelGraph([(), (0,)]), "LabelGraph([(), (0,)], [0, 1])"),
        (np.arange(3), "array([0, 1, 2])"),
        ({"a": (1,), "b": None}, "{'a': (1,), 'b': None}"),
        (constant(trellislib.metrics, "MEASURES")["accuracy"], "MEASURES['accuracy']"),
        (DATA.Y[3:5], "data.Y[3:5]"),
        (known("member", None).fit(1, y=2), "member.fit(1, y=2)"),
    ],
)
def test_values_are_printed_as_a_person_would_write_them(value, text):
    assert Script().text(value) == text


def test_a_long_call_is_broken_into_a_line_for_each_argument():
    script = Script().print(Call(max, *[f"a word of some length, number {number}" for number in range(5)]))
    lines = str(script).splitlines()
    assert lines[:2] == ["print(", "    max("]
    assert max(map(len, lines)) <= 100
    run(script)
