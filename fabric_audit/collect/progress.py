"""What a run tells about itself while it goes."""

from typing import Protocol


class Progress(Protocol):
    """Told by the collector, from several threads; shown by the command line."""

    def phase(self, name: str, targets: int) -> None:
        """A phase with so many targets begins."""

    def done(self, target: str) -> None:
        """A target has answered everything of this phase."""

    def failed(self, target: str, words: str) -> None:
        """A target could not be asked."""

    def traffic_round(self, number: int, of: int, words: str) -> None:
        """A round begins; ``words`` says what it does."""


class Silent:
    """Tells nobody."""

    def phase(self, name: str, targets: int) -> None:
        """See :class:`Progress`."""

    def done(self, target: str) -> None:
        """See :class:`Progress`."""

    def failed(self, target: str, words: str) -> None:
        """See :class:`Progress`."""

    def traffic_round(self, number: int, of: int, words: str) -> None:
        """See :class:`Progress`."""
