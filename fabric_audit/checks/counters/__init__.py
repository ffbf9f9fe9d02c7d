"""What was counted while the fabric was watched."""
