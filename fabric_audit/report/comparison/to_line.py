"""What is different in one line, for a chat or a log."""

from fabric_audit.findings import Comparison
from fabric_audit.report.comparison.words import headline

FILE_NAME = "difference.txt"


def render(comparison: Comparison) -> bytes:
    """One line of UTF-8 text."""
    return f"{headline(comparison)}\n".encode()
