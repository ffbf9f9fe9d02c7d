"""``show qos wred-policy`` and ``show qos scheduler-policy``."""

import re
from collections.abc import Iterator
from dataclasses import replace

from fabric_audit.errors import ParseError
from fabric_audit.facts.profiles import EcnProfile, SchedulerPolicy
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import kept, of_whole_lines
from fabric_audit.platforms.switches.dell_sonic.definitions import kilobytes
from fabric_audit.platforms.switches.sonic.database import Entry
from fabric_audit.platforms.switches.sonic.ecn import profile_fact
from fabric_audit.platforms.text import integer, numbered

_FENCE = re.compile(r"-{10,}")
_POLICY = re.compile(r"Policy\s*:\s*(\S+)")
_FIELD = re.compile(
    r"(ecn|(?:green|yellow|red)-(?:min-threshold|max-threshold|drop-probability))\s*:\s*(\S+)(?:\s+(\S+))?"
)


@section(
    "show-qos-wred-policy",
    Cli('sonic-cli -c "show qos wred-policy | no-more"'),
    yields=(EcnProfile,),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
)
def show_qos_wred_policy(output: Output) -> Iterator[Answer]:
    """``show qos wred-policy``: each policy between lines of dashes, then its fields.

    Thresholds are KBytes here, of 1000 bytes, and bytes in CONFIG_DB and in the first design. A policy without
    ``ecn`` marks nothing: it drops. Source: dellemc.enterprise_sonic sonic_qos_wred, SONiC QoS management design
    3.2.2.2.
    """
    yield from of_whole_lines(output.stdout, _policies, (EcnProfile,), "there is no policy")


def _policies(text: str) -> Iterator[Answer]:
    policy: Entry | None = None
    for number, line in numbered(text):
        words = line.strip()
        named, found = _POLICY.fullmatch(words), _FIELD.fullmatch(words)
        if named:
            yield from _told(policy)
            policy = Entry(named[1], number, {}, {})
        elif found and policy:
            yield from kept(_field(policy, number, found))
        elif not is_noise(line) and not _FENCE.fullmatch(words):
            yield Skipped(number, line, "a field of a WRED policy")
    yield from _told(policy)
    if policy is None:
        yield Skipped(0, text.strip()[:200], "Policy : NAME")


def _field(policy: Entry, number: int, found: re.Match[str]) -> Iterator[Answer]:
    name, value, unit = found.groups()
    if name.endswith("threshold"):
        threshold = integer(value, number, "a threshold")
        if threshold is None:
            raise ParseError(number, value, "a threshold")
        units = {words.partition(" ")[2] for name, words in policy.fields.items() if name.startswith("printed")}
        if unit not in ("KBytes", None) or units - {unit or "bytes"}:
            raise ParseError(number, unit or value, "KBytes, or no unit for bytes, and the same for all thresholds")
        policy.fields[f"printed {name}"] = f"{value} {unit or 'bytes'}"  # type: ignore[index]  # the same
        value = str(kilobytes(threshold) if unit else threshold)
    fields = {name.replace("-", "_"): value}
    if name.startswith("green"):
        fields["wred_green_enable"] = "true"
    policy.fields.update(fields)  # type: ignore[attr-defined]  # its own mapping, still growing
    policy.lines.update(dict.fromkeys(fields, number))  # type: ignore[attr-defined]  # the same
    yield from ()


def _told(policy: Entry | None) -> Iterator[Answer]:
    if policy and not policy.fields:
        yield Skipped(policy.line, policy.key, "a policy with fields")
    elif policy:
        low, high = (policy.text(f"printed green-{end}-threshold") for end in ("min", "max"))
        if low and high:
            policy.fields["as_printed"] = f"{low.partition(' ')[0]}/{high}"  # type: ignore[index]  # the same
        yield from kept(profile_fact(policy))


@section(
    "show-qos-scheduler-policy",
    Cli('sonic-cli -c "show qos scheduler-policy | no-more"'),
    yields=(SchedulerPolicy,),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
)
def show_qos_scheduler_policy(output: Output) -> Iterator[Answer]:
    """``show qos scheduler-policy``: each policy, its queues, and their type, weight and shaper.

    Rates and bursts are left out. A weight is a share only among the queues of one port. Source:
    dellemc.enterprise_sonic sonic_qos_scheduler.
    """
    yield from of_whole_lines(output.stdout, _queues, (SchedulerPolicy,), "there is no policy")


_SCHEDULER = re.compile(r"Scheduler Policy:\s*(\S+)")
_QUEUE = re.compile(r"(?:Queue|Scheduler):\s*(\d+|port)", re.IGNORECASE)
_SHAPER = re.compile(r"(?:meter-type|cir|cbs|pir|pbs|min-burst|max-burst):.*", re.IGNORECASE)


def _queues(text: str) -> Iterator[Answer]:
    name = ""
    made: SchedulerPolicy | None = None
    for number, line in numbered(text):
        words = line.strip()
        policy, queue = _SCHEDULER.fullmatch(words), _QUEUE.fullmatch(words)
        setting = re.fullmatch(r"(type|weight):\s*(\S+)", words, re.IGNORECASE)
        if policy or queue:
            yield from (made,) if made else ()
            name, made = (policy[1], None) if policy else (name, None)
            if queue and name:
                made = SchedulerPolicy(policy=name, queue=_number(queue[1]), line=number)
        elif setting and made and getattr(made, _SETTINGS[setting[1].lower()]) is not None:
            yield Skipped(number, line, f"one {setting[1]} for queue {made.queue}")
            made = None
        elif setting and made:
            made = _set(made, setting[1].lower(), setting[2], number)
        elif setting:
            yield Skipped(number, line, "the queue that this is set for")
        elif not is_noise(line) and not _SHAPER.fullmatch(words):
            yield Skipped(number, line, "a queue of a scheduler policy, or its type or weight")
    yield from (made,) if made else ()
    if not name:
        yield Skipped(0, text.strip()[:200], "Scheduler Policy: NAME")


_SETTINGS = {"type": "scheduler", "weight": "weight"}


def _number(queue: str) -> int:
    return int(queue) if queue.isdecimal() else -1


def _set(made: SchedulerPolicy, name: str, value: str, line: int) -> SchedulerPolicy:
    if name == "type":
        return replace(made, scheduler=value.lower())
    return replace(made, weight=integer(value, line, "a weight"))
