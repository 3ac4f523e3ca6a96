"""What the tests of the dashboard share: a person at it without a browser, and a server and a page with one."""

import ast
import copy
import functools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest
import streamlit as st
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Locator,
    Page,
    Response,
    ViewportSize,
    expect,
    sync_playwright,
)
from playwright.sync_api import Error as PlaywrightError
from plotly import basedatatypes
from sklearn.base import BaseEstimator
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.util import calc_hash

from trellislib.data import Dataset
from trellislib.data.sets.library import FIRST_VARIABLE
from trellislib.experiment import Store, budget, fits
from trellislib.experiment.fits import Outcome

ROOT = Path(__file__).parents[2]
MAIN = ROOT / "app" / "main.py"
SMALL_ROWS = 80

VIEWS = (
    "",
    "data",
    "verdict",
    "predict",
    "dependence",
    "graphs",
    "graphs?graph_label=Class5",
    "graphs?graph_view=Marginal+and+conditional&graph_pair=Class1+and+Class4",
    "graphs?graph_view=Over+samples",
    "trellis",
    "trellis?view=By+hand&swaps=3-7",
    "trellis?view=Step+by+step",
    "trellis?view=Widths",
    "trellis?view=Seeds",
    "trellis?view=CT+and+CDT",
    "train",
    "compare",
    "scores",
    "inspect",
    "inspect?inspected=CDT%3A+Classifier+dependency+trellis&inspect_view=Gibbs+sweeps",
    "inspect?inspect_view=A+whole+test+set",
    "label_errors",
    "room",
    "label_dag",
    "lessons",
    "poll?poll_question=Is+it+clear%3F&poll_answers=Yes%0ANo",
    "paper",
)

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--js-flags=--no-opt,--no-maglev",  # no page is open for so long that its scripts earn what optimising them costs
)
DESK = ViewportSize(width=1280, height=900)
PHONE = ViewportSize(width=390, height=844)
IDLE = ".stApp[data-test-script-state='notRunning']"
NOTE_RUNS = """() => {
  const app = document.querySelector('.stApp')
  window.hasRun = false
  const note = () => { window.hasRun ||= app.dataset.testScriptState === 'running' }
  new MutationObserver(note).observe(app, {attributeFilter: ['data-test-script-state']})
}"""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what drives a browser: such a test takes long, too."""
    if "browser" in getattr(item, "fixturenames", ()):
        item.add_marker("browser")
        item.add_marker("slow")


@pytest.fixture(autouse=True, scope="session")
def shared_by_runs() -> Iterator[None]:
    """Do once what AppTest does anew in every run, and spare what proves nothing.

    The pages are compiled once, components looked for in what is installed once, the paths of properties of figures
    parsed once. Figures carry no copy of Streamlit's template, the same in all. Nobody counts the calls, as in the
    dashboard, nor is all memory searched for garbage after each run, and nobody asks a run a thousand times a second
    whether it has ended.
    """
    cache = ScriptCache()
    with pytest.MonkeyPatch.context() as patched:
        for module in (app_test, local_script_runner):
            patched.setattr(module, "ScriptCache", lambda: cache)
        once = functools.cache(manifest_scanner.scan_component_manifests)
        patched.setattr(manifest_scanner, "scan_component_manifests", once)
        parsed = functools.cache(basedatatypes._str_to_dict_path_full)
        patched.setattr(basedatatypes, "_str_to_dict_path_full", parsed)
        patched.setattr(pio.templates, "default", None)
        ended = local_script_runner.require_widgets_deltas
        waited = lambda run, timeout: (run._script_thread.join(timeout), ended(run, timeout))  # noqa: E731
        patched.setattr(local_script_runner, "require_widgets_deltas", waited)
        for option in ("browser.gatherUsageStats", "runner.postScriptGC"):
            config.set_option(option, False)
        yield


@pytest.fixture(autouse=True, scope="session")
def fits_of_pages_are_done_once() -> Iterator[None]:
    """Do the fits with which many tests of pages begin once; Python that a test runs itself, on its thread, fits."""
    known: dict[str, Outcome] = {}

    def fit_and_score(
        dataset: Dataset, method: BaseEstimator, train: np.ndarray, test: np.ndarray, *watchers: Any
    ) -> Outcome:
        if threading.current_thread() is threading.main_thread():
            return fits.fit_and_score(dataset, method, train, test, *watchers)
        key = joblib.hash((dataset.digest, method, train, test))
        if key in known:
            return copy.deepcopy(known[key])
        outcome = fits.fit_and_score(dataset, method, train, test, *watchers)
        if outcome[0]["status"] == "done":
            known[key] = copy.deepcopy(outcome)
        return outcome

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(budget, "fit_and_score", fit_and_score)
        yield


@pytest.fixture
def views() -> tuple[str, ...]:
    """The addresses of all views."""
    return VIEWS


@pytest.fixture(autouse=True)
def results_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep each test's results in a file of its own; where that is."""
    path = tmp_path / "results.sqlite"
    monkeypatch.setenv("TRELLISLIB_STORE", str(path))
    monkeypatch.setenv(FIRST_VARIABLE, "yeast")
    return path


