"""perftest: ib_write_bw, ib_send_bw, ib_read_bw and the latency tests."""
