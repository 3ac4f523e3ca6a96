"""What a page in a browser must be to everybody who looks at it."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from words import wordy

OF_STREAMLIT = {  # what axe finds in it, and the part of it in which that is left out
    # The box of its upload has a label, which has a role.
    "presentation-role-conflict": "[data-testid=stFileUploaderDropzone]",
    # A table too wide for a phone has no place in the order of tabs: Chromium since 130 and Firefox give it one.
    "scrollable-region-focusable": "[data-testid=stTable] *",
    # The pages of a group are in a box within the list of all pages.
    "list": "[data-testid=stSidebarNav] *",
    "listitem": "[data-testid=stSidebarNav] *",
}


LOOKS_OF_AXE = 4


def violations(page: Page) -> list[str]:
    """Return what axe finds, but for `OF_STREAMLIT`: an entry for each element.

    It looks again where it finds something: colours of a page that turns dark go over into each other.
    """
    if not page.evaluate("'axe' in window"):  # it stays as long as the document
        page.evaluate(AXE_SCRIPT)
    for _ in range(LOOKS_OF_AXE):
        if not (found := _violations(page)):
            break
        page.wait_for_timeout(500)
    return found


def _violations(page: Page) -> list[str]:
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [
        f"{rule['id']} ({rule['impact']}): {rule['help']}\n    {' '.join(node['target'])}\n    {node['html'][:200]}\n"
        f"    {' '.join(node.get('failureSummary', '').split())[:300]}"
        for rule in found
        for node in rule["nodes"]
        if not _is_within(page, node["target"][0], OF_STREAMLIT.get(rule["id"]))
    ]


def _is_within(page: Page, target: str, part: str | None) -> bool:
    return part is not None and page.locator(target).first.evaluate("(element, part) => element.matches(part)", part)


def scrolls_sideways(page: Page) -> bool:
    """Return whether the page stays wider than its window: one that was resized takes a moment to fit."""
    fits = (
        "[document.documentElement, document.querySelector('[data-testid=stMain]')]"
        ".every(element => element.scrollWidth <= element.clientWidth)"
    )
    try:
        page.wait_for_function(fits, timeout=5_000)
    except PlaywrightTimeout:
        return True
    return False


LEAST_SIZE, LEAST_CONTRAST = 13, 4.5  # of every text of every figure, in pixels and as WCAG has it
LOOKS = 20  # at figures, half a second apart
FOLD, USEFUL = 720, 150  # the height of a small projector, and of the part of a figure that must be seen there

_TEXTS = """() => {
  const channel = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  const light = rgb => 0.2126 * channel(rgb[0]) + 0.7152 * channel(rgb[1]) + 0.0722 * channel(rgb[2])
  const rgba = text => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a] }
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]))
  const opacity = (element, figure) => {
    let found = 1
    for (let e = element; e && e !== figure; e = e.parentElement) found *= getComputedStyle(e).opacity
    return found
  }
  const page = rgba(getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor)
  const found = []
  for (const figure of document.querySelectorAll('.js-plotly-plot')) {
    const marks = [...figure.querySelectorAll('rect.bg, path.point, .points path, .shapelayer path')]
      .filter(mark => getComputedStyle(mark).fill !== 'none')
      .map(mark => [mark.getBoundingClientRect(), mark])
    for (const text of figure.querySelectorAll('svg text')) {
      const box = text.getBoundingClientRect()
      if (!text.textContent.trim() || !box.width || text.closest('.heatmap-label')) continue  // on their cells' colours
      const style = getComputedStyle(text), matrix = text.getScreenCTM()
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      let below = page
      for (const [place, mark] of marks) {
        if (x < place.x || x > place.right || y < place.y || y > place.bottom) continue
        const { fill, fillOpacity } = getComputedStyle(mark), color = rgba(fill)
        below = over([...color.slice(0, 3), color[3] * fillOpacity * opacity(mark, figure)], below)
      }
      const ink = rgba(style.fill)
      const own = light(over([...ink.slice(0, 3), ink[3] * style.fillOpacity * opacity(text, figure)], below))
      const [more, less] = [own, light(below)].sort((a, b) => b - a)
      const size = parseFloat(style.fontSize) * Math.hypot(matrix.a, matrix.b)
      found.push([text.textContent, size, (more + 0.05) / (less + 0.05)])
    }
  }
  return found
}"""

_FIGURES = "[data-testid=stPlotlyChart], [data-testid=stTable], [data-testid=stDataFrame], [data-testid^=stBidi]"


def illegible(page: Page) -> list[str]:
    """Return the texts of figures that stay too small or too pale: a page that turns dark draws its figures again.

    Where a window is resized while its colours change, Plotly may leave a legend or an axis as it was until the next
    change of size.
    """
    for look in range(LOOKS):
        if look == LOOKS // 2:
            size = page.viewport_size
            page.set_viewport_size({**size, "width": size["width"] - 1})
            page.set_viewport_size(size)
        found = [
            f"{text!r}: {pixels:.1f} px, {contrast:.1f} : 1"
            for text, pixels, contrast in page.evaluate(_TEXTS)
            if pixels < LEAST_SIZE - 0.05 or contrast < LEAST_CONTRAST
        ]
        if not found:
            break
        page.wait_for_timeout(500)
    return found


_COLLISIONS = """() => {
  const meet = (one, other) =>
    one.x + 2 < other.right && other.x + 2 < one.right && one.y + 3 < other.bottom && other.y + 3 < one.bottom
  const found = []
  for (const figure of document.querySelectorAll('.js-plotly-plot')) {
    const texts = [...figure.querySelectorAll('.textpoint text, .xtick text, .ytick text, .annotation rect.bg')]
      .filter(text => getComputedStyle(text).visibility !== 'hidden' && !/rotate\\((-?)45/.test(text.outerHTML))
      .map(text => [text.closest('.annotation')?.textContent ?? text.textContent, text.getBoundingClientRect()])
      .filter(([text, box]) => text && box.width)
    texts.forEach(([text, box], n) => {
      for (const [other, of_other] of texts.slice(n + 1)) if (meet(box, of_other)) found.push([text, other])
    })
  }
  return found
}"""


def colliding(page: Page) -> list[str]:
    """Return the texts of figures that stay on top of each other."""
    for _ in range(LOOKS):
        found = [f"{one!r} runs into {other!r}" for one, other in page.evaluate(_COLLISIONS)]
        if not found:
            break
        page.wait_for_timeout(500)
    return found


_WORDS = """() => {
  const main = document.querySelector("[data-testid=stMain]")
  const shown = (selector) => [...main.querySelectorAll(selector)].filter((found) => found.innerText)
  const captions = shown("[data-testid=stCaptionContainer]").filter((one) => !one.closest("[data-testid=stExpander]"))
  const answer = shown(".st-key-answer").map((one) => one.innerText).join(" ")
  return [answer, captions.map((one) => one.innerText), main.innerText]
}"""


def long_winded(page: Page) -> list[str]:
    """Return the sentences of the answer and the captions that are too long, and words that no page has."""
    return wordy(*page.evaluate(_WORDS))


def below_the_fold(page: Page) -> list[str]:
    """Return what is not seen at the height of a small projector without scrolling: the answer, or the first figure."""
    answer, figure = page.locator(".st-key-answer").first, page.get_by_test_id("stMain").locator(_FIGURES).first
    found = []
    if answer.count() and (box := answer.bounding_box()) and box["y"] + box["height"] > FOLD:
        found.append(f"the answer ends at {box['y'] + box['height']:.0f} px")
    if figure.count() and (box := figure.bounding_box()) and box["y"] > FOLD - USEFUL:
        found.append(f"the first figure begins at {box['y']:.0f} px")
    return found
