"""Files of any form as tables: what each holds, how they belong together, and why one cannot be read."""
