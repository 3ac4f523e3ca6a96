"""Names and numbers of figures are kept apart: what would run into another is hidden, and is still read on hover.

Figures place their texts for a usual width. How wide they are, only the browser knows.
"""

from components.scripts import browser_component

_keep_apart = browser_component("trellis_names", __file__)


def keep_apart() -> None:
    """Keep the texts of all figures of the page apart, now and whenever they change."""
    _keep_apart(key="names")
