"""Every traffic test between two hosts as a row of a spreadsheet."""

from collections.abc import Iterator
from typing import Any

from fabric_audit.findings import Audit
from fabric_audit.report.cells import table
from fabric_audit.report.model import EvidenceReader

FILE_NAME = "pairs.csv"
HEADER = (
    "round",
    "client",
    "server",
    "rail",
    "tool",
    "memory",
    "mechanism",
    "bidirectional",
    "client_device",
    "server_device",
    "size_bytes",
    "qps",
    "traffic_class",
    "bandwidth_bps",
    "line_rate_bps",
    "latency_typical_us",
    "latency_p99_us",
    "latency_p999_us",
    "mtu_bytes",
    "outcome",
    "message",
    "evidence",
)
"""Columns of the fact table ``pair_result``; ``fabric-audit explain pair_result`` says what each means."""


def render(audit: Audit, evidence: EvidenceReader) -> bytes:
    """One row a test, in the order of rounds."""
    del evidence
    return table(HEADER, _rows(audit))


def _rows(audit: Audit) -> Iterator[tuple[object, ...]]:
    frame = audit.tables.get("pair_result")
    if frame is None:
        return
    used = frame[list(HEADER)].sort_values(["round", "client", "server", "rail", "tool", "memory"], kind="stable")
    plain = used.astype(object).where(used.notna(), None)
    rows: Iterator[Any] = plain.itertuples(index=False, name=None)
    yield from rows
