"""Enterprise SONiC of Dell and Broadcom: CONFIG_DB and ``show`` in bash first, the CLI (klish) as second witness.

The CLI is asked from bash, as ``sonic-cli -c "show …"``. What an absent line means, and what cannot be told, is
as on every SONiC.
"""

from fabric_audit.platforms.model import SwitchPlatform
from fabric_audit.platforms.secrets import CLI
from fabric_audit.platforms.switches import sonic
from fabric_audit.platforms.switches.dell_sonic.remedies import REMEDIES

_KLISH = (
    r"running-configuration",
    r"buffer (pool|profile|interface all priority-group)",
    r"interface status",
    r"lldp table",
    r"priority-flow-control watchdog",
    r"qos interface [A-Za-z0-9/]+",
    r"qos interface Ethall priority-flow-control statistics",
    r"qos interface Ethall queue all priority-flow-control watchdog-statistics",
    r"qos map (dscp-tc|pfc-priority-pg|pfc-priority-queue)",
    r"qos (scheduler-policy|wred-policy)",
)

PLATFORM = SwitchPlatform(
    name="dell_sonic",
    driver="linux",
    setup=(),
    allowed=(
        *sonic.PLATFORM.allowed,
        *(rf'sonic-cli -c "show {command} \| no-more"' for command in _KLISH),
    ),
    errors=(
        *sonic.PLATFORM.errors,
        r"^%? ?Error: (Invalid|Illegal|Incomplete|Unrecognized|Ambiguous|Command not|Operation not|Not supported)",
        r"^Syntax error: ",
    ),
    cannot=sonic.PLATFORM.cannot,
    absent_means=sonic.PLATFORM.absent_means,
    saved=("config-db", "running-config"),
    remedies=REMEDIES,
    secrets=(*sonic.PLATFORM.secrets, *CLI),
)
