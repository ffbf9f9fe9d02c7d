"""What exists: the hosts, switches and cables of a fabric, and how to reach them."""
