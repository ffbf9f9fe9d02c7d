"""What traffic tests achieved."""
