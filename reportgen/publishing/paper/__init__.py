"""The report on paper: parts set by WeasyPrint in processes of their own, and bound to one PDF."""
