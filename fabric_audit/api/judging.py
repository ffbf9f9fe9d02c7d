"""From a capture to an audit, and from an audit to a report; offline."""

from datetime import date
from pathlib import Path

from fabric_audit.api.planning import policy_of
from fabric_audit.audit import audit_capture as judged
from fabric_audit.capture.reader import Capture
from fabric_audit.checks.selection import chosen
from fabric_audit.diff import compare as compared
from fabric_audit.documents.validation import meant
from fabric_audit.errors import UsageError
from fabric_audit.findings import Audit, Comparison, Evidence
from fabric_audit.inventory.load import load_inventory
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import Policy
from fabric_audit.report import RENDERERS, evidence_reader
from fabric_audit.report.model import EvidenceReader, Excerpt, Renderer


def audit_capture(
    capture: Capture | str | Path,
    *,
    policy: Policy | str | None = None,
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    as_of: date | None = None,
) -> Audit:
    """Judge what was collected. ``audit.tables`` are pandas frames: ``pair_result``, ``counter``, ``link``, ….

    Args:
        capture: as :func:`run_plan` returns it, or a run folder.
        policy: what ought to be; default: the policy that the capture was collected under.
        select: checks or families; default: all.
        ignore: checks or families to leave out.
        as_of: day on which waivers are judged; default: the day the capture began.

    Raises:
        CaptureError: there is no capture, or it cannot be read.
        PolicyError: with all faults of the policy.
        UsageError: a word of ``select`` or ``ignore`` names nothing.
    """
    opened = capture if isinstance(capture, Capture) else Capture.open(Path(capture))
    inventory = load_inventory(opened.folder / "inventory.yaml", platforms=tuple(switch_platforms()))
    rules = policy_of(policy, inventory) if policy else _own_policy(opened)
    return judged(opened, inventory, rules, chosen(select, ignore), as_of=as_of)


def compare(
    before: Capture | str | Path,
    after: Capture | str | Path,
    *,
    policy: Policy | str | None = None,
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    judged: Audit | None = None,
) -> Comparison:
    """What is different in the later of two captures; both are judged by one policy.

    Args:
        before: the earlier capture, or its run folder.
        after: the later one.
        policy: what ought to be; default: the later capture's policy.
        select: checks or families; default: all.
        ignore: checks or families to leave out.
        judged: the later one's audit by that policy, where it is known.

    Raises:
        CaptureError: a capture cannot be read.
        PolicyError: with all faults of the policy.
        UsageError: a word of ``select`` or ``ignore`` names nothing.
    """
    earlier, later = (one if isinstance(one, Capture) else Capture.open(Path(one)) for one in (before, after))
    own = _own_policy(earlier), _own_policy(later)
    told = judged or audit_capture(later, policy=policy, select=select, ignore=ignore)
    was = audit_capture(earlier, policy=policy or own[1], select=select, ignore=ignore)
    return compared(was, told, own)


def _own_policy(capture: Capture) -> Policy:
    return load_policy(str(capture.folder / "policy.yaml"))


def render(audit: Audit, form: str = "html", *, capture: Capture | str | Path | None = None) -> bytes:
    """One report as the bytes of its file.

    Args:
        audit: from :func:`audit_capture`.
        form: ``html``, ``json``, ``csv``, ``junit``, ``markdown``, ``sarif`` or ``prometheus``.
        capture: where the raw lines behind each finding are taken from; without it the report names places only.

    Raises:
        UsageError: no format is called so.
        CaptureError: the capture cannot be read.
    """
    opened = Capture.open(Path(capture)) if isinstance(capture, str | Path) else capture
    return renderer(form).render(audit, _NoLines() if opened is None else evidence_reader(opened))


def renderer(form: str) -> Renderer:
    """The report format of that name.

    Raises:
        UsageError: no format is called so.
    """
    if form not in RENDERERS:
        raise UsageError(f"no report format is called {form!r}; {meant(form, RENDERERS)}")
    return RENDERERS[form]


class _NoLines(EvidenceReader):
    """For a report without its capture."""

    def excerpt(self, evidence: Evidence) -> Excerpt:
        return Excerpt(path=evidence.path, reason="the report was made without its capture")
