"""The parts of `trellislib.figures.still`: what plotly makes of a figure in a browser, as marks of a `Drawing`."""
