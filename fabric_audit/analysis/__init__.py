"""Numbers derived from tables; pure."""
