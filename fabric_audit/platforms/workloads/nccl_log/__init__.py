"""NCCL's debug log (``NCCL_DEBUG=INFO``), versions 2.4 to 2.30, read line by line."""