class Visitor:
    """A person at the dashboard, without a browser: goes to pages, drops files, reads what is said."""

    def __init__(self, workspace: str | None = None, **query: str) -> None:
        self._at = AppTest.from_file(MAIN, default_timeout=60)
        for name, value in (query | ({"workspace": workspace} if workspace else {})).items():
            self._at.query_params[name] = value
        self._is_open = False

    @property
    def at(self) -> AppTest:
        """The page where the person is: Start, which is opened only now, where none was gone to at once."""
        return self._at if self._is_open else self.run()._at

    def run(self) -> "Visitor":
        """Run the page once more, and see that nothing broke."""
        self._is_open = True
        main = sys.modules["__main__"]  # which Streamlit replaces, and processes that are started later would import
        self._at.run()
        sys.modules["__main__"] = main
        assert not self._at.exception, self._at.exception[0].value
        return self

    def go(self, view: str) -> "Visitor":
        # Of its address, which AppTest does not know before the first run.
        self._at._page_hash = calc_hash(view.replace("lesson_", "lesson-"))
        return self.run()

    def choose_packaged(self, name: str) -> "Visitor":
        self.choose_source("Packaged")
        self.at.selectbox(key="packaged").select(name)
        return self.run()

    def choose_source(self, way: str) -> "Visitor":
        self._at.session_state["way"] = way
        self.go("data")
        return self if self.widget("way").value == way else self.set("way", way)  # which the page remembered otherwise

    def upload(self, *files: tuple[str, bytes]) -> "Visitor":
        """Drop files on the Data page, in place of those dropped before."""
        self.choose_source("Your files")
        uploader = self.at.file_uploader(key="files")
        uploader.set_value([(name, content, "application/octet-stream") for name, content in files])
        return self.run()

    def question(self, name: str):
        """Return the widget that asks something about the files that wait for choices."""
        return self.widget(f"{name} {self.workspace().dropped.pending[0].number}")

    def answer(self, **answers: object) -> "Visitor":
        """Answer questions about the files that wait for choices, one after the other."""
        for name, value in answers.items():
            self.question(name.replace("_", " ")).set_value(value)
            self.run()
        return self

    def widget(self, key: str):
        """Return the widget of any kind that has this key."""
        return self.at.get_by_key(key)

    def set(self, key: str, value: object) -> "Visitor":
        self.widget(key).set_value(value)
        return self.run()

    def turn(self, number: int) -> "Visitor":
        """Turn to a screen of a lesson, from 1."""
        return self.set("screen", number)

    @property
    def screens(self) -> Iterator["Visitor"]:
        """The visitor at every screen of a lesson, one after the other."""
        for number in range(1, len(self.widget("screen").options) + 1):
            yield self.turn(number)

    def click(self, key: str) -> "Visitor":
        self.at.button(key=key).click()
        return self.run()

    def press(self, label: str) -> "Visitor":
        """Click the button of this label."""
        (button,) = [button for button in self.at.button if button.label == label]
        button.click()
        return self.run()

    @property
    def title(self) -> str:
        return self.at.title[0].value

    @property
    def takeaway(self) -> str:
        """The first sentence of the page, as a reader sees it."""
        return unescaped(self.at.main.markdown[0].value)

    @property
    def captions(self) -> str:
        return unescaped("\n".join(caption.value for caption in self.at.main.caption))

    @property
    def text(self) -> str:
        """All the plain text of the page, as a reader sees it."""
        return unescaped("\n".join(element.value for element in [*self.at.main.markdown, *self.at.main.caption]))

    @property
    def errors(self) -> list[str]:
        return [unescaped(error.value) for error in self.at.error]

    @property
    def notices(self) -> str:
        return unescaped("\n".join(info.value for info in self.at.info))

    @property
    def warnings(self) -> list[str]:
        return [unescaped(warning.value) for warning in self.at.warning]

    @property
    def loaded(self) -> str:
        """What the sidebar says is loaded: name and size."""
        size = self.at.sidebar.caption[-1].value
        boxes = self.at.sidebar.selectbox  # where there are several to choose from
        name = boxes[0].options[boxes[0].index] if boxes else self.at.sidebar.text[0].value
        return f"{name}: {' '.join(size.split())}"

    @property
    def charts(self) -> list:
        return list(self.at.get("plotly_chart"))

    @property
    def figures(self) -> list[dict]:
        """The charts of the page as plain data."""
        return [json.loads(chart.proto.spec) for chart in self.charts]

    def table(self, column: str):
        """Return the first table that has this column."""
        return next(frame.value for frame in self.at.dataframe if column in frame.value)

    @property
    def code(self) -> str:
        (box,) = [box for box in self.at.code if box.language == "python"]
        return box.value

    @property
    def flat_code(self) -> str:
        """The Python of a page with every call on one line."""
        return ast.unparse(ast.parse(self.code))

    def workspace(self):
        """Return the server's side of this visit."""
        return self.at.session_state["workspace"]

    def wait(self, until=None, seconds: float = 60) -> "Visitor":
        """Wait until no run is active, or until `until` is true, and run the page."""
        deadline = time.monotonic() + seconds
        is_over = until or (lambda: not self.workspace().active_runs)
        while not is_over():
            assert time.monotonic() < deadline, "it took too long"
            time.sleep(0.02)  # a page that runs meanwhile would only slow the work down
        return self.run()


