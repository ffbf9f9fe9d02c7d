"""An invented comparison that has something of every kind, in whatever words."""

from fabric_audit.findings import Change, Comparison, Difference, Evidence, Pace, Shift, Told, Turn, Verdict
from tests.report.audits import faulty, healthy


def everything(text: str = "words") -> Comparison:
    """Each text that may come from a device is ``text``."""
    after = faulty()
    failing = [f for f in after.findings if f.verdict is Verdict.FAIL]
    turned = [Turn(finding=finding, was=Verdict.PASS, why=text) for finding in failing]
    change = Change(
        subject=("leaf01", text),
        table="pfc_port",
        field="admin_priorities",
        meaning="priorities configured lossless",
        before=text,
        after=f"{text}!",
        evidence=Evidence("baseline/leaf01/config-db.out", 5),
    )
    return Comparison(
        before=healthy(),
        after=after,
        differences=(Difference(what=f"policy: {text}", before=text, after="other"),),
        new=tuple(turned[:2]),
        fixed=tuple(turned[2:3]),
        still=tuple(turned[3:4]),
        unsettled=tuple(turned[4:5]),
        renamed=(change,),
        changes=(change,),
        paces=(Pace(subject=("gpu001", text), name=text, counter_class="loss", before_per_s=0.0, after_per_s=12.5),),
        shifts=(Shift(subject=("gpu001", text), name="bandwidth_bps", before=4e11, after=3e11, noise=0.05, repeats=0),),
        lost=(Told(subject=("gpu007",), what=text, why=text),),
        gained=(Told(subject=("gpu008",), what=text, why=text),),
    )


def nothing() -> Comparison:
    return Comparison(before=healthy(), after=healthy())
