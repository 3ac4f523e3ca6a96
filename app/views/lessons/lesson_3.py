"""Lesson 3."""

from views.lessons import chain, frame

frame.show(3, chain.LESSON)