def unescaped(markdown: str) -> str:
    """Return Markdown that escapes what is special as a reader sees it: without the joiners that cut addresses."""
    seen = re.sub(r"\\([^A-Za-z0-9\s])", r"\1", markdown)
    return seen.replace("\N{WORD JOINER}", "").replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture(name="unescaped")
def _unescaped():
    return unescaped


@pytest.fixture
def same_figures(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """See that the Python of a page shows the figures of the page, and no others, in their order."""
    shown: list[dict] = []
    monkeypatch.setattr(go.Figure, "show", lambda figure: shown.append(json.loads(figure.to_json())))

    def check(visitor: Visitor, figures: list[dict] | None = None) -> None:
        figures = visitor.figures if figures is None else figures
        shown.clear()
        exec(visitor.code, {})
        assert len(shown) == len(figures)
        for ours, of_page in zip(shown, figures, strict=True):
            assert ours["data"] == of_page["data"]
            assert ours["layout"] | {"template": None} == of_page["layout"] | {"template": None}  # which is the page's

    return check


@pytest.fixture
def visitor() -> Visitor:
    """A person who has just opened the dashboard: yeast is loaded."""
    return Visitor()


@pytest.fixture
def visit() -> type[Visitor]:
    """Open the dashboard, as often as one likes."""
    return Visitor


def meka_arff(labels: dict[str, str], rows: list[str], name: str = "made") -> bytes:
    """Return an ARFF file in the form of MEKA: `labels` (name: values) first, then the features x and z."""
    lines = [f"@relation '{name}: -C {len(labels)}'"]
    lines += [f"@attribute '{label}' {{{values}}}" for label, values in labels.items()]
    lines += ["@attribute x numeric", "@attribute z numeric", "@data", *rows]
    return "\n".join(lines).encode()


@pytest.fixture(name="meka_arff")
def _meka_arff():
    return meka_arff


@pytest.fixture
def small(visitor: Visitor) -> Visitor:
    """A visitor with a small data set of three labels, some features of which are negative."""
    rows = []
    for n in range(SMALL_ROWS):
        x, z = (n * 37 % SMALL_ROWS) / SMALL_ROWS - 0.5, (n * 17 % 11) / 11
        rows.append(f"{int(x > 0)},{int(x > 0.1)},{int(z > 0.5)},{x:.3f},{z:.3f}")
    return visitor.upload(("small.arff", meka_arff(dict.fromkeys("abc", "0,1"), rows)))


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[], str | bytes]]:
    """What gives the content of the download buttons of the last run of a page, by key, or label where it has none."""
    held = {}
    button = st.download_button

    def download_button(label, content, *args, **kwargs):
        held[kwargs.get("key", label)] = content if callable(content) else lambda: content
        return button(label, content, *args, **kwargs)

    monkeypatch.setattr(st, "download_button", download_button)
    return held


