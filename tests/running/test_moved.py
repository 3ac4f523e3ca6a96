"""Modules that have moved are found by their earlier names."""

import importlib

import pytest

from trellislib.running.moved import MOVED


@pytest.mark.parametrize(("earlier", "now"), MOVED.items())
def test_a_module_is_the_same_under_its_earlier_name(earlier, now):
    module = importlib.import_module(earlier)
    assert module is importlib.import_module(now)
    assert module.__spec__.name == now
