"""Reads one YAML file into a document, with every fault of its form."""

from pathlib import Path

from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.reader import ReaderError

from fabric_audit.documents.build import Builder, TooMuchError
from fabric_audit.documents.nodes import Document, Node, Place
from fabric_audit.documents.tabs import mended, tabs
from fabric_audit.errors import Fault, UsageError

LARGEST_FILE_BYTES = 4 * 1024 * 1024
"""Ours: 10,000 hosts written one by one are a quarter of it."""

_REMEDIES = {
    "mapping values are not allowed": "put a value that holds ': ' in quotes, indent a key as its neighbours",
    "unexpected end of stream": "close the quote that begins here",
    "expected ',' or": "close the bracket, or put a comma between the values",
    "<block end>": "indent it as the lines it belongs to",
    "could not find expected ':'": "write KEY: VALUE",
    "cannot start any token": "put the value in quotes",
}
_OTHERWISE = "see https://yaml.org/spec/1.2.2/ for how YAML is written"


class UnreadableError(UsageError):
    """A file that cannot be opened, is too large or is not UTF-8: the problem and the remedy."""

    def __init__(self, problem: str, remedy: str) -> None:
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{problem}; {remedy}")


def read_document(path: Path) -> Document:
    """The file as a tree; faults of its form are in it, not raised.

    Raises:
        UnreadableError: the file cannot be opened, is too large or is not UTF-8.
    """
    return read_text(str(path), read_utf8(path))


def read_utf8(path: Path) -> str:
    """The text of a file, without a byte order mark.

    Raises:
        UnreadableError: the file cannot be opened, is too large or is not UTF-8.
    """
    try:
        with path.open("rb") as opened:
            raw = opened.read(LARGEST_FILE_BYTES + 1)
    except OSError as error:
        raise UnreadableError(f"{path}: {error.strerror}", "give the path of a file that you may read") from None
    if len(raw) > LARGEST_FILE_BYTES:
        size = f"{path}: larger than {LARGEST_FILE_BYTES // 1024**2} MiB"
        raise UnreadableError(size, "fold names into node sets, as in gpu[001-032]")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UnreadableError(f"{path}: line {line} is not UTF-8", "save the file as UTF-8") from None


def read_text(file: str, text: str) -> Document:
    """The text as a tree; ``file`` is what faults call it."""
    document = _read(file, text)
    if not document.broken:
        return document
    lines = text.split("\n")
    found = tuple(
        Fault(file, line, column, "a tab stands here", "indent and separate with spaces")
        for line, column in tabs(lines).items()
    )
    if not found or not _about_tabs(document, found):
        return document
    best = min(
        (_read(file, candidate) for candidate in mended(lines)),
        key=lambda candidate: (candidate.broken, len(candidate.faults)),
    )
    return Document(file, best.root, (*found, *best.faults), best.broken)


def _about_tabs(document: Document, found: tuple[Fault, ...]) -> bool:
    """Whether the reading ended at a tab, or behind one that may be why."""
    return document.faults[-1].line >= found[0].line


def _read(file: str, text: str) -> Document:
    nothing = Node(Place(1, 1), None)
    builder: Builder | None = None
    try:
        builder = Builder(file, text)
        root = builder.document()
    except TooMuchError as error:
        end = Fault(file, error.place.line, error.place.column, error.problem, "write it flatter or shorter")
    except (YAMLError, ValueError) as error:
        end = _explained(file, text, error)
    else:
        return Document(file, root, tuple(builder.faults))
    read_past = tuple(builder.faults) if builder else ()
    return Document(file, nothing, (*read_past, end), broken=True)


def _explained(file: str, text: str, error: YAMLError | ValueError) -> Fault:
    if isinstance(error, ReaderError):
        before = text[: error.position]
        column = error.position - before.rfind("\n")
        words = f"the character U+{ord(text[error.position]):04X} is not allowed"
        return Fault(file, before.count("\n") + 1, column, words, "take it out")
    if not isinstance(error, MarkedYAMLError):
        return Fault(file, 1, 1, f"this is no YAML ({error})", _OTHERWISE)
    problem = error.problem or "unreadable"
    unclosed = "end of stream" in problem and error.context_mark
    mark = (unclosed and error.context_mark) or error.problem_mark or error.context_mark
    place = Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)
    words = f"{error.context}, {problem}" if error.context else problem
    remedy = next((remedy for part, remedy in _REMEDIES.items() if part in problem), _OTHERWISE)
    return Fault(file, place.line, place.column, f"this is no YAML: {words}", remedy)
