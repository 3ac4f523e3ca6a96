"""Modules that have moved are found by their earlier names."""

import importlib
import json
import pickle
import subprocess
import sys

import pytest

from trellislib.labels.graph import LabelGraph
from trellislib.running.moved import MOVED


@pytest.mark.parametrize(
    ("earlier", "now"), [*MOVED.items(), ("trellislib.takeaways.graphs", "trellislib.summaries.graphs")]
)
def test_a_module_is_the_same_under_its_earlier_name(earlier, now):
    module = importlib.import_module(earlier)
    assert module is importlib.import_module(now)
    assert module.__spec__.name == now


def test_a_module_that_does_not_exist_is_not_found_in_a_folder_that_has_moved():
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        importlib.import_module("trellislib.takeaways.no_such_module")


def test_a_graph_pickled_before_its_module_moved_is_read():
    graph = LabelGraph([(), (0,)])
    content = pickle.dumps(graph, protocol=0)
    assert b"trellislib.labels.graph" in content
    assert pickle.loads(content.replace(b"trellislib.labels.graph", b"trellislib.label_graph")) == graph


SCRIPT = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
import trellislib
from trellislib.running.moved import MOVED

names = [*MOVED, "trellislib.takeaways.graphs"]
with ThreadPoolExecutor(8) as pool:
    modules = list(pool.map(import_module, names))
loaded = {id(module): module.__file__ for name, module in sys.modules.items() if name.startswith("trellislib")}
print(json.dumps([[module.__spec__.name for module in modules], len(loaded) - len(set(loaded.values()))]))
"""


def test_threads_that_import_by_earlier_names_load_every_module_once():
    found = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    names, n_twice = json.loads(found.stdout)
    assert names == [*MOVED.values(), "trellislib.summaries.graphs"]
    assert n_twice == 0
