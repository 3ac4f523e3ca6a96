"""Where the pictures, texts and measured tables of the app are."""

from pathlib import Path

ASSETS = Path(__file__).parents[2] / "assets"
