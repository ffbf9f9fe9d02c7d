"""Pair results as a pandas frame: which rail of which pair of hosts is slow, in each direction."""

import fabric_audit

plan = fabric_audit.build_plan(fabric_audit.load_inventory("inventories/demo.yaml"), traffic="smoke")
capture = fabric_audit.run_plan(plan)
pairs = fabric_audit.audit_capture(capture).tables["pair_result"]
share = (pairs["bandwidth_bps"] / pairs["line_rate_bps"]).groupby([pairs["client"], pairs["server"], pairs["rail"]])
print(share.min().sort_values())
