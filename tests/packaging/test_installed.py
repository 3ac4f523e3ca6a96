"""What `pip install` brings works from an empty folder: the commands, the settings and every page of the dashboard."""

import asyncio
import json
import signal
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PLAN = {
    "title": "Small",
    "protocol": {"folds": 2},
    "data": [{"label_dag": {"n_instances": 60, "n_labels": 3}}],
    "methods": [{"method": "CT"}],
}

COMMANDS = """
from trellislib.command_line import main

assert main(["run", "plan.json", "--store", "results.sqlite"]) == 0
print("RUNS")
assert main(["runs", "--store", "results.sqlite"]) == 0
assert main(["rank", "scores.csv", "--diagram", "cd.pdf"]) == 0
"""  # one process, which takes longer to begin than for all three; others start the command itself


async def opened(address, page="", until="script_finished"):
    """Return what the server sends of a page to a browser that has just opened it, to its end or a kind of message."""
    messages = []
    where = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    async with connect(where, subprotocols=["streamlit"], max_size=None) as stream:
        request = BackMsg()
        request.rerun_script.page_name = page
        await stream.send(request.SerializeToString())
        while not (messages and messages[-1].WhichOneof("type") == until):
            messages.append(ForwardMsg.FromString(await stream.recv()))
    return messages


def finished(coroutine):
    """Return its result, worked out on another thread: browser tests leave a loop that runs in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def the_only(messages, kind):
    (found,) = [getattr(message, kind) for message in messages if message.WhichOneof("type") == kind]
    return found


def assert_has_the_settings(messages):
    """The settings are those of the file beside the dashboard's script."""
    settings = tomllib.loads((ROOT / "app" / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    session = the_only(messages, "new_session")
    assert session.custom_theme.light.primary_color == settings["theme"]["light"]["primaryColor"]
    assert session.custom_theme.dark.background_color == settings["theme"]["dark"]["backgroundColor"]
    assert session.config.disable_data_export
    assert not session.config.gather_usage_stats


def test_the_library_is_the_wheels(installed, tmp_path):
    script = "from importlib.util import find_spec; print(find_spec('trellislib').origin)"
    assert Path(installed.run("python", "-c", script, cwd=tmp_path).strip()).is_relative_to(installed.folder)


def test_an_experiment_of_the_paper_runs_on_a_packaged_set(installed, tmp_path):
    printed = installed.run(
        "trellislib", "paper", "structure", "--on", "yeast", "--store", "results.sqlite", cwd=tmp_path
    )
    assert "Table 2" in printed
    assert "Yeast" in printed
    assert "EBCC-LEAD" in printed


def test_experiments_run_and_rank_from_an_empty_folder(installed, tmp_path):
    (tmp_path / "plan.json").write_text(json.dumps(PLAN))
    (tmp_path / "scores.csv").write_text("dataset,A,B,C\nx,1,2,3\ny,1,3,2\nz,1,2,4\n")
    runs = installed.run("python", "-c", COMMANDS, cwd=tmp_path)
    assert "Small" in runs.partition("RUNS")[2]
    assert (tmp_path / "cd.pdf").read_bytes().startswith(b"%PDF")


def test_every_page_opens_from_an_empty_folder(installed, tmp_path, served, free_port):
    address = f"http://127.0.0.1:{free_port}"
    command = [str(installed.commands / "trellislib"), "app", "--no-browser", "--address", "127.0.0.1"]
    command += ["--port", str(free_port), "--store", str(tmp_path / "results.sqlite"), "--server.fileWatcherType=none"]
    with served(command, address, tmp_path) as server:
        first = finished(opened(address))
        assert_has_the_settings(first)
        pages = {page.url_pathname: page.page_script_hash for page in the_only(first, "navigation").app_pages}
        assert {"", "data", "trellis", "paper", "lesson-7"} <= set(pages)
        for name, identity in pages.items():
            messages = finished(opened(address, name))
            elements = [message.delta.new_element for message in messages if message.WhichOneof("type") == "delta"]
            assert the_only(messages, "navigation").page_script_hash == identity
            assert the_only(messages, "script_finished") == ForwardMsg.FINISHED_SUCCESSFULLY
            assert [element.exception for element in elements if element.WhichOneof("type") == "exception"] == []
            assert [element for element in elements if element.WhichOneof("type") == "heading"], name
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0
    assert "Traceback" not in (tmp_path / "log.txt").read_text()


def test_streamlit_has_the_same_settings_from_another_folder(installed, tmp_path, served, free_port):
    address = f"http://127.0.0.1:{free_port}"
    command = [str(installed.commands / "streamlit"), "run", str(ROOT / "app" / "main.py"), "--server.headless=true"]
    command += [f"--server.port={free_port}", "--server.address=127.0.0.1"]
    with served(command, address, tmp_path, TRELLISLIB_STORE=str(tmp_path / "results.sqlite")):
        assert_has_the_settings(finished(opened(address, until="new_session")))
