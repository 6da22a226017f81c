"""Withholding: text of a run -> the same text with marks where it told too much."""
