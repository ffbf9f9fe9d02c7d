"""Text of devices made harmless to look at: nothing in it moves a cursor, hides, or turns a line around.

Devices answer with whatever they hold: an interface description may carry markup, terminal sequences, marks that
reverse the reading order (Unicode UAX 9) or a megabyte on one line. Every format shows such text through here, and
escapes what its own syntax would take for more than text.
"""

import re

LONGEST = 2_000
"""Characters shown of one value: what a person reads of a line; the capture has all of it."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def inert(text: str, *, keep: str = "", longest: int = LONGEST) -> str:
    r"""The text with everything that is not plainly visible spelled out, cut to ``longest`` characters.

    Args:
        text: from wherever.
        keep: characters that stay as they are, such as ``"\n"`` where lines are shown as lines.
        longest: characters shown; what is left out is said.
    """
    shown = text[:longest]
    if not shown.isprintable():
        shown = "".join(c if c.isprintable() or c in keep else _spelled(c) for c in shown)
    return shown if len(text) <= longest else f"{shown} … ({len(text):,} characters)"


def one_line(text: str, *, longest: int = LONGEST) -> str:
    """Inert, and every run of blanks or line ends one blank."""
    return inert(" ".join(text[: 2 * longest].split()), longest=longest)


def encodable(text: str) -> str:
    """The text with lone surrogates, which no encoding has, as U+FFFD; nothing else changes."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _spelled(character: str) -> str:
    """By its code point; pictures of control characters are missing in most fonts."""
    return "\ufffd" if _SURROGATE.match(character) else f"⟨U+{ord(character):04X}⟩"
