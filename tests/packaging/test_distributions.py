"""The wheel and the sdist hold what they should, and say of themselves what a package index needs."""

import re
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from trellislib import __version__

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

pytestmark = pytest.mark.slow


def names(path):
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def files(folder, target):
    """Return the files below a folder of this clone, by their names below another."""
    below = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {f"{target}/{path.relative_to(ROOT / folder).as_posix()}" for path in below}


@pytest.fixture(scope="module")
def metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        return message_from_bytes(archive.read(name))


def test_the_wheel_holds_the_library_the_dashboard_and_its_assets(wheel):
    held = names(wheel)
    left_out = {"trellislib/assets/trellis-page.png"}
    left_out |= {name for name in files("assets", "trellislib/assets") if name.startswith("trellislib/assets/docs/")}
    expected = files("trellislib", "trellislib") | files("app", "trellislib/app") | files("assets", "trellislib/assets")
    assert {"trellislib/app/main.py", "trellislib/app/.streamlit/config.toml"} < held
    assert {name for name in held if ".dist-info/" not in name} == expected - left_out


def test_the_wheel_is_the_same_from_the_clone(wheel, tmp_path, uv):
    uv("build", "--quiet", "--wheel", "--out-dir", tmp_path, ROOT)
    (from_clone,) = tmp_path.glob("*.whl")
    assert names(from_clone) == names(wheel)


def test_the_sdist_holds_the_sources_where_they_are(sdist):
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {"app/main.py", "app/.streamlit/config.toml", "assets/trellis-page.png", "pyproject.toml", "LICENSE"} < held
    assert files("tests", "tests") <= held


def test_an_index_takes_both(wheel, sdist, done):
    done(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)


def test_the_metadata_are_complete(metadata):
    assert metadata["Version"] == __version__
    assert metadata["Author"] == "The trellislib developers"
    assert metadata["License-Expression"] == "BSD-3-Clause"
    assert metadata.get_all("Project-URL")
    assert f"Programming Language :: Python :: {sys.version_info.major}.{sys.version_info.minor}" in metadata.get_all(
        "Classifier"
    )


def test_the_description_has_no_link_that_leads_nowhere(metadata):
    description = metadata.get_payload(decode=True).decode()
    assert description.startswith("# trellislib")
    links = re.findall(r"\]\(([^)]*)\)", description)
    assert [link for link in links if not link.startswith("https://")] == []
