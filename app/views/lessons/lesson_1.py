"""Lesson 1."""

from views.lessons import frame, many_labels

frame.show(1, many_labels.LESSON)
