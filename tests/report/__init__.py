"""Reports: every format, from audits made here."""
