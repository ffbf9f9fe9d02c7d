"""What a simulated GPU host prints: its files, its programs, and the shell that asks them."""
