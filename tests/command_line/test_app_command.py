"""``trellislib app`` starts Streamlit on the dashboard's script, with its options in Streamlit's words."""

import os
import runpy
import socket
import sys

import pytest

from trellislib import __version__
from trellislib.command_line import main
from trellislib.command_line.app import SHARED_VARIABLE, main_script


@pytest.fixture
def started(monkeypatch):
    """Give what calls the command, and returns Streamlit's arguments and environment in place of serving."""
    for variable in ("STREAMLIT_SERVER_ADDRESS", "TRELLISLIB_STORE", "TRELLIS_DATA", SHARED_VARIABLE):
        monkeypatch.setenv(variable, "")  # which is put back afterwards
        monkeypatch.delenv(variable)
    monkeypatch.setattr(sys, "argv", ["trellislib"])
    monkeypatch.setattr(runpy, "run_module", lambda name, **_: None)

    def call(*arguments):
        assert main(["app", *map(str, arguments)]) == 0
        return sys.argv, dict(os.environ)

    return call


def test_streamlit_runs_the_dashboard_on_this_machine_only(started):
    arguments, environment = started()
    assert arguments == ["streamlit", "run", str(main_script())]
    assert environment["STREAMLIT_SERVER_ADDRESS"] == "localhost"
    assert not {"TRELLISLIB_STORE", "TRELLIS_DATA"} & set(environment)


def test_options_become_those_of_streamlit(started, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sets").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    options = ("--address", "127.0.0.1", "--port", port, "--no-browser", "--store", "here.sqlite", "--data", "sets")
    arguments, environment = started(*options)
    flags = {"--server.address=127.0.0.1", f"--server.port={port}", "--server.headless=true"}
    assert set(arguments[3:]) == flags
    assert environment["TRELLISLIB_STORE"] == str(tmp_path / "here.sqlite")
    assert environment["TRELLIS_DATA"] == str(tmp_path / "sets")


def test_options_that_it_does_not_know_go_on_to_streamlit(started):
    arguments, _ = started("--server.baseUrlPath", "/x", "--no-browser", "--server.maxUploadSize=5")
    assert arguments[4:] == ["--server.baseUrlPath", "/x", "--server.maxUploadSize=5"]


def test_a_port_in_use_is_refused_in_one_sentence(started, capsys):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert main(["app", "--address", "127.0.0.1", "--port", str(port)]) == 1
    (sentence,) = capsys.readouterr().err.splitlines()
    assert f"Port {port} of 127.0.0.1" in sentence
    assert "--port" in sentence


@pytest.mark.parametrize(("option", "value"), [("--data", "nowhere"), ("--port", "99999999")])
def test_what_cannot_be_used_is_named(started, capsys, option, value):
    assert main(["app", option, value]) == 1
    (sentence,) = capsys.readouterr().err.splitlines()
    assert value in sentence


def test_other_commands_refuse_options_that_they_do_not_know(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["runs", "--server.port=1"])
    assert ended.value.code == 2
    assert "--server.port=1" in capsys.readouterr().err


def test_the_version_is_the_package_s(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.split() == ["trellislib", __version__]


def test_a_shared_server_says_so(started, capsys):
    _, environment = started()
    assert SHARED_VARIABLE not in environment
    _, environment = started("--shared")
    assert environment[SHARED_VARIABLE]
    assert "each visit" in capsys.readouterr().out
