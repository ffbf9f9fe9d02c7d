"""Audit the RDMA fabric of a GPU cluster.

::

    import fabric_audit

    inventory = fabric_audit.load_inventory("inventories/pod3.yaml")
    plan = fabric_audit.build_plan(inventory, traffic="smoke")  # opens no connection
    capture = fabric_audit.run_plan(plan)  # does; nobody is asked for consent
    audit = fabric_audit.audit_capture(capture)
    pathlib.Path("report.html").write_bytes(fabric_audit.render(audit, "html", capture=capture))

Everything that goes wrong on purpose is a :class:`fabric_audit.errors.FabricAuditError`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fabric_audit.api.judging import audit_capture, compare, render
    from fabric_audit.api.planning import build_plan, load_inventory
    from fabric_audit.api.running import run_plan

__version__ = "0.1.0"
__all__ = ["audit_capture", "build_plan", "compare", "load_inventory", "render", "run_plan"]

_MODULES = {
    "audit_capture": "judging",
    "build_plan": "planning",
    "compare": "judging",
    "load_inventory": "planning",
    "render": "judging",
    "run_plan": "running",
}


def __getattr__(name: str) -> Any:
    """Load a function when it is first asked for: pandas, paramiko and netmiko take their time."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - an import of the package alone needs nothing

    return getattr(import_module(f"{__name__}.api.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
