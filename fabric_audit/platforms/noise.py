"""Lines that stand in an output and that no command printed: prompts with their echo, log messages, pagers."""

import re

_NOISE = re.compile(
    r"""\s*(?:
      [\w.@:~/()+-]*[$\#>](?:\s.*|(?:show|sudo|nv|display)\b.*)?    # prompt, with the command echoed or not
    | lines\s\d+-\d+.*
    | (?:-+\s*)?(?:<-+\s*)?[Mm]ore(?:\s*-+>?)?.*--.*                # pager
    | --\s?[Mm]ore\s?--
    | \.{3}                                                         # a document's way to leave lines out
    | [%*]?(?:\d{4}\s)?[A-Z][a-z]{2}\s+\d{1,2}\s(?:\d{4}\s)?\d\d:\d\d:\d\d.*  # RFC 3164 time stamp, with a year or not
    | %[A-Z]\w*-\d-\w+:.*                                          # Cisco's and Arista's %FACILITY-SEVERITY-MNEMONIC
    | \d{4}-\d\d-\d\d[T\s]\d\d:\d\d:\d\d\S*\s.*                     # RFC 3339 time stamp
    | \[\s*\d+\.\d+\]\s.*                                           # kernel time stamp
    | Message\sfrom\ssyslogd@.*
    | Broadcast\smessage\sfrom\s.*
    )?""",
    re.VERBOSE,
)


def is_noise(line: str) -> bool:
    """Whether the line is blank, a prompt, a log message or a pager's remnant."""
    return _NOISE.fullmatch(line) is not None
