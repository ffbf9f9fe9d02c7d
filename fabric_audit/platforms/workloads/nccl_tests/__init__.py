"""nccl-tests: all_reduce_perf and its relatives."""
