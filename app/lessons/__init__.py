"""The lessons: guided pages of text, live figures and a question each, whose every claim is computed."""
