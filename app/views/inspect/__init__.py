"""Why a method predicts what it does."""
