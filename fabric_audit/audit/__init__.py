"""A capture and a policy in, an audit out. Pure but for reading the capture."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime

from fabric_audit import __version__
from fabric_audit.audit.coverage import coverage_of
from fabric_audit.audit.custody import custody_of
from fabric_audit.audit.gpu_distances import coverage as coverage_of_distances
from fabric_audit.audit.gpu_distances import gpu_distances
from fabric_audit.audit.reading import Read, read_outputs, stamped_facts
from fabric_audit.capture.reader import Capture
from fabric_audit.checks.engine import Evidences, evaluate_all
from fabric_audit.checks.model import Check
from fabric_audit.facts.fabric_ports import configured_ports, fabric_ports
from fabric_audit.facts.intended import intended
from fabric_audit.facts.merge import merged
from fabric_audit.facts.pairs import Slot, pair_result
from fabric_audit.facts.performance import PerftestRow
from fabric_audit.facts.tables import Stamped, frames
from fabric_audit.facts.topology import Aliases, links
from fabric_audit.findings import Audit, Origin
from fabric_audit.inventory.model import Inventory
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.policy.model import Policy

BASELINE = "baseline"
"""Phase of the capture that tells configuration and state."""


def audit_capture(
    capture: Capture,
    inventory: Inventory,
    policy: Policy,
    checks: Iterable[Check],
    *,
    as_of: date | None = None,
    ports: Collection[str] = (),
) -> Audit:
    """Judge a capture.

    Args:
        capture: the evidence.
        inventory: the inventory as used, from the capture.
        policy: what ought to be; the capture's own or another.
        checks: those to evaluate.
        as_of: day on which waivers are judged; the day the capture began where None.
        ports: of configuration files, the ports of the RDMA fabric; all that are not shut down where empty.
    """
    reads = tuple(read_outputs(capture))
    stamped = list(merged(stamped_facts(capture, reads), BASELINE))
    stamped += pair_results(capture, reads)
    distances = list(gpu_distances(stamped, BASELINE))
    stamped += distances
    stamped += intended(inventory, capture.manifest.origin, capture.manifest.traffic.get("ended"))
    stamped += links(stamped, inventory, _aliases())
    from_files = capture.manifest.origin == Origin.FILES
    stamped += configured_ports(stamped, ports) if from_files else fabric_ports(stamped)
    coverage = (*coverage_of(capture, reads), *coverage_of_distances(distances))
    tables = frames(stamped)
    evidences = Evidences(
        inventory=inventory,
        tables=tables,
        coverage=coverage,
        traffic=bool(capture.rounds) or capture.manifest.traffic.get("mode", "none") != "none",
        cannot=_cannot(inventory),
        reserves=_reserves(inventory),
        as_of=as_of or datetime.fromisoformat(capture.manifest.started).date(),
        remedies={switch.name: switch_platforms()[switch.platform].remedies for switch in inventory.switches},
        configured_only=from_files,
    )
    return Audit(
        fabric=inventory.fabric,
        policy=policy.name,
        origin=capture.manifest.origin,
        started=capture.manifest.started,
        as_of=evidences.as_of.isoformat(),
        tool_version=__version__,
        results=evaluate_all(checks, evidences, policy),
        coverage=coverage,
        tables=tables,
        overrides=capture.manifest.overrides,
        custody=custody_of(capture),
        required=policy.required_evidence,
        waivers=tuple(f"{w.check} {w.subject}: {w.reason} ({w.owner}, until {w.expires})" for w in policy.waivers),
    )


def pair_results(capture: Capture, reads: Iterable[Read]) -> list[Stamped]:
    """What became of every slot of every round: the test's words at both ends, or why there are none."""
    said: dict[tuple[str, str], Read] = {}
    for one in reads:
        if one.frame is not None and one.section.kind == "workloads":
            said[one.entry.target, one.frame.item] = one
    errors = {(e.target, e.phase): e.error for e in capture.entries if e.error}
    found = []
    for record in capture.rounds:
        phase = str(record["phase"])
        for stored in record["slots"]:
            slot = Slot.from_json(stored)
            client, server = said.get((slot.client, slot.id)), said.get((slot.server, slot.id))
            unbound = record["unbound"].get(slot.id, "")
            fact = pair_result(
                slot,
                _rows(client),
                _rows(server),
                client_error=unbound or _error(client, errors.get((slot.client, phase), "")),
                server_error="" if unbound else _error(server, errors.get((slot.server, phase), "")),
                started=client.entry.started if client else None,
                duration_s=client.frame.took_s if client and client.frame else None,
            )
            path, line = _place(client or server)
            found.append(Stamped(slot.client, phase, path, fact, line))
    return found


def _place(one: Read | None) -> tuple[str, int]:
    """File and line of a test's last row; the journal where nothing came."""
    if one is None:
        return "outputs.jsonl", 0
    rows = _rows(one)
    return one.path, one.line_of(rows[-1]) if rows else 0


def _rows(one: Read | None) -> tuple[PerftestRow, ...]:
    facts = one.reading.facts if one else ()
    return tuple(fact for fact in facts if isinstance(fact, PerftestRow))


def _error(one: Read | None, words: str) -> str:
    if one is None:
        return words or "not delivered"
    return words if one.reading.state == "parsed" else (words or one.reading.reason)


def _cannot(inventory: Inventory) -> Mapping[tuple[str, str], str]:
    return {
        (switch.name, table): words
        for switch in inventory.switches
        for table, words in switch_platforms()[switch.platform].cannot.items()
    }


def _reserves(inventory: Inventory) -> Mapping[str, str]:
    words = {switch.name: switch_platforms()[switch.platform].pfc_reserves for switch in inventory.switches}
    return {name: how for name, how in words.items() if how}


def _aliases() -> Aliases:
    return {name: platform.aliases for name, platform in switch_platforms().items()}
