"""What ought to be: the fabric's intent, limits, severities and waivers, each value with its source."""
