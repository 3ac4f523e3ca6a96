"""Score tables from elsewhere, read and written: CSV, Markdown and LaTeX."""
