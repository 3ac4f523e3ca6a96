"""`Table`, in which nobody has said yet which columns are labels, and what makes it a data set."""
