"""How Sphinx makes the documentation: ``sphinx-build -W assets/docs build/docs``."""

import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "app")]

import trellislib
from gallery import save_figures
from lessons import write_lessons

project = "trellislib"
author = "The trellislib developers"
project_copyright = f"2026, {author}"
release = version = trellislib.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_gallery.gen_gallery",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["examples/*", "gallery/*.py", "gallery/*.ipynb", "gallery/*.zip", "gallery/*.json"]
default_role = "py:obj"
templates_path = ["_templates"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3

autosummary_generate = True
autosummary_imported_members = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"
ROUTING = ("fit", "partial_fit", "predict", "predict_proba", "decision_function", "score", "transform")
autodoc_default_options = {  # what scikit-learn adds to every estimator
    "exclude-members": ", ".join(["get_metadata_routing", *(f"set_{method}_request" for method in ROUTING)])
}
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "image_scrapers": (save_figures,),
    "within_subsection_order": "FileNameSortKey",
    "reset_modules": (),
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "abort_on_example_error": True,
}
suppress_warnings = ["config.cache"]  # of the function in the gallery's settings, which is no value to be cached

html_theme = "pydata_sphinx_theme"
html_title = "trellislib"
html_logo = "../logo.svg"
html_favicon = "../icon.svg"
html_show_sourcelink = False
html_theme_options = {"use_edit_page_button": False, "show_prev_next": False, "navbar_align": "left"}


def setup(app: Sphinx) -> None:
    """Write the lessons before Sphinx looks for pages."""
    app.connect("config-inited", lambda app, config: write_lessons(Path(app.srcdir) / "lessons"))
