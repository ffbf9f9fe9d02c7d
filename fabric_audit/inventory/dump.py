"""From an inventory to a file that loads back as the same inventory, wherever it lies.

It stands alone: models are written out, cables stand in it. Passwords are references, as everywhere. Targets
that follow each other and differ by name alone are folded into one entry.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from itertools import groupby
from typing import Any, TypeAlias, TypeVar

from fabric_audit.documents.quantities import format_duration, format_speed
from fabric_audit.documents.write import items, pairs, sections
from fabric_audit.inventory.expansion import STRAIGHT
from fabric_audit.inventory.model import Host, Inventory, Nic, Switch, Target, Traffic
from fabric_audit.inventory.nodes import expand, fold

Values: TypeAlias = dict[str, Any]
TargetT = TypeVar("TargetT", Host, Switch)


def dump_inventory(inventory: Inventory) -> str:
    """YAML of the inventory, in the form that :func:`load_inventory` reads; no credential is in it."""
    models = _models(inventory.hosts)
    lines = pairs({key: getattr(inventory, key) for key in ("fabric", "policy", "wiring")})
    lines += sections(
        {
            "models": pairs({name: _made_of(host) if host else {} for name, host in models.items()}),
            "hosts": items(_folded(inventory.hosts, lambda host: _host(host, models))),
            "switches": items(_folded(inventory.switches, _switch)),
            "cables": items(_said(asdict(cable)) for cable in inventory.cables),
            "traffic": pairs(traffic_values(inventory.traffic)),
            "tools": pairs(inventory.tools),
            "simulated": pairs(_said(asdict(inventory.simulated)) if inventory.simulated else {}),
        }
    )
    return "\n".join(lines) + "\n"


def traffic_values(traffic: Traffic) -> Values:
    """The keys of ``traffic`` that say something."""
    values = asdict(traffic)
    duration_s = values.pop("duration_s")
    values["size"] = values.pop("size_bytes")
    return _said({**values, "duration": None if duration_s is None else format_duration(duration_s)})


def _said(values: Values) -> Values:
    return {key: value for key, value in values.items() if value is not None}


def _folded(targets: Iterable[TargetT], values_of: Callable[[TargetT], Values]) -> Iterator[Values]:
    """Entries for runs of targets that have the same values, the name in the address left aside."""
    for values, run in groupby(((values_of(target), target.name) for target in targets), key=lambda pair: pair[0]):
        names = [name for _, name in run]
        folded = fold(names)
        if list(expand(folded)) == names:
            yield {"name": folded, **values}
        else:
            yield from ({"name": name, **values} for name in names)


def _host(host: Host, models: Mapping[str, Host | None]) -> Values:
    """A host's keys; what it is made of only where its model does not say so."""
    alike = models.get(host.model) if host.model else None
    own = {} if alike and _parts(alike) == _parts(host) else _made_of(host)
    return _said({**_login(host), "model": host.model, "unit": host.unit, **own})


def _switch(switch: Switch) -> Values:
    return _said({**_login(switch), "platform": switch.platform, "role": switch.role, "unit": switch.unit})


def _models(hosts: Sequence[Host]) -> dict[str, Host | None]:
    """For each model a host that all others of it are like, or None: then they are written out."""
    models: dict[str, Host | None] = {}
    for host in hosts:
        if host.model:
            first = models.setdefault(host.model, host)
            if first and _parts(first) != _parts(host):
                models[host.model] = None
    return models


def _parts(host: Host) -> tuple[int | None, int | None, tuple[Nic, ...]]:
    return host.gpus, host.nvlinks, host.nics


def _made_of(host: Host) -> Values:
    return _said({"gpus": host.gpus, "nvlink": host.nvlinks}) | {"nics": [_nic(nic) for nic in host.nics]}


def _nic(nic: Nic) -> Values:
    values = asdict(nic)
    speed_bps = values.pop("speed_bps")
    return _said({**values, "speed": None if speed_bps is None else format_speed(speed_bps)})


def _login(target: Target) -> Values:
    login, dotted = target.login, f"{target.name}."
    address = STRAIGHT + login.address[len(target.name) :] if login.address.startswith(dotted) else login.address
    values = {f.name: getattr(login, f.name) for f in fields(login)}
    return values | {
        "address": STRAIGHT if address == target.name else address,
        "jump": login.jump or None,
        "password": login.password and {login.password.kind: login.password.name},
    }
