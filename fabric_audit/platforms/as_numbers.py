"""AS numbers as routers write them."""


def as_number(text: str) -> int | None:
    """An AS number, asdot written out (RFC 5396); None where it is no number."""
    high, dot, low = text.strip().partition(".")
    if not high.isdigit() or (dot and not low.isdigit()):
        return None
    return int(high) * 65_536 + int(low) if dot else int(high)
