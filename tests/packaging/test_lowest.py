"""The lowest versions that pyproject.toml allows are installed once, and tests run with them."""

import json
import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.version import Version

pytestmark = [pytest.mark.lowest, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SUITE = (
    ("--pyargs", "trellislib"),  # every example of the documentation, from the wheel
    ("tests/ranking", "tests/data/test_writing.py", "tests/app/test_start_page.py", "tests/app/test_pages.py"),
    ("tests/methods/test_contract.py", "-k", "not scikit_learns_checks"),
)


def lower_bounds():
    """Return the lowest version of each package that the project or an extra of it needs."""
    wanted = chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    bounds = [
        re.fullmatch(r"([\w.-]+)(?:\[.+\])?>=([\w.]+)", one) for one in wanted if not one.startswith("trellislib[")
    ]
    return {bound[1].lower(): Version(bound[2]) for bound in bounds}


@pytest.fixture(scope="module")
def lowest(wheel, environment, tmp_path_factory):
    made = environment(tmp_path_factory.mktemp("lowest") / "venv")
    made.install("--resolution", "lowest-direct", "--all-extras", "--requirements", ROOT / "pyproject.toml")
    made.install("--no-deps", wheel)
    return made


def test_every_lower_bound_is_installed(lowest, uv):
    listed = json.loads(uv("pip", "list", "--python", lowest.commands / "python", "--format", "json"))
    found = {one["name"].lower(): Version(one["version"]) for one in listed}
    bounds = lower_bounds()
    assert {name: found[name] for name in bounds} == bounds


@pytest.mark.parametrize("tests", SUITE, ids=" ".join)
def test_the_tests_pass_with_them(lowest, tests):
    # Warnings of releases that are out of support by now are no errors here.
    options = ("-q", "-m", "not slow and not lowest", "-o", "filterwarnings=", "-p", "no:cacheprovider")
    lowest.run("pytest", *options, *tests, cwd=ROOT)