# With a browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        reason = "no chromium on PATH (Debian: apt-get install chromium)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, headless=True, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def served_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the served dashboard keeps its results."""
    return tmp_path_factory.mktemp("served") / "results.sqlite"


@pytest.fixture(scope="session")
def server_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server") / "log.txt"


@pytest.fixture(scope="session")
def server(browser: Browser, served_results: Path, server_log: Path) -> Iterator[str]:
    """Serve the dashboard on a free port of this machine; its address. Needs the browser, or is not started."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(MAIN)]
    options = {
        "server.headless": "true",
        "server.address": "127.0.0.1",
        "server.port": str(port),
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    command += [f"--{name}={value}" for name, value in options.items()]
    with server_log.open("wb") as output:
        started_with = os.environ | {"TRELLISLIB_STORE": str(served_results), FIRST_VARIABLE: "yeast"}
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, env=started_with)
        try:
            _wait_until_healthy(process, port)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(60)


def _wait_until_healthy(process: subprocess.Popen, port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, "the server ended at once"
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.2)
    pytest.fail("the server did not become healthy within a minute")


class Screen:
    """A browser window on the dashboard, and what its console said."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.console: list[str] = []
        self._heard = {"console": self._hear, "pageerror": self._note, "response": self._check}
        for event, listener in self._heard.items():
            self.page.on(event, listener)

    def leave(self) -> None:
        """End the visit, and keep nothing of it in the browser: the window is for the next test."""
        for event, listener in self._heard.items():
            self.page.remove_listener(event, listener)
        self.page.goto(f"{self.address}/_stcore/health")  # of the same site, or its scripts would be compiled anew
        self.page.evaluate("localStorage.clear(), sessionStorage.clear()")
        self.page.context.clear_cookies()
        self.page.mouse.move(0, 0)

    def _note(self, error: PlaywrightError) -> None:
        self.console.append(str(error))

    def _hear(self, message: ConsoleMessage) -> None:
        # A page opened by its address makes Streamlit probe PAGE/_stcore/..., which answers 404.
        if message.type == "error" and "404" not in message.text:
            self.console.append(message.text)

    def _check(self, response: Response) -> None:
        if response.status >= 400 and "_stcore" not in response.url:
            self.console.append(f"{response.status} {response.url}")

    def open(self, path: str = "") -> Page:
        self.page.goto(f"{self.address}/{path}")
        self.rest()
        return self.page

    def follow(self, title: str) -> Page:
        """Click a page's link in the sidebar."""
        self.page.get_by_test_id("stSidebarNavLink").filter(has_text=title).click()
        self.rest()
        return self.page

    def go(self, view: str) -> Page:
        """Open a view in the same workspace: by its link, which takes half as long, or by its address."""
        if "?" in view:
            workspace = re.search(r"[?&](workspace=[^&]+)", self.page.url)
            return self.open(f"{view}&{workspace[1]}" if workspace else view)
        title = self.page.locator("h1").inner_text()
        link = self.page.locator(f"[data-testid=stSidebarNavLink][href='{self.address}/{view}']")
        link.evaluate("link => link.click()")  # also where the sidebar is hidden
        expect(self.page.locator("h1")).not_to_have_text(title, timeout=60_000)
        self.rest()
        return self.page

    def as_light_and_dark(self) -> Iterator[str]:
        """Show a page light on a desk and dark on a phone, first as the window is."""
        looks = [(DESK, "light", "rgb(255, 255, 255)"), (PHONE, "dark", "rgb(17, 24, 31)")]
        for viewport, scheme, background in reversed(looks) if self.page.viewport_size == PHONE else looks:
            if self.page.viewport_size != viewport:
                self.page.set_viewport_size(viewport)
                self.page.emulate_media(color_scheme=scheme)
            expect(self.page.get_by_test_id("stApp")).to_have_css("background-color", background)
            self.rest()
            yield scheme

    def click_middle(self, locator: Locator) -> None:
        """Click where the middle of an element comes to rest; charts lay a layer for the mouse over their markers."""
        box, before = None, object()
        deadline = time.monotonic() + 30
        while box is None or box != before:
            assert time.monotonic() < deadline, f"{locator} does not come to rest"
            before = box
            try:
                locator.scroll_into_view_if_needed(timeout=1_000)
                box = locator.bounding_box(timeout=1_000)
            except PlaywrightError:  # the chart was drawn anew meanwhile
                box = None
            self.page.wait_for_timeout(100)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.click(x, y)

    def rest(self) -> None:
        """Wait until the page has its title and its script has ended."""
        expect(self.page.locator("h1")).to_be_visible(timeout=60_000)  # by its role, all elements would be looked at
        expect(self.page.locator(IDLE)).to_be_attached(timeout=60_000)
        expect(self.page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=60_000)

    def run_by(self, act: Callable[[], object]) -> None:
        """Do what makes the page run once more, and wait until it has: a slider waits before it says so."""
        self.page.evaluate(NOTE_RUNS)
        act()
        self.page.wait_for_function("window.hasRun", timeout=60_000)
        self.rest()


