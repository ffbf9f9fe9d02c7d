"""Operating systems of hosts."""
