"""Two policy files, one extending the other."""

OURS = """
title: our pod
extends: base.yaml
design:
  roce_dscp: {value: 24, source: "change 4711"}
  roce_traffic_class: 98
  watchdog_actions: [drop]
  cnp_priority: null
severities:
  pfc: critical
  pfc.counters: minor
checks:
  gdr.works: {enabled: false, reason: no CUDA here}
  counters.loss:
    options: {velocity: {value: 3, source: "ours"}}
waivers:
  - {check: "links.*", subject: "gpu017/*", reason: new optics ordered, owner: ops, expires: 2027-03-31}
overrides:
  - {match: {role: spine}, design: {switch_mtu_bytes: 9216}}
  - {match: {name: "gpu*", unit: old}, design: {watchdog_required: false, watchdog_detect_ms: 900}}
required_evidence: [gdr]
traffic: {mode: tournament}
"""
BASE = """
extends: roce-lossless
design:
  roce_dscp: 30
  gdr_floor: 0.9
severities: {pfc: minor, links: info}
checks:
  counters.loss: {severity: critical, options: {velocity: 1, window_s: 60}}
required_evidence: [pfc, gdr]
traffic: {qps: 16}
"""
