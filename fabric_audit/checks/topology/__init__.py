"""Shape of hosts."""
