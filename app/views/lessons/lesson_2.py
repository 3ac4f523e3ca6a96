"""Lesson 2."""

from views.lessons import frame, independence

frame.show(2, independence.LESSON)
