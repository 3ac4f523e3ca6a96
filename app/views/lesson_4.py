"""Lesson 4."""

from lessons import page, structure

page.show(4, structure.LESSON)
