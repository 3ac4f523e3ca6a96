"""Colours of figures, as ``#RRGGBB`` and an opacity, and scales of colours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

COLORWAY = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#9A6B4F", "#8A8A8A")
_NAMED = {"black": "#000000", "white": "#FFFFFF", "gray": "#808080", "grey": "#808080", "red": "#FF0000"}
_RGB = re.compile(r"rgba?\(([^)]*)\)")


class Paint(NamedTuple):
    """A colour ``#RRGGBB``, None for that of text, and its opacity from 0 to 1."""

    color: str | None
    opacity: float = 1.0


def paint(color: Any, opacity: float | None = None) -> Paint:
    """Return a colour as a figure writes it, made paler by `opacity`; None is the colour of text.

    Examples
    --------
    >>> paint("rgba(0, 114, 178, 0.5)", 0.5)
    Paint(color='#0072B2', opacity=0.25)
    """
    paler = 1.0 if opacity is None else float(opacity)
    if color is None:
        return Paint(None, paler)
    written = str(color).strip()
    if written == "transparent":
        return Paint("#000000", 0.0)
    written = _NAMED.get(written.lower(), written)
    if match := _RGB.fullmatch(written):
        red, green, blue, *alpha = (float(part) for part in match.group(1).split(","))
        written = "#" + "".join(f"{round(min(max(channel, 0), 255)):02X}" for channel in (red, green, blue))
        return Paint(written, paler * (alpha[0] if alpha else 1.0))
    if re.fullmatch("#[0-9a-fA-F]{3}", written):
        written = "#" + "".join(2 * digit for digit in written[1:])
    if not re.fullmatch("#[0-9a-fA-F]{6}", written):
        raise ValueError(f"Got the colour {color!r}, but expected one like '#0072B2' or 'rgba(0, 114, 178, 0.5)'.")
    return Paint(written.upper(), paler)


def scaled(values: Any, scale: Sequence[Sequence[Any]], low: float, high: float, reverse: bool = False) -> np.ndarray:
    """Return red, green, blue and opacity from 0 to 255 of each of `values`; what is not finite is transparent.

    Parameters
    ----------
    values : array-like
    scale : sequence of (float, str)
        Colours at shares from 0 to 1, between which they are linear.
    low, high : float
        The values of shares 0 and 1.
    reverse : bool, default=False
        Whether the scale runs the other way.

    Returns
    -------
    ndarray of uint8, one axis more than `values`
    """
    values = np.asarray(values, dtype=float)
    share = np.clip((values - low) / (high - low), 0, 1) if high > low else np.zeros(values.shape)
    share = 1 - share if reverse else share
    stops = [float(stop) for stop, _ in scale]
    paints = [paint(color) for _, color in scale]
    channels = np.array([[*bytes.fromhex((color or "#000000")[1:]), 255 * alpha] for color, alpha in paints])
    found = np.stack([np.interp(share, stops, channel) for channel in channels.T], axis=-1)
    return np.rint(np.where(np.isfinite(values)[..., None], found, 0)).astype(np.uint8)


def painted(pixel: Sequence[int], opacity: float | None = None) -> Paint:
    """Return a pixel of `scaled` as a colour."""
    red, green, blue, alpha = (int(channel) for channel in pixel)
    return Paint(f"#{red:02X}{green:02X}{blue:02X}", alpha / 255 * (1.0 if opacity is None else float(opacity)))
