"""How long a user waits: ``python tests/benchmarks/pages.py FOLDER``, on a machine with Debian's chromium.

FOLDER holds yeast, enron and delicious, as `TRELLISLIB_DATA` names one; further arguments are those of them that
are wanted. Prints how long the server takes from its start to the first page, and then for each data set, of each
page, what the browser was sent until the page was drawn, and the median and the longest time from a click, or a
key, until the page was drawn anew and stood still.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from playwright.sync_api import Page, expect, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
IDLE = ".stApp[data-test-script-state='notRunning']"
DATA_SETS = ("yeast", "enron", "delicious")
ROUNDS = 7
LONG = 240_000  # milliseconds
QUIET = 500  # the same that a page stands still when it is drawn
# Notes when the page was last changed after something was done.
WATCH = """() => {
    window.drawn = 0;
    window.began = performance.now();
    window.watch?.disconnect();
    window.watch = new MutationObserver(() => { window.drawn = performance.now(); });
    window.watch.observe(document.querySelector('[data-testid="stMain"]'),
        {childList: true, subtree: true, attributes: true, characterData: true});
}"""
STILL = f"window.drawn > 0 && performance.now() - window.drawn > {QUIET}"


@dataclass(frozen=True)
class Move:
    """Something that a person does on a page, again and again."""

    name: str
    address: str
    do: Callable[[Page, int], None]


def by_key(page: Page, nth: int) -> None:
    """Turn the width: by the arrow keys where it is a slider, otherwise by number."""
    slider = page.get_by_role("slider", name="Width")
    if slider.count():
        slider.focus()
        slider.press("ArrowLeft" if nth % 2 else "ArrowRight")
        return
    field = page.get_by_role("spinbutton", name="Width")
    field.fill("30" if nth % 2 else "32")
    field.press("Enter")


def click(key: str) -> Callable[[Page, int], None]:
    """Return what clicks the button of a key."""
    return lambda page, nth: page.locator(f".st-key-{key} button").click()


def click_in_plot(page: Page, nth: int) -> None:
    """Click a cell of the map; another one each time."""
    box = page.locator(".js-plotly-plot .nsewdrag").first.bounding_box()
    x, y = (0.3, 0.6) if nth % 2 else (0.6, 0.3)
    page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])


def click_on_node(page: Page, nth: int) -> None:
    """Click a label of the first graph; another one each time."""
    nodes = page.locator(".js-plotly-plot").first.locator(".scatterlayer .trace:last-child .points path")
    box = nodes.nth(1 + nth % 3).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


MOVES = (
    Move("Dependence: a click on the map", "dependence", click_in_plot),
    Move("Graphs: a click on a label", "graphs", click_on_node),
    Move("Trellis: width", "trellis", by_key),
    Move("Trellis, by hand: two labels swapped", "trellis?view=By+hand", click("swap")),
    Move("Trellis, step by step: a step", "trellis?view=Step+by+step", click("step-on")),
)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def server(port: int, folder: str | None = None) -> Iterator[None]:
    """Run the app while the block lasts."""
    command = [sys.executable, "-m", "streamlit", "run", "app/main.py", "--server.headless", "true"]
    process = subprocess.Popen(
        [*command, "--server.port", str(port), "--server.address", "127.0.0.1", "--server.fileWatcherType", "none"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | ({"TRELLISLIB_DATA": folder} if folder else {}),
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(10)


def open_when_up(page: Page, address: str) -> None:
    """Open the app as soon as it answers."""
    while True:
        try:
            page.goto(address)
            return
        except Exception:
            time.sleep(0.05)


def rest(page: Page) -> None:
    """Wait until the page has its title and its script has ended."""
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=LONG)
    page.wait_for_timeout(300)
    page.wait_for_selector(IDLE, timeout=LONG)


def times_of(page: Page, move: Move) -> list[float]:
    """Do it again and again; return the seconds until the page is drawn anew, the first time apart."""
    seconds = []
    for nth in range(ROUNDS + 1):
        rest(page)
        page.wait_for_timeout(QUIET)
        page.evaluate(WATCH)
        move.do(page, nth)
        page.wait_for_function(STILL, polling=20, timeout=LONG)
        page.wait_for_selector(IDLE, timeout=LONG)
        page.wait_for_function(STILL, polling=20, timeout=LONG)
        seconds.append(page.evaluate("window.drawn - window.began") / 1000)
    return seconds


def main() -> None:
    """Measure and print."""
    folder = sys.argv[1]
    starts = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for _ in range(3):
            port, page = free_port(), browser.new_page()
            start = time.perf_counter()
            with server(port):
                open_when_up(page, f"http://127.0.0.1:{port}/")
                expect(page.locator(".js-plotly-plot").first).to_be_visible(timeout=60_000)
                page.wait_for_selector(IDLE)
                starts.append(time.perf_counter() - start)
            page.close()
        print(f"server start to first page drawn: {median(starts):.2f} s (of {len(starts)})", flush=True)
        port = free_port()
        with server(port, folder):
            for key in sys.argv[2:] or DATA_SETS:
                for move in MOVES:
                    page, sent = browser.new_page(viewport={"width": 1280, "height": 900}), [0]
                    page.on(
                        "websocket",
                        lambda socket, sent=sent: socket.on(
                            "framereceived", lambda frame: sent.__setitem__(0, sent[0] + len(frame))
                        ),
                    )
                    start = time.perf_counter()
                    joint = "&" if "?" in move.address else "?"
                    open_when_up(page, f"http://127.0.0.1:{port}/{move.address}{joint}data=obtain~key~{key}")
                    rest(page)
                    opened, n_bytes = time.perf_counter() - start, sent[0]
                    first, *times = times_of(page, move)
                    print(
                        f"{key}: {move.name}: opened in {opened:.1f} s with {n_bytes / 1e6:.2f} MB; redrawn in "
                        f"{median(times):.2f} s (of {len(times)}, longest {max(times):.2f}, first {first:.2f})",
                        flush=True,
                    )
                    page.close()
        browser.close()


if __name__ == "__main__":
    main()
