"""What simulated switches print."""
