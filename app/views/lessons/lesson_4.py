"""Lesson 4."""

from views.lessons import frame, structure

frame.show(4, structure.LESSON)
