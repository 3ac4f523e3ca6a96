"""What several pages show: heads and feet, tables, players, choices, downloads."""
