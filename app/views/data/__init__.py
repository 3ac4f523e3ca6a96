"""Data sets: chosen, simulated, uploaded."""
