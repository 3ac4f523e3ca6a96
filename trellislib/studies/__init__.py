"""Studies that run many methods over many data sets of one kind."""
