"""What a page in a browser must be to everybody who looks at it."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

OF_STREAMLIT = {  # what axe finds in it, and the part of it in which that is left out
    # The box of its upload has a label, which has a role.
    "presentation-role-conflict": "[data-testid=stFileUploaderDropzone]",
    # A table too wide for a phone has no place in the order of tabs: Chromium since 130 and Firefox give it one.
    "scrollable-region-focusable": "[data-testid=stTable] *",
    # The pages of a group are in a box within the list of all pages.
    "list": "[data-testid=stSidebarNav] *",
    "listitem": "[data-testid=stSidebarNav] *",
}


def violations(page: Page) -> list[str]:
    """Return what axe finds, but for `OF_STREAMLIT`: an entry for each element."""
    if not page.evaluate("'axe' in window"):  # it stays as long as the document
        page.evaluate(AXE_SCRIPT)
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
    return page.evaluate(
        "[document.documentElement, document.querySelector('[data-testid=stMain]')]"
        ".some(element => element.scrollWidth > element.clientWidth)"
    )
