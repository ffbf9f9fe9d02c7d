"""The verdict in one line, for a chat or a log."""

from fabric_audit.findings import Audit
from fabric_audit.report.model import EvidenceReader
from fabric_audit.report.words import headline

FILE_NAME = "verdict.txt"


def render(audit: Audit, evidence: EvidenceReader) -> bytes:
    """One line of UTF-8 text."""
    del evidence
    return f"{headline(audit, audit.fail_on)}\n".encode()
