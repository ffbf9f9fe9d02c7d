"""What the PFC watchdog does when it fires."""
