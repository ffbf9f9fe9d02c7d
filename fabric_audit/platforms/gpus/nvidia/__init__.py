"""NVIDIA GPUs: nvidia-smi, the kernel's log and module state."""
