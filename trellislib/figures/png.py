"""Pixels as a PNG file, so that images need no further package."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np


def png(pixels: np.ndarray) -> bytes:
    r"""Return pixels of shape (n_rows, n_columns, 4), red, green, blue and opacity from 0 to 255, as a PNG file.

    Examples
    --------
    >>> png(np.zeros((1, 1, 4), dtype=np.uint8))[:4]
    b'\x89PNG'
    """
    height, width, _ = pixels.shape
    rows = np.zeros((height, 4 * width + 1), dtype=np.uint8)  # each begins with a 0: it is not filtered
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in parts
    )


def png_address(pixels: np.ndarray) -> str:
    """Return pixels as a PNG file that is its own address, ``data:image/png;base64,...``."""
    return f"data:image/png;base64,{base64.b64encode(png(pixels)).decode()}"
