"""Growth of cost with the size of the data."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib.figures import METHOD_STYLES, growth_exponent, growth_figure


def measured(variables=("L", "N"), methods=(("IC", "least squares"), ("CT", "least squares"), ("CT", "logistic"))):
    rows = []
    for variable in variables:
        for position, (method, base) in enumerate(methods):
            for size in (100, 1000, 10_000):
                train = 1e-4 * size ** (1 + position / 2)
                row = {"method": method, "base": base, "variable": variable, "size": size}
                rows.append(row | {"train s": train, "predict s": 1e-3 * size, "peak GiB": 0.25})
    return pd.DataFrame(rows)


def test_a_line_for_each_method_and_base_learner_with_its_exponent():
    figure = growth_figure(measured())

    assert [trace.name for trace in figure.data] == [
        "IC: L<sup>1.00</sup>",
        "CT: L<sup>1.50</sup>",
        "CT, logistic: L<sup>2.00</sup>",
    ]
    assert_array_equal(figure.data[0].x, [100, 1000, 10_000])
    assert_allclose(figure.data[0].y, [0.01, 0.1, 1.0])
    assert figure.layout.showlegend


def test_styles_are_the_methods():
    first, second, third = growth_figure(measured()).data

    assert first.line.color == first.marker.color == METHOD_STYLES["IC"].color
    assert (second.marker.symbol, second.line.color) == (third.marker.symbol, third.line.color)
    assert [trace.line.dash for trace in (first, second, third)] == ["solid", "solid", "dash"]


@pytest.mark.parametrize(("variable", "named"), [("L", "labels L"), ("N", "instances N")])
def test_axes_are_logarithmic_and_named_with_units(variable, named):
    layout = growth_figure(measured(), variable, "predict").layout

    assert layout.xaxis.title.text == named
    assert layout.yaxis.title.text == "time of prediction (s)"
    assert layout.xaxis.type == layout.yaxis.type == "log"
    assert layout.xaxis.range[0] < 2 < 4 < layout.xaxis.range[1]
    assert layout.yaxis.range[0] < -1 < 1 < layout.yaxis.range[1]
    assert {"100", "1,000", "10,000"} <= set(layout.xaxis.ticktext)


def test_hovering_gives_exact_numbers():
    shown = growth_figure(measured()).data[2].hovertext[1]

    assert all(part in shown for part in ("CT, logistic", "L = 1,000", "training 100 s", "prediction 1 s", "0.25 GiB"))


def test_sizes_are_joined_in_order_whatever_the_order_of_the_rows():
    assert_array_equal(growth_figure(measured().sample(frac=1, random_state=0)).data[0].x, [100, 1000, 10_000])


def test_one_size_has_no_exponent_and_names_are_literal():
    frame = measured(methods=[("<b>", "mine & yours")]).query("size == 100")

    assert growth_figure(frame).data[0].name == "&lt;b&gt;, mine &amp; yours"


def test_what_was_not_measured_is_not_drawn():
    frame = measured()
    frame.loc[frame["method"] == "IC", "train s"] = np.nan

    assert [trace.name[:2] for trace in growth_figure(frame).data] == ["CT", "CT"]
    assert len(growth_figure(frame, "D").data) == 0


@pytest.mark.parametrize("chosen", [{"variable": "K"}, {"stage": "test"}])
def test_unknown_variables_and_stages_are_refused(chosen):
    with pytest.raises(ValueError, match="but expected one of"):
        growth_figure(measured(), **chosen)


def test_an_exponent_is_that_of_the_larger_sizes():
    sizes = np.array([1, 10, 100, 1000, 10_000])

    assert_allclose(growth_exponent(sizes, 3.0 * sizes**1.5), 1.5)
    assert_allclose(growth_exponent(sizes, np.where(sizes < 100, 5.0, sizes**2)), 2.0)
    assert_allclose(growth_exponent([10, 20], [1.0, 2.0]), 1.0)
    assert np.isnan(growth_exponent([10], [1.0]))
