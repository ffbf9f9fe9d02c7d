"""Quantities as people write them: ``400G``, ``8M``, ``10s``. Each kind has a closed table of its own.

A general unit library reads ``400G`` as 400 gauss. Numbers without a unit are refused where a slip would be
silent: nobody knows whether 400 means gigabits.
"""

import re
from collections.abc import Mapping
from decimal import Decimal

_NUMBER_AND_UNIT = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?) *([A-Za-z/]+)")

_BIT_UNITS = {"M": Decimal(10**6), "G": Decimal(10**9), "T": Decimal(10**12)}
_BIT_SUFFIXES = ("", "b/s", "bps", "bit/s", "bE")
_SPEED_UNITS = {unit + suffix: factor for unit, factor in _BIT_UNITS.items() for suffix in _BIT_SUFFIXES}
_LINK_RATES = "1 2.5 5 10 20 25 40 50 56 100 200 400 800 1600"
"""Gb/s: rates of IEEE 802.3 from 1 on, and of InfiniBand (SDR 4x 10, DDR 20, QDR 40, FDR 56, EDR 100, HDR 200,
NDR 400, XDR 800)."""
_LINK_GBPS = tuple(map(Decimal, _LINK_RATES.split()))
_SIZE_UNITS = {"B": Decimal(1)} | {
    prefix + suffix: Decimal(1024**power) for power, prefix in enumerate("KMG", start=1) for suffix in ("", "iB")
}
_DURATION_UNITS = {"ms": Decimal("0.001"), "s": Decimal(1), "m": Decimal(60), "h": Decimal(3600)}

_WEEK_S = 7 * 24 * 3600
LARGEST_MESSAGE_BYTES = 2**31
"""InfiniBand Architecture Specification, volume 1, 9.7.2: a message has at most 2 GiB."""


class QuantityError(ValueError):
    """A quantity that cannot be read; the message says what would be right."""


def speed_bps(text: str) -> int:
    """Bits per second of a link: ``400G``, ``400Gb/s``, ``1.6T``, ``200M``.

    From one gigabit on it must be a rate that links have; below, any (a lab shapes links at will).

    Raises:
        QuantityError: no unit, an unknown one, or no rate of a link.
    """
    number, factor = _split(text, _SPEED_UNITS, "a speed with its unit, such as 100G, 200G, 400G or 800G")
    bps = number * factor
    if bps >= 10**9 and bps / 10**9 not in _LINK_GBPS:
        near = min(_LINK_GBPS, key=lambda rate: abs(rate - bps / 10**9))
        raise QuantityError(f"a speed that links have: the nearest is {near}G")
    return int(bps)


def size_bytes(text: str) -> int:
    """Bytes of a message, with binary units: ``8M`` is 8 MiB, ``64K`` 64 KiB, ``4096`` bytes.

    Raises:
        QuantityError: no whole number of bytes, zero, or an unknown unit.
    """
    what = "a size in bytes, or with K, M or G (1024 to the power of 1, 2, 3) up to 2G, such as 8M"
    number, factor = _split(f"{text}B" if text.isdecimal() else text, _SIZE_UNITS, what)
    size = number * factor
    if size % 1 or size > LARGEST_MESSAGE_BYTES:
        raise QuantityError(what)
    return int(size)


def duration_s(text: str) -> float:
    """Seconds: ``500ms``, ``10s``, ``5m``, ``2h``.

    Raises:
        QuantityError: no unit, an unknown one, or zero.
    """
    what = "a duration with its unit (ms, s, m, h), such as 10s; no longer than a week"
    number, factor = _split(text, _DURATION_UNITS, what)
    if number * factor > _WEEK_S:
        raise QuantityError(what)
    return float(number * factor)


def format_speed(bps: int) -> str:
    """Text that :func:`speed_bps` reads back."""
    unit, factor = ("G", 10**9) if bps >= 10**9 else ("M", 10**6)
    return f"{(Decimal(bps) / factor).normalize():f}{unit}"


def format_duration(seconds: float) -> str:
    """Text that :func:`duration_s` reads back."""
    exact = Decimal(str(seconds))
    return f"{(exact * 1000).normalize():f}ms" if exact % 1 else f"{exact.normalize():f}s"


def _split(text: str, units: Mapping[str, Decimal], expected: str) -> tuple[Decimal, Decimal]:
    found = _NUMBER_AND_UNIT.fullmatch(text.strip())
    if not found or found[2] not in units or not Decimal(found[1]):
        raise QuantityError(expected)
    return Decimal(found[1]), units[found[2]]
