"""What a job really does, by its NCCL log."""
