"""What makes evidence less than evidence, and the chain that all other checks add up to."""

from fabric_audit.facts.merge import Disagreement
from fabric_audit.findings import Verdict
from tests.checks.proofs.model import Proof, set_

ODD = Disagreement(
    of_table="interface", of_key="Ethernet0", of_field="mtu_bytes", first="9216 (a:1)", second="1500 (b:2)"
)

PROOFS = (
    Proof(
        check="chain.lossless",
        change=(set_("pfc_port", {"target": "leaf01", "port": "Ethernet0"}, mode="off", admin_priorities=""),),
        cause="pfc.enabled-on-lossless-priority",
    ),
    Proof(
        check="evidence.clocks-agree",
        change=(set_("system", {"target": "gpu001"}, clock_utc="2020-01-01T00:00:00Z"),),
    ),
    Proof(check="evidence.delivered", lost="not_delivered", fails_as=Verdict.UNKNOWN),
    Proof(check="evidence.understood", lost="parse_error", fails_as=Verdict.UNKNOWN),
    Proof(
        check="evidence.traffic-complete",
        change=(set_("fabric", {}, traffic_ended="a watchdog fired"),),
        fails_as=Verdict.UNKNOWN,
    ),
    Proof(check="evidence.sources-agree", added=(("leaf01", "baseline", ODD),)),
    Proof(
        check="evidence.real-devices", change=(set_("fabric", {}, origin="simulated"),), fails_as=Verdict.NOT_VERIFIABLE
    ),
    Proof(check="evidence.proven-parsers", proven=True, fails_as=Verdict.NOT_VERIFIABLE),
)
