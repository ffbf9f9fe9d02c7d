"""What ``import fabric_audit`` offers, and what the command line is made of: plan, collect, judge, render."""
