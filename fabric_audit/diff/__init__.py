"""Two audits in, what is different out. Pure, and generic over fact tables: a field's kind says how it is compared.

Both audits must be judged by the same policy; what the two captures' own policies say differently is told apart, so
that a changed limit is never taken for a changed fabric.
"""

from fabric_audit.diff.answers import answers
from fabric_audit.diff.cables import cables
from fabric_audit.diff.circumstances import circumstances
from fabric_audit.diff.evidence import lost
from fabric_audit.diff.measures import shifts
from fabric_audit.diff.names import renames
from fabric_audit.diff.pace import paces
from fabric_audit.diff.settings import settings
from fabric_audit.diff.turns import turns
from fabric_audit.findings import Audit, Comparison
from fabric_audit.policy.model import Policy


def compare(before: Audit, after: Audit, policies: tuple[Policy, Policy] | None = None) -> Comparison:
    """What is different in ``after``.

    Args:
        before: audit of the earlier capture.
        after: audit of the later one, judged by the same policy.
        policies: the captures' own policies, where they are known.
    """
    told = answers(before), answers(after)
    names = renames(before.tables, after.tables)
    turned = turns(before, after, names)
    return Comparison(
        before=before,
        after=after,
        differences=tuple(circumstances(before, after, policies)),
        new=turned.new,
        fixed=turned.fixed,
        still=turned.still,
        unsettled=turned.unsettled,
        renamed=names.told,
        changes=(*cables(before.tables, after.tables, names, *told), *settings(before, after, names, *told)),
        paces=tuple(paces(before.tables, after.tables, names)),
        shifts=tuple(shifts(before.tables, after.tables, names)),
        lost=(*lost(before, after), *turned.silent),
        gained=tuple(lost(after, before)),
    )
