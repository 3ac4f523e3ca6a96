"""The views of the Graphs page: structures side by side, and dependence with and without the features."""
