"""``python -m fabric_audit`` and the console script."""

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    from fabric_audit.cli import run  # noqa: PLC0415 - so that an import error of ours meets no half-set-up process

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
