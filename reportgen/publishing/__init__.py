"""Findings -> pages: templates only place what has been decided before."""
