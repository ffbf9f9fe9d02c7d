"""How PFC findings read."""

from typing import Any


def in_force(row: Any) -> str | None:
    """Priorities in force, else those configured; "" when PFC is off; None when nothing is known."""
    if row is None:
        return None
    if row.mode == "off":
        return ""
    said = row.oper_priorities if row.oper_priorities is not None else row.admin_priorities
    return None if said is None else str(said)


def words(priorities: str) -> str:
    """``34`` as ``priority 3, 4``; none at all in words."""
    return f"priority {', '.join(priorities)}" if priorities else "no priority"
