"""Folders of the library import from each other one way."""

import ast
import subprocess
import sys
from pathlib import Path

import networkx as nx

LIBRARY = Path(__file__).parents[1] / "trellislib"


def test_no_folder_imports_from_one_that_imports_from_it():
    imports = nx.DiGraph()
    for file in LIBRARY.rglob("*.py"):
        folder = file.relative_to(LIBRARY).parts[0]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("trellislib."):
                imports.add_edge(folder, node.module.split(".")[1])
    imports.remove_edges_from(list(nx.selfloop_edges(imports)))
    assert list(nx.simple_cycles(imports)) == []


def test_only_folders_lie_at_the_top():
    assert {file.stem for file in LIBRARY.glob("*.py")} == {"__init__", "__main__", "typing"}


def test_importing_the_library_imports_nothing_large():
    script = "import sys, trellislib; print('numpy' in sys.modules, trellislib.data.load.__module__)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "False"
    assert done.stdout.split()[1].startswith("trellislib.data.")
