"""How long a user waits: run ``python tests/benchmarks/pages.py`` on a machine with Debian's chromium.

Prints, as medians: from the start of the server to the first page drawn, and on the Trellis page from a key press on
the width slider to the redrawn lattice, for yeast (14 labels) and the light-sensor room (100 labels).
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from playwright.sync_api import Page, expect, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
IDLE = ".stApp[data-test-script-state='notRunning']"
ROUNDS = 7
# Notes when the lattice, the first plot of the page, was last changed after a key was pressed.
WATCH = """() => {
    window.drawn = 0;
    window.pressed = performance.now();
    window.watch?.disconnect();
    window.watch = new MutationObserver(() => { window.drawn = performance.now(); });
    window.watch.observe(document.querySelector('.js-plotly-plot'), {childList: true, subtree: true, attributes: true});
}"""


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def server(port: int) -> Iterator[None]:
    """Run the app while the block lasts."""
    command = [sys.executable, "-m", "streamlit", "run", "app/main.py", "--server.headless", "true"]
    process = subprocess.Popen(
        [*command, "--server.port", str(port), "--server.address", "127.0.0.1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
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


def redraw_times(page: Page) -> list[float]:
    """Press the arrow keys on the width slider; time until the lattice is drawn anew and stands still."""
    slider = page.get_by_role("slider", name="Width")
    times = []
    for key in ["ArrowRight", "ArrowLeft"] * ROUNDS:
        page.wait_for_selector(IDLE)
        page.wait_for_timeout(500)
        slider.focus()
        start = time.perf_counter()
        page.evaluate(WATCH)
        slider.press(key)
        page.wait_for_function("window.drawn > 0 && performance.now() - window.drawn > 400", polling=20)
        times.append(page.evaluate("window.drawn - window.pressed") / 1000)
        assert times[-1] < time.perf_counter() - start
    return times


def main() -> None:
    """Measure and print."""
    starts = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for _ in range(3):
            port, page = free_port(), browser.new_page()
            start = time.perf_counter()
            with server(port):
                open_when_up(page, f"http://127.0.0.1:{port}/")
                expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=60_000)
                page.wait_for_selector(IDLE)
                starts.append(time.perf_counter() - start)
            page.close()
        print(f"server start to first page drawn: {median(starts):.2f} s (of {len(starts)})")
        port, page = free_port(), browser.new_page()
        with server(port):
            open_when_up(page, f"http://127.0.0.1:{port}/")
            page.get_by_role("link", name="Trellis").first.click()
            expect(page.get_by_role("slider", name="Width")).to_be_visible(timeout=60_000)
            times = redraw_times(page)
            print(f"yeast, width to redrawn: {median(times):.2f} s (of {len(times)}, worst {max(times):.2f})")
            page.get_by_role("link", name="Data").first.click()
            page.get_by_role("radio", name="Light-sensor room").click()
            page.get_by_role("button", name="Simulate the room").click()
            expect(page.get_by_text("Room 10 x 10").first).to_be_visible(timeout=60_000)
            page.get_by_role("link", name="Trellis").first.click()
            expect(page.get_by_role("slider", name="Width")).to_be_visible(timeout=60_000)
            times = redraw_times(page)
            print(
                f"room, 100 labels, width to redrawn: {median(times):.2f} s (of {len(times)}, worst {max(times):.2f})"
            )
        browser.close()


if __name__ == "__main__":
    main()
