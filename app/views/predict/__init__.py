"""New rows: a fitted method, and what it predicts of them."""