def new_window(browser: Browser, **options: Any) -> Page:
    """Open a window of somebody who wants no motion: to draw it takes a sixth of all that a browser does here."""
    return browser.new_context(reduced_motion="reduce", **options).new_page()


@pytest.fixture(scope="session", name="new_window")
def _new_window() -> Callable[..., Page]:
    return new_window


@pytest.fixture(scope="session")
def windows(browser: Browser, server: str) -> Iterator[dict[bool, Page]]:
    """Browser windows that are open, by whether they are touched: a test takes one over from another.

    A new one would compile the scripts of Streamlit and Plotly again, which takes longer than most of a visit.
    """
    opened: dict[bool, Page] = {}
    yield opened
    for page in opened.values():  # before the server ends, which waits for those who are connected
        page.context.close()


@pytest.fixture
def screen(
    browser: Browser,
    windows: dict[bool, Page],
    server: str,
    server_log: Path,
    served_results: Path,
    request: pytest.FixtureRequest,
) -> Iterator[Screen]:
    """A browser window, without results of others; parametrise it indirectly. The server must not meet an exception.

    With what to choose of `viewport`, `color_scheme` and `has_touch`, which mean what they do in `Browser.new_context`.
    """
    store = Store(served_results)
    for run in store.runs().index:
        store.remove(run)
    wide = {"viewport": DESK, "color_scheme": "light", "has_touch": False}
    options = wide | getattr(request, "param", {})
    assert options.keys() == wide.keys()
    touched = options["has_touch"]
    page = windows.pop(touched, None) or new_window(browser, has_touch=touched)
    page.set_default_timeout(30_000)
    page.set_viewport_size(options["viewport"])
    page.emulate_media(color_scheme=options["color_scheme"])
    screen, before = Screen(page, server), server_log.stat().st_size
    yield screen
    screen.leave()
    windows[touched] = page
    reported = server_log.read_bytes()[before:].decode(errors="replace")
    assert "Traceback" not in reported, reported
