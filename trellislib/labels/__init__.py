"""Labels and the graphs between them: indicator columns, label graphs, label sets, and matrices of these."""
