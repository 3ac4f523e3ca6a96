"""What the tests of the package share: its distributions, and environments into which the wheel was installed."""

import filecmp
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from uv import find_uv_bin

ROOT = Path(__file__).parents[2]
LIMIT = 1200  # seconds, for what hangs; nothing is asserted about time


def clean_environment(**changes: str) -> dict[str, str]:
    """Return the environment without what would let a process find this clone."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | changes


def done(*command: object, **options) -> str:
    """Run a command, which must succeed; its output."""
    options = {"env": clean_environment(), "timeout": LIMIT} | options
    ended = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def uv(*arguments: object, **options) -> str:
    return done(find_uv_bin(), *arguments, **options)


@pytest.fixture(scope="session", name="uv")
def _uv():
    return uv


@pytest.fixture(scope="session", name="done")
def _done():
    return done


@dataclass(frozen=True)
class Environment:
    """A virtual environment."""

    folder: Path

    @classmethod
    def made(cls, folder: Path, *options: str, python: str = sys.executable) -> "Environment":
        uv("venv", "--quiet", "--python", python, *options, folder)
        return cls(folder)

    @property
    def commands(self) -> Path:
        return self.folder / "bin"

    def install(self, *arguments: object) -> None:
        uv("pip", "install", "--quiet", "--python", self.commands / "python", *arguments)

    def run(self, command: str, *arguments: object, **options) -> str:
        return done(self.commands / command, *arguments, **options)

    @property
    def packages(self) -> Path:
        (found,) = self.folder.glob("lib/python*/site-packages")
        return found

    def take_bytecode(self, other: "Environment") -> None:
        """Copy the bytecode of sources that another has with the same content; Python asks when they were written."""
        for mine in self.packages.rglob("*.py"):
            source = other.packages / mine.relative_to(self.packages)
            theirs, target = Path(cache_from_source(source)), Path(cache_from_source(mine))
            if not target.exists() and theirs.exists() and filecmp.cmp(source, mine, shallow=False):
                bytecode = theirs.read_bytes()
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(bytecode[:8] + int(mine.stat().st_mtime).to_bytes(4, "little") + bytecode[12:])


@pytest.fixture(scope="session")
def environment():
    return Environment.made


@pytest.fixture(scope="session")
def distributions(tmp_path_factory) -> Path:
    """Build both, the wheel from the sdist; the folder."""
    folder = tmp_path_factory.mktemp("dist")
    uv("build", "--quiet", "--out-dir", folder, ROOT)
    return folder


@pytest.fixture(scope="session")
def wheel(distributions) -> Path:
    (path,) = distributions.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def sdist(distributions) -> Path:
    (path,) = distributions.glob("*.tar.gz")
    return path


@pytest.fixture(scope="session")
def compiled() -> list[Environment]:
    """The environments made so far, and this one: to compile their packages again takes longer than what is tested."""
    return [Environment(Path(sys.prefix))]


@pytest.fixture(scope="session")
def installed(wheel, compiled, tmp_path_factory) -> Environment:
    """An environment with the wheel and its dashboard, and nothing else."""
    made = Environment.made(tmp_path_factory.mktemp("installed") / "venv")
    made.install(f"trellislib[app] @ {wheel.as_uri()}")
    for other in compiled:
        made.take_bytecode(other)
    return made


@pytest.fixture(scope="session")
def base(wheel, compiled, tmp_path_factory) -> Environment:
    """An environment with the wheel without any of its extras."""
    made = Environment.made(tmp_path_factory.mktemp("base") / "venv")
    made.install(f"trellislib @ {wheel.as_uri()}")
    for other in compiled:
        made.take_bytecode(other)
    compiled.append(made)
    return made


@contextmanager
def served(command: list[str], address: str, folder: Path, **variables: str) -> Iterator[subprocess.Popen]:
    """Run a server in a folder until the block ends, which begins when it answers at its address."""
    with (folder / "log.txt").open("w+b") as log:
        environment = clean_environment(**variables)
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            deadline = time.monotonic() + LIMIT
            while not answers(address):
                log.seek(0)
                assert process.poll() is None, log.read().decode()
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.2)
            yield process
        finally:
            process.terminate()
            process.wait(LIMIT)


def answers(address: str) -> bool:
    """Return whether a server reports that it is healthy."""
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
            return answer.read() == b"ok"
    except OSError:
        return False


@pytest.fixture(scope="session", name="served")
def _served():
    return served


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
