"""The page Poll, and what those who vote see."""
