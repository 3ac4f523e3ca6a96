"""The views of the Inspect page: one prediction, the sweeps of Gibbs sampling, a whole test set."""
