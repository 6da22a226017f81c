"""Verdicts -> scores: pure and exact."""
