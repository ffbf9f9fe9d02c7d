"""What is asked of whom, and when; pure."""
