"""How fast the tool is: each module prints a table in Markdown, which ``docs/benchmarks.md`` keeps."""
