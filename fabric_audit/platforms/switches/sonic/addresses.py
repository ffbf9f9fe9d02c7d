"""Addresses of a SONiC switch as configured."""

from collections.abc import Iterator

from fabric_audit.facts.ports import Address
from fabric_audit.platforms.model import Answer
from fabric_audit.platforms.switches.sonic.database import Database

_TABLES = ("INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE", "LOOPBACK_INTERFACE", "MGMT_INTERFACE")


def configured(database: Database) -> Iterator[Answer]:
    """Keys such as ``Ethernet0|192.0.2.0/31``; a key without an address only makes the interface a routed one.

    Source: sonic-yang-models, sonic-interface.yang and its siblings.
    """
    for table in _TABLES:
        for entry in database.table(table).values():
            port, _, address = entry.key.partition("|")
            if "/" in address:
                yield Address(port=port, address=address, line=entry.line)
