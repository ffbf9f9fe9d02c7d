"""The memory of every GPU is sound, and its error correction is on.

Why: a GPU with uncorrected errors stops its job at the next touch of the page, or computes wrongly where ECC is off. A
row remap that waits for a reset waits until somebody resets; one that failed never ends.

Fix: reset the GPU where a remap is pending; replace it where one failed or SRAM errors exceed NVIDIA's limit;
`nvidia-smi -e 1` switches ECC on.

Source: NVIDIA GPU Memory Error Management (row remapping, A100 and later); nvidia-smi -q.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import skipped
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

ON = Scope.GPUS
FAULTS = {
    "remap_failed": "a memory row could not be remapped",
    "remap_pending": "a row remap waits for a reset",
    "retired_pages_pending": "a page retirement waits for a reset",
    "sram_threshold_exceeded": "uncorrected SRAM errors exceed the limit",
}


def check(gpu_health: "pd.DataFrame") -> Iterator[Finding]:
    """One finding a GPU."""
    for row in rows(gpu_health):
        yield _judged(row)


def _judged(row: Any) -> Finding:
    subject = (row.target, f"GPU{row.gpu}")
    wrong = [words for field, words in FAULTS.items() if getattr(row, field)]
    if row.ecc_uncorrected:
        wrong.append(f"{row.ecc_uncorrected} uncorrected errors since the driver was loaded")
    if row.ecc is False:
        wrong.append("ECC is off")
    if not wrong and row.ecc is None:
        return skipped(subject, "it tells of no error correction: cards for desktops have none")
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=subject,
        message="; ".join(wrong) or "its memory is sound",
        expected="ECC on, nothing uncorrected, no remap pending or failed",
        observed="; ".join(wrong) or "ECC on",
        remedy="reset the GPU; replace it where a remap failed" if wrong else "",
        remedy_source="NVIDIA GPU Memory Error Management",
        evidence=evidence(row),
    )
