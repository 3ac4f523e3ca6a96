"""Label DAG lab: labels simulated from a known graph, and what finds it."""

from parts import head

head("Which structure finds the graph that the labels came from?", "")
