"""Lesson 5."""

from lessons import page, trellis

page.show(5, trellis.LESSON)
