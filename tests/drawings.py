"""What a drawing holds, and whether it can be read."""

import numpy as np

from trellislib.figures.drawing import Line, Rectangle


def of_kind(drawing, kind):
    return [mark for mark in drawing.marks if isinstance(mark, kind)]


def shown_text(drawing):
    return [text.text for text in drawing.texts]


def text_at(drawing, text):
    return next(mark for mark in drawing.texts if mark.text == text)


def inside(drawing, box):
    left, top, right, bottom = box
    return left >= 0 and top >= 0 and right <= drawing.width and bottom <= drawing.height


def assert_readable(drawing):
    """Check that every text lies in the drawing and covers no other, and that every mark lies in the drawing."""
    boxes = np.array([text.box for text in drawing.texts])
    assert all(inside(drawing, box) for box in boxes)
    apart = (boxes[:, None, :2] >= boxes[None, :, 2:]).any(axis=2)
    assert (apart | apart.T | np.eye(len(boxes), dtype=bool)).all()
    for line in of_kind(drawing, Line):
        x, y = np.transpose(line.points)
        assert inside(drawing, (x.min(), y.min(), x.max(), y.max()))
    for bar in of_kind(drawing, Rectangle):
        assert inside(drawing, (bar.x, bar.y, bar.x + bar.width, bar.y + bar.height))
