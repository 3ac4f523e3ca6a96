"""The steps of the Containerfile, run in a plain folder, end in a server that is healthy."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from uv import find_uv_bin

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
STEPS = [tuple(line.split(maxsplit=1)) for line in TEXT.splitlines() if line and not line.startswith("#")]
LAST = STEPS[max(n for n, (word, _) in enumerate(STEPS) if word == "FROM") :]
STANDS_IN = {
    # The packages come from the cache that the other tests share, and with them what builds a wheel.
    "pip": 'case "$*" in "wheel --no-deps --wheel-dir"*) exec {uv} build -q --wheel -o "$4" "$5";; '
    '"install "*) exec {uv} pip "$@";; *) exit 2;; esac',
    "useradd": "exit 0",  # nobody is added to the machine of the test
    "chown": "exit 0",
}


def the_only(word):
    (rest,) = [rest for name, rest in LAST if name == word]
    return rest


def variables(rest):
    return dict(pair.split("=", 1) for pair in shlex.split(rest))


def test_nobody_is_root_and_results_outlive_the_container():
    words = [word for word, _ in LAST]
    assert the_only("USER") not in ("root", "0")
    assert "RUN" not in words[words.index("USER") :]
    assert Path(variables(the_only("ENV"))["TRELLISLIB_STORE"]).parent == Path(the_only("VOLUME"))


def test_its_steps_serve_a_healthy_dashboard(tmp_path, environment, compiled, served, free_port):
    made = environment(tmp_path / "venv")
    root, commands = tmp_path / "root", made.commands
    (tmp_path / "bin").mkdir()
    for name, line in STANDS_IN.items():
        path = tmp_path / "bin" / name
        path.write_text(f"#!/bin/sh\n{line.format(uv=find_uv_bin())}\n")
        path.chmod(0o755)
    known = {"PATH": f"{tmp_path / 'bin'}:{commands}:{os.environ['PATH']}", "VIRTUAL_ENV": str(commands.parent)}
    of_stage, folder = known, root

    def here(text):
        """Return a step with the container's folders below the plain one."""
        return re.sub(r"(?<![\w:.])/(?=(source|wheels|store|home)\b)", f"{root}/", text)

    def run(command, **options):
        changed = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | of_stage
        return subprocess.run(["sh", "-c", command], cwd=folder, env=changed, **options)

    for word, rest in STEPS:
        match word:
            case "FROM":
                of_stage, folder = known, root
            case "ENV":
                of_stage = of_stage | variables(here(rest))
            case "WORKDIR":
                folder = Path(here(rest))
                folder.mkdir(parents=True)
            case "COPY" if not rest.startswith("--from"):  # what a stage left is still there
                *sources, target = shlex.split(rest)
                for source in sources:
                    copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
                    copy(ROOT / source, folder / target)
            case "RUN":
                run(here(rest), check=True)
    for other in compiled:
        made.take_bytecode(other)
    compiled.append(made)

    port = the_only("EXPOSE")
    check = the_only("HEALTHCHECK").partition("CMD ")[2].replace(port, str(free_port))
    command = [str(free_port) if word == port else word for word in json.loads(the_only("CMD"))]
    command[command.index("0.0.0.0")] = "127.0.0.1"
    command[0] = str(commands / command[0])
    with served(command, f"http://127.0.0.1:{free_port}", folder, **of_stage):
        assert run(check).returncode == 0
    assert run(check, stderr=subprocess.DEVNULL).returncode != 0
