"""Labels simulated from a known graph, and what finds it."""
