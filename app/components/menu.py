"""The menu on a phone, where it lies over the page."""

from components.scripts import browser_component

_closing = browser_component("trellis_menu", __file__)


def close_when_chosen() -> None:
    """Close the menu of a narrow window when a page is chosen in it."""
    _closing(key="menu")
