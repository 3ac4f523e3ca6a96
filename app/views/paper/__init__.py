"""The paper's tables and figures, published and run here."""
