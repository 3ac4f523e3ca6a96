"""Tests run with the lowest versions that pyproject.toml allows, and with each Python that it names."""

import json
import os
import re
import subprocess
import sys
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
    ("tests/ranking", "tests/data/test_writing.py"),
    ("tests/app/test_pages.py", "-k", "packaged_sets_open"),
    ("tests/methods/test_contract.py", "-k", "not scikit_learns_checks"),
)
NAMED = {name.split()[-1] for name in PROJECT["classifiers"] if "Python :: 3." in name}
OPTIONS = ("-q", "-m", "not slow and not lowest", "-p", "no:cacheprovider")


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
    lowest.run("pytest", *OPTIONS, "-o", "filterwarnings=", *tests, cwd=ROOT)


@pytest.mark.parametrize("version", sorted(NAMED - {f"{sys.version_info.major}.{sys.version_info.minor}"}))
def test_the_examples_pass_on_the_other_pythons_that_are_named(wheel, environment, tmp_path, version):
    ask = [f"python{version}", "-c", "import sys; print(sys.executable)"]
    try:
        chosen = os.environ | {"PYENV_VERSION": version}  # where pyenv has several
        python = subprocess.run(ask, env=chosen, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        pytest.skip(f"there is no Python {version} on this machine")
    made = environment(tmp_path / "venv", python=python)
    made.install(f"trellislib[app,test] @ {wheel.as_uri()}")
    made.run("pytest", *OPTIONS, "--pyargs", "trellislib", cwd=ROOT)
