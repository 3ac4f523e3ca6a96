"""Data sets: loaded from files, shipped with packages, or simulated."""
