"""Lesson 6."""

from views.lessons import frame, verdict

frame.show(6, verdict.LESSON)
