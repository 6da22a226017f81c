"""The report in a browser: one file, or a folder of pages."""
