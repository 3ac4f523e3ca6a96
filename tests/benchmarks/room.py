"""How long a click on the Room page takes: ``python tests/benchmarks/room.py``, on a machine with Debian's chromium.

Prints for rooms 10, 20 and 100 tiles wide the median and the shortest time from a click on a tile until the new
estimates are drawn and stand still. Next to them are the times of the same page run again with nothing changed (the key
R), which is what the machine has to spare. Both are measured in turn. The script's part is how long the server took.
"""

from __future__ import annotations

import os
import shutil
from statistics import median

from common import show
from pages import FLAGS, IDLE, LONG, QUIET, STILL, WATCH, free_port, open_when_up, rest, server
from playwright.sync_api import Page, sync_playwright

ROUNDS = 15
ROOMS = {
    "W = 10, N = 2,000": "room?room_people=5-5",
    "W = 20, N = 1,000": "room?room_w=20&room_n=1000&room_people=10-10",
    "W = 100, N = 1,000": "room?room_w=100&room_n=1000&room_people=50-50",
}
# Notes when the script began and ended, by what the page says of it.
STATE = """() => {
    const app = document.querySelector('.stApp');
    window.ran = 0;
    window.states?.disconnect();
    window.states = new MutationObserver(() => {
        if (app.dataset.testScriptState === 'notRunning') window.ran = performance.now();
    });
    window.states.observe(app, {attributes: true, attributeFilter: ['data-test-script-state']});
}"""


def click_tile(page: Page, nth: int) -> None:
    """Click the floor; another tile each time, so that people come and go."""
    box = page.locator(".wall").bounding_box()
    x, y = 0.15 + 0.7 * (nth * 0.37 % 1), 0.15 + 0.7 * (nth * 0.61 % 1)
    page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])


def seconds_of_click(page: Page, nth: int) -> tuple[float, float]:
    """Return how long a click took until the page stood still, and until the script had ended."""
    _settle(page)
    page.evaluate(WATCH)
    page.evaluate(STATE)
    click_tile(page, nth)
    page.wait_for_function(STILL, polling=20, timeout=LONG)
    page.wait_for_selector(IDLE, timeout=LONG)
    page.wait_for_function(STILL, polling=20, timeout=LONG)
    drawn, ran = page.evaluate("[window.drawn - window.began, window.ran - window.began]")
    return drawn / 1000, ran / 1000


def seconds_of_rerun(page: Page) -> float:
    """Return how long the same page took with nothing changed, until the script had ended."""
    _settle(page)
    page.evaluate(WATCH)
    page.evaluate(STATE)
    page.evaluate("document.activeElement?.blur()")
    page.keyboard.press("r")
    page.wait_for_function("window.ran > 0", polling=20, timeout=LONG)
    return page.evaluate("window.ran - window.began") / 1000


def _settle(page: Page) -> None:
    rest(page)
    page.wait_for_timeout(QUIET)


def main() -> None:
    """Measure and print."""
    port, rows = free_port(), []
    with server(port), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for name, address in ROOMS.items():
            open_when_up(page, f"http://127.0.0.1:{port}/{address}")
            seconds_of_click(page, 0)  # the first trains
            clicks, reruns = [], []
            for nth in range(1, ROUNDS + 1):
                clicks.append(seconds_of_click(page, nth))
                reruns.append(seconds_of_rerun(page))
            measured = {
                "click to estimates": [drawn for drawn, _ in clicks],
                "of it the script": [ran for _, ran in clicks],
                "nothing changed": reruns,
            }
            rows += [
                {"room": name, "what": what, "median s": median(of), "least s": min(of), "most s": max(of)}
                for what, of in measured.items()
            ]
        browser.close()
    show(rows)
    print(f"load of the machine, 1 and 5 minutes: {os.getloadavg()[0]:.1f}, {os.getloadavg()[1]:.1f}")


if __name__ == "__main__":
    main()
