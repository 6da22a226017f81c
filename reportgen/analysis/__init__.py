"""Scores -> findings: pure functions of values in memory."""
