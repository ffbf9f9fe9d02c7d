"""GPUs and NVLink."""
