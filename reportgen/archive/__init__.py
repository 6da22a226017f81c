"""Runs on disk: a stage, a file; immutable once finished."""
