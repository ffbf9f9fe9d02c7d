"""What a host does to its own traffic."""
