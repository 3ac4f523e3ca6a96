"""How much every pair of labels depends."""
