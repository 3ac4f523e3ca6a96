"""Imports of the dashboard run one way: state, then components, then views; and no page needs another page."""

import ast
from pathlib import Path

import pytest

APP = Path(__file__).parents[2] / "app"
FILES = sorted(APP.rglob("*.py"))


def imported(file):
    """Return the modules that a file imports anywhere in it, a name from a module with the module before it."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(APP)))
def test_a_module_imports_only_from_its_own_layer_and_those_below(file):
    layer, *rest = file.relative_to(APP).parts
    above = {"state": ("components.", "views.", "main"), "components": ("views.", "main"), "views": ("main",)}
    assert not [name for name in imported(file) if name.startswith(above.get(layer, ()))]
    if layer == "views" and len(rest) > 1:
        own = f"views.{rest[0]}."
        assert not [name for name in imported(file) if name.startswith("views.") and not f"{name}.".startswith(own)]


def test_the_library_never_imports_the_dashboard():
    for file in sorted((APP.parent / "trellislib").rglob("*.py")):
        names = [name.split(".")[0] for name in imported(file)]
        assert not {"streamlit", "state", "components", "views"} & set(names), file
