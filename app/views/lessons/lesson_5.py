"""Lesson 5."""

from views.lessons import frame, trellis

frame.show(5, trellis.LESSON)
